# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Finds accesses to registers of wgmma in flight in the machine code.

usage: sass_in_flight.py NVDISASM FILE...

A file is machine code, or the text that nvdisasm -c makes of it (*.sass). From where
a wgmma is issued to the wait that retires it, on any path, no other instruction but a
wgmma that goes on with the accumulator may touch a register of its accumulator, and
none may write one of its fragment of A or its metadata. ptxas moves instructions, and
some of the accesses that it makes so it does not tell.
"""

import re
import subprocess
import sys
from collections import namedtuple

FUNCTION = re.compile(r"^\.text\.(\S+):")
LABEL = re.compile(r"^(\.L_\w+):")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;")
# A register, and how many from it on.
REGISTER = re.compile(r"(?<![\w.])[-~|!]*R(\d+)(\.64)?")
MULTIPLICATION = re.compile(r"^([A-Z])GMMA(?:\.SP)?\.\d+x(\d+)x\d+(?:\.(F16|F32))?")
WAIT = re.compile(r"^WARPGROUP\.DEPBAR\.LE gsb0, (0x[0-9a-f]+)")
JUMP = re.compile(r"`\((\.L_\w+)\)")
# After these the next instruction is executed by way of a condition alone.
ENDS = re.compile(r"^(?:BRA(?:\.U)?\s+`|EXIT\b|RET\b|BRX|JMX|BRA\.CONV|KILL|BPT\.TRAP)")
# These have no result, or only one in memory.
WITHOUT_RESULT = re.compile(
    r"^(?:ST|RED|CCTL|BAR|SYNCS|UTMA|UBLKCP|WARPSYNC|BSSY|BSYNC)"
)
# More groups than any kernel leaves in flight.
MAX_AGE = 9

Wgmma = namedtuple("Wgmma", "accumulator inputs commits")
Access = namedtuple("Access", "read written")


def registers(text, width=1):
    """Those that are named, each with those behind it that go with it."""
    found = set()
    for match in REGISTER.finditer(text):
        first = int(match[1])
        found.update(range(first, first + (2 if match[2] else width)))
    return found


def operands_of(code):
    return [part.strip() for part in code.partition(" ")[2].split(",")]


def parse_wgmma(code):
    match = MULTIPLICATION.match(code)
    if not match:
        return None
    kind, n, element = match[1], int(match[2]), match[3]
    result, first, *others = operands_of(code)
    # An accumulator has N/2 elements for each thread; two of f16 in a register.
    accumulator = registers(result, n // 4 if element == "F16" else n // 2)
    inputs = registers(first, 4) if "gdesc" not in first else set()
    if ".SP" in code:
        # Behind the accumulator, and the predicate by which it is added to.
        inputs |= registers(next(o for o in reversed(others) if o.startswith("R")))
    return Wgmma(frozenset(accumulator), frozenset(inputs), "gsb0" in code)


def parse_access(code):
    """What an instruction reads and writes, as far as its text tells."""
    opcode = code.partition(" ")[0]
    operands = operands_of(code)
    width = 4 if ".128" in opcode else 2 if re.search(r"\.64\b|WIDE", opcode) else 1
    if opcode.startswith(("LDSM", "MOVM")):
        width = 4
    if WITHOUT_RESULT.match(opcode):
        # What is stored comes last.
        return Access(
            registers(",".join(operands[:-1])) | registers(operands[-1], width), set()
        )
    results = [o for o in operands[:2] if o.startswith("R") and o[1:2].isdigit()]
    if not results or (operands[0] != results[0] and not opcode.startswith("SHFL")):
        return Access(registers(",".join(operands)), set())
    written = registers(results[0], width)
    sources = operands[operands.index(results[0]) + 1 :]
    return Access(registers(",".join(sources)), written)


class Function:
    """One function's instructions, and how they come after each other."""

    def __init__(self, name):
        self.name = name
        self.codes = []
        self.labels = {}

    def successors(self, index):
        code = self.codes[index]
        plain = re.sub(r"^@!?U?P\w+\s+", "", code)
        following = []
        target = JUMP.search(plain)
        if target and plain.startswith("BRA") and target[1] in self.labels:
            following.append(self.labels[target[1]])
        if plain != code or not ENDS.match(plain):
            following.append(index + 1)
        return [i for i in following if i < len(self.codes)]


def parse(lines):
    functions = []
    for line in lines:
        if match := FUNCTION.match(line):
            functions.append(Function(match[1]))
        elif not functions:
            continue
        elif match := LABEL.match(line):
            functions[-1].labels[match[1]] = len(functions[-1].codes)
        elif match := INSTRUCTION.match(line):
            functions[-1].codes.append(match[1])
    return functions


class InFlight:
    """What may be in flight ahead of each instruction: pairs of a wgmma, by its place,
    and how many groups were committed since it was issued."""

    def __init__(self, function):
        self.function = function
        self.plain = [re.sub(r"^@!?U?P\w+\s+", "", c) for c in function.codes]
        self.wgmmas = {
            i: wgmma for i, c in enumerate(self.plain) if (wgmma := parse_wgmma(c))
        }
        self.before = {0: frozenset()}
        self.propagate()

    def propagate(self):
        worklist = [0] if self.wgmmas else []
        while worklist:
            index = worklist.pop()
            after = self.execute(index, self.before[index])
            for following in self.function.successors(index):
                known = self.before.get(following)
                merged = after | (known or frozenset())
                if known is None or merged != known:
                    self.before[following] = merged
                    worklist.append(following)

    def execute(self, index, state):
        if wgmma := self.wgmmas.get(index):
            state = state | {(index, 0)}
            if wgmma.commits:
                state = frozenset((i, min(age + 1, MAX_AGE)) for i, age in state)
            return state
        if match := WAIT.match(self.plain[index]):
            left = int(match[1], 16)
            return frozenset((i, age) for i, age in state if age <= left)
        return state

    def faults(self):
        for index, state in sorted(self.before.items()):
            flying = sorted({i for i, _ in state})
            for other in flying:
                if self.touches(index, other):
                    yield index, other

    def touches(self, index, other):
        """Whether an instruction may not be executed while another is in flight."""
        accumulator, inputs, _ = self.wgmmas[other]
        if wgmma := self.wgmmas.get(index):
            return wgmma.inputs & accumulator or (
                wgmma.accumulator != accumulator
                and wgmma.accumulator & (accumulator | inputs)
            )
        read, written = parse_access(self.plain[index])
        return (read | written) & accumulator or written & inputs


def disassemble(nvdisasm, path):
    if path.endswith(".sass"):
        with open(path) as f:
            return f.read().splitlines()
    return subprocess.run(
        [nvdisasm, "-c", path], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.splitlines()


def check(lines):
    """Prints what is wrong. Returns how many wgmma there are, and how many faults."""
    count = wrong = 0
    for function in parse(lines):
        analysis = InFlight(function)
        count += len(analysis.wgmmas)
        for index, other in analysis.faults():
            wrong += 1
            print(
                f"sass_in_flight: {function.name}: {function.codes[index]}\n"
                f"  while in flight: {function.codes[other]}"
            )
    return count, wrong


def main():
    nvdisasm, *paths = sys.argv[1:]
    count = wrong = 0
    for path in paths:
        found = check(disassemble(nvdisasm, path))
        count, wrong = count + found[0], wrong + found[1]
    print(f"sass_in_flight: {count} wgmma, {wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
