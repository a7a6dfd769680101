#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes which of LLVM's and Clang's sources have to be compiled again.

The packaged archives were compiled before our intrinsics, instructions and
builtins existed. A translation unit's object in them is out of date when the
unit sees something that has changed:

  - a header that enumerates intrinsics and was renumbered: the intrinsics of a
    target are numbered after those of all targets whose prefix sorts earlier,
    so adding some to "nvvm" moves nvvm, ppc, ... xcore;
  - the number of all intrinsics;
  - the NVPTX backend's generated tables, or the enumerators of Clang's NVPTX
    builtins;
  - a file that a patch changes; of a header that is included far and wide, the
    names in it that change;
  - the numbers of Clang's groups of diagnostics, which patches add to. (The
    diagnostics themselves keep theirs: see keep_diagnostic_numbers.py.)

"Sees" is the transitive closure of #include over the project's own files, read
from the sources each time. Prints a CMake list for every group of sources.
"""

import argparse
import collections
import json
import os
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]+)[">]', re.MULTILINE)
ENUM_HEADER = re.compile(
    r"tablegen\(LLVM (Intrinsics\w+\.h) -gen-intrinsic-enums "
    r"-intrinsic-prefix=(\w+)\)"
)

# What changes besides the renumbered headers, by the text that uses it.
USES_COUNT = re.compile(r"\bnum_intrinsics\b|IntrinsicImpl\.inc")
USES_BUILTINS = re.compile(r"\bNVPTX::BI|BuiltinsNVPTX\.inc")
# NUM_GROUPS is no more than the size of an array in DiagnosticIDs' constructor.
USES_GROUPS = re.compile(r"\bdiag::Group::(?!NUM_GROUPS)|\bGET_DIAG_ARRAYS\b")
NVPTX_TABLES = re.compile(r"^NVPTXGen\w+\.inc$")

# The generated tables of the backends, none of which are packaged.
TARGET_TABLES = re.compile(r"^(NVPTX|X86)Gen\w+\.inc$")

# Declares the builtins of all targets and is included far and wide; only the
# enumerators of NVPTX change, and those are looked for where they are used.
BUILTINS_HEADER = "clang/Basic/TargetBuiltins.h"

# Other such headers, each with the uses of what changes in it. Of the constants
# of clang::CudaVersion, patches move the two that say which CUDA is supported;
# CudaInstallationDetector::version() is inline and returns one of them.
NARROW_HEADERS = {
    "clang/include/clang/Basic/Cuda.h": re.compile(
        r"\b(?:FULLY_SUPPORTED|PARTIALLY_SUPPORTED|DefaultArchForCudaVersion)\b"
    ),
    "clang/include/clang/Driver/CudaInstallationDetector.h": re.compile(
        r"\bCudaInstallation(?:\.|->)version\(\)"
    ),
}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

# Backends that the tools are not linked with, and Clang's MLIR code generator,
# which the package does not have.
LINKED_TARGETS = {"NVPTX", "X86"}


def renumbered_headers(root, prefix):
    """The headers of the targets that sort from `prefix` on."""
    with open(os.path.join(root, "llvm/include/llvm/IR/CMakeLists.txt")) as f:
        headers = ENUM_HEADER.findall(f.read())
    if not headers:
        sys.exit("affected_sources.py: no intrinsic headers in llvm/include/llvm/IR")
    return {"llvm/IR/" + header for header, p in headers if p >= prefix}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8", errors="replace") as f:
        return f.read()


class Tree:
    """The pristine sources with the patched files laid over them."""

    def __init__(self, pristine, patched):
        self.roots = [patched, pristine]
        self.texts = {}
        self.resolved = {}
        with open(os.path.join(patched, "applied.json")) as f:
            self.patched = set(json.load(f)["files"])

    def find(self, path):
        for root in self.roots:
            full = os.path.join(root, path)
            if os.path.isfile(full):
                return full
        return None

    def text(self, path):
        if path not in self.texts:
            full = self.find(path)
            if full is None:
                self.texts[path] = None
            else:
                self.texts[path] = read(full)
        return self.texts[path]

    def changed_declarations(self, path):
        """The declarations and enumerators that the patches change in a header."""
        before, after = (
            collections.Counter(
                re.sub(r"\s+", " ", part).strip()
                for part in re.split(r"[,;{}]", COMMENT.sub("", read(root, path)))
            )
            for root in reversed(self.roots)
        )
        return sorted((before - after) | (after - before))

    def check_narrow_headers(self):
        for header in self.patched & NARROW_HEADERS.keys():
            for declaration in self.changed_declarations(header):
                if not NARROW_HEADERS[header].search(declaration):
                    sys.exit(
                        f"affected_sources.py: {header}: a patch changes"
                        f" '{declaration}', whose uses NARROW_HEADERS does not know"
                    )

    def resolve(self, include, includer):
        """The project file that an #include means, or None."""
        key = (include, os.path.dirname(includer))
        if key not in self.resolved:
            self.resolved[key] = self.look_up(include, includer)
        return self.resolved[key]

    def look_up(self, include, includer):
        candidates = [os.path.join(os.path.dirname(includer), include)]
        candidates += [os.path.join(d, include) for d in search_path(includer)]
        for candidate in candidates:
            candidate = os.path.normpath(candidate)
            if self.text(candidate) is not None:
                return candidate
        return None

    def sources(self):
        """Every .cpp of the libraries that the tools are linked with."""
        for lib in ("llvm/lib", "clang/lib", "polly/lib"):
            top = os.path.join(self.roots[-1], lib)
            for folder, folders, files in os.walk(top):
                relative = os.path.relpath(folder, self.roots[-1])
                if relative == "llvm/lib/Target":
                    folders[:] = [d for d in folders if d in LINKED_TARGETS]
                elif relative == "clang/lib":
                    folders[:] = [d for d in folders if d != "CIR"]
                folders.sort()
                for name in sorted(files):
                    if name.endswith(".cpp"):
                        yield os.path.join(relative, name)


