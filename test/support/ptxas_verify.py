# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Assembles PTX and fails on an error or on a note about unsafe wgmma.

usage: ptxas_verify.py [--nvdisasm=PATH] PTXAS[:PTXAS...] [PTXAS-ARGUMENT...] < PTX

The first PTXAS has to accept the program, and so has each other one that knows the
program's PTX version and the target.

When the registers of a wgmma in flight are touched, ptxas repairs the program:
it waits for each instruction at once, and says so in a note. The repair hides a
defect of the compiler under test, so these notes are errors here. Not all that touches
them is told: with nvdisasm, the machine code is looked at, too (sass_in_flight.py).
"""

import os
import re
import subprocess
import sys
import tempfile

import sass_in_flight

# C7519, "warpgroup.arrive is injected", costs nothing and is not among them.
DEFECT = re.compile(r"\(C75(10|11|13|14|15|17)\)|serialized|wait is injected")

# No other target has wgmma, and nvdisasm may not know it.
HAS_WGMMA = re.compile(r"(-arch=)?sm_90a$")

# What a ptxas says of PTX that came after it.
UNKNOWN = re.compile(
    r"Unsupported \.version .*|Value '\w+' is not defined for option 'gpu-name'"
)


def assemble(ptxas, args, source, may_be_too_old):
    """Whether ptxas accepts the program; prints what it says."""
    result = subprocess.run(
        [ptxas, "-c", *args],
        input=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    unknown = UNKNOWN.search(result.stdout)
    if result.returncode and may_be_too_old and unknown:
        print(f"ptxas_verify: {ptxas} is too old: {unknown[0]}")
        return True
    sys.stdout.write(result.stdout)
    defects = [line for line in result.stdout.splitlines() if DEFECT.search(line)]
    if result.returncode:
        print(f"ptxas_verify: {ptxas} failed")
    elif defects:
        print(
            f"ptxas_verify: {len(defects)} notes above mean that wgmma's registers "
            f"were touched in flight; {ptxas}"
        )
    else:
        print(f"ptxas_verify: {ptxas} accepts it")
        return True
    return False


def is_untouched(nvdisasm, code):
    """Whether nothing in the machine code touches registers of wgmma in flight."""
    wgmmas, faults = sass_in_flight.check(nvdisasm, code)
    if wgmmas:
        print(f"ptxas_verify: {faults} of its instructions touch wgmma in flight")
    return faults == 0


def verify(ptxas, nvdisasm, args, source, may_be_too_old):
    with tempfile.TemporaryDirectory() as folder:
        # Without -o, ptxas would leave an elf.o.
        code = f"{folder}/verified.cubin"
        if not assemble(ptxas, [*args, "-o", code], source, may_be_too_old):
            return False
        # There is none of what an older ptxas does not know.
        if nvdisasm and any(map(HAS_WGMMA.match, args)) and os.path.exists(code):
            return is_untouched(nvdisasm, code)
        return True


def main():
    args = sys.argv[1:]
    nvdisasm = None
    if args[0].startswith("--nvdisasm="):
        nvdisasm = args.pop(0).partition("=")[2]
    assemblers, *args = args
    first, *others = assemblers.split(os.pathsep)
    source = None
    if not any(arg == "-" or arg.endswith(".ptx") for arg in args):
        args.append("-")
        source = sys.stdin.read()
    accepted = verify(first, nvdisasm, args, source, may_be_too_old=False)
    for other in others:
        accepted &= verify(other, nvdisasm, args, source, may_be_too_old=True)
    return 0 if accepted else 1


if __name__ == "__main__":
    sys.exit(main())
