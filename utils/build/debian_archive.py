# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gets files from the pool of the distribution's own package archive.

The archive is the one that apt is set up for. An entry, as llvm_sources.json and
assemblers.json have them, names a file, its folder in the pool and its checksum,
and maybe a release elsewhere that serves as well.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.request


class Error(Exception):
    pass


def say(message):
    print(f"-- {message}", file=sys.stderr, flush=True)


def cache_dir():
    """Where downloads are kept."""
    return os.environ.get("NVPTX_MMA_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "nvptx-mma"
    )


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def check_sum(path, expected):
    found = sha256(path)
    if found != expected:
        raise Error(f"{path}: wrong checksum: need sha256 {expected}, got {found}")


def archive_sites():
    """The package archives that apt is set up for, the main one first."""
    try:
        out = subprocess.run(
            ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return []
    sites = dict.fromkeys(out.split())
    return sorted(sites, key=lambda uri: ("security" in uri, uri))


def places(entry):
    """Where an entry's file can be had: (address, name, checksum) of each place."""
    for site in archive_sites():
        uri = "/".join([site.rstrip("/"), entry["pool"], entry["file"]])
        yield uri, entry["file"], entry["sha256"]
    if "release" in entry:
        release = entry["release"]
        uri = release["site"] + "/" + release["file"]
        yield uri, release["file"], release["sha256"]


def download(entry, folder, hint):
    """Puts the entry's file into the folder, checked unless its checksum is None.
    hint: what to do instead."""
    os.makedirs(folder, exist_ok=True)
    tried = []
    for uri, name, expected in places(entry):
        path = os.path.join(folder, name)
        tried.append(uri)
        say(f"downloading {name}")
        # Of its own name: two may download at the same time.
        part = f"{path}.{os.getpid()}.part"
        try:
            with urllib.request.urlopen(uri, timeout=60) as r, open(part, "wb") as f:
                shutil.copyfileobj(r, f, 1 << 20)
            if expected:
                check_sum(part, expected)
            os.replace(part, path)
            return path
        except (urllib.error.URLError, OSError) as e:
            say(f"not there: {e}")
        finally:
            if os.path.exists(part):
                os.remove(part)
    raise Error(
        f"{entry['file']} could not be downloaded"
        + (f" from any of {len(tried)} places" if tried else ": apt names no archive")
        + f"; {hint}"
    )
