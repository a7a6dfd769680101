#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Measure how much of the PTX ISA's matrix instructions is covered.

And of what else a kernel with them needs: bulk copies, mbarriers, clusters, tcgen05.

  coverage.py           measure, and write docs/coverage.md and docs/coverage.json
  coverage.py --check   fail where a row of the page is not complete, or where
                        the pages are not what is measured now

Every number is measured. The variants are those of the ISA's grammar
(the package ptx_isa). An intrinsic counts when
llc makes its very instruction of it, for the lowest target that the ISA states; a
builtin when clang, compiling for that target, has it; an instruction is
assembled when ptxas takes llc's PTX. What ran comes from docs/results/*.json[.gz].

A page of results may hold
  "families": {"mma.sp": {"variants_run": 44, "variants_passed": 44}, ...}
with the names of the rows of coverage.md. device.json, of the tests of wgmma in
test/Device, lists instructions under "coverage", the sparse ones as "sp...".

Exit status: 0, or 1 when --check finds something, 2 for wrong usage.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "utils"))
from device.run import read_text
from ptx_isa import kernel
from ptx_isa.kernel import ir as kernel_ir
from ptx_isa import wgmma
from ptx_isa.matrix import FAMILIES, VARIANTS, ir
from ptx_isa.matrix.spellings import spellings
from ptx_isa.matrix.targets import assembler, supported
from ptx_isa.matrix.variant import Target
from written import finish, write_or_compare

DEVICE = Target("sm_90a", 90)  # What the results in docs/results ran on: an H200.
PAGE = ROOT / "docs" / "coverage.md"
LIST = ROOT / "docs" / "coverage.json"
RESULTS = ROOT / "docs" / "results"


@dataclass(frozen=True)
class Item:
    """A variant, of whichever grammar."""

    family: str
    instruction: str
    section: str
    target: Target  # The lowest.
    intrinsic: str  # None: LLVM has none.
    builtin: str
    on_device: bool
    # The intrinsic's call as lines of a function that is called NAME.
    function: tuple


def warp_items():
    for variant in VARIANTS:
        selector = variant.selectors[0] if variant.selectors else None
        function = ()
        if variant.intrinsic:
            function = tuple(ir.function(variant, "NAME", selector))
        stride = " stride" if variant.argument("stride") else ""
        yield Item(
            variant.family,
            variant.mnemonic + stride,
            variant.section,
            variant.targets[0],
            variant.intrinsic,
            variant.builtin,
            supported(variant, DEVICE),
            function,
        )


def wgmma_items():
    for intrinsic, n, satfinite in wgmma.VARIANTS:
        acc = intrinsic.acc(n)
        a = "i64" if intrinsic.form == "ss" else "<4 x i32>"
        function = (
            f"define {acc} @NAME({acc} %d, {a} %a, i64 %b, i32 %meta, i1 %scale.d) {{",
            "  call void @llvm.nvvm.wgmma.fence.sync.aligned()",
            f"  %r = {intrinsic.call(n, None, satfinite)}",
            "  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()",
            "  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)",
            f"  ret {acc} %r",
            "}",
        )
        yield Item(
            "wgmma.mma_async.sp" if intrinsic.sparse else "wgmma.mma_async",
            f"{intrinsic.ptx(n, satfinite)} {intrinsic.form}",
            "9.7.15.6.3" if intrinsic.sparse else "9.7.15.5.2",
            Target("sm_90a", intrinsic.ptx_version),
            intrinsic.name,
            intrinsic.builtin,
            True,
            function,
        )
    for name, section, argument in (
        ("fence", "9.7.15.7.1", ""),
        ("commit_group", "9.7.15.7.2", ""),
        ("wait_group", "9.7.15.7.3", "i64 0"),
    ):
        intrinsic = f"llvm.nvvm.wgmma.{name}.sync.aligned"
        yield Item(
            "wgmma fence, commit, wait",
            f"wgmma.{name}.sync.aligned",
            section,
            Target("sm_90a", 80),
            intrinsic,
            intrinsic.replace("llvm.", "__", 1).replace(".", "_"),
            True,
            (
                "define void @NAME() {",
                f"  call void @{intrinsic}({argument})",
                "  ret void",
                "}",
            ),
        )


