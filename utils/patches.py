#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Apply, check and refresh a series of patches to LLVM, all or nothing.

A series is a folder such as llvm-patches/22.1. It holds one mail, as
`git format-patch` writes them, for each patch, and patches.json:

  llvm             the LLVM versions that the series is for: ">=22.1.0,<22.2"
  tested           optional: those of them that were tried, ["22.1.8"]
  max_added_lines  the most lines that one patch may add; a patch only hooks
                   in code that stands in files of our own
  patches          the patches in order, each with
    slug           its stable name; the mail is <slug>.patch
    title          the mail's subject
    reason         why LLVM needs the change
    upstream       where it stands there: "not submitted", or a link
    llvm           the LLVM versions that need it; others skip it
    remove_when    what must happen for the patch to go
    guarded_by     the tests, as paths below test/, that fail without it
    max_added_lines  optional: a limit of its own
    optional       true: what the others do does not depend on it

Patches apply exactly or not at all: no fuzz, no line numbers that are off. Only
to a version that the series does not name as tested, a new point release of a
distribution, `apply` applies what still fits, at other lines too, and leaves
out an optional patch that does not.
They change text files that LLVM has, and neither create nor delete any.

To change a patch: `apply`, edit the patched tree, `refresh`; or, to add one,
`new`. Then `apply` and `check`.

Exit status: 0 on success, 1 when something is wrong with the series or the
trees, 2 when the command line is.
"""

import argparse
import email
import email.policy
import email.utils
import hashlib
import json
import operator
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

PROGRAM = Path(__file__).name
METADATA = "patches.json"
MANIFEST = "applied.json"
TEST_DIR = Path(__file__).resolve().parent.parent / "test"

SERIES_KEYS = {"llvm", "max_added_lines", "patches"}
OPTIONAL_SERIES_KEYS = {"tested"}
TEXT_KEYS = ("slug", "title", "reason", "upstream", "llvm", "remove_when")
PATCH_KEYS = {*TEXT_KEYS, "guarded_by", "max_added_lines", "optional"}


class Failure(Exception):
    """Something is wrong with the series or the trees."""

    status = 1


class UsageError(Failure):
    """Something is wrong with the command line."""

    status = 2


# --- LLVM versions ----------------------------------------------------------


def parse_version(text):
    if not re.fullmatch(r"\d+(\.\d+){0,2}", text):
        raise Failure(f"'{text}' is not a version such as 22.1.8")
    parts = [int(part) for part in text.split(".")]
    return tuple(parts + [0] * (3 - len(parts)))


class VersionRange:
    """Comma-separated bounds, all of which must hold: ">=22.1.0,<22.2"."""

    COMPARE = {
        ">=": operator.ge,
        "<=": operator.le,
        "==": operator.eq,
        ">": operator.gt,
        "<": operator.lt,
    }

    def __init__(self, text):
        self.bounds = []
        for bound in text.split(","):
            match = re.fullmatch(r"(>=|<=|==|>|<)([\d.]+)", bound.strip())
            if not match:
                raise Failure(f"'{text}' is not a range such as '>=22.1.0,<22.2'")
            self.bounds.append((self.COMPARE[match[1]], parse_version(match[2])))

    def __contains__(self, version):
        return all(compare(version, bound) for compare, bound in self.bounds)

    def meets(self, other):
        """Whether some version is in both: the least one is at a bound."""
        least = [(0, 0, 0)]
        for _, (major, minor, patch) in self.bounds + other.bounds:
            least += [(major, minor, patch), (major, minor, patch + 1)]
        return any(version in self and version in other for version in least)


def tree_version(source):
    """The version that LLVM's tree says it is, or None if it does not say."""
    try:
        text = (source / "cmake/Modules/LLVMVersion.cmake").read_text()
    except FileNotFoundError:
        return None
    parts = dict(re.findall(r"set\(LLVM_VERSION_(\w+) (\d+)\)", text))
    try:
        return f"{parts['MAJOR']}.{parts['MINOR']}.{parts['PATCH']}"
    except KeyError:
        return None


# --- Patches and trees ------------------------------------------------------
# A tree is a dict from paths, as in LLVM's repository, to contents.


