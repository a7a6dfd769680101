#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""install.py BUILD TREE: installs a build and moves the result to TREE.

Tests that run at the same time call this; the first one does the work, and the
others wait. A tree that is newer than the build's tools and the installed files of
the source tree stays.
"""

import fcntl
import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path


SOURCE = Path(__file__).resolve().parents[3]
INSTALLED = ("README.md", "clang-builtins", "cmake", "contrib", "docs", "examples")


def newest(*paths):
    files = itertools.chain(paths, *(path.rglob("*") for path in paths))
    return max(file.stat().st_mtime for file in files)


def main():
    build, tree = sys.argv[1:]
    os.makedirs(os.path.dirname(tree), exist_ok=True)
    with open(tree + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = os.path.join(tree, "installed")
        inputs = [Path(build, "bin"), Path(build, "cmake_install.cmake")]
        changed = newest(*inputs, *(SOURCE / name for name in INSTALLED))
        if os.path.exists(stamp) and os.stat(stamp).st_mtime > changed:
            return
        prefix = tree + "-first"
        shutil.rmtree(prefix, ignore_errors=True)
        shutil.rmtree(tree, ignore_errors=True)
        subprocess.run(
            ["cmake", "--install", build, "--prefix", prefix, "--strip"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        os.rename(prefix, tree)
        with open(stamp, "w"):
            pass


main()
