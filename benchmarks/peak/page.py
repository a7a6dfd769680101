# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What peak.py measured, as a page with plots."""

import json
import os

import svg
from device.report import or_unknown, table
from peak import WARPGROUPS, ideal_cycles

# N whose numbers stand on the page; all are in the JSON and the plots.
SHOWN_N = (8, 16, 32, 64, 96, 128, 160, 192, 224, 256)
FORMS = ("dense, ss", "dense, rs", "sparse, ss", "sparse, rs")
# A tile is large enough where it reaches this part of the peak.
ENOUGH = 0.95
PLOTTED_WARPGROUPS = 2


def form_of(variant):
    return f"{'sparse' if variant['sparse'] else 'dense'}, {variant['form']}"


def read(path):
    """{"cycles": {types: {form: {N: {warpgroups: cycles}}}}, ...}, and the variants
    by types, form and N."""
    results = {"cycles": {}, "load": [], "left_out": None}
    variants = {}
    with open(path) as file:
        for line in map(json.loads, file):
            variant = line.pop("variant", None)
            if variant is None:
                results.update(line)
                continue
            types, form, n = variant["types"], form_of(variant), variant["n"]
            if "load" in line:
                results["load"].append(
                    {"types": types, "form": form, "n": n, "zeros": line["zeros"]}
                    | line["load"]
                )
                continue
            variants[types, form, n] = variant
            of_n = results["cycles"].setdefault(types, {}).setdefault(form, {})
            of_n[n] = {int(count): c for count, c in line["cycles"].items()}
    return results, variants


class Fractions:
    """Of the datasheet's peak, for what was measured."""

    def __init__(self, results, variants):
        self.cycles = results["cycles"]
        self.variants = variants

    def of(self, types, form, n, warpgroups):
        """None where it was not measured, or the datasheet has no peak."""
        cycles = self.cycles[types].get(form, {}).get(n, {}).get(warpgroups)
        ideal = cycles and ideal_cycles(self.variants[types, form, n])
        return ideal / cycles if ideal else None

    def best(self, types, form, n):
        values = (self.of(types, form, n, count) for count in WARPGROUPS)
        return max((value for value in values if value), default=None)

    def least_n(self, types, form, warpgroups):
        """The N from which on all reach ENOUGH, or None."""
        least = None
        for n in sorted(self.cycles[types].get(form, {}), reverse=True):
            fraction = self.of(types, form, n, warpgroups)
            if fraction is None:
                continue
            if fraction < ENOUGH:
                break
            least = n
        return least


def percent(fraction):
    return "-" if fraction is None else f"{100 * fraction:.1f}"


def tiles_section(fractions, families):
    """What follows for tiles, of what was measured alone."""
    rows = []
    for types in families:
        for form in FORMS:
            if form not in fractions.cycles[types]:
                continue
            if all(fractions.best(types, form, n) is None for n in SHOWN_N):
                continue
            least = [fractions.least_n(types, form, count) for count in WARPGROUPS]
            peaks = [
                (fractions.best(types, form, n) or 0, n)
                for n in fractions.cycles[types][form]
            ]
            best, n = max(peaks)
            rows.append(
                (f"`{types}`", form)
                + tuple("-" if value is None else value for value in least)
                + (f"{percent(best)} at {n}",)
            )
    head = ("types", "") + tuple(
        f"{count} warpgroup{'s' if count > 1 else ''}" for count in WARPGROUPS
    )
    return [
        "## What follows for tiles",
        "",
        f"The least N from which on each N reaches {ENOUGH:.0%} of the datasheet's peak, by the",
        "number of warpgroups of a multiprocessor that multiply (four where their accumulators fit:",
        'up to 64 registers of a thread). "-": it is not reached at the largest N that was measured.',
        "",
        *table(head + ("highest, %",), rows),
    ]


def load_section(results):
    if not results["load"]:
        return []
    rows = [
        (f"`{row['types']}`", row["form"], row["n"])
        + ("zeros" if row["zeros"] else "random", row["tflops"], row["cycles"])
        + (f"{row['counted_mhz']} MHz", f"{or_unknown(row['mhz'])} MHz")
        + (f"{or_unknown(row['watts'])} W", ", ".join(row["reasons"]))
        for row in results["load"]
    ]
    return [
        "## Under load",
        "",
        "What is left of it when all multiprocessors do it for a while: two warpgroups each, the",
        "largest N, elements with random bits, and all zero. TFLOP/s (TOP/s); of a sparse A with its",
        "zeros. *Cycles*: of a multiprocessor for each instruction, as below, in the last launch; the",
        "*counted* clock is that launch's cycles by the mean time of a launch. Then clock and power by",
        "NVML, with its reasons for a lower clock.",
        "",
        *table(
            (
                "types",
                "",
                "N",
                "elements",
                "rate",
                "cycles",
                "counted",
                "clock",
                "power",
            )
            + ("",),
            rows,
        ),
    ]


