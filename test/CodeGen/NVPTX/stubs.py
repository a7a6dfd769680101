# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""What kernel.py and warp.py have in common: stubs, of which each is the test of one
target, and runs the generator for it; and what all stubs together cover.
"""

import argparse
import glob
import os
import re

from ptx_isa.matrix.targets import assembler
from ptx_isa.matrix.variant import Target


def tested_targets(name, stub_dir):
    """The targets for which a stub runs the generator of that name, compiles what it
    prints, and assembles the result."""
    for path in glob.glob(os.path.join(stub_dir, f"{name}-*.ll")):
        with open(path) as stub:
            run = stub.read()
        match = re.search(rf"^; RUN: %python %S/{name}\.py (\S+) (\d+) >", run, re.M)
        if match:
            target = Target(match[1], int(match[2]))
            llc = f"-mcpu={target.arch} -mattr=+ptx{target.ptx} "
            if llc in run and f"-arch={assembler(target)} " in run:
                yield target


def count(variants):
    intrinsics = {v.intrinsic for v in variants if v.intrinsic}
    return f"{len(variants)} variants, {len(intrinsics)} intrinsics"


def summarize(variants, untested):
    """Prints what the grammar has, and which of it no stub tests."""
    families = {}
    for variant in variants:
        families.setdefault(variant.family, []).append(variant)
    for family, members in families.items():
        print(f"{family}: {count(members)}")
    print(count(variants))
    print("untested:", ", ".join(f"{t.arch} {t.ptx}" for t in untested) or "none")


def main(name, variants, targets, generate, **others):
    """The command line of the generator of that name, for the grammar's variants.
    generate prints the tests of one of the targets, others other tests, by option."""
    parser = argparse.ArgumentParser()
    parser.add_argument("arch", nargs="?")
    parser.add_argument("ptx", nargs="?", type=int)
    parser.add_argument("--summary", metavar="DIR", help="the stubs are in DIR")
    for other in others:
        parser.add_argument(f"--{other.replace('_', '-')}", action="store_true")
    args = parser.parse_args()
    if args.summary:
        tested = set(tested_targets(name, args.summary))
        untested = set(targets) - tested
        summarize(variants, sorted(untested, key=lambda t: (t.ptx, t.arch)))
    elif args.ptx:
        generate(Target(args.arch, args.ptx))
    else:
        chosen = [function for other, function in others.items() if vars(args)[other]]
        if not chosen:
            parser.error("nothing to generate")
        chosen[0]()
