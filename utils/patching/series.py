# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A series of patches to LLVM, as a folder such as llvm-patches/22.1 holds it.

utils/patches.py describes the folder.
"""

import email
import email.policy
import hashlib
import json
import operator
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
METADATA = "patches.json"

SERIES_KEYS = {"llvm", "max_added_lines", "patches"}
OPTIONAL_SERIES_KEYS = {"tested", "mir"}
TEXT_KEYS = ("slug", "title", "reason", "upstream", "llvm", "remove_when")
LIST_KEYS = ("requires", "files")
PATCH_KEYS = {*TEXT_KEYS, *LIST_KEYS, "guarded_by", "max_added_lines", "optional"}

# How a test of ours has its machine IR made that of the version, and LLVM's own.
OUR_MIR, LLVM_MIR = b"%mir %s | llc -x mir - ", b"llc %s "

# An #include of C++ and an include of TableGen.
INCLUDE = r'^\s*#?\s*include\s+["<]([^">]+)[">]'

# Where files of ours stand in LLVM's repository; the first that fits counts.
MAIL_PATHS = {
    "include": "llvm/include",
    "lib": "llvm/lib",
    "clang-builtins": "clang",
    "docs": "llvm/docs",
    "test/CodeGen/NVPTX": "llvm/test/CodeGen/NVPTX",
    "test/Clang": "clang/test/CodeGenCUDA/NVPTX",
    "utils/ptx_isa": "llvm/utils/ptx_isa",
}


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


# --- Patches ----------------------------------------------------------------


class Patch:
    """A mail, and what patches.json says about it. Its text is Latin-1, which
    takes any byte to one character and back."""

    NOT_TEXT = r"new file|deleted file|old mode|rename|copy|GIT binary|Binary"

    def __init__(self, entry, text, root=ROOT):
        self.root = root
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

    def differs(self, other):
        def content(patch):
            return patch.subject, patch.message, patch.hunks

        return content(self) != content(other)

    def own_files(self):
        """Our files that come with the patch, as (path here, path in LLVM)."""
        for name in self.entry.get("files", []):
            path = self.root / name
            if not path.exists():
                raise Failure(f"{self.slug}: 'files': there is no {name}")
            files = sorted(path.rglob("*")) if path.is_dir() else [path]
            for file in files:
                if file.is_file() and "__pycache__" not in file.parts:
                    here = file.relative_to(self.root).as_posix()
                    yield here, mail_path(here)

    def added_text(self):
        """What the patch adds to each file in LLVM, and its own files there."""
        for path, hunks in self.hunks.items():
            lines = [line[1:] for _, body in hunks for line in body if line[:1] == "+"]
            yield path, "\n".join(lines)
        for here, there in self.own_files():
            yield there, (self.root / here).read_text(encoding="utf-8")

    def own_code(self):
        """Its files that are compiled, or described: neither tests nor their tools."""
        tests = ("test/", "utils/")
        return [here for here, _ in self.own_files() if not here.startswith(tests)]

    def own_tests(self):
        """Its tests, below test/: those that guard it, and those it brings."""
        suffixes = (".ll", ".mir", ".cu", ".cpp", ".test")
        tests = dict.fromkeys(self.entry.get("guarded_by", []))
        for here, _ in self.own_files():
            if here.startswith("test/") and here.endswith(suffixes):
                tests[here.removeprefix("test/")] = None
        return list(tests)


def find_included(there, name, paths):
    """Which of the paths a file means by a name that it includes."""
    beside = f"{there.rpartition('/')[0]}/{name}"
    if beside in paths:
        return beside
    return next((path for path in paths if path.endswith(f"/{name}")), None)


def mail_path(here):
    """Where a file of ours stands in LLVM's repository."""
    for ours, theirs in MAIL_PATHS.items():
        if here.startswith(ours + "/"):
            return theirs + here[len(ours) :]
    raise Failure(f"{here} has no place in LLVM's repository")


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
        # The project that it is of: the new files are there.
        self.root = folder.resolve().parents[1]
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
        self.all = [Patch(*pair, self.root) for pair in zip(self.entries, mails)]
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

    def include_faults(self):
        """Files that include what neither LLVM has nor a required patch."""
        owners = {there: p.slug for p in self.all for _, there in p.own_files()}
        for patch in self.all:
            required = self.required_by(patch)
            for there, text in patch.added_text():
                for name in re.findall(INCLUDE, text, re.M):
                    owner = owners.get(find_included(there, name, owners))
                    if owner and owner not in required:
                        yield (
                            f"{patch.slug}: {there} includes {name} of '{owner}', "
                            "which the patch does not require"
                        )

    def content(self, here):
        """A file of ours as LLVM has it: machine IR in the version's own form."""
        content = (self.root / here).read_bytes()
        if not here.endswith(".mir"):
            return content
        sed = ["sed", self.metadata.get("mir", "")]
        content = subprocess.run(sed, input=content, stdout=subprocess.PIPE, check=True)
        return content.stdout.replace(OUR_MIR, LLVM_MIR)

    def files(self):
        return sorted({path for patch in self.patches for path in patch.files})

    # What is wrong or missing in the folder.

    def faults(self, test_dir):
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
        owners = {}
        for number, patch in enumerate(self.all):
            for fault in self.patch_faults(patch, versions, test_dir):
                yield f"{patch.slug}: {fault}"
            if not patch.files:
                yield f"{patch.slug}: holds no difference"
            for slug in set(patch.entry.get("requires", [])) - set(listed[:number]):
                yield f"{patch.slug}: 'requires': no patch '{slug}' stands before it"
            yield from file_faults(patch, owners)

    def patch_faults(self, patch, versions, test_dir):
        entry = patch.entry
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", patch.slug):
            yield "a slug is lower-case words joined by '-', and no number first"
        for key in TEXT_KEYS:
            if not isinstance(entry.get(key), str) or not entry[key].strip():
                yield f"'{key}' is missing or empty"
        for key in LIST_KEYS:
            if not isinstance(entry.get(key, []), list):
                yield f"'{key}' is not a list"
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


def file_faults(patch, owners):
    """What is wrong with the patch's own files; owners: whose others are."""
    try:
        files = list(patch.own_files())
    except Failure as error:
        yield str(error)
        return
    for here, _ in files:
        if here in owners:
            yield f"{patch.slug}: {here} is a file of {owners[here]}, too"
        owners[here] = patch.slug
