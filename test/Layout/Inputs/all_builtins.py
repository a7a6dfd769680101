# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""all_builtins.py LAYOUT < NAMES: asks the command for each name, in backquotes."""

import subprocess
import sys

names = {line.strip("`\n") for line in sys.stdin}
for name in sorted(names):
    subprocess.run([sys.argv[1], name], stdout=subprocess.DEVNULL, check=True)
print(f"{len(names)} builtins")