def kernel_items():
    for variant in kernel.INSTRUCTIONS:
        yield Item(
            variant.family,
            variant.mnemonic,
            variant.section,
            variant.targets[0],
            variant.intrinsic,
            variant.builtin,
            supported(variant, DEVICE),
            tuple(kernel_ir.function(variant, "NAME")),
        )


WGMMA_FAMILIES = ("wgmma.mma_async", "wgmma.mma_async.sp", "wgmma fence, commit, wait")


# ---------------------------------------------------------------------------
# Measuring
# ---------------------------------------------------------------------------


def fail(message):
    sys.exit(f"coverage.py: error: {message}")


def run(command, text=None):
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True)
    except FileNotFoundError:
        fail(f"{command[0]} is not there")


def passing(items, attempt):
    """The items that pass: attempt says of a list of them whether all do.

    What fails is halved until the culprits are left out.
    """
    passed, batches = [], [list(items)] if items else []
    while batches:
        batch = batches.pop()
        if attempt(batch):
            passed += batch
        elif len(batch) > 1:
            half = len(batch) // 2
            batches += [batch[half:], batch[:half]]
    return passed


def compile_items(llc, items, target):
    """llc's PTX, when each function has its instruction and no call; or None."""
    functions = (
        "\n".join(item.function).replace("@NAME(", f"@f{index}(")
        for index, item in enumerate(items)
    )
    options = ["-mtriple=nvptx64", f"-mcpu={target.arch}", f"-mattr=+ptx{target.ptx}"]
    done = run([llc, *options, "-o", "-"], "\n".join(functions))
    if done.returncode:
        return None
    bodies = re.split(r"^\t// \.globl\tf\d+ .*$", done.stdout, flags=re.M)[1:]
    for item, body in zip(items, bodies, strict=True):
        mnemonic = item.instruction.split()[0]
        if target.ptx < 63:
            mnemonic = mnemonic.replace(".aligned", "")
        if not re.search(rf"^\t{re.escape(mnemonic)}[ \t\n;]", body, re.M):
            return None
    return done.stdout


def assembles(ptxas, ptx, target):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.ptx")
        Path(path).write_text(ptx)
        # At -O0, which accepts the same.
        command = [ptxas, "-c", "-O0", f"-arch={assembler(target)}", path]
        return run([*command, "-o", os.path.join(folder, "a.cubin")]).returncode == 0


def has_builtins(clang, items, target):
    # Clang has no name for a family, which has what its first member has.
    cpu = re.sub("f$", "a", target.arch)
    names = sorted({item.builtin for item in items if item.builtin})
    text = "".join(f"#if __has_builtin({n})\n{n}\n#endif\n" for n in names)
    done = run(
        [clang, "-cc1", "-triple", "nvptx64-nvidia-cuda", "-fcuda-is-device"]
        + ["-target-cpu", cpu, "-target-feature", f"+ptx{target.ptx}"]
        + ["-x", "cuda", "-E", "-P", "-"],
        text,
    )
    if done.returncode:
        fail(f"{clang}: {done.stderr.strip()}")
    return set(done.stdout.split())


def measure_target(tools, items, target):
    """(compiled items, assembled items, builtins) of one target's items."""
    candidates = [item for item in items if item.intrinsic]
    compiled = passing(candidates, lambda b: compile_items(tools.llc, b, target))

    def attempt(batch):
        ptx = compile_items(tools.llc, batch, target)
        return assembles(tools.ptxas, ptx, target)

    assembled = passing(compiled, attempt)
    return compiled, assembled, has_builtins(tools.clang, items, target)


def measure(tools, items):
    by_target = defaultdict(list)
    for item in items:
        by_target[item.target].append(item)
    compiled, assembled, builtins = set(), set(), set()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        # The largest first.
        order = sorted(by_target, key=lambda target: -len(by_target[target]))
        results = pool.map(
            lambda target: measure_target(tools, by_target[target], target), order
        )
        for one, two, three in results:
            compiled.update(one)
            assembled.update(two)
            builtins.update(three)
    return compiled, assembled, builtins


