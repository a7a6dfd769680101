# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the loops around wgmma in PTX with those in the machine code.

usage: sass_verify.py PTXAS NVDISASM FILE.ptx

What ptxas repairs, it does not always tell. A loop must have the same multiply,
fence, commit and wait instructions in SASS as in PTX, in the same order, and no
register copied or spilt. Loops are kept from being unrolled, so that one
stands for one. At least one loop must have wgmma.
"""

import os
import re
import subprocess
import sys
import tempfile

# A loop's label in PTX, as LLVM prints it, and a jump to one.
PTX_FUNCTION = re.compile(r"^\.visible \.(?:entry|func) .*?(\w+)\(|^\.func .*?(\w+)\(")
PTX_LABEL = re.compile(r"^(\$L__BB\w+):")
PTX_JUMP = re.compile(r"\bbra(?:\.uni)?\s+(\$L__BB\w+);")
PTX_EVENTS = re.compile(
    r"wgmma\.(?:(fence)|(commit)_group|wait_group\S*\s+(\d+)"
    r"|mma_async(\.sp)?\S*\.m(64)n(\d+)k(\d+))"
)

SASS_FUNCTION = re.compile(r"^\.text\.(\w+):")
SASS_LABEL = re.compile(r"^(\.L_\w+):")
SASS_JUMP = re.compile(r"\bBRA.*`\((\.L_\w+)\)")
SASS_EVENTS = re.compile(
    r"WARPGROUP\.(?:(ARRIVE)|DEPBAR\.LE gsb0, (0x\w+))"
    r"|\b[A-Z]GMMA(\.SP)?\.(\d+)x(\d+)x(\d+)\b.*?(, gsb0)? *;"
)
SASS_COPY = re.compile(r"\b(?:I?MAD\.)?MOV(?:\.U32)? R\d+, (?:RZ, RZ, )?R\d+\b")
SASS_SPILL = re.compile(r"\b(?:STL|LDL)\b")


def ptx_events(line):
    """What a line of PTX does to wgmma, in words that both sides share."""
    match = PTX_EVENTS.search(line)
    if not match:
        return []
    fence, commit, wait, sparse, *shape = match.groups()
    if fence:
        return ["fence"]
    if commit:
        return ["commit"]
    if wait:
        return [f"wait {wait}"]
    return [f"mma{sparse or ''} {'x'.join(shape)}"]


def sass_events(line):
    """The same of SASS, where the last multiplication of a group commits it."""
    match = SASS_EVENTS.search(line)
    if not match:
        return []
    fence, wait, sparse, m, n, k, commit = match.groups()
    if fence:
        return ["fence"]
    if wait:
        return [f"wait {int(wait, 16)}"]
    event = f"mma{(sparse or '').lower()} {m}x{n}x{k}"
    return [event, "commit"] if commit else [event]


def loops(lines, function, label, jump):
    """The bodies of the innermost loops: a list of lists of lines by function."""
    found = {}
    for index, line in enumerate(lines):
        if match := function.search(line):
            bodies = found.setdefault(next(filter(None, match.groups())), [])
            starts = {}
            last_end = -1
        elif match := label.search(line):
            starts[match[1]] = index
        elif (match := jump.search(line)) and match[1] in starts:
            first = starts[match[1]]
            # A jump to itself is padding after the code.
            if first > last_end and index - first > 1:
                bodies.append(lines[first:index])
                last_end = index
    return found


def events_of(bodies, events):
    """The events of those bodies that have any multiplication."""
    found = [[e for line in body for e in events(line)] for body in bodies]
    return sorted(f for f in found if any(e.startswith("mma") for e in f))


def disassemble(ptxas, nvdisasm, ptx):
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "loops.ptx")
        code = os.path.join(folder, "loops.cubin")
        with open(source, "w") as f:
            for line in ptx:
                pragma = '\n.pragma "nounroll";' if PTX_LABEL.search(line) else ""
                f.write(line + pragma + "\n")
        target = re.search(r"^\.target (\w+)", "\n".join(ptx), re.M)[1]
        subprocess.run([ptxas, f"-arch={target}", source, "-o", code], check=True)
        return subprocess.run(
            [nvdisasm, "-c", code], check=True, stdout=subprocess.PIPE, text=True
        ).stdout.splitlines()


def compare(name, ptx_bodies, sass_bodies):
    """What is wrong with a function's loops: a list of messages."""
    wanted = events_of(ptx_bodies, ptx_events)
    got = events_of(sass_bodies, sass_events)
    faults = []
    if wanted != got:
        faults.append(f"{name}: wgmma in the loops of PTX: {wanted}; of SASS: {got}")
    for body in sass_bodies:
        if any(sass_events(line) for line in body):
            for what, pattern in ("copied", SASS_COPY), ("spilt", SASS_SPILL):
                lines = [line.strip() for line in body if pattern.search(line)]
                faults += [f"{name}: a register is {what}: {line}" for line in lines]
    return faults


def main():
    ptxas, nvdisasm, path = sys.argv[1:]
    with open(path) as f:
        ptx = f.read().splitlines()
    sass = disassemble(ptxas, nvdisasm, ptx)
    ptx_loops = loops(ptx, PTX_FUNCTION, PTX_LABEL, PTX_JUMP)
    sass_loops = loops(sass, SASS_FUNCTION, SASS_LABEL, SASS_JUMP)
    faults = []
    count = 0
    for name, bodies in ptx_loops.items():
        count += len(events_of(bodies, ptx_events))
        faults += compare(name, bodies, sass_loops.get(name, []))
    if not count:
        faults.append(f"{path} has no loop with wgmma")
    for fault in faults:
        print(f"sass_verify: {fault}")
    print(f"sass_verify: {count} loops with wgmma, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
