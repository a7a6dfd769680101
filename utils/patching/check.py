# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `check` finds wrong with a series."""

import re
import tempfile
from pathlib import Path

from patching.git import apply_patch, git
from patching.series import METADATA, PATCH_KEYS, SERIES_KEYS
from patching.series import Failure, Series, VersionRange
from patching.tests import content_faults, mail_faults
from patching.trees import open_series, read_pristine, skipped_note, write_files

OPTIONAL_KEYS = ("tested", "mir", "not_mailed", "also", "requires", "files", "optional")
# Columns of a mail's lines, its title's among them.
COLUMNS = 72

# An #include of C++ and an include of TableGen.
INCLUDE = r'^\s*#?\s*include\s+["<]([^">]+)[">]'

# Without a patch whose lines stand next to its own, a patch has to apply, too.
LESS_CONTEXT = ("-C1",)


def key_faults(entry, types, *optional):
    for key in types:
        if (
            key not in (*OPTIONAL_KEYS, *optional)
            and not str(entry.get(key) or "").strip()
        ):
            yield f"'{key}' is missing or empty"
    for key in sorted(entry.keys() - types.keys()):
        yield f"unknown key '{key}'"


def version_faults(text, series):
    try:
        versions = VersionRange(series.metadata.get("llvm", ">=0"))
        if text and not VersionRange(text).meets(versions):
            yield f"the series is for no version in {text}"
    except Failure as error:
        yield str(error)


def message_faults(patch):
    if not re.match(r"\[\w", patch.subject):
        yield f"the title '{patch.subject}' begins with no tag such as [NVPTX]"
    if not patch.message:
        yield "the message does not explain the change"
    for line in (patch.subject, *patch.message.split("\n")):
        if len(line) > COLUMNS:
            yield f"more than {COLUMNS} columns: {line}"


def size_faults(patch, series):
    added = sum(map(len, patch.added_lines().values()))
    usual = series.metadata.get("max_added_lines", added)
    limit = patch.entry.get("max_added_lines", usual)
    if added > limit:
        yield f"adds {added} lines, more than {limit}: put code in files of ours"
    if ("why_longer" in patch.entry) != (limit > usual):
        yield "a limit of its own has a reason, 'why_longer'; and nothing else has"


def patch_faults(patch, series, test_dir):
    entry = patch.entry
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", patch.slug):
        yield "a slug is lower-case words joined by '-', and no number first"
    yield from key_faults(entry, PATCH_KEYS, "max_added_lines", "why_longer")
    yield from version_faults(entry.get("llvm"), series)
    yield from message_faults(patch)
    if not patch.diffs:
        yield "holds no difference"
    yield from size_faults(patch, series)
    for test in entry.get("guarded_by", []):
        if not (test_dir / test).is_file():
            yield f"'guarded_by': there is no test {test} in {test_dir}"
    earlier = [other.slug for other in series.all[: series.all.index(patch)]]
    for slug in entry.get("requires", []):
        if slug not in earlier:
            yield f"'requires': no patch '{slug}' stands before it"
    if patch.slug in earlier:
        yield "listed twice"


def file_faults(patch, owners):
    """What is wrong with the patch's own files; owners: whose others are."""
    try:
        for here, there in patch.own_files():
            if owners.setdefault(here, patch.slug) != patch.slug:
                yield f"{here} is a file of {owners[here]}, too"
            yield from content_faults(patch.root / here, there)
    except Failure as error:
        yield str(error)


def require_complete(args):
    """Fails with all that is wrong or missing in the series' folder."""
    series, owners = Series(args.series), {}
    named = [(METADATA, key_faults(series.metadata, SERIES_KEYS))]
    named.append((METADATA, version_faults(series.metadata.get("llvm"), series)))
    listed = {patch.slug for patch in series.all}
    for slug in sorted({path.stem for path in args.series.glob("*.patch")} - listed):
        named.append((slug, [f"{slug}.patch is not listed in {METADATA}"]))
    for patch in series.all:
        named.append((patch.slug, patch_faults(patch, series, args.tests)))
        named.append((patch.slug, file_faults(patch, owners)))
    faults = [f"{name}: {fault}" for name, found in named for fault in found]
    # Of a patch whose files are not there, nobody knows which tests it brings.
    faults = faults or [
        f"{METADATA}: {fault}" for fault in mail_faults(series, args.tests)
    ]
    if faults:
        raise Failure(*faults)


def include_faults(series):
    """Files that include what neither LLVM has nor a required patch."""
    owners = {there: p.slug for p in series.all for _, there in p.own_files()}

    def owner(there, name):
        beside = f"{there.rpartition('/')[0]}/{name}"
        paths = [p for p in owners if p == beside or p.endswith(f"/{name}")]
        return owners[beside if beside in paths else paths[0]] if paths else None

    for patch in series.all:
        required = {None, *series.required_by(patch)}
        texts = {path: "\n".join(lines) for path, lines in patch.added_lines().items()}
        for here, there in patch.own_files():
            texts[there] = (series.root / here).read_text(encoding="utf-8")
        for there, text in texts.items():
            for name in re.findall(INCLUDE, text, re.M):
                if owner(there, name) not in required:
                    yield (
                        f"{patch.slug}: {there} includes {name} of "
                        f"'{owner(there, name)}', which the patch does not require"
                    )


def apply_rest(patches, series, folder):
    """Applies patches of the series to the index of the repository in the folder."""
    mails = [series.folder.absolute() / f"{patch.slug}.patch" for patch in patches]
    options = ("--cached", *LESS_CONTEXT)
    # All at once takes a fraction of the time, but does not say which one fails.
    done = git("apply", *options, *mails, cwd=folder, status=(0, 1, 128))
    for patch in patches if done.returncode else ():
        apply_patch(patch, folder, *options, exact=False)


def requirement_faults(series, trees, folder):
    """Patches without which others do not apply that do not require them; trees:
    what each patch applies to, in the repository in the folder."""
    for number, patch in enumerate(series.patches):
        git("read-tree", trees[number], cwd=folder)
        try:
            apply_rest(series.without(patch)[number:], series, folder)
        except Failure as error:
            yield f"without '{patch.slug}' and what requires it, {error}"


def check_command(args):
    """check that the metadata is complete, that every patch applies exactly, and that
    none includes or applies to what it does not require"""
    require_complete(args)
    series = open_series(args)
    with tempfile.TemporaryDirectory() as tmp:
        write_files(Path(tmp), read_pristine(series, args.pristine))
        git("init", "--quiet", ".", cwd=tmp)
        git("add", "--all", cwd=tmp)
        trees = []
        for patch in series.patches:
            trees.append(git("write-tree", cwd=tmp).stdout.strip())
            # What comes after a patch that fails would fail for nothing.
            apply_patch(patch, tmp, "--cached")
        faults = [*include_faults(series), *requirement_faults(series, trees, tmp)]
    if faults:
        raise Failure(*faults)
    done = f"complete, {len(series.patches)} patches apply exactly"
    print(f"{args.series}: {done}{skipped_note(series)}")
