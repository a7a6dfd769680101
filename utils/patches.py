#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Applies and checks a series of patches to LLVM, and makes commits of it.

A series is a folder such as llvm-patches/22.1. It holds one mail, as
`git format-patch` writes them, for each patch, and patches.json:

  llvm             the LLVM versions that the series is for: ">=22.1.0,<22.2"
  tested           optional: those of them that were tried, ["22.1.8"]
  max_added_lines  the most lines that one patch may add; a patch only hooks
                   in code that stands in files of our own
  mir              optional: what makes the machine IR of our tests that of this
                   version, as a command of sed
  patches          the patches in order, each with
    slug           its stable name; the mail is <slug>.patch
    title          the mail's subject
    reason         why LLVM needs the change
    upstream       where it stands there: "not submitted", or a link
    llvm           the LLVM versions that need it; others skip it
    remove_when    what must happen for the patch to go
    guarded_by     the tests, as paths below test/, that fail without it
    requires       optional: earlier patches that it cannot do without
    files          optional: the new files that come with it, code, tests and
                   documentation, as paths or folders of this repository
    max_added_lines  optional: a limit of its own
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
writes the commits back. A new commit needs an entry in patches.json first.

Exit status: 0 on success, 1 when something is wrong with the series or the
trees, 2 when the command line is.
"""

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(1, str(Path(__file__).resolve().parent / "build"))
import fetch_llvm
from patching.series import (
    MAIL_PATHS,
    METADATA,
    ROOT,
    Failure,
    Patch,
    Series,
    UsageError,
    read_mail,
    tree_version,
)

PROGRAM = Path(__file__).name
MANIFEST = "applied.json"
# The tag of what a checkout was before it was edited.
CHECKOUT = "checkout"

# Without a patch whose lines stand next to its own, a patch has to apply, too.
LESS_CONTEXT = ("-C1",)


# --- Files and trees --------------------------------------------------------
# A tree is a dict from paths, as in LLVM's repository, to contents.


def write_files(root, tree):
    for path, content in tree.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)


def replace_files(root, tree, remove=()):
    """Replaces files in a folder, in the tree's order, once all of them stand
    complete beside it. What has the same content keeps its time."""
    root = Path(os.path.realpath(root))
    root.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{root.name}."
    with tempfile.TemporaryDirectory(dir=root.parent, prefix=prefix) as tmp:
        write_files(Path(tmp), tree)
        for path, content in tree.items():
            target = root / path
            if not target.is_file() or target.read_bytes() != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(Path(tmp, path), target)
        for path in remove:
            (root / path).unlink()


def read_files(root, paths, what):
    try:
        return {path: (root / path).read_bytes() for path in paths}
    except OSError as error:
        path = Path(error.filename).relative_to(root)
        raise Failure(f"{what} {root} has no file {path}") from None


def read_pristine(series, source):
    return read_files(source, series.files(), "the pristine tree")


# --- Git --------------------------------------------------------------------


def git(*args, cwd, status=(0,), text=""):
    """Runs git, blind to the user's settings and to any repository around."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env.update(
        LC_ALL="C",
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_CONFIG_NOSYSTEM="1",
        # Nothing goes on in the background of a folder that is soon removed.
        GIT_CONFIG_COUNT="1",
        GIT_CONFIG_KEY_0="maintenance.auto",
        GIT_CONFIG_VALUE_0="false",
        GIT_CEILING_DIRECTORIES=os.path.dirname(os.path.realpath(cwd)),
        GIT_COMMITTER_NAME="nvptx-mma",
        GIT_COMMITTER_EMAIL="",
    )
    try:
        done = subprocess.run(
            ["git", *args],
            cwd=cwd,
            env=env,
            input=text.encode("latin-1"),
            capture_output=True,
        )
    except FileNotFoundError:
        raise Failure("git is not installed") from None
    done.stdout = done.stdout.decode("latin-1")
    done.stderr = done.stderr.decode("latin-1")
    if done.returncode not in status:
        raise Failure("git: " + done.stderr.strip().split("\n")[0])
    return done


