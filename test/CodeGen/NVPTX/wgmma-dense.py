# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""Prints a test of wgmma.mma_async.sp as one of dense wgmma.mma_async.

usage: wgmma-dense.py TEST

What surrounds the instruction, and the checks of it, are the same; the dense
intrinsic lacks ".sp" and the two arguments of the metadata.
"""

import re
import sys

CALL = re.compile(
    r"(@llvm\.nvvm\.wgmma\.mma_async)\.sp(\.[\w.]+\(<\d+ x \w+> [^,]+, "
    r"(?:i64|<4 x i32>) [^,]+, i64 [^,]+), i32 %\w+, i32 [01], i1 "
)


def main():
    with open(sys.argv[1]) as file:
        test = file.read()
    # The calls lose arguments, the checks just the name's part.
    test, calls = CALL.subn(r"\1\2, i1 ", test)
    test = test.replace("wgmma.mma_async.sp", "wgmma.mma_async")
    left = re.search(r"^.*mma_async.*%meta.*$", test, re.M)
    if left or not calls:
        sys.exit(f"{sys.argv[1]}: not made dense: {left[0] if left else 'no call'}")
    print(test, end="")


if __name__ == "__main__":
    main()
