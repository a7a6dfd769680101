#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails when a tool links an archive member that our intrinsics made stale.

utils/build/affected_sources.py decides by #include what is compiled again. This looks
from the other end, at what the linker took: for every member of a packaged
archive in the linker's map it reads the member's source, and the headers that
the source includes from its own folder, and reports any that names a renumbered
intrinsic or the number of intrinsics, or that has the enumerators of the NVPTX
backend's instructions, of Clang's NVPTX builtins or of its groups of diagnostics.

Also checks that the intrinsics of all other targets, whose packaged headers
stay in use, have kept their numbers, and so have all of Clang's diagnostics.
"""

import argparse
import os
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# "lib/libX.a(Y.cpp.o)" as lld's and GNU ld's maps have it.
MEMBER = re.compile(r"/lib(\w+)\.a\(([^)\s]+)\.o\)")
# An object of ours: CMake appends its source's path to a folder of its own.
OBJECT = re.compile(r"CMakeFiles/\S+?((?:llvm|clang|polly)/lib/\S+)\.o\b")
# Besides intrinsics: what numbers the instructions of the NVPTX backend, Clang's
# NVPTX builtins and groups of diagnostics, and which CUDA the driver supports.
STALE_TEXT = re.compile(
    r"\bNVPTXGen\w+\.inc|\bNVPTX::BI\w+|\bBuiltinsNVPTX\.inc|\bnum_intrinsics\b"
    r"|\bdiag::Group::(?!NUM_GROUPS)\w+|\bGET_DIAG_ARRAYS\b"
    r"|\bCudaInstallation(?:\.|->)version\(\)|\b(?:FULLY|PARTIALLY)_SUPPORTED\b"
)
DIAGNOSTIC = re.compile(r"^DIAG\((\w+),", re.MULTILINE)
INTRINSIC = re.compile(r"\bIntrinsic::(\w+)")
# The archives made of LLVM's C++; isl, in C, knows nothing of LLVM.
OURS = re.compile(r"LLVM|clang|Polly$")
ENUMERATOR = re.compile(r"^\s*(\w+)(?: = (\d+))?,", re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def enumerators(path):
    """The names that a generated header of intrinsics numbers, and how."""
    numbers, number = {}, None
    text = read(path)
    start = text.find("// Enum values for intrinsics")
    for name, value in ENUMERATOR.findall(text[start:]):
        number = int(value) if value else number + 1
        numbers[name] = number
    return numbers


def renumbered(generated, packaged):
    """Enumerators that the package numbers differently or does not have: none with
    a series that adds no intrinsic."""
    numbered, changed = set(), set()
    folder = os.path.join(generated, "llvm/IR")
    for name in sorted(os.listdir(folder)):
        if not re.fullmatch(r"Intrinsics\w+\.h", name):
            continue
        new = enumerators(os.path.join(folder, name))
        old = enumerators(os.path.join(packaged, "llvm/IR", name))
        numbered |= set(new) & set(old)
        changed |= {e for e, number in new.items() if old.get(e) != number}
        if set(old) - set(new):
            sys.exit(f"check_linked_members.py: {name} has lost intrinsics")
    if not numbered:
        sys.exit("check_linked_members.py: the headers number no intrinsic")
    return changed


def check_diagnostics(generated, packaged):
    """A diagnostic's number is its place in its component's list: what is new may
    only follow what the package has."""
    folder = os.path.join(generated, "clang/Basic")
    for name in sorted(os.listdir(folder)):
        if not re.fullmatch(r"Diagnostic\w+Kinds\.inc", name):
            continue
        new = DIAGNOSTIC.findall(read(os.path.join(folder, name)))
        old = DIAGNOSTIC.findall(read(os.path.join(packaged, "clang/Basic", name)))
        if new[: len(old)] != old:
            sys.exit(f"check_linked_members.py: {name} is renumbered")


class Sources:
    """Which source files an archive's member can come from."""

    def __init__(self, pristine, changed):
        self.changed = changed
        self.included = {}
        self.names = {}
        self.files = {}
        self.folders = {}
        for project in ("llvm", "clang", "polly"):
            top = os.path.join(pristine, project, "lib")
            for folder, _, names in os.walk(top):
                for name in names:
                    self.files.setdefault(name, []).append(os.path.join(folder, name))
                if "CMakeLists.txt" in names:
                    for library in self.libraries(folder):
                        self.folders.setdefault(library, []).append(folder)

    @staticmethod
    def libraries(folder):
        """The archives that a folder's CMakeLists.txt makes."""
        text = read(os.path.join(folder, "CMakeLists.txt"))
        for kind, name in re.findall(r"\badd_(\w+)\(\s*(\w+)", text):
            if kind == "llvm_target":
                yield "LLVM" + name
            elif kind.endswith(("library", "pass_plugin")):
                yield name

    def candidates(self, library, member):
        folders = self.folders.get(library, ())
        paths = self.files.get(member, ())
        return [p for p in paths if any(p.startswith(f + os.sep) for f in folders)]

    def includes(self, path):
        """The files that the file includes from beside itself, or from the
        folder above, as the parts of a backend do."""
        if path not in self.included:
            folder = os.path.dirname(path)
            self.included[path] = [
                target
                for include in INCLUDE.findall(read(path))
                for place in (folder, os.path.dirname(folder))
                for target in [os.path.normpath(os.path.join(place, include))]
                if os.path.isfile(target)
            ]
        return self.included[path]

    def own_stale_name(self, path):
        """What the file itself refers to that has changed, or None."""
        if path not in self.names:
            self.names[path] = None
            text = COMMENT.sub("", read(path))
            found = STALE_TEXT.search(text)
            intrinsics = (
                name for name in INTRINSIC.findall(text) if name in self.changed
            )
            intrinsic = next(intrinsics, None)
            if found:
                self.names[path] = found.group()
            elif intrinsic:
                self.names[path] = "Intrinsic::" + intrinsic
        return self.names[path]

    def stale_name(self, path):
        """The same for the file with all that it includes."""
        seen, stack = {path}, [path]
        while stack:
            file = stack.pop()
            name = self.own_stale_name(file)
            if name:
                return name
            for target in self.includes(file):
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--map", required=True, help="the linker's map")
    parser.add_argument("--pristine", required=True, help="LLVM's sources")
    parser.add_argument("--generated", required=True, help="our generated headers")
    parser.add_argument("--packaged", required=True, help="the package's headers")
    args = parser.parse_args()

    changed = renumbered(args.generated, args.packaged)
    check_diagnostics(args.generated, args.packaged)
    sources = Sources(args.pristine, changed)
    linked = read(args.map)
    compiled = {os.path.join(args.pristine, o) for o in OBJECT.findall(linked)}
    members = sorted(set(MEMBER.findall(linked)))
    members = [m for m in members if OURS.match(m[0])]
    if not members:
        sys.exit(f"check_linked_members.py: {args.map} names no archive member")

    faults = []
    for library, member in members:
        candidates = sources.candidates(library, member)
        if not candidates:
            faults.append(f"lib{library}.a({member}): source not found")
        # A library may have two sources of one name, Targets/X86.cpp and
        # TargetBuiltins/X86.cpp: the member is then the one not compiled again.
        for path in set(candidates) - compiled or candidates:
            name = sources.stale_name(path)
            if name:
                path = os.path.relpath(path, args.pristine)
                faults.append(f"lib{library}.a({member}) is stale: {path} uses {name}")
    for fault in faults:
        print("error: " + fault, file=sys.stderr)
    if faults:
        print("compile these again: see utils/build/affected_sources.py", file=sys.stderr)
        sys.exit(1)
    print(f"{len(members)} packaged members linked, none of them out of date")


if __name__ == "__main__":
    main()
