# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's unpatched tree, and the patched one that the build uses.

A tree is a dict from paths, as in LLVM's repository, to contents.
"""

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path

import fetch_llvm
from patching.git import apply_patch
from patching.series import ROOT, Failure, Series, UsageError

MANIFEST = "applied.json"


def write_files(root, tree):
    for path, content in tree.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)


def replace_files(root, tree, before):
    """Replaces files in a folder, in the tree's order, once all of them stand
    complete beside it, and removes those of the paths before that are not in the
    tree. What has the same content keeps its time."""
    root = Path(os.path.realpath(root))
    root.mkdir(parents=True, exist_ok=True)
    prefix = f".{root.name}."
    with tempfile.TemporaryDirectory(dir=root.parent, prefix=prefix) as tmp:
        write_files(Path(tmp), tree)
        for path, content in tree.items():
            target = root / path
            if not target.is_file() or target.read_bytes() != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(Path(tmp, path), target)
    for path in before:
        if path not in tree:
            (root / path).unlink(missing_ok=True)


# --- LLVM's unpatched tree --------------------------------------------------


def changed_files(series):
    """LLVM's files that the series changes, or is said to write as they are."""
    also = series.metadata.get("also", [])
    return {path for patch in series.patches for path in patch.diffs}.union(also)


def default_pristine(series):
    """The sources that the build uses, or else those that can be fetched."""
    tested = series.metadata.get("tested")
    if not tested:
        raise UsageError("the series names no tested version: give --pristine")
    output = ROOT / "build" / f"llvm-{tested[-1]}"
    for tree in (ROOT / "build/llvm-project", output):
        # A patch may have come to change a file that was not fetched then.
        complete = all((tree / path).is_file() for path in changed_files(series))
        if fetch_llvm.tree_version(tree) == tested[-1] and complete:
            return tree
    try:
        return Path(fetch_llvm.get_changed_files(tested[-1], series.folder, output))
    except fetch_llvm.Error as error:
        raise Failure(str(error)) from None


def open_series(args):
    """The series for the version of LLVM that the pristine tree holds."""
    if not args.pristine:
        args.pristine = default_pristine(Series(args.series))
    if not (args.pristine / "llvm").is_dir():
        raise UsageError(f"{args.pristine} is not a tree of LLVM: it has no llvm/")
    found = fetch_llvm.tree_version(args.pristine)
    version = args.llvm_version or found
    if not version:
        raise UsageError(f"{args.pristine} has no version: give --llvm-version")
    if found and found != version:
        raise Failure(f"{args.pristine} holds LLVM {found}, not {version}")
    return Series(args.series, version)


def read_pristine(series, source, also=()):
    """The files that the series changes, and others."""
    files = sorted(changed_files(series))
    try:
        return {path: (source / path).read_bytes() for path in [*files, *also]}
    except OSError as error:
        path = Path(error.filename).relative_to(source)
        raise Failure(f"the pristine tree {source} has no file {path}") from None


# --- The patched tree -------------------------------------------------------


def digest(content):
    return hashlib.sha256(content).hexdigest()


def read_manifest(folder):
    """What `apply` says that it wrote: the patches, and the files' digests."""
    return json.loads((folder / MANIFEST).read_text())


def files_to_replace(output, tree, force):
    """The files of a patched tree. Fails if replacing them by the new tree would
    lose what somebody wrote."""
    try:
        known = read_manifest(output)["files"]
    except (OSError, ValueError, KeyError):
        known = None
    paths = [path for path in sorted(output.rglob("*")) if path.is_file()]
    paths = [path.relative_to(output).as_posix() for path in paths]
    paths = [path for path in paths if path != MANIFEST]
    for path in paths:
        content = (output / path).read_bytes()
        if content == tree.get(path):
            continue
        if known is None:
            raise Failure(f"{output} holds other files: 'apply' did not write it")
        if not force and digest(content) != known.get(path):
            raise Failure(
                f"{output / path} was edited: take the edit to a 'checkout', "
                "or lose it with 'apply --force'"
            )
    return paths


def apply_untested(series, folder):
    """Applies what fits a version that nobody has tried, and returns the patches.
    Those that may be missing are told."""

    def warn(text):
        print(f"patches.py: warning: {text}", file=sys.stderr)

    tested = ", ".join(series.metadata["tested"]) or "none"
    note = f"LLVM {series.version} is untested (tested: {tested})"
    warn(note)
    applied = []
    for patch in series.patches:
        try:
            apply_patch(patch, folder, exact=False)
            applied.append(patch)
        except Failure as error:
            if not patch.entry.get("optional"):
                raise Failure(f"{error}; {note}: the patch has to be adapted") from None
            warn(f"without '{patch.subject}': {error}")
    return applied


def apply_command(args):
    """write the files that the series touches, patched, to a folder of their own"""
    series = open_series(args)
    tree, patches = read_pristine(series, args.pristine), series.patches
    with tempfile.TemporaryDirectory() as tmp:
        write_files(Path(tmp), tree)
        if series.version in series.metadata.get("tested", [series.version]):
            for patch in patches:
                apply_patch(patch, tmp)
        else:
            patches = apply_untested(series, tmp)
        tree = {path: Path(tmp, path).read_bytes() for path in tree}
    before = files_to_replace(args.output, tree, args.force)
    manifest = {
        "series": series.digest,
        "patches": [patch.slug for patch in patches],
        "files": {path: digest(content) for path, content in sorted(tree.items())},
    }
    text = json.dumps(manifest, indent=2) + "\n"
    replace_files(args.output, {**tree, MANIFEST: text.encode()}, before)
    done = f"{len(patches)} patches applied to {len(tree)} files"
    print(f"{args.series}: {done}{skipped_note(series)}")


def skipped_note(series):
    names = [patch.slug for patch in series.all if patch not in series.patches]
    return "; not for this LLVM: " + ", ".join(names) if names else ""
