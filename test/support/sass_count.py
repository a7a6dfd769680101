#===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Compares the length of the loops around wgmma, in machine code, with nvcc's.

usage: sass_count.py PTXAS NVDISASM OURS.ptx NVCC.ptx

A loop of ours may have SLACK more instructions: where ptxas loads parameters and
copies descriptors differs with the order of scalar instructions.
"""

import re
import sys

import sass_verify

SLACK = 3
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(?!NOP)\S")


def lengths(ptxas, nvdisasm, path):
    """How many instructions each loop with wgmma has: a list by function."""
    with open(path) as f:
        sass = sass_verify.disassemble(ptxas, nvdisasm, f.read().splitlines())
    found = sass_verify.loops(
        sass, sass_verify.SASS_FUNCTION, sass_verify.SASS_LABEL, sass_verify.SASS_JUMP
    )
    return {
        name: [
            # With the jump, which is not part of the body.
            1 + sum(bool(INSTRUCTION.match(line)) for line in body)
            for body in bodies
            if sass_verify.events_of([body], sass_verify.sass_events)
        ]
        for name, bodies in found.items()
    }


def main():
    ptxas, nvdisasm, ours, theirs = sys.argv[1:]
    ours = lengths(ptxas, nvdisasm, ours)
    theirs = lengths(ptxas, nvdisasm, theirs)
    status = 0
    for name, limits in theirs.items():
        got = ours.get(name)
        fits = got and limits and max(got) <= max(limits) + SLACK
        print(f"{name}: {got}, nvcc {limits}{'' if fits else ': TOO LONG'}")
        status |= not fits
    return status if theirs else 1


if __name__ == "__main__":
    sys.exit(main())
