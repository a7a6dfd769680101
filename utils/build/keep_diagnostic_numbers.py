#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moves the diagnostics that the packaged Clang does not have to the end.

A diagnostic's number is its place in its component's list, which clang-tblgen
sorts by name. One that a patch adds would renumber all that sort after it, and
whatever uses one of those would have to be compiled again, which is most of Clang.
Reads a component's list as clang-tblgen writes it, and prints it with those that
the package has in their places.
"""

import argparse
import re
from pathlib import Path

DIAGNOSTIC = re.compile(r"DIAG\((\w+),")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("generated", type=Path, help="the list by clang-tblgen")
    parser.add_argument("packaged", type=Path, help="the list of the package")
    parser.add_argument("output", type=Path)
    args = parser.parse_args()

    def is_new(line):
        diagnostic = DIAGNOSTIC.match(line)
        return bool(diagnostic) and diagnostic[1] not in known

    known = set(re.findall(DIAGNOSTIC, args.packaged.read_text(encoding="utf-8")))
    lines = args.generated.read_text(encoding="utf-8").splitlines(keepends=True)
    # sorted() leaves what compares equal in its order.
    text = "".join(sorted(lines, key=is_new))
    # What stays the same keeps its time, so that nothing is compiled again.
    if not args.output.is_file() or args.output.read_text(encoding="utf-8") != text:
        args.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
