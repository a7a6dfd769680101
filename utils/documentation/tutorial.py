#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Measure the programs of the tutorial, and write the tables of docs/tutorial.

  tutorial.py build          compile examples/tutorial/*.cu and examples/attention.cu
                             into a folder that needs no LLVM and no CUDA toolkit
  tutorial.py run FOLDER     run all programs in it on this machine's GPU, print
                             what they print, and write it as JSON
  tutorial.py write          put the numbers of that JSON into the pages; with
                             --check only compare

Each program checks its results. Exit status: 0; 1 when something failed, or a page is
not what would be written; 3 when there is no suitable GPU.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[2])
RESULTS = f"{ROOT}/docs/results/tutorial.json"
PAGES = f"{ROOT}/docs/tutorial"
NOT_MEASURED = "Not measured yet."


def sources():
    """Each program with its source."""
    folder = f"{ROOT}/examples/tutorial"
    names = sorted(n[:-3] for n in os.listdir(folder) if n.endswith(".cu"))
    programs = {name: f"{folder}/{name}.cu" for name in names}
    return programs | {"attention": f"{ROOT}/examples/attention.cu"}


def build(args):
    cuda = args.cuda_path
    os.makedirs(args.out, exist_ok=True)
    for name, source in sources().items():
        command = [f"{args.build_dir}/bin/clang++", "-O3", "-std=c++17"]
        command += ["--cuda-gpu-arch=sm_90a", f"--cuda-path={cuda}", source]
        command += ["-o", f"{args.out}/{name}", f"-L{cuda}/lib64"]
        command += ["-lcudart_static", "-ldl", "-lrt", "-lpthread"]
        if subprocess.run(command).returncode:
            return 1
        print(f"built {name}", flush=True)
    return 0


def gpu():
    """What the device is, as nvidia-smi tells."""
    fields = ["name", "driver_version", "clocks.max.sm", "power.limit"]
    query = ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader"]
    try:
        output = subprocess.run(query, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return dict.fromkeys(fields, "unknown")
    return dict(zip(fields, output.stdout.splitlines()[0].split(", ")))


def run(args):
    results = {"gpu": gpu(), "programs": {}}
    statuses = set()
    for name in sorted(os.listdir(args.folder)):
        program = os.path.abspath(f"{args.folder}/{name}")
        print(f"== {name}", flush=True)
        with subprocess.Popen([program], stdout=subprocess.PIPE, text=True) as process:
            alarm = threading.Timer(args.timeout, process.kill)
            alarm.start()
            lines = []
            for line in process.stdout:
                print(line, end="", flush=True)
                lines.append(line.rstrip("\n"))
            alarm.cancel()
        statuses.add(process.returncode)
        results["programs"][name] = {"status": process.returncode, "lines": lines}
    if 3 in statuses:
        return 3
    with open(args.json, "w") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    return 1 if statuses != {0} else 0


def matches(results, program, pattern):
    """The groups of each line of a program that the pattern matches as a whole."""
    for line in results["programs"][program]["lines"]:
        if match := re.fullmatch(pattern, line):
            yield match.groups()


def table(header, rows):
    lines = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows])


RATE = r"PASSED, [\d.]+ ms, ([\d.]+) TFLOP/s"
CUBES = (4096, 8192)


def steps_table(results):
    titles = {
        "step1_one_wgmma": "one wgmma at a time",
        "step2_tile_loop": "tiles, `cp.async`",
        "step3_tma": "TMA and mbarriers",
        "step4_pipeline": "warpgroups specialized",
        "step5_cluster": "clusters, multicast",
        "step6_persistent": "persistent, TMA stores",
    }
    rows = []
    for number, (program, title) in enumerate(titles.items(), 1):
        rate = dict(matches(results, program, rf"\w+ (\d+) x \1 x \1: {RATE}"))
        rows.append([str(number), title] + [rate[str(cube)] for cube in CUBES])
    return table(["step", ""] + [f"TFLOP/s, {cube}^3" for cube in CUBES], rows)


def tiles_table(results):
    pattern = rf"tiles (\d+)x(\d+), stages (\d+), cluster (\d+), .*: {RATE}"
    return table(
        ["tile", "stages", "cluster", "TFLOP/s, 8192^3"],
        [
            [f"{rows} x {columns}", stages, cluster, rate]
            for rows, columns, stages, cluster, rate in matches(
                results, "tiles", pattern
            )
        ],
    )


def scale_d_table(results):
    pattern = r"scale_d K (\d+), (\w+): PASSED, (\d+) cycles"
    cycles = {
        (int(k), how): int(count)
        for k, how, count in matches(results, "scale_d", pattern)
    }
    rows = []
    for k in sorted({k for k, _ in cycles}):
        zeros, without = cycles[k, "zeros"], cycles[k, "scale_d"]
        saved = f"{100 * (zeros - without) / zeros:.1f} %"
        rows.append([str(k), str(zeros), str(without), saved])
    return table(["K", "cycles, zeros", "cycles, `scale_d`", "saved"], rows)


def attention_table(results):
    pattern = (
        r"PASSED (f16), head (\d+), length (\d+), (\d+) heads, (\w+): .*, (\d+) TFLOP/s"
    )
    rows = [
        row for row in matches(results, "attention", pattern) if int(row[2]) >= 4096
    ]
    return table(["type", "head", "length", "heads", "sees", "TFLOP/s"], rows)


TABLES = {
    "steps": steps_table,
    "tiles": tiles_table,
    "scale-d": scale_d_table,
    "attention": attention_table,
}


def measured(results, name):
    """What stands between a table's marks."""
    if not results:
        return NOT_MEASURED
    gpu = results["gpu"]
    where = f"{gpu['name']}, driver {gpu['driver_version']}"
    where += f", up to {gpu['clocks.max.sm']} and {gpu['power.limit']}."
    return f"{TABLES[name](results)}\n\n{where}"


def read_results(path):
    if not os.path.exists(path):
        return None
    with open(path) as file:
        results = json.load(file)
    failed = [n for n, p in results["programs"].items() if p["status"]]
    if failed:
        sys.exit(f"error: these programs failed: {', '.join(failed)}")
    return results


def write(args):
    results = read_results(args.json)
    seen, status = set(), 0
    for page in sorted(os.listdir(args.pages)):
        path = f"{args.pages}/{page}"
        with open(path) as file:
            old = file.read()

        def fill(match):
            seen.add(match[1])
            start, end = f"<!-- measured: {match[1]} -->", "<!-- end -->"
            return f"{start}\n{measured(results, match[1])}\n{end}"

        pattern = r"<!-- measured: ([\w-]+) -->\n.*?<!-- end -->"
        new = re.sub(pattern, fill, old, flags=re.DOTALL)
        if new != old and args.check:
            print(
                f"error: {page} is not what utils/documentation/tutorial.py write makes of it"
            )
            status = 1
        elif new != old:
            with open(path, "w") as file:
                file.write(new)
    if missing := sorted(set(TABLES) - seen):
        print(f"error: no page has the tables {', '.join(missing)}")
        status = 1
    return status


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("build")
    command.add_argument("--build-dir", default=f"{ROOT}/build")
    command.add_argument("--out", default=f"{ROOT}/build/tutorial")
    cuda = os.environ.get("CUDA_PATH", "/usr/local/cuda")
    command.add_argument("--cuda-path", default=cuda)
    command.set_defaults(function=build)
    command = commands.add_parser("run")
    command.add_argument("folder")
    command.add_argument("--json", default=RESULTS)
    command.add_argument("--timeout", type=float, default=120, help="of each, seconds")
    command.set_defaults(function=run)
    command = commands.add_parser("write")
    command.add_argument("--json", default=RESULTS)
    command.add_argument("--pages", default=PAGES)
    command.add_argument("--check", action="store_true")
    command.set_defaults(function=write)
    args = parser.parse_args()
    sys.exit(args.function(args))


if __name__ == "__main__":
    main()
