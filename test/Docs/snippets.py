# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""snippets.py ROOT PAGE...: fails where code in a page is not in the source that it
is from.

A block begins with ```cuda and the source, relative to ROOT. Its lines must follow each
other there, however far they are indented.
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"^```cuda *(\S*)\n(.*?)^```$", re.M | re.S)


def stripped(text):
    return [line.strip() for line in text.splitlines()]


def is_part(lines, whole):
    count = len(lines)
    return any(whole[i : i + count] == lines for i in range(len(whole) - count + 1))


root, problems, count = Path(sys.argv[1]), [], 0
for name in sys.argv[2:]:
    page = Path(name)
    for source, block in BLOCK.findall(page.read_text()):
        count += 1
        first = block.splitlines()[0].strip()
        if not source or not (root / source).is_file():
            problems.append(f"{page.name}: no source of '{first}'")
        elif not is_part(stripped(block), stripped((root / source).read_text())):
            problems.append(f"{page.name}: {source} has no such code: '{first}'")
print(f"{count} blocks")
print("\n".join(problems))
sys.exit(bool(problems))
