#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Audit the warp-level matrix instructions: PTX ISA against ptxas and LLVM.

And the asynchronous reductions and stores and multimem, whose types depend on the
operation.

  audit_ptx.py --write   write docs/ptx-audit.json and docs/ptx-audit.md
  audit_ptx.py           fail where these are not what is found now, or where LLVM
                         has an intrinsic that the ISA has no instruction for

The ISA's side is the package ptx_isa. Every variant, and every combination
that differs from one in a single qualifier, is given to ptxas; the files list
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

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "utils"))
from device.build import ptxas_release
from device.report import table
from ptx_isa.kernel.neighbours import neighbours as kernel_neighbours
from ptx_isa.matrix import VARIANTS, assembly
from ptx_isa.matrix.contradictions import CONTRADICTIONS
from ptx_isa.matrix.neighbours import neighbours
from ptx_isa.matrix.spellings import spellings
from ptx_isa.matrix.targets import BOUNDARIES, number, supported
from ptx_isa.matrix.variant import Target

LIST = ROOT / "docs" / "ptx-audit.json"
PAGE = ROOT / "docs" / "ptx-audit.md"

# ptxas has none before sm_75.
TARGETS = [target for target in BOUNDARIES if number(target.arch) >= 75]
# For what no target has: the oldest, the H200's and the one with the most kinds.
NEIGHBOUR_TARGETS = [Target("sm_75", 64), Target("sm_90a", 90), Target("sm_120a", 90)]
# One that has all of them, with the latest PTX version that ptxas 13.0 knows.
REDUCTION_TARGET = Target("sm_100a", 90)
CONTRADICTION_TARGET = SELECTOR_TARGET = Target("sm_120a", 90)


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
    """Mnemonics of an instruction with the same targets, from pairs of both."""
    by_mnemonic = {}
    for mnemonic, target in findings:
        targets = by_mnemonic.setdefault(mnemonic, [])
        if str(target) not in targets:
            targets.append(str(target))
    groups = {}
    for mnemonic, targets in by_mnemonic.items():
        instruction = mnemonic.split(".sync")[0]
        groups.setdefault((instruction, *targets), []).append(mnemonic)
    return [
        {"targets": list(targets), "mnemonics": sorted(mnemonics)}
        for (_, *targets), mnemonics in sorted(groups.items())
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


def audit_reductions(ptxas):
    """Which reductions and stores ptxas takes that the ISA has not."""
    candidates = kernel_neighbours()
    errors = assembly.refused(ptxas, [c.text for c in candidates], REDUCTION_TARGET)
    accepted = [
        candidate.mnemonic
        for index, candidate in enumerate(candidates)
        if index not in errors
    ]
    return {
        "target": str(REDUCTION_TARGET),
        "combinations": len(candidates),
        "accepted": accepted,
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


def audit_selectors(ptxas):
    """Which sparsity selectors ptxas takes that the ISA has not, or the reverse."""
    cases = [
        (variant, selector)
        for variant in VARIANTS
        if variant.selectors
        for selector in range(4)
    ]
    lines = [assembly.render(v.mnemonic, v.operands, selector) for v, selector in cases]
    errors = assembly.refused(ptxas, lines, SELECTOR_TARGET)
    accepted = [
        f"{variant.mnemonic} with {selector}"
        for index, (variant, selector) in enumerate(cases)
        if index not in errors and selector not in variant.selectors
    ]
    refused = [
        f"{variant.mnemonic} with {selector}"
        for index, (variant, selector) in enumerate(cases)
        if index in errors and selector in variant.selectors
    ]
    return {
        "target": str(SELECTOR_TARGET),
        "accepted_where_the_isa_lacks_them": accepted,
        "refused_where_the_isa_has_them": refused,
    }


def known_intrinsics(opt, names):
    """Those of names that are intrinsics, by what opt says of declarations."""
    names = sorted(names)
    text = "".join(f"declare void @{name}()\n" for name in names)
    out = output_of([opt, "-S", "-disable-verify"], input=text)
    unknown = re.findall(r"; Unknown intrinsic\ndeclare void @(\S+)\(\)", out)
    return sorted(set(names) - set(unknown))


def group_table(groups):
    """A row for each group of mnemonics, with the first of them."""
    rows = [
        (
            len(group["mnemonics"]),
            f"`{group['mnemonics'][0]}`",
            ", ".join(group["targets"]),
        )
        for group in groups
    ]
    if not rows:
        return ["None.", ""]
    return table(("instructions", "for example", "targets"), rows)


def page(results):
    variants, others = results["variants"], results["neighbours"]
    selectors, entries = results["selectors"], results["contradictions"]
    reductions = results["reductions"]
    odd = [(f"`{text}`",) for text in selectors["accepted_where_the_isa_lacks_them"]]
    lines = [
        "# PTX ISA and ptxas",
        "",
        "Written by `utils/documentation/audit_ptx.py --write`, which asks `ptxas`; not edited. All",
        f"instructions are in [{LIST.name}]({LIST.name}).",
        "",
        f"PTX ISA {results['isa']}; ptxas {results['ptxas']}.",
        "",
        "## Targets",
        "",
        f"{variants['variants']} instructions were tried on {len(variants['targets'])} "
        "targets. Accepted where the ISA lacks them:",
        "",
        *group_table(variants["accepted_where_the_isa_lacks_them"]),
        "Refused where the ISA has them:",
        "",
        *group_table(variants["refused_where_the_isa_has_them"]),
        "## Just outside the grammar",
        "",
        f"{others['combinations']} combinations that differ from an instruction of the "
        f"ISA in one qualifier were tried on {', '.join(others['targets'])}. Accepted:",
        "",
        *group_table(others["accepted"]),
        "Of sparsity selectors that the ISA does not define, "
        f"({selectors['target']}) accepted:",
        "",
        *table(("instruction and selector",), odd),
        f"Of {reductions['combinations']} asynchronous reductions and stores (`red.async`, "
        "`st.async`, `cp.reduce.async.bulk`) and accesses of `multimem` whose operation, "
        "order or type the ISA does not define, "
        f"({reductions['target']}) accepted:",
        "",
        *table(("instruction",), [(f"`{text}`",) for text in reductions["accepted"]]),
        "## Where the ISA contradicts itself",
        "",
        f"What `ptxas` does ({entries['target']}) with instructions that one part of a",
        "section allows and another excludes.",
        "",
        *table(
            ("section", "allowed by", "excluded by", "instruction", "ptxas"),
            (
                (
                    row["section"],
                    row["allows"],
                    row["excludes"],
                    f"`{row['instruction']}`",
                    row["ptxas"],
                )
                for row in entries["instructions"]
            ),
        ),
    ]
    return "\n".join(lines).rstrip() + "\n"


def first_difference(old, new):
    pairs = itertools.zip_longest(old.splitlines(), new.splitlines(), fillvalue="")
    for number, (before, after) in enumerate(pairs, 1):
        if before != after:
            return f"line {number} is '{before.strip()}', now found '{after.strip()}'"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the files in docs")
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
        "generated_by": "utils/documentation/audit_ptx.py --write",
        "isa": "9.0",
        "ptxas": ptxas_release(args.ptxas),
        "variants": audit_variants(args.ptxas),
        "selectors": audit_selectors(args.ptxas),
        "neighbours": audit_neighbours(args.ptxas, candidates),
        "reductions": audit_reductions(args.ptxas),
        "contradictions": audit_contradictions(args.ptxas),
    }
    # JSON with a line for each mnemonic.
    files = {LIST: json.dumps(results, indent=1) + "\n", PAGE: page(results)}
    variants = results["variants"]["variants"]
    print(
        f"{variants} variants on {len(TARGETS)} targets, {len(candidates)} "
        f"neighbours on {len(NEIGHBOUR_TARGETS)}, "
        f"{results['reductions']['combinations']} reductions, "
        f"{len(CONTRADICTIONS)} contradictions"
    )
    for path, text in files.items():
        old = path.read_text() if path.exists() else ""
        if args.write:
            path.write_text(text)
        elif old != text:
            fail(
                f"docs/{path.name} is out of date; {first_difference(old, text)} "
                "(--write rewrites it)"
            )
    if superfluous:
        sys.exit(1)


if __name__ == "__main__":
    main()
