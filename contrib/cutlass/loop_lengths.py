#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Count the machine instructions of the loops around wgmma.

  loop_lengths.py NVDISASM PROGRAM...

A PROGRAM is a cubin, or a file that holds some without compression, as those do
that build_tests.py builds. Of each kernel, prints the innermost loops that have
wgmma: "PROGRAM KERNEL: 45 instructions, 4 wgmma". Padding does not count.
Exit status: 1 if there is no such loop.
"""

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

EM_CUDA = 190
FUNCTION = re.compile(r"^\.text\.(\w+):")
LABEL = re.compile(r"^(\.L_\w+):")
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;")
JUMP = re.compile(r"\bBRA\b.*`\((\.L_\w+)\)")
WGMMA = re.compile(r"\b[A-Z]GMMA\b")


def cubins(data):
    """The ELF images for GPUs that lie in a file."""
    at = data.find(b"\x7fELF")
    while at >= 0:
        (machine,) = struct.unpack_from("<H", data, at + 18)
        sections, programs = (
            struct.unpack_from("<Q", data, at + 40)[0],
            struct.unpack_from("<Q", data, at + 32)[0],
        )
        sizes = struct.unpack_from("<HHHH", data, at + 54)
        end = max(programs + sizes[0] * sizes[1], sections + sizes[2] * sizes[3])
        if machine == EM_CUDA:
            yield data[at : at + end]
        at = data.find(b"\x7fELF", at + 4)


def disassemble(nvdisasm, cubin):
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        # An older one warns of each indirect branch that it cannot follow.
        done = subprocess.run(
            [nvdisasm, "-c", file.name],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=True,
        )
    return done.stdout.splitlines()


def functions(lines):
    """(name, instructions, {label: index of the next instruction})"""
    name, code, labels = None, [], {}
    for line in lines:
        if match := FUNCTION.match(line):
            if name:
                yield name, code, labels
            name, code, labels = match[1], [], {}
        elif match := LABEL.match(line):
            labels[match[1]] = len(code)
        elif match := INSTRUCTION.match(line):
            code.append(match[1])
    if name:
        yield name, code, labels


def wgmma_loops(code, labels):
    """(instructions, wgmma) of each innermost loop that has wgmma."""
    loops = []
    for end, text in enumerate(code):
        jump = JUMP.search(text)
        begin = labels.get(jump[1], len(code)) if jump else len(code)
        body = [t for t in code[begin : end + 1] if not t.startswith("NOP")]
        count = sum(bool(WGMMA.search(t)) for t in body)
        if count:
            loops.append((begin, end, len(body), count))
    for begin, end, *numbers in loops:
        if not any(
            begin <= b and e <= end and (b, e) != (begin, end) for b, e, *_ in loops
        ):
            yield numbers


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    nvdisasm, *programs = sys.argv[1:]
    found = False
    for program in programs:
        for cubin in cubins(Path(program).read_bytes()):
            for name, code, labels in functions(disassemble(nvdisasm, cubin)):
                for length, count in wgmma_loops(code, labels):
                    found = True
                    kernel = name if len(name) < 60 else name[:30] + "..." + name[-27:]
                    print(
                        f"{Path(program).name} {kernel}: {length} instructions, "
                        f"{count} wgmma"
                    )
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
