#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks how the sources are formatted, and mends it.

  cpp       C++ and CUDA by clang-format, of LLVM 22
  tablegen  TableGen: 80 columns
  python    by black
  shell     by shellcheck
  licence   LLVM's header of three lines

With --fix, clang-format and black rewrite the files; the other two tell what is to
be done by hand. A tool that is missing is an error: the tests ask for it only where
it is there.
"""

import argparse
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LLVM_MAJOR = "22"
CPP = (".cpp", ".h", ".hpp", ".cu", ".cuh")
COLUMNS = 80
LICENCE = [
    "Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.",
    "See https://llvm.org/LICENSE.txt for license information.",
    "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
]
LICENSED = CPP + (".c", ".td", ".def", ".py", ".cmake", ".cfg", ".sh", "CMakeLists.txt")


def sources(root):
    """All files of ours, without what was built."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            f for f in folders if f == ".ci" or not f.startswith((".", "build", "__"))
        )
        yield from (os.path.join(folder, f) for f in sorted(files))


def tool(*names):
    for name in names:
        if path := shutil.which(name):
            return path
    sys.exit(f"check_format.py: error: {names[0]} is not installed")


def is_shell(path):
    with open(path, "rb") as f:
        return f.readline().startswith((b"#!/bin/sh", b"#!/bin/bash"))


def run(command, files):
    """Whether the tool is content; it says itself what it is not content with."""
    if not files:
        return True
    return subprocess.run([*command, *files]).returncode == 0


def check_cpp(root, fix):
    program = tool(f"clang-format-{LLVM_MAJOR}")
    files = [f for f in sources(root) if f.endswith(CPP)]
    mode = ["-i"] if fix else ["--dry-run", "-Werror", "--ferror-limit=1"]
    return run([program, *mode], files)


def check_tablegen(root, fix):
    good = True
    for path in sources(root):
        if not path.endswith(".td"):
            continue
        with open(path) as f:
            for number, line in enumerate(f, 1):
                length = len(line.rstrip("\n"))
                if length > COLUMNS:
                    print(f"{path}:{number}: {length} columns, {COLUMNS} are allowed")
                    good = False
    return good


def check_python(root, fix):
    files = [f for f in sources(root) if f.endswith(".py")]
    return run(
        [tool("black"), "--quiet", *([] if fix else ["--diff", "--check"])], files
    )


def check_shell(root, fix):
    return run([tool("shellcheck"), "-x"], [f for f in sources(root) if is_shell(f)])


def is_test(path, root):
    """Tests and what they read have no header, as in LLVM; their programs have."""
    parts = os.path.relpath(path, root).split(os.sep)
    with_none = {"Clang", "CUTLASS", "Inputs"}
    return parts[0] == "test" and not path.endswith(".py") and with_none & set(parts)


def check_licence(root, fix):
    good = True
    for path in sources(root):
        if is_test(path, root) or not (path.endswith(LICENSED) or is_shell(path)):
            continue
        with open(path) as f:
            head = "".join(f.readlines(1000))
        if any(line not in head for line in LICENCE):
            print(f"{path}: the header lacks LLVM's licence in three lines")
            good = False
    return good


CHECKS = {
    "cpp": check_cpp,
    "tablegen": check_tablegen,
    "python": check_python,
    "shell": check_shell,
    "licence": check_licence,
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="otherwise all")
    parser.add_argument("--fix", action="store_true", help="rewrite the files")
    parser.add_argument("--root", default=ROOT, help="another tree than this")
    args = parser.parse_args()
    for kind in args.kinds:
        if kind not in CHECKS:
            parser.error(f"no such kind: {kind} (known: {', '.join(CHECKS)})")
    bad = [k for k in args.kinds or CHECKS if not CHECKS[k](args.root, args.fix)]
    if not bad:
        return 0
    how = "what is told above is to be mended by hand" if args.fix else (
        f"to mend it: utils/check_format.py --fix {' '.join(bad)}"
    )  # fmt: skip
    print(f"check_format.py: {', '.join(bad)}: not formatted as it should be; {how}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
