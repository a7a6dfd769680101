# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The page of what the programs of test/Device did."""

from .report import (
    open_points_section,
    origin_rows,
    probe_section,
    rounded_sums_section,
    table,
    test_time,
)
from .run import FAILED, NOT_RUN, PASSED

# What is compiled at several levels of optimization.
SAMPLE = "wgmma-sample"


def markdown(results):
    runs = results["runs"] + results["probes"]
    counts = [
        sum(r["result"] == result for r in runs) for result in (PASSED, FAILED, NOT_RUN)
    ]
    lines = [
        "# Results on the device",
        "",
        "Written by `utils/gpu_tests.py run`; not edited. Results are compared with the model in",
        "`model`: bit for bit, except where the ISA leaves something open: sums that",
        "round are within a bound, a NaN has any bits, subnormal inputs may count or not (what was",
        "seen is told below).",
        "",
        f"**{counts[0]} runs passed, {counts[1]} failed, {counts[2]} did not run.**",
        "",
    ]
    lines += table(
        ("", ""),
        [
            *origin_rows(results),
            ("Flags", f"`{results['flags']}`"),
            test_time(results),
        ],
    )

    def details(run):
        parts = [run[key] for key in ("reason", "summary") if run.get(key)]
        return "; ".join(parts + run.get("output", []))

    def table_of(*kinds):
        return table(
            ("command", "result", "exit code", "seconds", ""),
            [
                (
                    f"`{run['command']}`",
                    run["result"],
                    run.get("exit_code", ""),
                    run.get("seconds", ""),
                    details(run),
                )
                for run in results["runs"]
                if run["kind"] in kinds
            ],
        )

    lines += ["## Runs", "", *table_of("tests", "example")]
    levels = [run for run in results["runs"] if run["kind"] == "level"]
    if levels:
        lines += [
            f"## `{SAMPLE}` at other levels of optimization",
            "",
            "Where `ptxas` does not optimize, it may serialize wgmma and insert waits, as",
            "its notes say.",
            "",
        ]
        lines += table(
            ("flags", "result", "elements compared", "repaired by ptxas", ""),
            [
                (
                    f"`{run['flags']}`",
                    run["result"],
                    run["elements_compared"],
                    ", ".join(
                        f"{count} kernels ({note})"
                        for note, count in run["repaired"].items()
                    )
                    or "none",
                    details(run),
                )
                for run in levels
            ],
        )
    if any(run["kind"] == "sanitizer" for run in results["runs"]):
        lines += ["## Under compute-sanitizer", "", *table_of("sanitizer")]

    lines += rounded_sums_section(results["rounded_sums"])
    lines += open_points_section(results["notes"])
    lines += probe_section(results["probes"])

    def coverage_table(rows):
        return table(
            (
                "wgmma.mma_async",
                "N",
                "schedules",
                "swizzles",
                "immediates varied",
                "tests",
                "failed",
                "launches",
                "elements compared",
            ),
            [
                (
                    row["instruction"],
                    ", ".join(map(str, row["n"])),
                    ", ".join(row["schedules"]),
                    ", ".join(row["swizzles"]),
                    ", ".join(row["immediates"]),
                    row["tests"],
                    row["failed"],
                    row["launches"],
                    row["elements_compared"],
                )
                for row in rows
            ],
        )

    lines += [
        "## Instructions covered",
        "",
        "Scale-d off and on in every test. Loops ran several times with many CTAs.",
        "",
        *coverage_table(results["coverage"]),
    ]
    if results["intrinsics_coverage"]:
        lines += [
            "## Instructions covered, from LLVM's intrinsics",
            "",
            *coverage_table(results["intrinsics_coverage"]),
        ]
    for run in runs:
        if run["result"] != FAILED:
            continue
        lines += [f"## Failure of `{run['command']}`", "", "```"]
        lines += [f"{f['name']}: {f['fault']}" for f in run.get("failures", [])]
        lines += run.get("end_of_output", []) if not run.get("failures") else []
        lines += ["```", ""]
    return "\n".join(lines)