def apply_patch(patch, tree, exact=True, options=()):
    """The tree with the patch applied. Unless exact, hunks may apply at other
    lines than they say."""
    if not patch.files:
        return tree
    with tempfile.TemporaryDirectory() as tmp:
        root = Path(tmp)
        write_files(root, {path: tree[path] for path in patch.files})
        done = git(
            *("apply", "--verbose", "--whitespace=nowarn", *options, "-"),
            cwd=root,
            status=(0, 1, 128),
            text=patch.text,
        )
        failed = re.search(r"^error: patch failed: (.*):(\d+)$", done.stderr, re.M)
        if failed:
            hunk = patch.hunk_at(*failed.groups())
            raise Failure(
                f"{patch.slug}: {failed[1]}: hunk {hunk} does not apply "
                f"at line {failed[2]}"
            )
        if done.returncode:
            raise Failure(f"{patch.slug}: " + done.stderr.strip().split("\n")[-1])
        if exact:
            refuse_offsets(patch, done.stderr)
        return {**tree, **read_files(root, patch.files, "the patched tree")}


def refuse_offsets(patch, messages):
    # "Checking patch PATH..." stands before what is said about PATH.
    path = None
    for line in messages.splitlines():
        checking = re.match(r"Checking patch (.*)\.\.\.$", line)
        moved = re.match(r"Hunk #(\d+) succeeded at .*(offset [^)]*)", line)
        path = checking[1] if checking else path
        if moved:
            raise Failure(
                f"{patch.slug}: {path}: hunk {moved[1]} has wrong line "
                f"numbers ({moved[2]}); 'checkout' and 'import' mend them"
            )


def make_repository(folder, series, tree, patches, options=()):
    """A repository with a commit of LLVM's files and one for each patch."""
    folder.mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", ".", cwd=folder)
    # Files are as they are: nothing is converted.
    (folder / ".git/info").mkdir(exist_ok=True)
    (folder / ".git/info/attributes").write_text("* -text\n")
    write_files(folder, tree)
    git("add", "--all", cwd=folder)
    git(
        *("commit", "--quiet", "--author=LLVM <>", "--date=1970-01-01T00:00:00Z"),
        *("-m", f"LLVM {series.version}"),
        cwd=folder,
    )
    for patch in patches:
        try:
            git(
                *("am", "--quiet", "--keep-non-patch", "--whitespace=nowarn", *options),
                cwd=folder,
                text=patch.text,
            )
        except Failure as error:
            raise Failure(f"{patch.slug}: {error}") from None
        own = {there: series.content(here) for here, there in patch.own_files()}
        if own:
            write_files(folder, own)
            git("add", "--all", cwd=folder)
            git("commit", "--quiet", "--amend", "--no-edit", cwd=folder)


def format_patch(folder, *args):
    """Mails that stay the same wherever and whenever they are made."""
    return git(
        *("format-patch", "--zero-commit", "--no-signature", "--full-index"),
        *("--stat=80", "--quiet", *args),
        cwd=folder,
    ).stdout


# --- The series, for a tree of LLVM -----------------------------------------


def default_pristine(series):
    """The sources that the build uses, or else those that can be fetched."""
    tested = series.metadata.get("tested")
    if not tested:
        raise UsageError("the series names no tested version: give --pristine")
    version = tested[-1]
    for name in ("llvm-project", f"llvm-{version}"):
        if tree_version(ROOT / "build" / name) == version:
            return ROOT / "build" / name
    try:
        output = ROOT / "build" / f"llvm-{version}"
        return Path(fetch_llvm.get_changed_files(version, series.folder, output))
    except fetch_llvm.Error as error:
        raise Failure(str(error)) from None


def open_series(args):
    """The series for the version of LLVM that the pristine tree holds."""
    if not args.pristine:
        args.pristine = default_pristine(Series(args.series))
    if not (args.pristine / "llvm").is_dir():
        raise UsageError(f"{args.pristine} is not a tree of LLVM: it has no llvm/")
    found = tree_version(args.pristine)
    version = args.llvm_version or found
    if not version:
        raise UsageError(f"{args.pristine} has no version: give --llvm-version")
    if found and found != version:
        raise Failure(f"{args.pristine} holds LLVM {found}, not {version}")
    return Series(args.series, version)


