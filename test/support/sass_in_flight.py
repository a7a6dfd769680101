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
some of the accesses that it makes so it does not tell. What is called without being
inlined begins with none in flight. Without any wgmma there is nothing to find: exit
status 1, as for an access.
"""

import re
import sys
from collections import namedtuple
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "contrib" / "cutlass"))
import loop_lengths

PREDICATE = re.compile(r"^@!?U?P\w+\s+")
# A register, and how many from it on.
REGISTER = re.compile(r"(?<![\w.])[-~|!]*R(\d+)(\.64)?")
MULTIPLICATION = re.compile(r"^[A-Z]GMMA(?:\.SP)?\.\d+x(\d+)x\d+(?:\.(F16|F32))?")
WAIT = re.compile(r"^WARPGROUP\.DEPBAR\.LE gsb0, (0x[0-9a-f]+)")
# Of 64 bits, whatever its operands are called: CS2R, too, but for CS2R.32.
PAIR = re.compile(r"\.64\b|WIDE|^CS2R$")
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
    n, element = int(match[1]), match[2]
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
    width = 2 if PAIR.search(opcode) else 1
    if ".128" in opcode or opcode.startswith(("LDSM", "MOVM")):
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


class InFlight:
    """What may be in flight ahead of each instruction: pairs of a wgmma, by its place,
    and how many groups were committed since it was issued."""

    def __init__(self, code, labels):
        self.plain = [PREDICATE.sub("", text) for text in code]
        self.wgmmas = {
            at: wgmma
            for at, text in enumerate(self.plain)
            if (wgmma := parse_wgmma(text))
        }
        self.before = {0: frozenset()}
        if self.wgmmas:
            self.propagate(loop_lengths.next_instructions(code, labels))

    def propagate(self, following):
        worklist = [0]
        while worklist:
            at = worklist.pop()
            after = self.execute(at, self.before[at])
            for place in following[at]:
                known = self.before.get(place)
                merged = after | (known or frozenset())
                if known is None or merged != known:
                    self.before[place] = merged
                    worklist.append(place)

    def execute(self, at, state):
        if wgmma := self.wgmmas.get(at):
            state = state | {(at, 0)}
            if wgmma.commits:
                state = frozenset((i, min(age + 1, MAX_AGE)) for i, age in state)
            return state
        if match := WAIT.match(self.plain[at]):
            left = int(match[1], 16)
            return frozenset((i, age) for i, age in state if age <= left)
        return state

    def faults(self):
        for at, state in sorted(self.before.items()):
            flying = sorted({i for i, _ in state})
            for other in flying:
                if self.touches(at, other):
                    yield at, other

    def missed(self):
        """The wgmma that no path leads to: what comes after these is not known."""
        return [at for at in self.wgmmas if at not in self.before]

    def touches(self, at, other):
        """Whether an instruction may not be executed while another is in flight."""
        accumulator, inputs, _ = self.wgmmas[other]
        if wgmma := self.wgmmas.get(at):
            return wgmma.inputs & accumulator or (
                wgmma.accumulator != accumulator
                and wgmma.accumulator & (accumulator | inputs)
            )
        read, written = parse_access(self.plain[at])
        return (read | written) & accumulator or written & inputs


def functions(nvdisasm, path):
    """Those of a file, as loop_lengths has them."""
    data = Path(path).read_bytes()
    texts = (
        [data.decode().splitlines()]
        if path.endswith(".sass")
        else [loop_lengths.disassemble(nvdisasm, c) for c in loop_lengths.cubins(data)]
    )
    for lines in texts:
        yield from loop_lengths.functions(lines)


def check(nvdisasm, path):
    """Prints what is wrong. Returns how many wgmma there are, and how many faults."""
    count = 0
    faults = []
    for name, code, labels in functions(nvdisasm, path):
        analysis = InFlight(code, labels)
        count += len(analysis.wgmmas)
        faults += [
            f"{name}: {code[at]}\n  while in flight: {code[other]}"
            for at, other in analysis.faults()
        ]
        faults += [f"{name}: no path leads to: {code[at]}" for at in analysis.missed()]
    for fault in faults:
        print(f"sass_in_flight: {fault}")
    return count, len(faults)


def main():
    nvdisasm, *paths = sys.argv[1:]
    count = wrong = 0
    for path in paths:
        found = check(nvdisasm, path)
        count, wrong = count + found[0], wrong + found[1]
    print(f"sass_in_flight: {count} wgmma, {wrong} faults")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