def search_path(includer):
    """Where LLVM's build looks for the headers of this file."""
    yield "llvm/include"
    yield "clang/include"
    parts = includer.split("/")
    if parts[:3] == ["llvm", "lib", "Target"] and len(parts) > 4:
        yield "/".join(parts[:4])
    elif parts[1] == "lib":
        yield "/".join(parts[:3])


class IncludeGraph:
    """Who includes whom, from the given sources on."""

    def __init__(self, tree, sources):
        self.tree = tree
        self.includers = {}
        self.includes = {}
        pending = list(sources)
        while pending:
            file = pending.pop()
            if file in self.includes:
                continue
            self.includes[file] = INCLUDE.findall(tree.text(file))
            for include in self.includes[file]:
                target = tree.resolve(include, file)
                if target:
                    self.includers.setdefault(target, []).append(file)
                    pending.append(target)

    def own_reason(self, file, headers):
        """Why the file itself is affected, or None."""
        if file in NARROW_HEADERS:
            return None
        if file in self.tree.patched:
            return "is patched"
        for include in self.includes[file]:
            if include in headers or NVPTX_TABLES.match(include):
                return f"includes {include}"
        text = self.tree.text(file)
        if USES_COUNT.search(text):
            return "uses the number of intrinsics"
        if not file.endswith(BUILTINS_HEADER) and USES_BUILTINS.search(text):
            return "uses Clang's NVPTX builtins"
        if USES_GROUPS.search(text):
            return "uses Clang's groups of diagnostics"
        for header, uses in NARROW_HEADERS.items():
            if uses.search(text):
                return f"uses what changes in {header}"
        return None

    def affected(self, headers):
        """Every affected file, with the reason; what includes one is one."""
        reasons = {}
        for file in self.includes:
            reason = self.own_reason(file, headers)
            if reason:
                reasons[file] = reason
        pending = list(reasons)
        while pending:
            file = pending.pop()
            for includer in self.includers.get(file, ()):
                if includer not in reasons:
                    reasons[includer] = f"includes {file}, which " + reasons[file]
                    pending.append(includer)
        return reasons

    def tables(self, sources):
        """The backends' tables that the sources include, however deep."""
        found, seen, pending = set(), set(sources), list(sources)
        while pending:
            file = pending.pop()
            for include in self.includes[file]:
                if TARGET_TABLES.match(include):
                    found.add(include)
                target = self.tree.resolve(include, file)
                if target and target not in seen:
                    seen.add(target)
                    pending.append(target)
        return found


GROUPS = (
    ("NVPTX", "llvm/lib/Target/NVPTX/"),
    ("X86", "llvm/lib/Target/X86/"),
    ("LLVM", "llvm/lib/"),
    ("CLANG", "clang/lib/"),
    ("POLLY", "polly/lib/"),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pristine", required=True, help="LLVM's sources")
    parser.add_argument("--patched", required=True, help="output of patches.py apply")
    parser.add_argument("--prefix", default="nvvm", help="prefix of what is added")
    parser.add_argument("--cmake", help="write CMake lists to this file")
    parser.add_argument("--reasons", help="write the reasons to this JSON file")
    args = parser.parse_args()

    tree = Tree(args.pristine, args.patched)
    tree.check_narrow_headers()
    headers = renumbered_headers(args.pristine, args.prefix)
    sources = list(tree.sources())
    graph = IncludeGraph(tree, sources)
    affected = graph.affected(headers)
    reasons = {source: affected[source] for source in sources if source in affected}

    lists = {name: [] for name, _ in GROUPS}
    for source in reasons:
        name = next(n for n, folder in GROUPS if source.startswith(folder))
        lists[name].append(source)

    if args.cmake:
        with open(args.cmake, "w") as f:
            f.write("# Written by utils/build/affected_sources.py\n")
            names = sorted(os.path.basename(h) for h in headers)
            f.write(f"set(RENUMBERED_HEADERS {' '.join(names)})\n")
            for name, sources in lists.items():
                f.write(f"set(AFFECTED_{name}\n  " + "\n  ".join(sources) + ")\n")
            tables = sorted(graph.tables(reasons))
            f.write("set(NEEDED_TABLES\n  " + "\n  ".join(tables) + ")\n")
    if args.reasons:
        with open(args.reasons, "w") as f:
            json.dump(reasons, f, indent=1)
    total = sum(map(len, lists.values()))
    counts = ", ".join(f"{len(s)} {n}" for n, s in lists.items())
    print(f"{total} translation units to compile again ({counts})")


if __name__ == "__main__":
    main()