def report(faults):
    for fault in faults:
        print(f"{PROGRAM}: error: {fault}", file=sys.stderr)
    if faults:
        raise SystemExit(1)


def skipped_note(series):
    names = ", ".join(series.skipped)
    return f"; not for this LLVM: {names}" if names else ""


# --- apply: the patched tree that the build uses ----------------------------


def digest(content):
    return hashlib.sha256(content).hexdigest()


def present_files(root):
    if not root.is_dir():
        return []
    files = [path for path in root.rglob("*") if path.is_file()]
    paths = [path.relative_to(root).as_posix() for path in files]
    return sorted(path for path in paths if path != MANIFEST)


def read_manifest(folder):
    """What `apply` says that it wrote: the patches, and the files' digests."""
    return json.loads((folder / MANIFEST).read_text())


def refuse_to_lose_edits(output, tree, force):
    """Fails if replacing the patched tree would lose what somebody wrote."""
    try:
        known = read_manifest(output)["files"]
        if force:
            return
    except (OSError, ValueError, KeyError):
        known = None
    if output.exists() and not output.is_dir():
        raise Failure(f"{output} is not a folder")
    for path in present_files(output):
        content = (output / path).read_bytes()
        if content == tree.get(path):
            continue
        if known is None:
            raise Failure(f"{output} holds other files: 'apply' did not write it")
        if digest(content) != known.get(path):
            raise Failure(
                f"{output / path} was edited: take the edit to a 'checkout', "
                "or lose it with 'apply --force'"
            )


def write_tree(output, tree, series, patches, force=False):
    """Makes output hold the tree and its manifest, and nothing else."""
    refuse_to_lose_edits(output, tree, force)
    manifest = {
        "series": series.digest,
        "patches": [patch.slug for patch in patches],
        "files": {path: digest(content) for path, content in sorted(tree.items())},
    }
    text = json.dumps(manifest, indent=2) + "\n"
    extra = [path for path in present_files(output) if path not in tree]
    replace_files(output, {**tree, MANIFEST: text.encode()}, extra)


def apply_where_they_fit(series, tree):
    """The tree with what applies to a version that nobody has tried, and the
    patches that were applied. Those that may be missing are told."""
    tested = ", ".join(series.metadata["tested"])
    note = f"LLVM {series.version} is untested (tested: {tested or 'none'})"
    print(f"{PROGRAM}: warning: {note}", file=sys.stderr)
    applied = []
    for patch in series.patches:
        try:
            tree = apply_patch(patch, tree, exact=False)
            applied.append(patch)
        except Failure as error:
            if not patch.entry.get("optional"):
                raise Failure(f"{error}; {note}: the patch has to be adapted") from None
            print(
                f"{PROGRAM}: warning: without '{patch.subject}': {error}",
                file=sys.stderr,
            )
    return tree, applied


def apply_command(args):
    series = open_series(args)
    tree, patches = read_pristine(series, args.pristine), series.patches
    if series.untested:
        tree, patches = apply_where_they_fit(series, tree)
    else:
        for patch in patches:
            tree = apply_patch(patch, tree)
    write_tree(args.output, tree, series, patches, args.force)
    print(
        f"{args.series}: {len(patches)} patches applied to {len(tree)} files"
        f"{skipped_note(series)}"
    )


# --- check ------------------------------------------------------------------


def requirement_faults(series, trees):
    """Patches without which others do not apply that do not require them;
    trees: what each patch applies to."""
    for number, patch in enumerate(series.patches):
        tree = trees[number]
        rest = series.without(patch)
        try:
            for other in rest[number:]:
                tree = apply_patch(other, tree, exact=False, options=LESS_CONTEXT)
        except Failure as error:
            yield f"without '{patch.slug}' and what requires it, {error}"


def check_command(args):
    faults = list(Series(args.series).faults(args.tests))
    report(faults)
    series = open_series(args)
    trees = [read_pristine(series, args.pristine)]
    for patch in series.patches:
        # What comes after a patch that fails would fail for nothing.
        trees.append(apply_patch(patch, trees[-1]))
    report([*series.include_faults(), *requirement_faults(series, trees)])
    print(
        f"{args.series}: complete, {len(series.patches)} patches apply exactly"
        f"{skipped_note(series)}"
    )


