# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes a series' mails with git am onto LLVM's unpatched files, and checks what
comes of it.

usage: take_mails.py PROJECT SERIES PRISTINE WORK

WORK is written anew. Of the project's code, what the series names as its own
must stand in LLVM's places, and hooks must be what `patches.py apply` makes.
"""

import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT, SERIES, PRISTINE, WORK = map(Path, sys.argv[1:])
PLACES = {"include/": "llvm/", "lib/": "llvm/", "clang-builtins/": "clang/"}


def patches(*args):
    tool = [sys.executable, PROJECT / "utils/patches.py"]
    subprocess.run([*tool, *args], check=True)


def git(*args):
    # No settings but these.
    user = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.com"]
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-C", WORK / "git", *user, *args]
    return subprocess.run(
        command, check=True, env=env, stdout=subprocess.PIPE, text=True
    ).stdout


def expect_same(path, other):
    if not other.is_file() or not filecmp.cmp(path, other, shallow=False):
        sys.exit(f"{path} is not the same as {other}")


def place_in_llvm(name):
    for ours, theirs in PLACES.items():
        if name.startswith(ours):
            rest = name[len(ours) :] if ours == "clang-builtins/" else name
            return theirs + rest
    return None


shutil.rmtree(WORK, ignore_errors=True)
options = ["--series", SERIES, "--pristine", PRISTINE, "--output"]
patches("format-patch", *options, WORK / "mails")
patches("apply", *options, WORK / "patched")
mails = sorted((WORK / "mails").iterdir())

touched = set()
for mail in mails:
    touched |= set(re.findall(rb"^--- a/(.*)$", mail.read_bytes(), re.M))
for name in map(os.fsdecode, touched):
    (WORK / "git" / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(PRISTINE / name, WORK / "git" / name)
git("init", "-q", ".")
git("add", ".")
git("commit", "-q", "-m", "LLVM")
git("am", "-q", "--keep-non-patch", *mails)

for path in (WORK / "patched").rglob("*.*"):
    if path.is_file() and path.name != "applied.json":
        expect_same(path, WORK / "git" / path.relative_to(WORK / "patched"))
entries = json.loads((SERIES / "patches.json").read_text())["patches"]
own = [name for entry in entries for name in entry.get("files", [])]
for name in own:
    place = place_in_llvm(name)
    if place and (PROJECT / name).is_file():
        expect_same(PROJECT / name, WORK / "git" / place)

commits = len(git("log", "--format=%h").splitlines()) - 1
print(f"{commits} commits, {len(own)} files of our own")
