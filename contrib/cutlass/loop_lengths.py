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
wgmma: "PROGRAM KERNEL: 45 instructions, 4 wgmma". Padding does not count; blocks of a
loop that stand elsewhere, such as ptxas's second tries of a wait, do.
Exit status: 1 if there is no such loop.
"""

import bisect
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

EM_CUDA = 190
# What is called without being inlined stands behind its kernel, "$kernel$called:".
FUNCTION = re.compile(r"^(?:\.text\.|(?=\$))(\S+):")
LABEL = re.compile(r"^(\.L_\w+):")
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;")
JUMP = re.compile(r"\bBRA\b.*`\((\.L_\w+)\)")
# Of BRX and BRXU, which go to one of several labels.
TARGETS = re.compile(r'"BRANCH_TARGETS ([^"]*)"')
END = re.compile(r"\b(EXIT|RET|BRX|BRXU|JMX|BPT\.TRAP)\b")
# "@P0 BRA ...", and "BRA.DIV UR4, ..." or "BRA.U !UP0, ...".
CONDITION = re.compile(r"^@|\bBRA\b\S* !?\w")
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


def next_instructions(code, labels):
    """Of each instruction, which ones may come next."""
    following = []
    for at, text in enumerate(code):
        jump, ends = JUMP.search(text), END.search(text)
        names = [jump[1]] if jump else []
        if targets := TARGETS.search(text):
            names += targets[1].split(",")
        places = {labels.get(name, len(code)) for name in names}
        if not (jump or ends) or CONDITION.search(text):
            places.add(at + 1)
        following.append([place for place in places if place < len(code)])
    return following


def blocks(code, labels):
    """The basic blocks, as ranges of instructions, and those that follow each."""
    following = next_instructions(code, labels)
    starts = {0, *labels.values()}
    for at, places in enumerate(following):
        if places != [at + 1]:
            starts |= {at + 1, *places}
    starts = sorted(start for start in starts if start < len(code))
    ranges = list(map(range, starts, [*starts[1:], len(code)]))
    return ranges, [
        [bisect.bisect_left(starts, place) for place in following[block[-1]]]
        for block in ranges
    ]


def reached(start, edges, without=None):
    """What can be reached from a block, without passing another one."""
    seen, left = {start}, [start]
    while left:
        for block in edges[left.pop()]:
            if block != without and block not in seen:
                seen.add(block)
                left.append(block)
    return seen


def natural_loops(edges):
    """The blocks of each natural loop: nothing enters it but at its head."""
    before = [[] for _ in edges]
    for block in reached(0, edges):
        for successor in edges[block]:
            before[successor].append(block)
    loops = {}
    for head, into in enumerate(before):
        others = reached(0, edges, head) if head else set()
        for latch in into:
            if latch not in others:
                body = {head} if latch == head else reached(latch, before, head)
                loops.setdefault(head, {head}).update(body)
    return loops.values()


def wgmma_loops(code, labels):
    """(instructions, wgmma) of each innermost loop that has wgmma."""
    ranges, edges = blocks(code, labels)
    loops = []
    for body in natural_loops(edges):
        texts = [code[at] for block in body for at in ranges[block]]
        texts = [text for text in texts if not text.startswith("NOP")]
        count = sum(bool(WGMMA.search(text)) for text in texts)
        if count:
            loops.append((body, len(texts), count))
    for body, *numbers in sorted(loops, key=lambda loop: min(loop[0])):
        if not any(other < body for other, *_ in loops):
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
