# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What is run of the programs of test/Device, and what they covered."""

import re

from .run import (
    FAILED,
    NOT_RUN,
    PASSED,
    SANITIZERS,
    Runner,
    origin,
    exit_status,
    prepare_run,
    run_together,
    seed_options,
    write_results,
)
from .report import open_points, rounded_sums
from .warpgroup_page import SAMPLE, markdown


EXAMPLE = "sparse_gemm"
EXAMPLE_SIZES = (512, 4096)
# Made of LLVM IR; the other programs, by Clang.
INTRINSICS = "wgmma-intrinsics"
SAMPLE_LAUNCHES = 20
# So that nothing waits for them in the end, they begin first.
LONGEST = (INTRINSICS, SAMPLE)
# Of the sample, the instructions whose layouts are read off the device: of the sparse ones
# each type of A, which N = 8 has with selector 0 and N = 24 with selector 1 and the others'
# transposes, and of the dense ones a type, with A in registers and in shared memory.
PROBED_TESTS = tuple(
    f"single/sp.{form}.{types}.n{n}"
    for types in (
        "f32.f16.f16",
        "f32.bf16.bf16",
        "f32.tf32.tf32",
        "f32.e4m3.e4m3",
        "f32.e5m2.e5m2",
        "s32.s8.s8",
        "s32.u8.u8",
    )
    for form in ("rs", "ss")
    for n in (8, 24)
) + ("single/rs.f32.f16.f16.n24", "single/ss.f32.f16.f16.n24")
# compute-sanitizer slows a kernel down by orders of magnitude.
SANITIZED_SIZES = (512, 256, 512)
SANITIZED_TESTS = (".n8",)


class WarpgroupRunner(Runner):
    def test_program(self, name, launches, seed, kind="tests"):
        """Runs a program of the device tests. What it covered comes from it."""
        options = ["--launches", str(launches)] if launches else []
        options += seed_options(seed)
        record, tests = self.execute_reporting(
            kind, [f"./{name}", "--json", "FILE", *options]
        )
        tests = tests or []
        record["passed"] = sum(test["passed"] for test in tests)
        record["failed"] = len(tests) - record["passed"]
        record["elements_compared"] = sum(test["elements_compared"] for test in tests)
        record["launches"] = sum(test["launches"] for test in tests)
        record["failures"] = [
            {"name": test["name"], "fault": test["fault"]}
            for test in tests
            if not test["passed"]
        ]
        if record["result"] == PASSED and not tests:
            record["result"], record["reason"] = FAILED, "it ran no test"
        if record["result"] != NOT_RUN:
            record["summary"] = f"{record['passed']} passed, {record['failed']} failed"
        return self.report(record), tests

    def example(self, size):
        record, output = self.execute("example", [f"./{EXAMPLE}"] + [str(size)] * 3)
        record["output"] = [
            line
            for line in output.splitlines()
            if re.match(r"(Result|First wrong element|Time|PASS|FAIL)\b", line)
        ]
        return self.report(record)


def name_of(parameters):
    """An instruction's operands and types, as PTX names them."""
    sparse = "sp." if parameters["sparse"] else ""
    return f"{sparse}{'.'.join(parameters[key] for key in ('a_source', 'd', 'a', 'b'))}"


def coverage(tests):
    """What was tested of each instruction, by its PTX operands and types."""
    rows = {}
    for test in tests:
        p = test["parameters"]
        key = name_of(p)
        row = rows.setdefault(
            key,
            {
                "instruction": key,
                "n": set(),
                "schedules": set(),
                "swizzles": set(),
                "immediates": {},
                "tests": 0,
                "failed": 0,
                "launches": 0,
                "elements_compared": 0,
            },
        )
        row["n"].add(p["n"])
        row["schedules"].add(p["schedule"])
        row["swizzles"].update(p["swizzles"])
        for immediate in (
            "selector",
            "scale_a",
            "scale_b",
            "trans_a",
            "trans_b",
            "satfinite",
        ):
            row["immediates"].setdefault(immediate, set()).add(p[immediate])
        row["tests"] += 1
        row["failed"] += not test["passed"]
        row["launches"] += test["launches"]
        row["elements_compared"] += test["elements_compared"]
    for row in rows.values():
        row["n"] = sorted(row["n"])
        row["schedules"] = sorted(row["schedules"])
        # By width, after "none".
        row["swizzles"] = sorted(
            row["swizzles"], key=lambda s: (s.isdigit(), len(s), s)
        )
        row["immediates"] = {
            name: sorted(values)
            for name, values in row["immediates"].items()
            if len(values) > 1
        }
    return list(rows.values())


def run(args):
    manifest = prepare_run(args)
    if manifest is None:
        return 2

    runner = WarpgroupRunner(args.folder, args.timeout)
    results = origin(manifest, "flags")
    results |= {
        "jobs": args.jobs,
        "seed": args.seed,
        "runs": [],
        "probes": [],
    }
    programs = [name for name in manifest["programs"] if name != EXAMPLE]
    calls = {
        name: (runner.test_program, name, args.launches, args.seed)
        for name in sorted(programs, key=lambda name: name not in LONGEST)
    }
    for level in manifest["levels"]:
        name = level["program"]
        calls[name] = (runner.test_program, name, SAMPLE_LAUNCHES, args.seed, "level")
    if SAMPLE in programs:
        calls["probe"] = (
            runner.probe,
            [f"./{SAMPLE}", "--probe", *PROBED_TESTS],
            [test.split("/")[1] for test in PROBED_TESTS],
        )
    done, results["test_seconds"] = run_together(args.jobs, calls)

    tests, intrinsics_tests, sanitized = [], [], []
    for name in programs:
        record, own_tests = done[name]
        results["runs"].append(record)
        (intrinsics_tests if name == INTRINSICS else tests).extend(own_tests)
    # What follows is alone on the machine.
    if EXAMPLE in manifest["programs"]:
        results["runs"] += [runner.example(size) for size in EXAMPLE_SIZES]
        sanitized.append([f"./{EXAMPLE}", "--check-only", *map(str, SANITIZED_SIZES)])
    for level in manifest["levels"]:
        record, _ = done[level["program"]]
        results["runs"].append({**record, **level})
    if SAMPLE in programs:
        sanitized.append([f"./{SAMPLE}", "--launches", "1", *SANITIZED_TESTS])
        results["probes"].append(done["probe"])
    results["runs"] += [
        runner.sanitizer(tool, program) for program in sanitized for tool in SANITIZERS
    ]
    results["rounded_sums"] = rounded_sums(
        (name_of(test["parameters"]), test["rounded_sums"])
        for test in tests + intrinsics_tests
        if "rounded_sums" in test
    )
    results["notes"] = open_points(
        (name_of(test["parameters"]), test["note"])
        for test in tests + intrinsics_tests
        if "note" in test
    )
    results["coverage"] = coverage(tests)
    results["intrinsics_coverage"] = coverage(intrinsics_tests)

    write_results(args, results, markdown(results))
    return exit_status({r["result"] for r in results["runs"] + results["probes"]})
