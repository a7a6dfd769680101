#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Measure what the patches cost, and write docs/results/cost.{json,md}.

  benchmarks/run.py [BUILD_DIR]

Exit status: 0 when all limits hold, 1 when one is exceeded, 2 when something
could not be measured.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, f"{ROOT}/utils")

from build_commands import Build
from device.build import git_state
from device.run import output_of
from kernel_cost import kernel_cost
from library_cost import library_cost
from llc_cost import llc_cost
from measure import CommandFailed
from report import markdown


def machine():
    """What the times depend on. The load is that before the measurements."""
    with open("/proc/cpuinfo") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    return {
        "cpu": model[1] if model else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 1),
    }


def check_tools(build):
    missing = [name for name in ("valgrind", "taskset") if not shutil.which(name)]
    missing += [path for path in (build.llc, build.clang) if not os.path.exists(path)]
    if missing:
        raise ValueError(f"missing: {', '.join(missing)}")


def measure(args):
    build = Build(args.build)
    check_tools(build)
    ptxas = shutil.which(f"{build.cuda}/bin/ptxas") or shutil.which("ptxas")
    folder = f"{build.directory}/benchmarks{'-quick' if args.quick else ''}"
    os.makedirs(folder, exist_ok=True)
    now = datetime.datetime.now(datetime.timezone.utc)
    results = {
        "date": now.strftime("%Y-%m-%d %H:%M UTC"),
        "git": git_state(ROOT),
        "machine": machine(),
        "compiler": output_of([build.clang, "--version"]).splitlines()[0],
        "quick": args.quick,
    }
    parts = {
        "kernel": lambda: kernel_cost(
            build, folder, ptxas, args.kernel_rounds, args.quick
        ),
        "llc": lambda: llc_cost(build, folder, args.quick),
        "library": lambda: library_cost(build, folder, args.library_rounds, args.quick),
    }
    for part in args.only or parts:
        print(f"{part} ...", flush=True)
        results[part] = parts[part]()
    return results


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "build", nargs="?", default=f"{ROOT}/build", help="build directory"
    )
    parser.add_argument(
        "--output",
        default=f"{ROOT}/docs/results",
        help="where cost.json and cost.md go (default: docs/results)",
    )
    parser.add_argument("--only", nargs="+", choices=("kernel", "llc", "library"))
    parser.add_argument("--kernel-rounds", type=positive, default=9, metavar="N")
    parser.add_argument("--library-rounds", type=positive, default=1, metavar="N")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="a sample of each part, to see that it runs; its figures mean nothing",
    )
    args = parser.parse_args()
    try:
        results = measure(args)
    except (CommandFailed, ValueError, subprocess.CalledProcessError) as error:
        print(f"run.py: error: {error}", file=sys.stderr)
        return 2
    os.makedirs(args.output, exist_ok=True)
    with open(f"{args.output}/cost.json", "w") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    with open(f"{args.output}/cost.md", "w") as file:
        file.write(markdown(results))
    measured = [
        results[part] for part in ("kernel", "llc", "library") if part in results
    ]
    return 0 if args.quick or all(part["holds"] for part in measured) else 1


if __name__ == "__main__":
    sys.exit(main())
