# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which tests are in the mails, and whether LLVM's lit can run them."""

import re

from patching.series import TESTS, Failure, mail_path

# What lit replaces for LLVM's tests of NVPTX, and for Clang's.
EVERYWHERE = {"%s", "%S", "%t", "%python", "%if"}
IN_LLVM = EVERYWHERE | {"%ptxas-verify", "%mir"}
IN_CLANG = EVERYWHERE | {
    *("%clang", "%clangxx", "%clang_cc1"),
    *("%src_include_dir", "%host_cc"),
}


def content_faults(path, there):
    """What a test runs that LLVM's lit does not know; there: its path in LLVM."""
    if not path.name.endswith(TESTS):
        return
    known = IN_CLANG if there.startswith("clang/") else IN_LLVM
    text = path.read_text(encoding="utf-8")
    for line in re.findall(r"\b(?:RUN|(?:RE)?DEFINE): (.*)", text):
        line = re.sub("'[^']*'", "", line)
        for name in re.findall(r"%[A-Za-z_][\w-]*|(?<![^ ])clang(?:\+\+)?(?= )", line):
            if name not in known:
                yield f"{path.name} runs {name}, which {there} cannot"


def has_place(path):
    try:
        return bool(mail_path(path))
    except Failure:
        return False


def reasons(series):
    """Why a test is in no mail, of each that is in none on purpose."""
    return {
        test: str(entry.get("reason") or "").strip()
        for entry in series.metadata.get("not_mailed", [])
        for test in entry.get("tests", [])
    }


def mail_faults(series, test_dir):
    """Tests that are in no mail, though the patch that they guard should bring them,
    or though LLVM has a place for them; each other one has a reason."""
    mailed = {patch.slug: patch.brought_tests() for patch in series.all}
    excepted = reasons(series)
    for patch in series.all:
        for test in patch.entry.get("guarded_by", []):
            if test not in mailed[patch.slug] and test not in excepted:
                yield (
                    f"'{test}' guards '{patch.slug}', but is none of its files: add it, "
                    "or say why not in 'not_mailed'"
                )
    everywhere = {test for tests in mailed.values() for test in tests}
    for path in sorted(test_dir.rglob("*")):
        test = path.relative_to(test_dir).as_posix()
        if path.name.endswith(TESTS) and has_place(f"test/{test}"):
            if test not in everywhere and test not in excepted:
                yield f"'{test}' is a file of no patch, and not in 'not_mailed'"
    for test, reason in excepted.items():
        if not reason:
            yield f"'not_mailed': there is no reason for {test}"
        if not (test_dir / test).is_file():
            yield f"'not_mailed': there is no test {test}"
        if test in everywhere:
            yield f"'not_mailed': {test} is a file of a patch"
