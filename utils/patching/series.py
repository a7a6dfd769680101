# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A series of patches to LLVM, as a folder such as llvm-patches/22.1 holds it.

utils/patches.py describes the folder.
"""

import email
import hashlib
import json
import re
import subprocess
from email.policy import default
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
METADATA = "patches.json"

# Its keys, and those of each patch, with the types of their values.
SERIES_KEYS = {"llvm": str, "max_added_lines": int, "patches": list}
SERIES_KEYS.update(tested=list, mir=str, not_mailed=list, also=list)
TEXTS = ("slug", "upstream", "llvm", "remove_when")
LISTS = ("guarded_by", "requires", "files")
PATCH_KEYS = {**dict.fromkeys(TEXTS, str), **dict.fromkeys(LISTS, list)}
PATCH_KEYS.update(max_added_lines=int, why_longer=str, optional=bool)

# How a test of ours has its machine IR made that of the version, and LLVM's own.
OUR_MIR, LLVM_MIR = b"%mir %s | llc -x mir - ", b"llc %s "

# Where files of ours stand in LLVM's repository; the first that fits counts.
MAIL_PATHS = {
    "include": "llvm/include",
    "lib": "llvm/lib",
    "clang-builtins": "clang",
    "docs": "llvm/docs",
    "test/CodeGen/NVPTX": "llvm/test/CodeGen/NVPTX",
    "test/Clang/Driver": "clang/test/Driver",
    "test/Clang/Headers": "clang/test/Headers/NVPTX",
    "test/Clang/SemaCUDA": "clang/test/SemaCUDA/NVPTX",
    "test/Clang": "clang/test/CodeGenCUDA/NVPTX",
    "utils/ptx_isa": "llvm/utils/ptx_isa",
}
# How the names of tests end.
TESTS = (".ll", ".mir", ".cu", ".cpp", ".test")


class Failure(Exception):
    """Something is wrong with the series or the trees; each argument is a line."""

    status = 1


class UsageError(Failure):
    """Something is wrong with the command line."""

    status = 2


def mail_path(here):
    """Where a file of ours stands in LLVM's repository."""
    for ours, theirs in MAIL_PATHS.items():
        if here.startswith(ours + "/"):
            return theirs + here[len(ours) :]
    raise Failure(f"{here} has no place in LLVM's repository")


def parse_version(text):
    if not re.fullmatch(r"\d+(\.\d+){0,2}", text):
        raise Failure(f"'{text}' is not a version such as 22.1.8")
    return tuple(int(part) for part in f"{text}.0.0".split(".")[:3])


class VersionRange:
    """From one version until before another, or all from one: ">=22.1.0,<22.2"."""

    def __init__(self, text):
        bounds = re.fullmatch(r">=([\d.]+)(?:,<([\d.]+))?", text)
        if not bounds:
            raise Failure(f"'{text}' is not a range such as '>=22.1.0,<22.2'")
        self.first = parse_version(bounds[1])
        self.end = parse_version(bounds[2] or "9999")

    def __contains__(self, version):
        return self.first <= version < self.end

    def meets(self, other):
        return max(self.first, other.first) < min(self.end, other.end)


