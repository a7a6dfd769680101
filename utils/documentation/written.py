# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Files of the tree that scripts write, and check."""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def write_or_compare(texts, check):
    """Write {path: text}; or, to check, change nothing. The problems found."""
    script = Path(sys.argv[0]).resolve().relative_to(ROOT)
    problems = []
    for path, text in texts.items():
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            problems.append(f"{path.relative_to(ROOT)} is not what {script} writes")
    return problems


def finish(problems, check, summary):
    """Tell what was found, and end in 1 if a check found anything."""
    print("\n".join(problems or [summary]))
    if check and problems:
        sys.exit(1)


def write_from_tables(description, make, folder, pattern, kind):
    """The command line of a script that writes all files of FOLDER that match
    PATTERN. MAKE gives {path: text} from the build folder's tables."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--build", default=str(ROOT / "build"), help="configured")
    args = parser.parse_args()

    texts = make(args.build)
    problems = [
        f"{path.relative_to(ROOT)} is written by nothing"
        for path in sorted(folder.glob(pattern))
        if path not in texts
    ]
    problems += write_or_compare(texts, args.check)
    finish(problems, args.check, f"{len(texts)} {kind}")
