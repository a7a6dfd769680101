# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of the series, built and tested in a copy of the project."""

import json
import shlex
import subprocess
import tempfile
from pathlib import Path

from patching.check import LESS_CONTEXT, require_complete
from patching.commits import commits_as_patches, make_repository
from patching.git import git
from patching.series import METADATA, Failure, UsageError
from patching.trees import changed_files, open_series, read_pristine, replace_files


def project_files(root):
    names = ("ls-files", "--cached", "--others", "--exclude-standard", "-z")
    listing = git(*names, cwd=root).stdout
    return [path for path in listing.split("\0") if (root / path).is_file()]


def commit_of(root):
    """Of what is in the project now, which is what a trial takes."""
    commit = git("rev-parse", "--short", "HEAD", cwd=root).stdout.strip()
    if git("status", "--porcelain", cwd=root).stdout:
        commit += ", with uncommitted changes"
    return commit


def stage(series, patches, pristine, output):
    """Makes output a copy of this project that has only these patches, and of
    our code only what is theirs. Tests all stay.

    All of LLVM's files that the whole series changes are written, so that a header
    is found at the same place in each part, and is newer than what was made of
    another part: one build folder serves all of them."""
    left_out = {path for p in series.all if p not in patches for path in p.own_code()}
    tree = {
        path: (series.root / path).read_bytes()
        for path in project_files(series.root)
        if path not in left_out
    }
    folder = series.folder.resolve().relative_to(series.root).as_posix()
    for patch in series.all:
        tree.pop(f"{folder}/{patch.slug}.patch")
    with tempfile.TemporaryDirectory() as tmp:
        make_repository(Path(tmp), series, pristine, patches, LESS_CONTEXT)
        known = {patch.subject: patch.entry for patch in patches}
        for patch in commits_as_patches(known, tmp, series.root):
            tree[f"{folder}/{patch.slug}.patch"] = patch.mail
    entries = [patch.entry for patch in patches]
    also = sorted(changed_files(series))
    metadata = {**series.metadata, "patches": entries, "also": also}
    tree[f"{folder}/{METADATA}"] = json.dumps(metadata, indent=2).encode()
    known = output / ".staged"
    replace_files(output, tree, known.read_text().split("\n") if known.exists() else [])
    known.write_text("\n".join(tree))


class Trial:
    """Builds and tests parts of the series in a copy of the project."""

    def __init__(self, args):
        require_complete(args)
        self.args = args
        self.series = open_series(args)
        self.pristine = read_pristine(self.series, args.pristine)
        slugs = [patch.slug for patch in self.series.patches]
        for slug in set(args.slug) - set(slugs):
            raise UsageError(f"{args.series} has no patch '{slug}' for this LLVM")
        self.chosen = [p for p in self.series.patches if p.slug in (args.slug or slugs)]
        self.commit = None

    def tell(self, patch, text, outcome, tests):
        """Prints what was seen of the patch, and keeps it in the record."""
        print(f"{patch.slug}: {text}")
        record = self.args.record
        if record:
            seen = json.loads(record.read_text()) if record.exists() else {}
            result = {"commit": self.commit, "tests": tests}
            seen.setdefault(patch.slug, {})[outcome] = result
            record.write_text(json.dumps(seen, indent=1, sort_keys=True) + "\n")

    def run(self, command):
        print(f"+ {command}", flush=True)
        return subprocess.run(command, shell=True, cwd=self.args.output).returncode == 0

    def builds(self, patches):
        self.commit = commit_of(self.series.root)
        stage(self.series, patches, self.pristine, self.args.output)
        return self.run(self.args.build_command)

    def passes(self, *tests):
        names = " ".join(shlex.quote(test) for test in tests)
        return self.run(self.args.test_command.replace("{tests}", names))


def prefixes_command(args):
    """build the series up to each patch, and run the tests of that patch"""
    trial = Trial(args)
    faults = []
    for patch in trial.chosen:
        patches = trial.series.patches
        if not trial.builds(patches[: patches.index(patch) + 1]):
            faults.append(f"{patch.slug}: the series up to it does not build")
        elif not trial.passes(*patch.own_tests()):
            faults.append(f"{patch.slug}: its tests fail with the series up to it")
        else:
            tests = patch.own_tests()
            text = f"builds and passes {len(tests)} tests"
            trial.tell(patch, text, "passed_with_series_up_to_it", tests)
    if faults:
        raise Failure(*faults)


def idle_guards(trial, patch):
    """Why the patch is not proved to be needed: only a test proves it."""
    if not trial.builds(trial.series.without(patch)):
        return [f"{patch.slug}: does not build without it and what requires it"]
    tests = patch.entry["guarded_by"]
    passing = [test for test in tests if trial.passes(test)]
    if not passing:
        text = f"needed, without it fails {', '.join(tests)}"
        trial.tell(patch, text, "failed_without_it", tests)
    return [f"{patch.slug}: {test} passes without it" for test in passing]


def prove_command(args):
    """leave out each patch in turn, with those that require it, build, and expect the
    tests that guard it to fail"""
    trial = Trial(args)
    if not trial.builds(trial.series.patches):
        raise Failure("the build fails with the whole series")
    for test in sorted({t for p in trial.chosen for t in p.entry["guarded_by"]}):
        if not trial.passes(test):
            raise Failure(f"{test} fails with the whole series")
    faults = [fault for p in trial.chosen for fault in idle_guards(trial, p)]
    if faults:
        raise Failure(*faults)
