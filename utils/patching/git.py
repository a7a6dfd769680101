# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Git, for the patches."""

import os
import re
import subprocess

from patching.series import Failure


def git(*args, cwd, status=(0,), mail=b""):
    """Runs git with the mail as input, blind to the user's settings and to any
    repository around."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env.update(
        LC_ALL="C",
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_CONFIG_NOSYSTEM="1",
        GIT_CEILING_DIRECTORIES=os.path.dirname(os.path.realpath(cwd)),
        GIT_COMMITTER_NAME="nvptx-mma",
        GIT_COMMITTER_EMAIL="",
    )
    # Nothing goes on in the background of a folder that is soon removed.
    command = ["git", "-c", "maintenance.auto=false", *args]
    try:
        done = subprocess.run(
            command, cwd=cwd, env=env, input=mail, capture_output=True
        )
    except FileNotFoundError:
        raise Failure("git is not installed") from None
    done.stdout = done.stdout.decode("latin-1")
    done.stderr = done.stderr.decode("latin-1")
    if done.returncode not in status:
        # git apply first shows what it searched for, over several lines.
        error = r"^(?:error|fatal): (?!while searching)(.*)"
        said = re.search(error, done.stderr, re.M)
        raise Failure(f"git {args[0]}: {said[1] if said else done.stderr.strip()}")
    return done


def apply_patch(patch, folder, *options, exact=True):
    """Applies a patch to the files in a folder, or else changes nothing. Unless
    exact, hunks may apply at other lines than they say."""
    arguments = ("apply", "--verbose", "--whitespace=nowarn", *options, "-")
    try:
        done = git(*arguments, cwd=folder, mail=patch.mail)
    except Failure as error:
        raise Failure(f"{patch.slug}: {error}") from None
    moved = re.search(r"^Checking patch (.*)\.\.\.\n(Hunk .*)\.$", done.stderr, re.M)
    if moved and exact:
        raise Failure(
            f"{patch.slug}: {moved[1]}: wrong line numbers: {moved[2]}; "
            "'checkout' and 'import' mend them"
        )