def family_section(fractions, types, plot):
    forms = [form for form in FORMS if form in fractions.cycles[types]]
    columns = [(form, count) for form in forms for count in WARPGROUPS]
    rows = []
    for n in SHOWN_N:
        cells = []
        for form, count in columns:
            cycles = fractions.cycles[types][form].get(n, {}).get(count)
            fraction = fractions.of(types, form, n, count)
            share = "" if fraction is None else f" ({percent(fraction)})"
            cells.append("-" if cycles is None else f"{cycles:.1f}{share}")
        if any(cell != "-" for cell in cells):
            rows.append((n, *cells))
    head = ("N", *(f"{form}, {count}" for form, count in columns))
    lines = [f"### `{types}`", ""]
    if plot:
        lines += [f"![{types}]({plot})", ""]
    return lines + table(head, rows)


HOW = [
    "One kernel for each instruction, in LLVM IR, from its intrinsic: warpgroups that do nothing",
    "but multiply, each with an accumulator and an A of its own and with B in common, both in",
    "lines of 128 bytes with the 128-byte swizzle, K contiguous. Sixteen instructions are committed",
    "at a time, and waited for when the next sixteen have been issued. A block on each",
    "multiprocessor; `clock64` before the first instruction and after the last sum. Cycles are",
    "those of a multiprocessor for each instruction: the median of all blocks, in the fastest of",
    "three launches.",
    "",
    "The datasheet's peak is 989.4 TFLOP/s of f16, dense. At 1,830 MHz 132 multiprocessors make",
    "that when each does 2,048 multiplications with an addition in a cycle: 989.4e12 / (2 × 132 ×",
    "1.83e9). An instruction of 64 × N × 16 then takes N / 2 cycles. Of tf32 it is half of that,",
    "of 8 bits twice that, and of a sparse A twice again, its zeros counted. Of b1 the datasheet",
    "says nothing. As cycles are counted, a lower clock under load does not show here; it does",
    "[below](#under-load).",
]


def markdown(results, variants, plots):
    fractions = Fractions(results, variants)
    machine = results["machine"]
    commit = or_unknown(results["git"]["commit"])
    if results["git"]["modified"]:
        commit += ", with uncommitted changes"
    lines = ["# The peak of each wgmma", ""]
    lines += ["Written by `benchmarks/peak/peak.py`; not edited.", ""]
    if results["left_out"] != 0:
        what = results["left_out"] or "Some"
        lines += [f"**{what} measurements were not made.**", ""]
    lines += table(
        ("", ""),
        [
            ("Date", results["date"]),
            ("Commit", commit),
            ("ptxas", results["ptxas"]),
            ("GPU", f"{machine['gpu']}, {machine['multiprocessors']} multiprocessors"),
            ("Driver", or_unknown(machine.get("driver"))),
            ("Power limit", f"{machine.get('power_limit_watts')} W"),
            ("Instructions", len(variants)),
        ],
    )
    lines += ["## How", "", *HOW, ""]
    families = list(results["cycles"])
    lines += tiles_section(fractions, families)
    lines += load_section(results)
    lines += [
        "## Cycles",
        "",
        "Of a multiprocessor for each instruction, with one, two and four warpgroups; in parentheses",
        "the percentage of the datasheet's peak. The plots have each N, with two warpgroups.",
        "",
    ]
    for types in families:
        lines += family_section(fractions, types, plots.get(types))
    return "\n".join(lines)


def chart(fractions, types):
    """The fraction against N, or None where there is no peak to compare with."""
    series = {}
    for form in FORMS:
        points = [
            (n, 100 * fraction)
            for n in sorted(fractions.cycles[types].get(form, {}))
            for fraction in (fractions.of(types, form, n, PLOTTED_WARPGROUPS),)
            if fraction
        ]
        if points:
            series[form] = points
    if not series:
        return None
    title = f"wgmma, {types}: two warpgroups"
    return svg.lines(title, "N", "% of the datasheet's peak", series, largest=100)


def write(paths, folder):
    (path,) = paths
    results, variants = read(path)
    os.makedirs(folder, exist_ok=True)
    fractions, plots = Fractions(results, variants), {}
    for types in results["cycles"]:
        drawn = chart(fractions, types)
        if drawn:
            plots[types] = f"peak-{types}.svg"
            with open(f"{folder}/{plots[types]}", "w") as file:
                file.write(drawn)
    with open(f"{folder}/peak.json", "w") as file:
        json.dump(results, file, separators=(",", ":"))
        file.write("\n")
    with open(f"{folder}/peak.md", "w") as file:
        file.write(markdown(results, variants, plots))
