#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gets LLVM's sources of the version that is installed.

Looks, in this order, for
  1. the tree or tarball that --source names;
  2. the tarball in the download cache;
  3. the upstream tarball in the pool of the distribution's own package archive,
     as apt is set up to reach it, or LLVM's release; it is kept in the cache.

A tarball is checked against utils/build/llvm_sources.json before anything is unpacked,
unless the user named it and its name is not listed there; a tree is checked for
its version. Of a version that is not listed, the tarball is fetched and its
checksum printed, for the user to compare, and to confirm with --sha256. Only
what the build and the tests read is unpacked. Prints the folder that holds
llvm/ and clang/.
"""

import argparse
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True
from debian_archive import Error, cache_dir, check_sum, download, say, sha256

HERE = os.path.dirname(os.path.abspath(__file__))

# Of the monorepo, what the build, the patch check and the tests read.
WANTED = re.compile(
    r"^(cmake/Modules/"
    r"|llvm/(include|lib|tools/(llc|opt|llvm-objcopy|llvm-offload-binary)|test/CodeGen/NVPTX)/"
    r"|llvm/docs/(NVPTXUsage\.rst|ReleaseNotes\.md)$"
    r"|clang/docs/(LanguageExtensions|ReleaseNotes)\.(rst|md)$"
    r"|clang/(include|lib|utils/TableGen)/"
    r"|clang/tools/(driver|clang-(linker|nvlink)-wrapper|clang-offload-bundler|offload-arch)/"
    r"|polly/lib/)"
)
UNWANTED = re.compile(
    r"^(llvm/lib/Target/(?!NVPTX/|X86/)[^/]+/|clang/lib/CIR/|polly/lib/External/|.*/unittests/)"
)

# And what a build of LLVM as a whole reads.
WHOLE = re.compile(r"^(cmake|third-party/siphash|libc|llvm|clang)/")
NOT_BUILT = re.compile(
    r"^llvm/test/(?!CodeGen/NVPTX/)"
    r"|^llvm/docs/(?!(NVPTXUsage\.rst|ReleaseNotes\.md)$)"
    r"|^clang/docs/(?!(LanguageExtensions|ReleaseNotes)\.(rst|md)$)"
    r"|^(clang/test|libc/(test|docs))/"
    r"|^[^/]+/(unittests|benchmarks|fuzzing)/"
)

NO_DOWNLOAD = (
    "put it into the download cache or name a tree or tarball with"
    " NVPTX_MMA_LLVM_SOURCE"
)


def tree_version(tree):
    """The version that LLVM's tree says it is, or None if it does not say."""
    try:
        with open(os.path.join(tree, "cmake/Modules/LLVMVersion.cmake")) as f:
            text = f.read()
    except FileNotFoundError:
        return None
    parts = r"set\(LLVM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)\)"
    return ".".join(re.findall(parts, text))


def check_version(tree, version):
    found = tree_version(tree)
    if not found:
        raise Error(
            f"{tree}: not LLVM's source tree: no cmake/Modules/LLVMVersion.cmake"
        )
    if found != version:
        raise Error(f"{tree}: wrong version: need LLVM {version}, got {found}")


def unlisted(args, known):
    """What a distribution that follows LLVM's releases has for another version."""
    major = args.version.partition(".")[0]
    if not any(version.startswith(major + ".") for version in known):
        raise Error(
            f"LLVM {args.version} is of no release that is known: {', '.join(known)}"
        )
    return {
        "file": f"llvm-toolchain-{major}_{args.version}.orig.tar.xz",
        "pool": f"pool/main/l/llvm-toolchain-{major}",
        "sha256": args.sha256,
    }


def confirm(tarball, args, known):
    """Stops for the user to compare the checksum of a version not listed."""
    raise Error(
        f"utils/build/llvm_sources.json has no checksum for LLVM {args.version} (known:"
        f" {', '.join(known)}). {tarball} has sha256 {sha256(tarball)}: compare that"
        " with what the distribution or LLVM says, and confirm it with"
        " -DNVPTX_MMA_LLVM_SHA256=...; or name a tree or tarball of that version"
        " with -DNVPTX_MMA_LLVM_SOURCE=..."
    )