# --- Commits: format-patch, checkout, import --------------------------------


def refuse_to_overwrite(folder):
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Failure(f"{folder} is there already, and not empty")


def format_patch_command(args):
    series = open_series(args)
    refuse_to_overwrite(args.output)
    with tempfile.TemporaryDirectory() as tmp:
        tree = read_pristine(series, args.pristine)
        make_repository(Path(tmp), series, tree, series.patches)
        output = str(args.output.absolute())
        root = git("rev-list", "--max-parents=0", "HEAD", cwd=tmp).stdout.strip()
        format_patch(tmp, "--output-directory", output, root)
    count = len(list(args.output.glob("*.patch")))
    print(f"{args.output}: {count} mails for git am --keep-non-patch")


def checkout_command(args):
    series = open_series(args)
    refuse_to_overwrite(args.output)
    tree = read_pristine(series, args.pristine)
    tree.update(read_files(args.pristine, args.also, "the pristine tree"))
    make_repository(args.output, series, tree, series.patches)
    git("tag", CHECKOUT, cwd=args.output)
    print(f"{args.output}: {len(series.patches)} commits on LLVM {series.version}")


def our_path(there, root):
    """Where a new file of LLVM's repository stands here."""
    for ours, theirs in MAIL_PATHS.items():
        here = ours + there[len(theirs) :]
        if there.startswith(theirs + "/") and (root / here).is_file():
            return here
    raise Failure(f"{there} is new: put it here, and name it in 'files'")


def commits_as_patches(entries, folder):
    """A patch for each commit after the first, of LLVM's files alone."""
    commits = git("rev-list", "--reverse", "HEAD", cwd=folder).stdout.split()
    llvm = git("ls-tree", "-r", "--name-only", commits[0], cwd=folder).stdout.split()
    entries = {entry["title"]: entry for entry in entries}
    for commit in commits[1:]:
        title = git("log", "-1", "--format=%s", commit, cwd=folder).stdout.strip()
        if title not in entries:
            raise Failure(f"'{title}' has no entry in {METADATA}: add one")
        text = format_patch(folder, "-1", "--stdout", commit, "--", *llvm)
        patch = Patch(entries.pop(title), text)
        if not patch.files:
            raise Failure(f"{patch.slug}: the patch would hold no difference")
        yield patch
    for title in entries:
        raise Failure(f"'{title}' has no commit: remove its entry from {METADATA}")


def merge(path, before, after):
    """What stands in a file, with the edit that made one content the other."""
    with tempfile.TemporaryDirectory() as tmp:
        write_files(Path(tmp), {"before": before, "after": after})
        names = (str(path.absolute()), "before", "after")
        done = git("merge-file", "-p", *names, cwd=tmp, status=range(128))
    if done.returncode:
        raise Failure(f"{path} has changed since the checkout: make a new one")
    return done.stdout.encode("latin-1")


def edited_files(folder, root):
    """The contents of files of ours that were edited in a checkout, by their
    path here."""
    first = git("rev-list", "--max-parents=0", "HEAD", cwd=folder).stdout.strip()
    names = ("diff", "--name-only")
    added = git(*names, "--diff-filter=A", first, "HEAD", cwd=folder).stdout.split()
    edited = git(*names, CHECKOUT, "HEAD", cwd=folder).stdout.split()
    tree = {}
    for there in sorted(set(added) & set(edited)):
        here = our_path(there, root)
        before = git("show", f"{CHECKOUT}:{there}", cwd=folder, status=(0, 128))
        content = (folder / there).read_bytes()
        if before.returncode == 0:
            content = merge(root / here, before.stdout.encode("latin-1"), content)
        tree[here] = content
    return tree