class Patch:
    """A mail, and what patches.json says about it; root: where its own files are."""

    def __init__(self, entry, mail, root):
        self.entry, self.slug, self.mail, self.root = entry, entry["slug"], mail, root
        # Latin-1 takes any byte to one character and back.
        text = mail.decode("latin-1")
        parts = re.split(r"^diff --git (.*)\n", text.rstrip("\n"), flags=re.M)
        # What happens to each file, by its path, without the line of ids.
        self.diffs = {}
        for names, diff in zip(parts[1::2], parts[2::2]):
            ids = re.match(r"index .*\n(?=--- a/(.*)\n\+\+\+ b/\1\n@@ )", diff)
            if not ids or ".." in Path(ids[1]).parts:
                raise Failure(f"{self.slug}: a patch only edits LLVM's text: {names}")
            self.diffs[ids[1]] = diff[ids.end() :]
        # Where the message ends, git puts a line of dashes and a diffstat.
        head = re.split(r"^---\n", parts[0], maxsplit=1, flags=re.M)[0]
        mail = email.message_from_bytes(head.encode("latin-1"), policy=default)
        self.subject = re.sub(r"^\[PATCH[^]]*\]\s*", "", mail["Subject"] or "")
        self.message = mail.get_payload().strip()

    def differs(self, other):
        mine = (self.subject, self.message, self.diffs)
        return mine != (other.subject, other.message, other.diffs)

    def added_lines(self):
        """The lines that the patch adds to each of LLVM's files."""
        added = r"^\+(?!\+\+ b/)(.*)"
        return {
            path: re.findall(added, diff, re.M) for path, diff in self.diffs.items()
        }

    def own_files(self):
        """Our files that come with the patch, as (path here, path in LLVM)."""
        for name in self.entry.get("files", []):
            path = self.root / name
            if not path.exists():
                raise Failure(f"'files': there is no {name}")
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file() and "__pycache__" not in file.parts:
                    here = file.relative_to(self.root).as_posix()
                    yield here, mail_path(here)

    def own_code(self):
        """Its files that are compiled, or described: neither tests nor their tools."""
        tests = ("test/", "utils/")
        return [here for here, _ in self.own_files() if not here.startswith(tests)]

    def brought_tests(self):
        """The tests among its files, below test/."""
        own = [here for here, _ in self.own_files() if here.startswith("test/")]
        return [test.removeprefix("test/") for test in own if test.endswith(TESTS)]

    def own_tests(self):
        """Its tests, below test/: those that guard it, and those it brings."""
        return list(dict.fromkeys(self.entry["guarded_by"] + self.brought_tests()))


def read_metadata(path):
    """What patches.json says, with values of the right types."""
    if not path.is_file():
        raise UsageError(f"there is no series {path.parent}: it has no {path.name}")
    try:
        metadata = json.loads(path.read_bytes())
        entries = {METADATA: metadata}
        entries.update((entry["slug"], entry) for entry in metadata["patches"])
        items = [(name, *item) for name in entries for item in entries[name].items()]
    except json.JSONDecodeError as error:
        raise Failure(f"{path}:{error.lineno}: {error.msg}") from None
    except (AttributeError, KeyError, TypeError):
        raise Failure(f"{path}: 'patches' lists patches, each with a slug") from None
    for name, key, value in items:
        kind = (SERIES_KEYS if name == METADATA else PATCH_KEYS).get(key, object)
        if not isinstance(value, kind):
            raise Failure(f"{name}: '{key}' is not a {kind.__name__}")
    return metadata


class Series:
    """A series' folder. `patches` are those that the LLVM version needs."""

    def __init__(self, folder, version=None):
        self.folder, self.version = folder, version
        # The project that it is of: the new files are there.
        self.root = folder.resolve().parents[1]
        self.metadata = read_metadata(folder / METADATA)
        entries = self.metadata["patches"]
        mails = [(folder / f"{e['slug']}.patch").read_bytes() for e in entries]
        content = b"\0".join([(folder / METADATA).read_bytes(), *mails])
        self.digest = hashlib.sha256(content).hexdigest()
        self.all = [Patch(*pair, self.root) for pair in zip(entries, mails)]
        self.patches = self.all
        if version:
            number, versions = parse_version(version), self.metadata.get("llvm", "")
            if number not in VersionRange(versions):
                raise Failure(f"{folder} is for LLVM {versions}, not for {version}")
            ranges = [VersionRange(entry.get("llvm", "")) for entry in entries]
            self.patches = [p for p, own in zip(self.all, ranges) if number in own]

    def without(self, patch):
        """The patches that need neither the patch nor one that does."""
        gone = {patch.slug}
        for other in self.patches:
            if gone & set(other.entry.get("requires", [])):
                gone.add(other.slug)
        return [other for other in self.patches if other.slug not in gone]

    def required_by(self, patch):
        """The slugs of the patch and of all that it cannot do without."""
        needed = {patch.slug}
        for other in reversed(self.all):
            if other.slug in needed:
                needed.update(other.entry.get("requires", []))
        return needed

    def content(self, here):
        """A file of ours as LLVM has it: machine IR in the version's own form."""
        content = (self.root / here).read_bytes()
        if not here.endswith(".mir"):
            return content
        sed = ["sed", self.metadata.get("mir", "")]
        done = subprocess.run(sed, input=content, stdout=subprocess.PIPE, check=True)
        return done.stdout.replace(OUR_MIR, LLVM_MIR)
