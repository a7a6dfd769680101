# ===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""links.py FILE...: fails where a link in a Markdown file points to no file."""

import re
import sys
from pathlib import Path

problems, count = [], 0
for name in sys.argv[1:]:
    path = Path(name)
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
        count += 1
        if not (path.parent / target).exists():
            problems.append(f"{path.name}: {target} is not there")
print(f"{count} links")
print("\n".join(problems))
sys.exit(bool(problems))