def import_command(args):
    folder = args.repository
    if not (folder / ".git").is_dir():
        raise UsageError(f"{folder} is no git repository")
    if git("status", "--porcelain", cwd=folder).stdout:
        raise Failure(f"{folder} has changes that are not committed")
    root = args.series.resolve().parents[1]
    metadata = json.loads((args.series / METADATA).read_text(encoding="utf-8"))
    known = {path.stem: path for path in args.series.glob("*.patch")}

    series = {}
    patches = list(commits_as_patches(metadata["patches"], folder))
    for patch in patches:
        old = known.pop(patch.slug, None)
        if not old or Patch(patch.entry, read_mail(old)).differs(patch):
            series[f"{patch.slug}.patch"] = patch.text.encode("latin-1")
    metadata["patches"] = [patch.entry for patch in patches]
    text = json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"
    series[METADATA] = text.encode()
    ours = edited_files(folder, root)

    written = []
    for folder, tree in ((args.series, series), (root, ours)):
        for path, content in tree.items():
            if not (folder / path).exists() or (folder / path).read_bytes() != content:
                written.append(path)
                (folder / path).write_bytes(content)
    for path in known.values():
        path.unlink()
    print(
        f"{args.series}: " + (f"wrote {', '.join(written)}" if written else "the same")
    )


# --- Parts of the series, built and tested: prefixes, prove -----------------


def project_files(root):
    listing = git(
        *("ls-files", "--cached", "--others", "--exclude-standard", "-z"), cwd=root
    ).stdout
    return [path for path in listing.split("\0") if (root / path).is_file()]


def stage(series, patches, pristine, output):
    """Makes output a copy of this project that has only these patches, and of
    our code only what is theirs. Tests all stay."""
    kept = {patch.slug for patch in patches}
    left_out = {path for p in series.all if p.slug not in kept for path in p.own_code()}
    tree = {
        path: (series.root / path).read_bytes()
        for path in project_files(series.root)
        if path not in left_out
    }
    folder = series.folder.resolve().relative_to(series.root).as_posix()
    for patch in series.all:
        tree.pop(f"{folder}/{patch.slug}.patch")
    with tempfile.TemporaryDirectory() as tmp:
        make_repository(Path(tmp), series, pristine, patches, LESS_CONTEXT)
        for patch in commits_as_patches([p.entry for p in patches], tmp):
            tree[f"{folder}/{patch.slug}.patch"] = patch.text.encode("latin-1")
    metadata = {**series.metadata, "patches": [patch.entry for patch in patches]}
    tree[f"{folder}/{METADATA}"] = json.dumps(metadata, indent=2).encode()
    known = output / ".staged"
    before = known.read_text().split("\n") if known.exists() else []
    gone = [path for path in before if path not in tree and (output / path).is_file()]
    output.mkdir(parents=True, exist_ok=True)
    replace_files(output, tree, gone)
    known.write_text("\n".join(tree))


class Trial:
    """Builds and tests parts of the series in a copy of the project."""

    def __init__(self, args, series):
        self.args = args
        self.series = series
        self.pristine = read_pristine(series, args.pristine)

    def run(self, command):
        print(f"+ {command}", flush=True)
        return subprocess.run(command, shell=True, cwd=self.args.output).returncode == 0

    def builds(self, patches):
        stage(self.series, patches, self.pristine, self.args.output)
        return self.run(self.args.build_command)

    def passes(self, *tests):
        names = " ".join(shlex.quote(test) for test in tests)
        return self.run(self.args.test_command.replace("{tests}", names))


def chosen_patches(args, series):
    return [series.find(slug) for slug in args.slug] or series.patches


def prefixes_command(args):
    series = open_series(args)
    report(list(series.faults(args.tests)))
    trial = Trial(args, series)
    faults = []
    for patch in chosen_patches(args, series):
        prefix = series.patches[: series.patches.index(patch) + 1]
        if not trial.builds(prefix):
            faults.append(f"{patch.slug}: the series up to it does not build")
        elif not trial.passes(*patch.own_tests()):
            faults.append(f"{patch.slug}: its tests fail with the series up to it")
        else:
            print(f"{patch.slug}: builds and passes {len(patch.own_tests())} tests")
    report(faults)


