#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Run many random wgmma programs, and write what came out.

  random_results.py --json docs/results/random.json --markdown docs/results/random.md

Three campaigns of build/bin/wgmma-random: programs that are compiled, executed as PTX
and judged; faults planted into right PTX; invalid programs. What is written comes from
the tool, the figures of parts of a campaign added up. Exit status: 0 without findings
and with nine of ten planted faults found that do harm, otherwise 1.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[2])
# Of one process: short enough to see progress, long enough to start seldom.
PART = 1000
# Of harmful planted faults, as the tool itself asks.
MUST_FIND = 0.9
CAMPAIGNS = {"run": "programs", "plant": "planted", "invalid": "invalid"}


def run_part(tool, mode, seed, count, options):
    """The figures and the exit status of one process."""
    with tempfile.TemporaryDirectory() as folder:
        figures = f"{folder}/figures.json"
        command = ["nice", tool, mode, "--seed", str(seed), "--count", str(count)]
        done = subprocess.run(
            [*command, "--json", figures, *options], capture_output=True, text=True
        )
        if not os.path.exists(figures):
            sys.exit(f"random_results.py: error: {' '.join(command)}: {done.stderr}")
        with open(figures) as file:
            return json.load(file), done


def add(total, part):
    """Adds numbers up, and objects by their keys; the seed stays the first."""
    for key, value in part.items():
        if isinstance(value, dict):
            add(total.setdefault(key, {}), value)
        elif key == "seed":
            total.setdefault(key, value)
        else:
            total[key] = total.get(key, 0) + value


def campaign(pool, tool, mode, seed, count, options):
    parts = [
        pool.submit(
            run_part, tool, mode, first, min(PART, seed + count - first), options
        )
        for first in range(seed, seed + count, PART)
    ]
    total = {}
    for number, part in enumerate(parts, 1):
        figures, done = part.result()
        add(total, figures)
        for line in done.stdout.splitlines():
            if line.startswith("seed-"):
                print(line)
        print(f"{mode}: {number} of {len(parts)} parts", flush=True)
    return total


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines] + [
        ""
    ]


def programs_section(programs):
    lines = [
        "## Valid programs",
        "",
        f"{programs['programs']:,} programs from seed {programs['seed']} on:"
        f" {programs['with_findings']:,} with findings, {programs['not_judged']:,} not judged.",
        "A level is a pipeline (`s`: always-inliner and SROA; `0` to `3`: those of `-O`) and the",
        "`-O` of code generation. Waits and fences are those that the compiler added.",
        "",
    ]
    columns = (
        "compiled",
        "wgmma_executed",
        "with_findings",
        "with_waits_added",
        "with_fences_added",
        "with_warnings",
    )
    lines += table(
        ["level", *(column.replace("_", " ") for column in columns)],
        [
            [f"`{level}`", *(f"{figures[column]:,}" for column in columns)]
            for level, figures in sorted(programs["levels"].items())
        ],
    )
    if programs["findings"]:
        lines += table(
            ["finding", "compilations"],
            [
                [kind, f"{count:,}"]
                for kind, count in sorted(programs["findings"].items())
            ],
        )
    return lines


def figures_section(title, text, figures):
    rows = {key: row for key, row in figures.items() if isinstance(row, dict)}
    columns = list(next(iter(rows.values())))
    return [
        f"## {title}",
        "",
        text,
        "",
        *table(
            ["", *(column.replace("_", " ") for column in columns)],
            [
                [key, *(f"{row[column]:,}" for column in columns)]
                for key, row in rows.items()
            ],
        ),
    ]


def markdown(results):
    lines = [
        "# Random wgmma programs",
        "",
        f"Written by `utils/documentation/random_results.py`, of commit {results['commit']}.",
        "",
    ]
    lines += programs_section(results["programs"])
    lines += figures_section(
        "Planted faults",
        "Each in PTX that was right. Harm is another result in executions that the check does not make.",
        results["planted"],
    )
    lines += figures_section(
        "Invalid programs",
        "Each must give one error; of a target without the instruction, one for each call. Those that"
        " do not obey the protocol are no errors.",
        results["invalid"],
    )
    return "\n".join(lines)


def commit():
    command = ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tool", default=f"{ROOT}/build/bin/wgmma-random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=200000)
    parser.add_argument("--planted", type=int, default=20000)
    parser.add_argument("--invalid", type=int, default=20000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument(
        "--commit", default=commit(), help="of the tool, where there is no git"
    )
    parser.add_argument("--json", required=True)
    parser.add_argument("--markdown", required=True)
    args = parser.parse_args()
    results = {"commit": args.commit}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for mode, name in CAMPAIGNS.items():
            count = args.programs if mode == "run" else getattr(args, name)
            options = ["--size", "4"] if mode == "plant" else []
            results[name] = campaign(pool, args.tool, mode, args.seed, count, options)
    with open(args.json, "w") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    with open(args.markdown, "w") as file:
        file.write(markdown(results))
    found = results["planted"]["all"]
    enough = found["harmful_found"] >= MUST_FIND * found["harmful"] > 0
    programs = results["programs"]
    return 0 if enough and not programs["with_findings"] + programs["not_judged"] else 1


if __name__ == "__main__":
    sys.exit(main())
