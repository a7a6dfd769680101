#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeats the link of a tool, and the check after it, without one object.

Usage: relink_without.py BUILD_DIR bin/TOOL SOURCE OUTPUT
"""

import re
import subprocess
import sys

build, tool, source, output = sys.argv[1:]
commands = subprocess.run(
    ["ninja", "-C", build, "-t", "commands", tool],
    check=True, capture_output=True, text=True,
).stdout.splitlines()  # fmt: skip
link = commands[-1]

# "-" leaves nothing out: the same link has to pass.
if source != "-":
    link, count = re.subn(rf" \S+/{re.escape(source)}\.o(?= )", "", link)
    if count != 1:
        sys.exit(f"{source} is not among the objects of {tool}")
link = link.replace(f" -o {tool} ", f" -o {output} ")
name = tool.rpartition("/")[2]
link = re.sub(rf"[^\s=]+/{name}\.map\b", f"{output}.map", link)
sys.exit(subprocess.run(link, shell=True, cwd=build).returncode)