def prove_command(args):
    series = open_series(args)
    report(list(series.faults(args.tests)))
    trial = Trial(args, series)
    chosen = chosen_patches(args, series)

    def faults(patch):
        """Why the patch is not proved to be needed: only a test proves it."""
        if not trial.builds(series.without(patch)):
            return [f"{patch.slug}: does not build without it and what requires it"]
        tests = patch.entry["guarded_by"]
        passing = [test for test in tests if trial.passes(test)]
        if not passing:
            print(f"{patch.slug}: needed, without it fails {', '.join(tests)}")
        return [f"{patch.slug}: {test} passes without it" for test in passing]

    if not trial.builds(series.patches):
        raise Failure("the build fails with the whole series")
    guards = sorted({test for patch in chosen for test in patch.entry["guarded_by"]})
    for test in guards:
        if not trial.passes(test):
            raise Failure(f"{test} fails with the whole series")
    report([fault for patch in chosen for fault in faults(patch)])


# --- The command line -------------------------------------------------------


OPTIONS = {
    "--series": dict(
        type=Path,
        required=True,
        metavar="DIR",
        help=f"the folder with the patches and {METADATA}",
    ),
    "--pristine": dict(
        type=Path,
        metavar="SRC",
        help="LLVM's unpatched tree, with llvm/ and clang/ in it (default: that of "
        "the build, or the tested version, downloaded)",
    ),
    "--llvm-version": dict(
        metavar="X.Y.Z",
        help="its version (default: what cmake/Modules/LLVMVersion.cmake in it says)",
    ),
    "--tests": dict(
        type=Path,
        default=ROOT / "test",
        metavar="DIR",
        help="where the tests of guarded_by are (default: %(default)s)",
    ),
    "--slug": dict(
        action="append",
        default=[],
        help="only this patch; may be given several times",
    ),
    "--build-command": dict(
        required=True,
        metavar="CMD",
        help="shell command that builds, run in DST",
    ),
    "--test-command": dict(
        required=True,
        metavar="CMD",
        help="shell command that tests, run in DST; {tests} becomes paths below test/",
    ),
}
TREE = ("--series", "--pristine", "--llvm-version")
TRIAL = (*TREE, "--tests", "--slug", "--build-command", "--test-command")


def parse_args():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add_command(name, function, options, text, output=None):
        command = commands.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + "."
        )
        command.set_defaults(function=function)
        for option in options:
            command.add_argument(option, **OPTIONS[option])
        if output:
            command.add_argument(
                "--output", type=Path, required=True, metavar="DST", help=output
            )
        return command

    apply = add_command(
        "apply",
        apply_command,
        TREE,
        "write the files that the series touches, patched, to a folder of their own",
        output=f"the patched tree: the files that the series touches, and {MANIFEST}",
    )
    apply.add_argument(
        "--force",
        action="store_true",
        help="lose what was edited in DST since it was written",
    )
    add_command(
        "check",
        check_command,
        (*TREE, "--tests"),
        "check that the metadata is complete, that every patch applies exactly, and "
        "that none includes or applies to what it does not require",
    )
    add_command(
        "format-patch",
        format_patch_command,
        TREE,
        "write the series as mails that git am takes onto LLVM's unpatched sources, "
        "new files, tests and documentation included",
        output="folder for the mails, empty or new",
    )
    checkout = add_command(
        "checkout",
        checkout_command,
        TREE,
        "make a git repository of the files that the series touches, with a commit "
        "for each patch",
        output="folder for the repository, empty or new",
    )
    checkout.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="FILE",
        help="another file of LLVM's, to edit; may be given several times",
    )
    command = add_command(
        "import",
        import_command,
        ("--series",),
        "write the commits of a checkout back to the series, and their new files to "
        "this repository",
    )
    command.add_argument("repository", type=Path, help="what checkout made, edited")
    add_command(
        "prefixes",
        prefixes_command,
        TRIAL,
        "build the series up to each patch, and run the tests of that patch",
        output="a copy of this project, to build in",
    )
    add_command(
        "prove",
        prove_command,
        TRIAL,
        "leave out each patch in turn, with those that require it, build, and expect "
        "the tests that guard it to fail",
        output="a copy of this project, to build in",
    )
    return parser.parse_args()


def main():
    args = parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    try:
        args.function(args)
    except Failure as error:
        print(f"{PROGRAM}: error: {error}", file=sys.stderr)
        return error.status
    except OSError as error:
        print(f"{PROGRAM}: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{PROGRAM}: interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
