# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the length of the loops around wgmma, in machine code, with nvcc's.

usage: sass_count.py PTXAS NVDISASM OURS.ptx NVCC.ptx

A loop of ours may have SLACK more instructions: where ptxas loads parameters and
copies descriptors differs with the order of scalar instructions. It unrolls some
loops in spite of the pragma: what counts is the number for each multiplication.
"""

import re
import sys

import sass_verify

SLACK = 3
# What ptxas puts ahead of a wait that it injects is no multiplication.
INJECTED = re.compile(r"GMMA\S* RZ, gdesc\[URZ\], RZ")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(?!NOP)\S")


def loop_lengths(ptxas, nvdisasm, path):
    """The instructions and the multiplications of each loop: a list by function."""
    with open(path) as f:
        sass = sass_verify.disassemble(ptxas, nvdisasm, f.read().splitlines())
    found = sass_verify.loops(
        sass, sass_verify.SASS_FUNCTION, sass_verify.SASS_LABEL, sass_verify.SASS_JUMP
    )
    return {
        name: list(map(length, filter(multiplications, bodies)))
        for name, bodies in found.items()
    }


def multiplications(body):
    lines = (line for line in body if not INJECTED.search(line))
    events = (event for line in lines for event in sass_verify.sass_events(line))
    return sum(event.startswith("mma") for event in events)


def length(body):
    # With the jump, which is not part of the body.
    return 1 + sum(map(bool, map(INSTRUCTION.match, body))), multiplications(body)


def fits(loop, limit):
    instructions, count = loop
    return instructions * limit[1] <= (limit[0] + SLACK) * count


def main():
    ptxas, nvdisasm, ours, theirs = sys.argv[1:]
    ours = loop_lengths(ptxas, nvdisasm, ours)
    theirs = loop_lengths(ptxas, nvdisasm, theirs)
    status = 0
    for name, limits in theirs.items():
        got = ours.get(name, [])
        good = got and all(any(fits(loop, limit) for limit in limits) for loop in got)
        print(f"{name}: {got}, nvcc {limits}{'' if good else ': TOO LONG'}")
        status |= not good
    return status if theirs else 1


if __name__ == "__main__":
    sys.exit(main())
