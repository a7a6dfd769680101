#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a tree of LLVM's sources with a series of patches, to build as a whole.

The tree has links: to the files that the patches change, as `patches.py apply`
wrote them, to the new files where they stand in this repository, and to LLVM's
unpatched files for the rest. So what is edited here is compiled again, and
nothing else. Links that are right stay as they are.
"""

import argparse
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(1, str(Path(__file__).resolve().parent.parent))
from patching.series import Failure, Series
from patching.trees import MANIFEST, read_manifest


def pristine_files(root):
    """LLVM's files, as paths in its repository."""
    for folder, _, names in os.walk(root):
        relative = os.path.relpath(folder, root)
        if relative != ".":
            yield from (f"{relative}/{name}" for name in names)


def linked_files(args):
    """Where each file of the tree stands, by its path in LLVM's repository."""
    files = {path: args.pristine / path for path in pristine_files(args.pristine)}
    manifest = read_manifest(args.patched)
    files.update((path, args.patched / path) for path in manifest["files"])
    for patch in Series(args.series).all:
        if patch.slug in manifest["patches"]:
            for here, there in patch.own_files():
                files[there] = patch.root / here
    return files


def link(target, path):
    """Whether a link had to be made."""
    target = os.path.abspath(target)
    try:
        if os.readlink(path) == target:
            return False
        os.unlink(path)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option, text in (
        ("--series", "the series of patches, as llvm-patches/23.1"),
        ("--pristine", "LLVM's unpatched tree"),
        ("--patched", f"what `patches.py apply` wrote, with its {MANIFEST}"),
        ("--output", "where to make the tree"),
    ):
        parser.add_argument(option, type=Path, required=True, help=text)
    args = parser.parse_args()
    try:
        files = linked_files(args)
        made = sum(link(files[path], args.output / path) for path in sorted(files))
        gone = [path for path in pristine_files(args.output) if path not in files]
        for path in gone:
            (args.output / path).unlink()
    except (Failure, OSError, KeyError) as error:
        sys.exit(f"link_sources.py: error: {error}")
    print(f"{args.output}: {len(files)} links, {made + len(gone)} of them new or gone")


if __name__ == "__main__":
    main()