class Patch:
    """A mail, and what patches.json says about it. Its text is Latin-1, which
    takes any byte to one character and back."""

    NOT_TEXT = r"new file|deleted file|old mode|rename|copy|GIT binary|Binary"

    def __init__(self, entry, text):
        self.entry = entry
        self.slug = entry["slug"]
        self.text = text
        start = re.search(r"^diff --git ", text, re.M)
        head = text[: start.start()] if start else text
        # Where the message ends, git puts a line of dashes and a diffstat.
        self.head = re.split(r"^---\n", head, maxsplit=1, flags=re.M)[0]
        self.hunks = self.parse(text[len(head) :].removesuffix("\n").split("\n"))
        self.files = list(self.hunks)

        mail = email.message_from_bytes(
            self.head.encode("latin-1"), policy=email.policy.default
        )
        self.subject = re.sub(r"^\[PATCH[^]]*\]\s*", "", mail["Subject"] or "")
        self.message = mail.get_payload().strip()

    def parse(self, lines):
        """Returns {path: [(line numbers of a hunk, its lines)]}."""
        hunks = {}
        path = None
        lines = iter(lines)
        for line in lines:
            if line.startswith("diff --git "):
                path = None
            elif re.match(self.NOT_TEXT, line):
                raise Failure(f"{self.slug}: may only change text in files: '{line}'")
            elif line.startswith("+++ "):
                path = line[len("+++ b/") :]
                if not line.startswith("+++ b/") or ".." in Path(path).parts:
                    raise Failure(f"{self.slug}: not a path of LLVM's tree: '{line}'")
                if path in hunks:
                    raise Failure(f"{self.slug}: changes {path} twice")
                hunks[path] = []
            elif line.startswith("@@ "):
                match = re.match(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@", line)
                if not match or not path:
                    raise Failure(f"{self.slug}: malformed hunk '{line}'")
                old, new = (int(n) if n else 1 for n in match.groups())
                body = []
                hunks[path].append((match[0], body))
                while old > 0 or new > 0:
                    line = next(lines, "end of the file")
                    if line[:1] not in ("", " ", "+", "-", "\\"):
                        raise Failure(f"{self.slug}: {path}: {match[0]} ends early")
                    old -= line[:1] in ("", " ", "-")
                    new -= line[:1] in ("", " ", "+")
                    body.append(line)
            elif line.startswith("\\") and path and hunks[path]:
                hunks[path][-1][1].append(line)
        return hunks

    def hunk_at(self, path, line):
        """The number of the hunk that starts at that line of the old file."""
        for number, (header, _) in enumerate(self.hunks.get(path, []), 1):
            if re.match(rf"@@ -{line}\b", header):
                return number
        return "?"

    def added_lines(self):
        bodies = [body for hunks in self.hunks.values() for _, body in hunks]
        return sum(line.startswith("+") for body in bodies for line in body)


def git(*args, cwd, status=(0,), text=""):
    """Runs git, blind to the user's settings and to any repository."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env.update(
        LC_ALL="C",
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_CONFIG_NOSYSTEM="1",
        GIT_CEILING_DIRECTORIES=os.path.dirname(os.path.realpath(cwd)),
    )
    try:
        done = subprocess.run(
            ["git", *args],
            cwd=cwd,
            env=env,
            input=text.encode("latin-1"),
            capture_output=True,
        )
    except FileNotFoundError:
        raise Failure("git is not installed") from None
    done.stdout = done.stdout.decode("latin-1")
    done.stderr = done.stderr.decode("latin-1")
    if done.returncode not in status:
        raise Failure("git: " + done.stderr.strip().split("\n")[0])
    return done


def write_files(root, tree):
    for path, content in tree.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)


def replace_files(root, tree, remove=()):
    """Replaces files in a folder, in the tree's order, once all of them stand
    complete beside it. What has the same content keeps its time."""
    root = Path(os.path.realpath(root))
    root.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{root.name}."
    with tempfile.TemporaryDirectory(dir=root.parent, prefix=prefix) as tmp:
        write_files(Path(tmp), tree)
        for path, content in tree.items():
            target = root / path
            if not target.is_file() or target.read_bytes() != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(Path(tmp, path), target)
        for path in remove:
            (root / path).unlink()


def read_files(root, paths, what):
    try:
        return {path: (root / path).read_bytes() for path in paths}
    except OSError as error:
        path = Path(error.filename).relative_to(root)
        raise Failure(f"{what} {root} has no file {path}") from None


def apply_patch(patch, tree, exact=True, reverse_in=None):
    """The tree with the patch applied, or taken out of the files reverse_in.

    Unless exact, hunks may apply at other lines than they say."""
    paths = patch.files if reverse_in is None else reverse_in
    if not paths:
        return tree
    options = ["--verbose", "--whitespace=nowarn"]
    if reverse_in is not None:
        options += ["--reverse", *(f"--include={path}" for path in paths)]
    with tempfile.TemporaryDirectory() as tmp:
        root = Path(tmp)
        write_files(root, {path: tree[path] for path in paths})
        done = git(
            "apply", *options, "-", cwd=root, status=(0, 1, 128), text=patch.text
        )
        failed = re.search(r"^error: patch failed: (.*):(\d+)$", done.stderr, re.M)
        if failed and reverse_in:
            raise Failure(
                f"{failed[1]}: an edit changes what the later patch '{patch.slug}' "
                "changes: edit that patch, or the file without it"
            )
        if failed:
            hunk = patch.hunk_at(*failed.groups())
            raise Failure(
                f"{patch.slug}: {failed[1]}: hunk {hunk} does not apply "
                f"at line {failed[2]}"
            )
        if done.returncode:
            raise Failure(f"{patch.slug}: " + done.stderr.strip().split("\n")[-1])
        if exact:
            # "Checking patch PATH..." stands before what is said about PATH.
            path = None
            for line in done.stderr.splitlines():
                checking = re.match(r"Checking patch (.*)\.\.\.$", line)
                moved = re.match(r"Hunk #(\d+) succeeded at .*(offset [^)]*)", line)
                path = checking[1] if checking else path
                if moved:
                    raise Failure(
                        f"{patch.slug}: {path}: hunk {moved[1]} has wrong line "
                        f"numbers ({moved[2]}); 'refresh' mends them"
                    )
        return {**tree, **read_files(root, paths, "the patched tree")}


def apply_all(patches, tree, exact=True):
    for patch in patches:
        tree = apply_patch(patch, tree, exact)
    return tree


def diff(before, after):
    """The mail's part after the message: a diffstat and the difference."""
    changed = [path for path in after if after[path] != before[path]]
    with tempfile.TemporaryDirectory() as tmp:
        root = Path(tmp)
        for side, tree in (("a", before), ("b", after)):
            (root / side).mkdir()
            write_files(root / side, {path: tree[path] for path in changed})
        # The two folders' names stand for git's usual prefixes.
        options = ["--no-index", "--no-prefix", "--full-index"]
        text = git("diff", *options, "a", "b", cwd=root, status=(0, 1)).stdout
        if not text:
            return ""
        stat = git("apply", "--stat", "-", cwd=root, text=text).stdout
    return f"---\n{stat}\n{text}"


# --- The series -------------------------------------------------------------


def read_mail(path):
    try:
        return path.read_bytes().decode("latin-1")
    except FileNotFoundError:
        raise Failure(f"{path} is missing") from None


class Series:
    """A series' folder. `patches` are those that the LLVM version needs."""

    def __init__(self, folder, version=None):
        self.folder = folder
        if not folder.is_dir():
            raise UsageError(f"there is no series {folder}")
        try:
            text = (folder / METADATA).read_text(encoding="utf-8")
            self.metadata = json.loads(text)
            self.entries = self.metadata["patches"]
            slugs = [entry["slug"] for entry in self.entries]
        except FileNotFoundError:
            raise UsageError(f"{folder} has no {METADATA}") from None
        except json.JSONDecodeError as error:
            raise Failure(f"{folder / METADATA}:{error.lineno}: {error.msg}") from None
        except (KeyError, TypeError):
            raise Failure(f"{folder / METADATA}: every patch needs a slug") from None

        mails = [read_mail(folder / f"{slug}.patch") for slug in slugs]
        self.all = [Patch(*pair) for pair in zip(self.entries, mails)]
        self.patches = self.all
        self.skipped = []
        self.version = version
        if version:
            number = parse_version(version)
            versions = self.metadata.get("llvm", "")
            if number not in VersionRange(versions):
                raise Failure(f"{folder} is for LLVM {versions}, not for {version}")
            self.patches = [
                patch
                for patch in self.all
                if number in VersionRange(patch.entry.get("llvm", ""))
            ]
            self.skipped = [p.slug for p in self.all if p not in self.patches]

        digest = hashlib.sha256(text.encode())
        for mail in mails:
            digest.update(b"\0" + mail.encode("latin-1"))
        self.digest = digest.hexdigest()

    @property
    def untested(self):
        return self.version and self.version not in self.metadata.get(
            "tested", [self.version]
        )

    def find(self, slug):
        for patch in self.patches:
            if patch.slug == slug:
                return patch
        raise UsageError(f"{self.folder} has no patch '{slug}' for this LLVM")

    def read_pristine(self, source):
        paths = sorted({path for patch in self.patches for path in patch.files})
        return read_files(source, paths, "the pristine tree")

    def faults(self, test_dir):
        """Yields what is wrong or missing in the series' folder."""
        for key in sorted(SERIES_KEYS ^ (self.metadata.keys() - OPTIONAL_SERIES_KEYS)):
            known = "lacks" if key in SERIES_KEYS else "does not know"
            yield f"{METADATA}: the series {known} '{key}'"
        listed = [patch.slug for patch in self.all]
        for path in sorted(self.folder.glob("*.patch")):
            if path.stem not in listed:
                yield f"{path.stem}: {path.name} is not listed in {METADATA}"
        for slug in sorted({slug for slug in listed if listed.count(slug) > 1}):
            yield f"{slug}: listed twice"
        try:
            versions = VersionRange(self.metadata.get("llvm", ">=0"))
        except Failure as error:
            yield f"{METADATA}: {error}"
            versions = VersionRange(">=0")
        for patch in self.all:
            for fault in self.patch_faults(patch, versions, test_dir):
                yield f"{patch.slug}: {fault}"
            if not patch.files:
                yield f"{patch.slug}: holds no difference"

    def patch_faults(self, patch, versions, test_dir):
        entry = patch.entry
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", patch.slug):
            yield "a slug is lower-case words joined by '-', and no number first"
        for key in TEXT_KEYS:
            if not isinstance(entry.get(key), str) or not entry[key].strip():
                yield f"'{key}' is missing or empty"
        for key in sorted(entry.keys() - PATCH_KEYS):
            yield f"unknown key '{key}'"
        if entry.get("llvm"):
            try:
                if not VersionRange(entry["llvm"]).meets(versions):
                    yield f"the series is for no version in {entry['llvm']}"
            except Failure as error:
                yield str(error)
        if entry.get("title") and patch.subject != entry["title"]:
            yield f"the subject '{patch.subject}' is not the title '{entry['title']}'"
        if not patch.message:
            yield "the message does not explain the change"
        limit = entry.get("max_added_lines", self.metadata.get("max_added_lines"))
        added = patch.added_lines()
        if not isinstance(limit, int):
            yield "'max_added_lines' is not a number"
        elif added > limit:
            yield f"adds {added} lines, more than {limit}: put code in files of ours"
        tests = entry.get("guarded_by")
        if not tests or not isinstance(tests, list):
            yield "'guarded_by' lists no test"
            return
        for test in tests:
            if not (test_dir / test).is_file():
                yield f"'guarded_by': there is no test {test} in {test_dir}"


def open_series(args):
    """The series for the version of LLVM that the pristine tree holds."""
    if not (args.pristine / "llvm").is_dir():
        raise UsageError(f"{args.pristine} is not a tree of LLVM: it has no llvm/")
    found = tree_version(args.pristine)
    version = args.llvm_version or found
    if not version:
        raise UsageError(f"{args.pristine} has no version: give --llvm-version")
    if found and found != version:
        raise Failure(f"{args.pristine} holds LLVM {found}, not {version}")
    return Series(args.series, version)


# --- The patched tree -------------------------------------------------------


def digest(content):
    return hashlib.sha256(content).hexdigest()


def present_files(root):
    if not root.is_dir():
        return []
    files = [path for path in root.rglob("*") if path.is_file()]
    paths = [path.relative_to(root).as_posix() for path in files]
    return sorted(path for path in paths if path != MANIFEST)


def refuse_to_lose_edits(output, tree, force):
    """Fails if replacing the patched tree would lose what somebody wrote."""
    try:
        known = json.loads((output / MANIFEST).read_text())["files"]
        if force:
            return
    except (OSError, ValueError, KeyError):
        known = None
    if output.exists() and not output.is_dir():
        raise Failure(f"{output} is not a folder")
    for path in present_files(output):
        content = (output / path).read_bytes()
        if content == tree.get(path):
            continue
        if known is None:
            raise Failure(f"{output} holds other files: 'apply' did not write it")
        if digest(content) != known.get(path):
            raise Failure(
                f"{output / path} was edited: 'refresh' the patches first, "
                "or lose the edit with 'apply --force'"
            )


def write_tree(output, tree, series, patches, force=False):
    """Makes output hold the tree and its manifest, and nothing else."""
    refuse_to_lose_edits(output, tree, force)
    manifest = {
        "series": series.digest,
        "patches": [patch.slug for patch in patches],
        "files": {path: digest(content) for path, content in sorted(tree.items())},
    }
    text = json.dumps(manifest, indent=2) + "\n"
    extra = [path for path in present_files(output) if path not in tree]
    replace_files(output, {**tree, MANIFEST: text.encode()}, extra)


# --- Commands ---------------------------------------------------------------


def report(faults):
    for fault in faults:
        print(f"{PROGRAM}: error: {fault}", file=sys.stderr)
    if faults:
        raise SystemExit(1)


def skipped_note(series):
    names = ", ".join(series.skipped)
    return f"; not for this LLVM: {names}" if names else ""


def apply_where_they_fit(series, tree):
    """The tree with what applies to a version that nobody has tried, and the
    patches that were applied. Those that may be missing are told."""
    tested = ", ".join(series.metadata["tested"])
    note = f"LLVM {series.version} is untested (tested: {tested})"
    print(f"{PROGRAM}: warning: {note}", file=sys.stderr)
    applied = []
    for patch in series.patches:
        try:
            tree = apply_patch(patch, tree, exact=False)
            applied.append(patch)
        except Failure as error:
            if not patch.entry.get("optional"):
                raise Failure(f"{error}; {note}: the patch has to be adapted") from None
            print(
                f"{PROGRAM}: warning: without '{patch.subject}': {error}",
                file=sys.stderr,
            )
    return tree, applied


def apply_command(args):
    series = open_series(args)
    tree, patches = series.read_pristine(args.pristine), series.patches
    if series.untested:
        tree, patches = apply_where_they_fit(series, tree)
    else:
        tree = apply_all(patches, tree)
    write_tree(args.output, tree, series, patches, args.force)
    print(
        f"{args.series}: {len(patches)} patches applied to {len(tree)} files"
        f"{skipped_note(series)}"
    )


def check_command(args):
    faults = list(Series(args.series).faults(args.tests))
    applied = 0
    if not faults:
        series = open_series(args)
        tree = series.read_pristine(args.pristine)
        for patch in series.patches:
            try:
                tree = apply_patch(patch, tree)
                applied += 1
            except Failure as error:
                # What comes after a patch that fails would fail for nothing.
                faults.append(str(error))
                break
    report(faults)
    print(
        f"{args.series}: complete, {applied} patches apply exactly"
        f"{skipped_note(series)}"
    )


def edited_tree(series, args, forward):
    """Reads the edited tree. Adds to `forward`, the trees before each patch
    and after the last, the files that no patch touched so far."""
    if not args.edited:
        return forward[-1]
    if not args.edited.is_dir():
        raise UsageError(f"there is no folder {args.edited}")
    more = [path for path in present_files(args.edited) if path not in forward[0]]
    pristine = read_files(args.pristine, more, "the pristine tree")
    for tree in forward:
        tree.update(pristine)
    return read_files(args.edited, forward[0], "the edited tree")


def rewrite(series, args, target=None):
    """The mails that differ once the patches make the edited tree; `target`
    takes all edits, else each goes to the one patch that touches its file."""
    patches = series.patches
    forward = [series.read_pristine(args.pristine)]
    for patch in patches:
        forward.append(dict(apply_patch(patch, forward[-1], exact=False)))
    edited = edited_tree(series, args, forward)

    owner = {}
    for path in edited:
        if edited[path] == forward[-1][path]:
            continue
        owners = [target] if target else [p for p in patches if path in p.files]
        if len(owners) != 1:
            whose = ", ".join(patch.slug for patch in owners) or "no patch"
            raise Failure(f"{path} belongs to {whose}: say which with --patch")
        owner[path] = patches.index(owners[0])

    # An edit shows from its owner on: take the later patches out again.
    states = [dict(tree) for tree in forward]
    edits = {path: edited[path] for path in owner}
    states[-1].update(edits)
    for i in range(len(patches) - 1, -1, -1):
        later = [path for path in patches[i].files if owner.get(path, i) < i]
        edits = apply_patch(patches[i], edits, exact=False, reverse_in=later)
        states[i].update({path: edits[path] for path in owner if owner[path] < i})

    changed = {}
    for i, patch in enumerate(patches):
        text = patch.head + diff(states[i], states[i + 1])
        new = Patch(patch.entry, text)
        if not new.files:
            raise Failure(f"{patch.slug}: the patch would hold no difference")
        if new.hunks != patch.hunks:
            changed[f"{patch.slug}.patch"] = text.encode("latin-1")
    return changed


def refresh_command(args):
    series = open_series(args)
    target = series.find(args.patch) if args.patch else None
    changed = rewrite(series, args, target)
    replace_files(series.folder, changed)
    for name in changed:
        print(f"rewrote {args.series / name}")
    if not changed:
        print(f"{args.series}: nothing to refresh")


def new_command(args):
    if not args.edited:
        raise UsageError("--edited is missing")
    series = open_series(args)
    if any(patch.slug == args.slug for patch in series.all):
        raise UsageError(f"'{args.slug}' exists: use refresh --patch {args.slug}")
    author = args.author
    if not author:
        command = ["git", "var", "GIT_AUTHOR_IDENT"]
        ident = subprocess.run(command, capture_output=True, text=True).stdout
        author = " ".join(ident.split()[:-2])  # without the time
    if not author:
        raise UsageError("git does not know who you are: give --author 'NAME <MAIL>'")
    entry = {
        "slug": args.slug,
        "title": args.title,
        "reason": args.reason,
        "upstream": args.upstream,
        "llvm": args.llvm or series.metadata.get("llvm", ""),
        "remove_when": args.remove_when,
        "guarded_by": args.guarded_by,
    }
    head = (
        f"From {'0' * 40} Mon Sep 17 00:00:00 2001\nFrom: {author}\n"
        f"Date: {email.utils.formatdate(localtime=True)}\n"
        f"Subject: [PATCH] {args.title}\n\n{textwrap.fill(args.reason, 72)}\n\n"
    )
    patch = Patch(entry, head.encode().decode("latin-1"))
    series.all.append(patch)
    if patch not in series.patches:
        series.patches.append(patch)
    series.entries.append(entry)
    versions = VersionRange(series.metadata.get("llvm", ""))
    for fault in series.patch_faults(patch, versions, args.tests):
        raise Failure(f"{patch.slug}: {fault}")
    changed = rewrite(series, args, patch)
    text = json.dumps(series.metadata, indent=2, ensure_ascii=False) + "\n"
    replace_files(series.folder, {**changed, METADATA: text.encode()})
    for name in changed:
        print(f"wrote {args.series / name}")


def run(command):
    print(f"+ {command}", flush=True)
    return subprocess.run(command, shell=True).returncode == 0


def prove_command(args):
    series = open_series(args)
    report(list(series.faults(args.tests)))
    pristine = series.read_pristine(args.pristine)
    whole = apply_all(series.patches, pristine)
    chosen = [series.find(slug) for slug in args.slug] or series.patches

    def passes(test):
        return run(args.test_command.replace("{test}", shlex.quote(test)))

    def guards_that_pass_without(patch):
        rest = [other for other in series.patches if other is not patch]
        try:
            tree = apply_all(rest, pristine, exact=False)
        except Failure as error:
            print(f"{patch.slug}: needed, without it does not apply {error}")
            return []
        write_tree(args.output, tree, series, rest)
        if not run(args.build_command):
            print(f"{patch.slug}: needed, without it the build fails")
            return []
        tests = patch.entry["guarded_by"]
        passing = [test for test in tests if passes(test)]
        if not passing:
            print(f"{patch.slug}: needed, without it fails {', '.join(tests)}")
        return passing

    write_tree(args.output, whole, series, series.patches)
    if not run(args.build_command):
        raise Failure("the build fails with the whole series")
    guards = {test for patch in chosen for test in patch.entry["guarded_by"]}
    for test in sorted(guards):
        if not passes(test):
            raise Failure(f"{test} fails with the whole series")
    # Be interrupted by a CI's SIGTERM as by Ctrl-C: the tree is put back.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    faults = []
    try:
        for patch in chosen:
            for test in guards_that_pass_without(patch):
                faults.append(f"{patch.slug}: {test} passes without it")
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        write_tree(args.output, whole, series, series.patches, force=True)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not run(args.build_command):
        raise Failure("the build fails after the whole series was put back")
    report(faults)


# --- The command line -------------------------------------------------------


OPTIONS = {
    "--pristine": dict(
        type=Path,
        required=True,
        metavar="SRC",
        help="LLVM's unpatched tree, with llvm/ and clang/ in it",
    ),
    "--llvm-version": dict(
        metavar="X.Y.Z",
        help="its version (default: what cmake/Modules/LLVMVersion.cmake in it says)",
    ),
    "--output": dict(
        type=Path,
        required=True,
        metavar="DST",
        help=f"the patched tree: the files that the series touches, and {MANIFEST}",
    ),
    "--edited": dict(
        type=Path,
        metavar="DST",
        help="the patched tree, edited; to edit more files of LLVM, copy them into it",
    ),
    "--tests": dict(
        type=Path,
        default=TEST_DIR,
        metavar="DIR",
        help="where the tests of guarded_by are (default: %(default)s)",
    ),
}


def parse_args():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add_command(name, function, options, text):
        command = commands.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + "."
        )
        command.set_defaults(function=function)
        command.add_argument(
            "--series",
            type=Path,
            required=True,
            metavar="DIR",
            help=f"the folder with the patches and {METADATA}",
        )
        for option in ["--pristine", "--llvm-version", *options]:
            command.add_argument(option, **OPTIONS[option])
        return command.add_argument

    option = add_command(
        "apply",
        apply_command,
        ["--output"],
        "write the files that the series touches, patched, to a folder of their own",
    )
    option(
        "--force",
        action="store_true",
        help="lose what was edited in DST since it was written",
    )

    add_command(
        "check",
        check_command,
        ["--tests"],
        "check that the metadata is complete and that every patch applies exactly",
    )

    option = add_command(
        "refresh",
        refresh_command,
        ["--edited"],
        "rewrite the patches so that they make the edited tree, or without --edited "
        "so that their line numbers are right; the messages stay",
    )
    option(
        "--patch",
        metavar="SLUG",
        help="the patch that takes all edits (default: the only one that touches "
        "the edited file)",
    )

    option = add_command(
        "new",
        new_command,
        ["--edited", "--tests"],
        "make a patch, last in the series, of what the edited tree adds to the series",
    )
    for name, text in {
        "--slug": "the patch's stable name",
        "--title": "the subject",
        "--reason": "why LLVM needs the change; also the message, until edited",
        "--remove-when": "what must happen for the patch to go",
    }.items():
        option(name, required=True, metavar="TEXT", help=text)
    option(
        "--guarded-by",
        action="append",
        required=True,
        metavar="TEST",
        help="a test that fails without the patch; may be given several times",
    )
    option(
        "--upstream",
        default="not submitted",
        metavar="TEXT",
        help="where it stands in LLVM (default: %(default)s)",
    )
    option(
        "--llvm",
        metavar="RANGE",
        help="the LLVM versions that need it (default: the series')",
    )
    option("--author", metavar="'NAME <MAIL>'", help="default: the one git knows")

    option = add_command(
        "prove",
        prove_command,
        ["--output", "--tests"],
        "leave out each patch in turn, rebuild, and expect the tests that guard it to "
        "fail; DST is put back at the end, also when interrupted",
    )
    option(
        "--slug",
        action="append",
        default=[],
        help="only this patch; may be given several times",
    )
    option(
        "--build-command",
        required=True,
        metavar="CMD",
        help="shell command that builds from DST",
    )
    option(
        "--test-command",
        required=True,
        metavar="CMD",
        help="shell command that runs one test; {test} becomes its path below test/",
    )
    return parser.parse_args()


def main():
    args = parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    try:
        args.function(args)
    except Failure as error:
        print(f"{PROGRAM}: error: {error}", file=sys.stderr)
        return error.status
    except OSError as error:
        print(f"{PROGRAM}: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{PROGRAM}: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
