# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""sources.py CONTRIB CUTLASS: counts the unit tests that build_tests.py keeps."""

import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import build_tests

total = 0
for name, program in {**build_tests.EXAMPLES, **build_tests.UNIT_TESTS}.items():
    count = program.text(Path(sys.argv[2])).count("\nTEST(")
    print(f"{name}: {count} unit tests")
    total += count
print(f"{total} unit tests")
