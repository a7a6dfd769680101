# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The series as commits: format-patch, checkout and import."""

import json
import tempfile
from pathlib import Path

from patching.git import git
from patching.series import METADATA, Failure, Patch, UsageError, read_metadata
from patching.trees import open_series, read_pristine, write_files

# The tag of what a checkout was before it was edited.
CHECKOUT = "checkout"


def make_repository(folder, series, tree, patches, options=()):
    """A repository with a commit of LLVM's files and one for each patch."""
    folder.mkdir(parents=True, exist_ok=True)
    git("init", "--quiet", ".", cwd=folder)
    # Files are as they are: nothing is converted.
    (folder / ".git/info").mkdir(exist_ok=True)
    (folder / ".git/info/attributes").write_text("* -text\n")
    write_files(folder, tree)
    git("add", "--all", cwd=folder)
    llvm = ("--author=LLVM <>", "--date=1970-01-01T00:00:00Z")
    git("commit", "--quiet", *llvm, "-m", f"LLVM {series.version}", cwd=folder)
    am = ("am", "--quiet", "--keep-non-patch", "--whitespace=nowarn", *options)
    for patch in patches:
        try:
            git(*am, cwd=folder, mail=patch.mail)
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


def first_commit(folder):
    return git("rev-list", "--max-parents=0", "HEAD", cwd=folder).stdout.strip()


def llvm_files(folder):
    names = ("ls-tree", "-r", "--name-only", first_commit(folder))
    return git(*names, cwd=folder).stdout.split()


def commits_as_patches(known, folder, root):
    """A patch for each commit after the first, of LLVM's files alone; known: the
    entries of patches, by their titles or, where they are new, by their slugs."""
    llvm = llvm_files(folder)
    log = ("log", "--reverse", "--format=%H %s", first_commit(folder) + "..")
    lines = filter(None, git(*log, cwd=folder).stdout.split("\n"))
    commits = [line.split(" ", 1) for line in lines]
    titles = [title for _, title in commits]
    if len(set(titles)) < len(titles):
        raise Failure("two commits have the same title")
    new = [title for title in titles if title not in known]
    gone = [title for title in known if title not in titles]
    # A new patch, or a new title.
    if len(new) == len(gone) == 1:
        known = {**known, new[0]: known[gone[0]]}
    elif new:
        raise Failure(f"'{new[0]}' has no entry in {METADATA}: add one")
    elif gone:
        raise Failure(f"'{gone[0]}' has no commit: remove its entry from {METADATA}")
    for commit, title in commits:
        mail = format_patch(folder, "-1", "--stdout", commit, "--", *llvm)
        if not mail:
            raise Failure(f"'{title}': the patch would hold no difference")
        yield Patch(known[title], mail.encode("latin-1"), root)


def edited_files(folder, patches):
    """The contents of files of ours that were edited in a checkout, by their path
    here; what was edited here meanwhile is kept."""
    places = {there: p.root / here for p in patches for here, there in p.own_files()}
    llvm = llvm_files(folder)
    names = ("diff", "--name-status", "--no-renames", "--diff-filter=AM")
    edits = git(*names, CHECKOUT, "HEAD", cwd=folder).stdout.splitlines()
    tree = {}
    for status, there in (line.split("\t") for line in edits):
        if there in llvm:
            continue
        if there not in places:
            raise Failure(f"{there} is new: put it here, and name it in 'files'")
        here = places[there]
        edited = (folder / there).read_bytes()
        tree[here] = edited if status == "A" else merge(here, folder, there)
    return tree


def merge(path, folder, there):
    """What stands in a file, with the edit of it that a checkout has."""
    with tempfile.NamedTemporaryFile() as before:
        text = git("show", f"{CHECKOUT}:{there}", cwd=folder).stdout
        before.write(text.encode("latin-1"))
        before.flush()
        names = (path, before.name, folder.absolute() / there)
        done = git("merge-file", "-p", *names, cwd=folder, status=range(128))
    if done.returncode:
        raise Failure(f"{path} has changed since the checkout: make a new one")
    return done.stdout.encode("latin-1")


def refuse_to_overwrite(folder):
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Failure(f"{folder} is there already, and not empty")


def format_patch_command(args):
    """write the series as mails that git am takes onto LLVM's unpatched sources, new
    files, tests and documentation included"""
    series = open_series(args)
    refuse_to_overwrite(args.output)
    with tempfile.TemporaryDirectory() as tmp:
        tree = read_pristine(series, args.pristine)
        make_repository(Path(tmp), series, tree, series.patches)
        output = args.output.absolute()
        format_patch(tmp, "--output-directory", output, first_commit(tmp))
    count = len(list(args.output.glob("*.patch")))
    print(f"{args.output}: {count} mails for git am --keep-non-patch")


def checkout_command(args):
    """make a git repository of the files that the series touches, with a commit for
    each patch"""
    series = open_series(args)
    refuse_to_overwrite(args.output)
    tree = read_pristine(series, args.pristine, args.also)
    make_repository(args.output, series, tree, series.patches)
    git("tag", CHECKOUT, cwd=args.output)
    print(f"{args.output}: {len(series.patches)} commits on LLVM {series.version}")


def import_command(args):
    """write the commits of a checkout back to the series, and their new files to this
    repository"""
    folder, checkout = args.series.resolve(), args.repository
    if not (checkout / ".git").is_dir():
        raise UsageError(f"{checkout} is no git repository")
    if git("status", "--porcelain", cwd=checkout).stdout:
        raise Failure(f"{checkout} has changes that are not committed")
    metadata, root = read_metadata(folder / METADATA), folder.parents[1]
    old, known = {}, {}
    for entry in metadata["patches"]:
        path, title = folder / f"{entry['slug']}.patch", entry["slug"]
        if path.exists():
            old[path] = Patch(entry, path.read_bytes(), root)
            title = old[path].subject
        known[title] = entry
    patches = list(commits_as_patches(known, checkout, root))
    tree = {}
    for patch in patches:
        path = folder / f"{patch.slug}.patch"
        before = old.get(path, patch)
        tree[path] = patch.mail if patch.differs(before) else before.mail
    metadata["patches"] = [patch.entry for patch in patches]
    text = json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"
    tree[folder / METADATA] = text.encode()
    tree.update(edited_files(checkout, patches))
    for path in set(folder.glob("*.patch")) - tree.keys():
        path.unlink()
    written = [p for p in tree if not p.exists() or p.read_bytes() != tree[p]]
    for path in written:
        path.write_bytes(tree[path])
    names = ", ".join(path.relative_to(root).as_posix() for path in written)
    print(f"{args.series}: " + (f"wrote {names}" if names else "the same"))