def in_cache(entry, cache):
    """The tarball in the cache, checked, or None."""
    for candidate in (entry, entry.get("release")):
        path = os.path.join(cache, candidate["file"]) if candidate else ""
        if os.path.isfile(path):
            if candidate["sha256"]:
                check_sum(path, candidate["sha256"])
            return path
    return None


class Selection:
    """What to unpack: the files that a series of patches changes, what a build of
    LLVM as a whole reads, or what a build with the distribution's packages does."""

    def __init__(self, args):
        self.files = changed_files(args.series) if args.series else None
        self.patterns = (WHOLE, NOT_BUILT) if args.whole else (WANTED, UNWANTED)

    def has(self, name):
        if self.files is not None:
            return name in self.files or name == "cmake/Modules/LLVMVersion.cmake"
        wanted, unwanted = self.patterns
        return wanted.match(name) and not unwanted.match(name)

    def __str__(self):
        return " ".join(self.files or (p.pattern for p in self.patterns))


def changed_files(series):
    """The files of LLVM's that a series of patches changes."""
    files = set()
    for name in sorted(os.listdir(series)):
        if name.endswith(".patch"):
            with open(os.path.join(series, name), encoding="latin-1") as f:
                files |= set(re.findall(r"^--- a/(.*)$", f.read(), re.M))
    return sorted(files)


def unpack(tarball, output, version, selection):
    """All or nothing: the folder appears when it is complete."""
    say(f"unpacking {os.path.basename(tarball)}")
    parent = os.path.dirname(os.path.abspath(output))
    os.makedirs(parent, exist_ok=True)
    staging = tempfile.mkdtemp(dir=parent, prefix=".unpack-")
    try:
        with tarfile.open(tarball) as tar:
            for member in tar:
                name = member.name.partition("/")[2]
                if not selection.has(name):
                    continue
                if not (member.isfile() or member.isdir()) or ".." in name.split("/"):
                    continue
                member.name = name
                tar.extract(member, staging)
        check_version(staging, version)
        shutil.rmtree(output, ignore_errors=True)
        os.replace(staging, output)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise


def get_tree(args):
    with open(os.path.join(HERE, "llvm_sources.json")) as f:
        known = json.load(f)

    if args.source and os.path.isdir(args.source):
        check_version(args.source, args.version)
        return os.path.abspath(args.source)

    if args.source:
        if not os.path.isfile(args.source):
            raise Error(f"{args.source}: no such tree or tarball")
        tarball = args.source
        for version in known.values():
            for entry in (version, version.get("release", {})):
                if entry.get("file") == os.path.basename(tarball):
                    check_sum(tarball, entry["sha256"])
    else:
        entry = known.get(args.version) or unlisted(args, known)
        tarball = in_cache(entry, args.cache) or download(
            entry, args.cache, NO_DOWNLOAD
        )
        if not entry["sha256"]:
            confirm(tarball, args, known)

    selection = Selection(args)
    stamp = f"{args.version} {os.path.basename(tarball)} {selection}"
    stamp_file = os.path.join(args.output, ".unpacked")
    if os.path.isfile(stamp_file):
        with open(stamp_file) as f:
            if f.read() == stamp:
                return os.path.abspath(args.output)
    unpack(tarball, args.output, args.version, selection)
    with open(stamp_file, "w") as f:
        f.write(stamp)
    return os.path.abspath(args.output)


def get_changed_files(version, series, output):
    """Gets those files of a listed version that a series of patches changes."""
    return get_tree(
        argparse.Namespace(
            version=version,
            series=series,
            whole=False,
            output=output,
            source=None,
            sha256=None,
            cache=cache_dir(),
        )
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", required=True, help="as in 22.1.8")
    parser.add_argument("--source", help="a source tree or tarball of that version")
    parser.add_argument(
        "--sha256", help="of the tarball, where the version is not listed"
    )
    parser.add_argument(
        "--cache", default=cache_dir(), help="download cache (%(default)s)"
    )
    parser.add_argument(
        "--series", help="unpack only what this series of patches changes"
    )
    parser.add_argument(
        "--whole",
        action="store_true",
        help="unpack all that building LLVM itself needs",
    )
    parser.add_argument("--output", required=True, help="where to unpack a tarball")
    args = parser.parse_args()
    try:
        print(get_tree(args))
    except (Error, OSError, tarfile.TarError) as e:
        sys.exit(f"fetch_llvm.py: error: {e}")


if __name__ == "__main__":
    main()
