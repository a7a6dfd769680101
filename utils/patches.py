#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Applies and checks a series of patches to LLVM, and makes commits of it.

A series is a folder such as llvm-patches/22.1. It holds one mail, as
`git format-patch` writes them, for each patch, and patches.json. The mail alone
has the title, and says why LLVM needs the change; the other file has

  llvm             the LLVM versions that the series is for: ">=22.1.0,<22.2"
  tested           optional: those of them that were tried, ["22.1.8"]
  max_added_lines  the most lines that one patch may add; a patch only hooks
                   in code that stands in files of our own
  mir              optional: what makes the machine IR of our tests that of this
                   version, as a command of sed
  not_mailed       optional: the tests that are in no mail though they guard a
                   patch, or though LLVM has a place for them, as paths below
                   test/ with the reason: [{"reason": "...", "tests": [...]}]
  also             optional: files of LLVM's that `apply` writes though no patch
                   changes them
  patches          the patches in order, each with
    slug           its stable name; the mail is <slug>.patch
    upstream       where it stands there: "not submitted", or a link
    llvm           the LLVM versions that need it; others skip it
    remove_when    what must happen for the patch to go
    guarded_by     the tests, as paths below test/, that fail without it; they are
                   among its files
    requires       optional: earlier patches that it cannot do without
    files          optional: the new files that come with it, code, tests and
                   documentation, as paths or folders of this repository
    max_added_lines  optional: a limit of its own, with
    why_longer       the reason
    optional       true: what the others do does not depend on it

The mails change text files that LLVM has; new files stand here, laid out as in
LLVM. `format-patch` puts both together: each patch is then a commit with all that
it needs, after those before it, and `git am --keep-non-patch` takes them.

Patches apply exactly or not at all: no fuzz, no line numbers that are off. Only
to a version that the series does not name as tested, a new point release of a
distribution, `apply` applies what still fits, at other lines too, and leaves
out an optional patch that does not.

To change, add or reorder patches: `checkout` makes a git repository with a
commit for each; edit its history with git (commit --fixup, rebase -i); `import`
writes the commits back. A new commit needs an entry in patches.json first; one
commit at a time may be new, or have a new title.

Exit status: 0 on success, 1 when something is wrong with the series or the
trees, 2 when the command line is.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(1, str(Path(__file__).resolve().parent / "build"))
from patching.check import check_command
from patching.commits import checkout_command, format_patch_command, import_command
from patching.series import METADATA, ROOT, Failure
from patching.trees import apply_command
from patching.trial import prefixes_command, prove_command

PROGRAM = Path(__file__).name


def option(metavar, text, **more):
    return dict(metavar=metavar, help=text, **more)


def folder(metavar, text):
    return option(metavar, text, type=Path, required=True)


def repeated(metavar, text):
    return option(
        metavar, f"{text}; may be given several times", action="append", default=[]
    )


OPTIONS = {
    "--series": folder("DIR", f"the folder with the patches and {METADATA}"),
    "--pristine": option(
        "SRC",
        "LLVM's unpatched tree, with llvm/ and clang/ in it (default: that of the "
        "build, or the tested version, downloaded)",
        type=Path,
    ),
    "--llvm-version": option("X.Y.Z", "its version (default: what the tree says)"),
    "--tests": option(
        "DIR",
        "where the tests of guarded_by are (default: %(default)s)",
        type=Path,
        default=ROOT / "test",
    ),
    "--slug": repeated("SLUG", "only this patch"),
    "--build-command": option("CMD", "shell command that builds in DST", required=True),
    "--test-command": option(
        "CMD",
        "shell command that tests in DST; {tests} becomes paths below test/",
        required=True,
    ),
    "--output": folder("DST", "the folder to write; commits want a new one"),
    "--record": option(
        "FILE", "JSON to keep in what was seen of each patch, and when", type=Path
    ),
    "--force": dict(action="store_true", help="lose what was edited in DST"),
    "--also": repeated("FILE", "another file of LLVM's, to edit"),
    "repository": dict(type=Path, help="what checkout made, edited"),
}
TREE = ("--series", "--pristine", "--llvm-version")
TESTS = (*TREE, "--tests")
TRIAL = (*TESTS, "--slug", "--build-command", "--test-command", "--output", "--record")
COMMANDS = {
    apply_command: (*TREE, "--output", "--force"),
    check_command: TESTS,
    format_patch_command: (*TREE, "--output"),
    checkout_command: (*TREE, "--output", "--also"),
    import_command: ("--series", "repository"),
    prefixes_command: TRIAL,
    prove_command: TRIAL,
}


def parse_args():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for function, options in COMMANDS.items():
        name = function.__name__.removesuffix("_command").replace("_", "-")
        text = " ".join(function.__doc__.split())
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(function=function)
        for name in options:
            command.add_argument(name, **OPTIONS[name])
    return parser.parse_args()


def main():
    args = parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    try:
        args.function(args)
    except (Failure, OSError) as error:
        faults = error.args if isinstance(error, Failure) else [error]
        for fault in faults:
            print(f"{PROGRAM}: error: {fault}", file=sys.stderr)
        return getattr(error, "status", 1)
    except KeyboardInterrupt:
        print(f"{PROGRAM}: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
