#!/usr/bin/env python3
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Audit the warp-level matrix instructions: PTX ISA against ptxas and LLVM.

  audit_ptx.py --write   write docs/ptx-audit.json
  audit_ptx.py           fail where that file is not what is found now, or where
                         LLVM has an intrinsic that the ISA has no instruction for

The ISA's side is test/support/ptx_matrix. Every variant, and every combination
that differs from one in a single qualifier, is given to ptxas; the file lists
what ptxas accepts and the ISA has not, and the reverse.

Exit status: 0, or 1 when something differs, 2 for wrong usage.
"""

import argparse
import concurrent.futures
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(1, str(ROOT / "test" / "support"))
from ptx_matrix import VARIANTS, assembly
from ptx_matrix.contradictions import CONTRADICTIONS
from ptx_matrix.neighbours import neighbours
from ptx_matrix.spellings import spellings
from ptx_matrix.targets import supported
from ptx_matrix.variant import Target

RESULT = ROOT / "docs" / "ptx-audit.json"

# Before and after each PTX version that added variants, on the architectures
# that have them or do not. ptxas has none before sm_75 and PTX 6.3.
TARGETS = [
    Target(arch, ptx)
    for arch, versions in {
        "sm_75": (63, 64, 65, 70, 77, 78, 90),
        "sm_80": (70, 71, 78, 84, 85, 90),
        "sm_89": (78, 83, 84, 85, 86, 87, 90),
        "sm_90": (78, 80, 84, 87, 90),
        "sm_90a": (80, 90),
        "sm_100": (86, 90),
        "sm_100a": (86, 87, 90),
        "sm_100f": (88, 90),
        "sm_101a": (86, 88),
        "sm_101f": (88,),
        "sm_103a": (88, 90),
        "sm_103f": (88, 90),
        "sm_110": (90,),
        "sm_110a": (90,),
        "sm_110f": (90,),
        "sm_120": (87, 90),
        "sm_120a": (87, 88, 90),
        "sm_120f": (88, 90),
        "sm_121a": (88, 90),
        "sm_121f": (88, 90),
    }.items()
    for ptx in versions
]
# For what no target has: the oldest, the H200's and the one with the most kinds.
NEIGHBOUR_TARGETS = [Target("sm_75", 64), Target("sm_90a", 90), Target("sm_120a", 90)]
CONTRADICTION_TARGET = Target("sm_120a", 90)


def fail(message):
    sys.exit(f"audit_ptx.py: error: {message}")


def output_of(command, **kwargs):
    try:
        done = subprocess.run(command, capture_output=True, text=True, **kwargs)
    except FileNotFoundError:
        fail(f"{command[0]} is not there")
    if done.returncode:
        fail(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout


def refused_on(ptxas, candidates, targets):
    """For each target the indices of the candidates that ptxas refuses."""

    def refused(target):
        lines = [
            assembly.render(
                c.mnemonic_in(target.ptx) if hasattr(c, "mnemonic_in") else c.mnemonic,
                c.operands,
            )
            for c in candidates
        ]
        return assembly.refused(ptxas, lines, target)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip(targets, pool.map(refused, targets)))


def group(findings):
    """Mnemonics by their targets, from (mnemonic, target) pairs."""
    by_mnemonic = {}
    for mnemonic, target in findings:
        targets = by_mnemonic.setdefault(mnemonic, [])
        if str(target) not in targets:
            targets.append(str(target))
    groups = {}
    for mnemonic, targets in by_mnemonic.items():
        groups.setdefault(tuple(targets), []).append(mnemonic)
    return [
        {"targets": list(targets), "mnemonics": sorted(mnemonics)}
        for targets, mnemonics in groups.items()
    ]


def audit_variants(ptxas):
    """Where ptxas and the ISA disagree on which target has a variant."""
    variants = list(VARIANTS) + [spelling for spelling, _ in spellings(VARIANTS)]
    accepted, refused = [], []
    for target, errors in refused_on(ptxas, variants, TARGETS).items():
        for index, variant in enumerate(variants):
            if supported(variant, target) and index in errors:
                refused.append((variant.mnemonic, target))
            elif not supported(variant, target) and index not in errors:
                accepted.append((variant.mnemonic, target))
    return {
        "variants": len({v.mnemonic for v in variants}),
        "targets": [str(target) for target in TARGETS],
        "accepted_where_the_isa_lacks_them": group(accepted),
        "refused_where_the_isa_has_them": group(refused),
    }


def audit_neighbours(ptxas, candidates):
    results = refused_on(ptxas, candidates, NEIGHBOUR_TARGETS)
    accepted = [
        (candidate.mnemonic, target)
        for index, candidate in enumerate(candidates)
        for target, errors in results.items()
        if index not in errors
    ]
    return {
        "combinations": len(candidates),
        "targets": [str(target) for target in NEIGHBOUR_TARGETS],
        "accepted": group(accepted),
    }


def audit_contradictions(ptxas):
    # One at a time: two entries may differ in their operands alone.
    rows = []
    for entry in CONTRADICTIONS:
        line = [assembly.render(entry.mnemonic, entry.operands)]
        errors = assembly.refused(ptxas, line, CONTRADICTION_TARGET)
        rows.append(
            {
                "section": entry.section,
                "allows": entry.allows,
                "excludes": entry.excludes,
                "instruction": entry.mnemonic,
                "ptxas": f"refuses: {errors[0]}" if errors else "accepts",
            }
        )
    return {"target": str(CONTRADICTION_TARGET), "instructions": rows}


def known_intrinsics(opt, names):
    """Those of names that are intrinsics, by what opt says of declarations."""
    names = sorted(names)
    text = "".join(f"declare void @{name}()\n" for name in names)
    out = output_of([opt, "-S", "-disable-verify"], input=text)
    unknown = re.findall(r"; Unknown intrinsic\ndeclare void @(\S+)\(\)", out)
    return sorted(set(names) - set(unknown))


def ptxas_version(ptxas):
    return re.search(r"release \S+, V\S+", output_of([ptxas, "--version"]))[0]


def dump(results):
    """JSON with a line for each mnemonic."""
    return json.dumps(results, indent=1) + "\n"


def first_difference(old, new):
    pairs = itertools.zip_longest(old.splitlines(), new.splitlines(), fillvalue="")
    for number, (before, after) in enumerate(pairs, 1):
        if before != after:
            return f"line {number} is '{before.strip()}', now found '{after.strip()}'"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {RESULT.name}")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--opt", default=str(ROOT / "build" / "bin" / "opt"))
    args = parser.parse_args()

    candidates = neighbours(VARIANTS)
    superfluous = known_intrinsics(
        args.opt, {c.intrinsic for c in candidates if c.intrinsic}
    )
    for name in superfluous:
        print(f"the ISA has no instruction for {name}")
    results = {
        "generated_by": "utils/audit_ptx.py --write",
        "isa": "9.0",
        "ptxas": ptxas_version(args.ptxas),
        "variants": audit_variants(args.ptxas),
        "neighbours": audit_neighbours(args.ptxas, candidates),
        "contradictions": audit_contradictions(args.ptxas),
    }
    text = dump(results)
    variants = results["variants"]["variants"]
    print(
        f"{variants} variants on {len(TARGETS)} targets, {len(candidates)} "
        f"neighbours on {len(NEIGHBOUR_TARGETS)}, {len(CONTRADICTIONS)} contradictions"
    )
    if args.write:
        RESULT.write_text(text)
    elif not RESULT.exists() or RESULT.read_text() != text:
        old = RESULT.read_text() if RESULT.exists() else ""
        fail(
            f"docs/{RESULT.name} is out of date; {first_difference(old, text)} "
            "(--write rewrites it)"
        )
    if superfluous:
        sys.exit(1)


if __name__ == "__main__":
    main()