def device_results(folder):
    """{family: (variants run, variants passed)} from all pages of results."""
    families = {}
    for path in sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")]):
        page = json.loads(read_text(path))
        for name, counts in page.get("families", {}).items():
            families[name] = (
                counts.get("variants_run", 0),
                counts.get("variants_passed", 0),
            )
        for name, counts in wgmma_results(page).items():
            families.setdefault(name, counts)
    return families


def wgmma_results(page):
    """The same from the list of instructions that gpu_tests.py writes."""
    families = {}
    for row in page.get("coverage", []):
        sparse = row["instruction"].startswith("sp.")
        name = "wgmma.mma_async.sp" if sparse else "wgmma.mma_async"
        count = len(row["n"]) * len(row["immediates"].get("satfinite", [False]))
        ran, passed = families.get(name, (0, 0))
        families[name] = (ran + count, passed + (0 if row["failed"] else count))
    if any(passed for _, passed in families.values()):
        # No wgmma passes without these three: each test uses them.
        families["wgmma fence, commit, wait"] = (3, 3)
    return families


# ---------------------------------------------------------------------------
# The pages
# ---------------------------------------------------------------------------


@dataclass
class Row:
    """A family: counts of what there is and of what there should be."""

    family: str
    section: str
    variants: int
    intrinsics: tuple  # (measured, expected)
    builtins: tuple
    assembled: tuple
    device: tuple  # None: the tests have not run.

    def lacks(self):
        """What is below complete, as texts."""
        return [
            f"{self.family}: {name} {found} of {expected}"
            for name, (found, expected) in (
                ("intrinsics", self.intrinsics),
                ("builtins", self.builtins),
                ("assembled", self.assembled),
                ("run on the device", self.device or (0, 0)),
            )
            if found != expected
        ]


def device_counts(family, items, device):
    """(passed, expected), or None of a family around the matrix instructions that
    no page of results has."""
    expected = sum(item.on_device for item in items)
    if expected and family in kernel.FAMILIES and family not in device:
        return None
    return min(device.get(family, (0, 0))), expected


def rows(items, measured, device):
    compiled, assembled, builtins = measured
    result = []
    for family in FAMILIES + WGMMA_FAMILIES + kernel.FAMILIES:
        mine = [item for item in items if item.family == family]
        # Variants that LLVM has no intrinsic for are listed, not expected.
        reachable = [item for item in mine if item.intrinsic]
        names = {item.intrinsic for item in reachable}
        missing = {item.intrinsic for item in reachable if item not in compiled}
        expected_builtins = {item.builtin for item in reachable}
        result.append(
            Row(
                family,
                mine[0].section,
                len(mine),
                (len(names - missing), len(names)),
                (len(expected_builtins & builtins), len(expected_builtins)),
                (sum(item in assembled for item in reachable), len(reachable)),
                device_counts(family, reachable, device),
            )
        )
    return result


def cell(pair):
    if pair is None:
        return "not run"
    found, expected = pair
    return str(found) if found == expected else f"**{found} of {expected}**"


