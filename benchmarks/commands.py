# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What speed.py and peak.py have in common: build a folder that can travel, run what is
in it on the GPU machine, write a page of what that measured."""

import argparse
import datetime
import json
import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MANIFEST = "manifest.json"


def fail(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: error: {message}")


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def finish_build(folder, scripts, cuda, **manifest):
    """Adds the scripts that run there, and what it was built from."""
    sys.path.insert(1, f"{ROOT}/utils")
    from device.build import git_state, ptxas_version

    for script in ("commands.py", *scripts):
        shutil.copy(HERE / script, folder)
    manifest |= {"git": git_state(ROOT), "ptxas": ptxas_version(f"{cuda}/bin/ptxas")}
    with open(f"{folder}/{MANIFEST}", "w") as file:
        json.dump(manifest, file, indent=1)


def read_manifest(folder):
    with open(f"{folder}/{MANIFEST}") as file:
        return json.load(file)


def write_page(args):
    """By page.py beside the command."""
    sys.path.insert(1, f"{ROOT}/utils")
    import page

    page.write(args.files, args.output)
    return 0


class Commands:
    """The command line: each command is an argparse parser, with what it calls."""

    def __init__(self, description):
        self.parser = argparse.ArgumentParser(
            description=description,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.parts = self.parser.add_subparsers(required=True)

    def add(self, name, call, files="+"):
        part = self.parts.add_parser(name)
        part.set_defaults(call=call)
        if name != "page":
            part.add_argument("folder")
            return part
        part.add_argument("files", nargs=files, metavar="file")
        part.add_argument("--output", default=f"{ROOT}/docs/results")
        return part

    def run(self):
        args = self.parser.parse_args()
        return args.call(args)
