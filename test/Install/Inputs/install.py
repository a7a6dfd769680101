#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""install.py BUILD TREE: installs a build and moves the result to TREE.

Tests that run at the same time call this; the first one does the work, and the
others wait. A tree that is newer than the build's tools stays.
"""

import fcntl
import os
import shutil
import subprocess
import sys


def newest(folder):
    return max(entry.stat().st_mtime for entry in os.scandir(folder))


def main():
    build, tree = sys.argv[1:]
    os.makedirs(os.path.dirname(tree), exist_ok=True)
    with open(tree + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = os.path.join(tree, "installed")
        inputs = [f"{build}/bin", f"{build}/cmake_install.cmake"]
        changed = max(newest(inputs[0]), os.stat(inputs[1]).st_mtime)
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
