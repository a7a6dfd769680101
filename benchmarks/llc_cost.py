# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What the patches cost llc on code that has no matrix instruction.

Counted by callgrind: the instructions of a run do not depend on what else the
machine does.
"""

import concurrent.futures
import os
import re
import subprocess

from measure import cpu_seconds, growth, instructions
from unpatched_llc import build_unpatched_llc

LIMIT_PERCENT = 1
SIMT = f"{os.path.dirname(os.path.abspath(__file__))}/inputs/simt.cu"
LEVELS = ("-O0", "-O3")
# The target that has the matrix instructions.
TARGET = ["-mcpu=sm_90a", "-mattr=+ptx80"]
MATRIX = re.compile(r"mma|matrix")
RUN_LINE = re.compile(r"^; RUN:(?!.*\bnot\b).*\bllc\b(.*)", re.MULTILINE)


def llvm_tests(folder, count):
    """The longest of LLVM's NVPTX tests without matrix instructions, each with
    the options that say what it is compiled for."""
    found = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".ll"):
            continue
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            text = file.read()
        run = RUN_LINE.search(text)
        if run and not MATRIX.search(text):
            options = re.findall(r"-(?:march|mtriple|mcpu|mattr)=\S+", run[1])
            found.append((text.count("\n"), f"{folder}/{name}", options))
    longest = sorted(found, reverse=True)[:count]
    return [(path, options) for _, path, options in longest]


def without_debug_info(llc, output, strip):
    """valgrind gives up on debug info newer than itself."""
    subprocess.run([strip, "--strip-debug", llc, "-o", output], check=True)
    return output


def inputs(build, folder, levels, tests):
    """Yields what is compiled, where it is, at which level and with which options."""
    empty = f"{folder}/empty.ll"
    with open(empty, "w") as file:
        file.write('target triple = "nvptx64-nvidia-cuda"\n')
    for level in levels:
        yield "start-up: an empty module", empty, level, TARGET
        simt = f"{folder}/simt{level}.ll"
        options = [
            level,
            "--cuda-gpu-arch=sm_90a",
            "--cuda-feature=+ptx80",
            "-emit-llvm",
        ]
        cpu_seconds(build.device_compile(options, SIMT, simt))
        yield "benchmarks/inputs/simt.cu", simt, level, TARGET
        for path, options in tests:
            yield os.path.basename(path), path, level, options


def llc_cost(build, folder, quick=False):
    """Measures, and returns what was measured."""
    os.makedirs(folder, exist_ok=True)
    # A quick run is not about the figures.
    unpatched = (
        build.llc if quick else build_unpatched_llc(build, f"{folder}/unpatched")
    )
    strip = f"{build.package}/bin/llvm-strip"
    # Names of one length: where the arguments lie in memory, and with that the
    # instructions that are counted, depends on it.
    tools = {
        "patched": without_debug_info(build.llc, f"{folder}/llc-patched", strip),
        "unpatched": without_debug_info(unpatched, f"{folder}/llc-without", strip),
        "packaged": f"{build.package}/bin/llc",
    }
    test_folder = f"{build.pristine}/llvm/test/CodeGen/NVPTX"
    tests = [] if quick else llvm_tests(test_folder, count=20)
    tests += [(path, ["-mtriple=nvptx64", *TARGET]) for path, _ in tests[:3]]

    def measure(case):
        what, path, level, options = case
        counts = {
            tool: instructions([llc, level, *options, path, "-o", "/dev/null"])
            for tool, llc in tools.items()
        }
        with open(path, encoding="utf-8") as file:
            lines = sum(1 for _ in file)
        return {
            "input": what,
            "lines": lines,
            "options": " ".join([level, *options]),
            **counts,
            "growth_percent": growth(counts["unpatched"], counts["patched"]),
            "growth_over_packaged_percent": growth(
                counts["packaged"], counts["patched"]
            ),
        }

    levels = LEVELS[:1] if quick else LEVELS
    cases = list(inputs(build, folder, levels, tests))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(measure, cases))
    totals = []
    for level in levels:
        before, after = (
            sum(row[tool] for row in rows if row["options"].startswith(level))
            for tool in ("unpatched", "patched")
        )
        totals.append({"level": level, "growth_percent": growth(before, after)})
    worst = max(row["growth_percent"] for row in rows)
    return {
        "limit_percent": LIMIT_PERCENT,
        "holds": worst < LIMIT_PERCENT,
        "worst_percent": worst,
        "totals": totals,
        "rows": rows,
    }
