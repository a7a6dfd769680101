#!/usr/bin/env python3
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gets other versions of ptxas, and nvdisasm, for the tests.

What is generated has to pass more assemblers than the one of the CUDA toolkit at
hand. Debian's non-free packages of CUDA carry some; utils/build/assemblers.json says
which, with their checksums. They are downloaded from the archive that apt is set
up for, whether its non-free part is enabled or not, and unpacked into the download
cache: nothing is installed. Prints a line for each: its version and folder.

These programs are NVIDIA's, under the licence of the CUDA toolkit; nothing but
tests uses them, and the tests skip what is not there.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(1, f"{HERE}/build")
from debian_archive import Error, cache_dir, check_sum, download, say


def known_assemblers():
    with open(os.path.join(HERE, "build", "assemblers.json")) as f:
        return json.load(f)


def folder_of(version, cache):
    return os.path.join(cache, "assemblers", version)


def is_unpacked(version, entry, cache):
    """Whether the folder has what the entry's package has, and all of it."""
    try:
        with open(os.path.join(folder_of(version, cache), ".sha256")) as f:
            return f.read() == entry["sha256"]
    except OSError:
        return False


def extract_programs(package, programs, folder):
    """Writes the package's usr/bin/PROGRAM into the folder."""
    command = ["dpkg-deb", "--fsys-tarfile", package]
    missing = set(programs)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        with tarfile.open(fileobj=process.stdout, mode="r|") as tar:
            for member in tar:
                folder_name, _, name = member.name.rpartition("/")
                if folder_name != "./usr/bin" or name not in missing:
                    continue
                path = os.path.join(folder, name)
                with tar.extractfile(member) as source, open(path, "wb") as f:
                    shutil.copyfileobj(source, f, 1 << 20)
                os.chmod(path, 0o755)
                missing.remove(name)
    if process.returncode or missing:
        raise Error(f"{package}: no {' or '.join(sorted(missing)) or 'whole archive'}")


def unpack(package, version, entry, cache):
    """All or nothing: the folder appears when it is complete."""
    say(f"unpacking {os.path.basename(package)}")
    folder = folder_of(version, cache)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    staging = tempfile.mkdtemp(dir=os.path.dirname(folder), prefix=".unpack-")
    try:
        extract_programs(package, entry["programs"], staging)
        with open(os.path.join(staging, ".sha256"), "w") as f:
            f.write(entry["sha256"])
        os.chmod(staging, 0o755)
        shutil.rmtree(folder, ignore_errors=True)
        os.replace(staging, folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def fetch(version, entry, cache):
    package = os.path.join(cache, entry["file"])
    if os.path.isfile(package):
        check_sum(package, entry["sha256"])
        unpack(package, version, entry, cache)
        return
    if platform.machine() != "x86_64":
        raise Error(f"{entry['file']} is for x86_64, this machine is not")
    package = download(entry, cache, "put it into the download cache")
    unpack(package, version, entry, cache)
    os.remove(package)


def main():
    known = known_assemblers()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "version", nargs="*", help=f"which: {', '.join(known)}; otherwise all"
    )
    parser.add_argument(
        "--cache", default=cache_dir(), help="download cache (%(default)s)"
    )
    parser.add_argument(
        "--list", action="store_true", help="download nothing, print what is there"
    )
    args = parser.parse_args()
    status = 0
    for version in args.version or known:
        try:
            if version not in known:
                raise Error(f"no ptxas {version} is known (known: {', '.join(known)})")
            entry = known[version]
            if not args.list and not is_unpacked(version, entry, args.cache):
                fetch(version, entry, args.cache)
            if is_unpacked(version, entry, args.cache):
                print(version, folder_of(version, args.cache))
        except (Error, OSError, tarfile.TarError) as e:
            print(f"fetch_assemblers.py: error: {e}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
