# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares docs/reference/kernel with the PTX ISA's grammar.

kernel_reference.py FOLDER   reads the pages as a reader would, and says for each
                             intrinsic of the grammar what a page has wrong, and what
                             is not in the grammar
"""

import os
import re
import sys
from pathlib import Path

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "utils"))
from ptx_isa.kernel import INTRINSICS
from ptx_isa.matrix.targets import number

ROW = re.compile(
    r"\| `(llvm\.[^`]*)`<br>`[^`]*?(__nvvm_\w+)\(([^`]*)\)` \| (.*) \| (.*) \|"
)


def targets(cell):
    found = set()
    for part in cell.split("<br>"):
        architectures, ptx = part.split(": ")
        for architecture in architectures.split(", "):
            found.add((architecture.strip("`"), round(10 * float(ptx))))
    # The grammar begins with sm_70.
    return {("sm_70", 60) if number(arch) < 70 else (arch, ptx) for arch, ptx in found}


def wrong(variants, builtin, parameters, ptx, target_cell):
    """What a row says that the grammar does not, as texts."""
    first = variants[0]
    if builtin != first.builtin:
        yield f"builtin {builtin}"
    # Vectors have commas of their own.
    count = len(re.findall(r"[^,<]+(?:<[^>]*>[^,]*)?", parameters)) if parameters else 0
    if count != len(first.parameters):
        yield f"{count} parameters, not {len(first.parameters)}"
    mnemonics = {v.mnemonic for v in variants}
    for mnemonic in re.findall("`([^`]*)`", ptx):
        if mnemonic not in mnemonics:
            yield f"instruction {mnemonic}"
    lowest = {(t.arch, t.ptx) for t in first.targets}
    if targets(target_cell) != lowest:
        yield f"targets {target_cell}"


def main():
    (folder,) = sys.argv[1:]
    seen = {}
    for path in sorted(Path(folder).glob("*.md")):
        for intrinsic, *row in ROW.findall(path.read_text()):
            if intrinsic not in INTRINSICS:
                print(f"{path.name}: {intrinsic} is not in the grammar")
                continue
            seen[intrinsic] = seen.get(intrinsic, 0) + 1
            for fault in wrong(INTRINSICS[intrinsic], *row):
                print(f"{path.name}: {intrinsic}: {fault}")
    for intrinsic in INTRINSICS:
        if seen.get(intrinsic, 0) != 1:
            print(f"{intrinsic}: on {seen.get(intrinsic, 0)} pages")
    print(f"{len(seen)} of {len(INTRINSICS)}")


if __name__ == "__main__":
    main()
