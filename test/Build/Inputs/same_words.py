# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the messages of patches that several series have by the same title.

usage: same_words.py PROJECT
"""

import sys
from pathlib import Path

project = Path(sys.argv[1])
sys.path.insert(1, str(project / "utils"))
from patching.series import Series

told, same = {}, 0
for metadata in sorted(project.glob("llvm-patches/*/patches.json")):
    for patch in Series(metadata.parent).all:
        first = told.setdefault(patch.subject, patch)
        if first.message != patch.message:
            sys.exit(f"{patch.slug}: other words than in the series before")
        same += first is not patch
print(f"{same} patches by the same title, with the same message")