def table_lines(table):
    """A table of families, with their sums."""
    lines = [
        "| instruction | PTX ISA | variants | intrinsics | builtins | assembled | "
        "run on the device |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in table:
        cells = [row.intrinsics, row.builtins, row.assembled, row.device]
        lines.append(
            f"| `{row.family}` | {row.section} | {row.variants} | "
            + " | ".join(map(cell, cells))
            + " |"
        )
    sums = [
        tuple(map(sum, zip(*(getattr(row, name) or (0, 0) for row in table))))
        for name in ("intrinsics", "builtins", "assembled", "device")
    ]
    total = sum(row.variants for row in table)
    lines.append(f"| total | | {total} | " + " | ".join(map(cell, sums)) + " |")
    return lines


def page(table, items):
    around = [row for row in table if row.family in kernel.FAMILIES]
    lines = [
        "# Coverage",
        "",
        "Written by `utils/documentation/coverage.py`, which measures each number; not edited.",
        "",
        *table_lines([row for row in table if row not in around]),
        "",
        "What a kernel needs around these, and the fifth generation of tensor cores:",
        "",
        *table_lines(around),
    ]
    without = [item for item in items if not item.intrinsic]
    lines += [
        "",
        "- **variants**: each legal combination of shape, layout, types, state space",
        "  (generic, `.global`, `.shared`), stride or none, rounding, saturation, bit",
        "  operation, kind, scale vector size and scale type, transposition and number",
        "  of matrices; of wgmma, of N, too. Of the second table, each mnemonic with",
        "  its qualifiers. PTX ISA 9.0.",
        "- **intrinsics**: `llc` makes the very instruction of each of its variants,",
        "  for the lowest target and PTX version that the ISA states. The state space",
        "  is that of the pointer, so an intrinsic has up to three variants.",
        "- **builtins**: `clang` has it for that target.",
        "- **assembled**: `ptxas` takes `llc`'s PTX, that for targets before `sm_75`",
        "  with `-arch=sm_75`.",
        "- **run on the device**: on an H200, with right results; of the variants that",
        "  `sm_90a` has. From [results](results). What `sm_90a` lacks, as `tcgen05`, is",
        "  assembled, not run.",
        "",
        "A number below complete says of how many, in bold.",
        "",
        "The list of all variants is in [coverage.json](coverage.json). What",
        "`ptxas` and the ISA disagree on is in [ptx-audit.md](ptx-audit.md).",
        "",
        "## Without an intrinsic",
        "",
        f"{len(without)} variants that LLVM has no intrinsic for:",
        "",
    ]
    lines += [f"- `{item.instruction}`" for item in without]
    spelled = defaultdict(int)
    for spelling, variant in spellings(VARIANTS):
        is_space = "::cta" in spelling.mnemonic
        spelled["`.shared::cta` for `.shared`" if is_space else "`.rn` for none"] += 1
    lines += ["", "Other spellings of variants, which LLVM does not print:", ""]
    lines += [f"- {text}: {count}" for text, count in spelled.items()]
    return "\n".join(lines) + "\n"


def full_list(items, measured):
    """JSON with a line for each variant."""
    compiled, assembled, builtins = measured
    families = []
    for family in FAMILIES + WGMMA_FAMILIES + kernel.FAMILIES:
        lines = []
        for item in (item for item in items if item.family == family):
            has = (
                ("i", item in compiled),
                ("b", item.builtin in builtins),
                ("a", item in assembled),
                ("h", item.on_device),
            )
            entry = [
                item.instruction,
                str(item.target),
                (item.intrinsic or "").removeprefix("llvm.nvvm."),
                "".join(letter for letter, true in has if true),
            ]
            lines.append("   " + json.dumps(entry))
        families.append(f"  {json.dumps(family)}: [\n" + ",\n".join(lines) + "\n  ]")
    columns = ["instruction", "lowest target", "intrinsic: llvm.nvvm.", "has"]
    legend = {
        "i": "llc makes it of the intrinsic",
        "b": "clang has the builtin",
        "a": "ptxas assembles it",
        "h": f"{DEVICE.arch} has the instruction",
    }
    return (
        '{\n "generated_by": "utils/documentation/coverage.py",\n'
        f' "columns": {json.dumps(columns)},\n "has": {json.dumps(legend)},\n'
        ' "variants": {\n' + ",\n".join(families) + "\n }\n}\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--bin", default=str(ROOT / "build" / "bin"), help="llc, clang")
    parser.add_argument("--ptxas", default="ptxas")
    args = parser.parse_args()
    args.llc, args.clang = f"{args.bin}/llc", f"{args.bin}/clang"

    items = [*warp_items(), *wgmma_items(), *kernel_items()]
    measured = measure(args, items)
    table = rows(items, measured, device_results(RESULTS))
    pages = {PAGE: page(table, items), LIST: full_list(items, measured)}
    problems = [problem for row in table for problem in row.lacks()]
    problems += write_or_compare(pages, args.check)
    finish(problems, args.check, "complete")


if __name__ == "__main__":
    main()
