#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Carry the tests of the warp-level instructions to a GPU machine, and run them.

  gpu_warp_tests.py build       make the kernels and the program of test/Device/warp
                                in a folder that needs no LLVM and no CUDA toolkit
  gpu_warp_tests.py run FOLDER  run all kernels (with Python alone), some routes at a
                                time, and some kernels under compute-sanitizer, read
                                the layouts of mma.sp off the device, and write what
                                happened as JSON and as Markdown

The folder holds a copy of this script and of the package device. The kernels are made in several ways, called
routes: from the intrinsics and from the builtins, at several levels of optimization
and with debug information. An instruction counts as passed if it did in each way that
was built. What `run` writes comes from the program and from nvidia-smi.

Exit status of `build`: 0, or 1 when something could not be built. Of `run`: 0 when
everything ran and passed, 1 when something failed, 2 for wrong usage, 3 when
nothing failed but something did not run.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile

from device.build import (
    LEVELS,
    ROOT,
    USUAL_LEVEL,
    WARP_HARNESS,
    call,
    compile_program,
    finish,
    prepare,
)
from device.options import add_build_options, add_jobs_and_seed, add_run_options
from device.report import (
    open_points,
    open_points_section,
    origin_rows,
    probe_section,
    rounded_sums,
    rounded_sums_section,
    table,
    test_time,
)
from device.run import (
    FAILED,
    NOT_RUN,
    SANITIZERS,
    Runner,
    origin,
    exit_status,
    prepare_run,
    run_together,
    seed_options,
    write_results,
)

PROGRAM = "warp"
# {name: (what the kernels are made from, options of the compiler)}
ROUTES = {
    "intrinsics": ("intrinsics", USUAL_LEVEL),
    "builtins": ("builtins", USUAL_LEVEL),
    "intrinsics-O0": ("intrinsics", "-O0"),
    **{f"builtins-{level}": ("builtins", options) for level, options in LEVELS.items()},
}
# Some of each family, as parts of the kernels' names. A test of wmma runs a load for
# each matrix, a wmma.mma and a store.
SANITIZED_ROUTE = "builtins"
SANITIZED_KERNELS = (
    "wmma_m16n16k16_mma_row_row_f32_f32",
    "wmma_m16n16k16_store_d_row_f32",
    "wmma_m16n16k16_load_a_row_f16",
    "wmma_m8n8k4_mma_row_col_f64",
    "mma_m16n8k16_row_col_f32_f32",
    "mma_m16n8k32_row_col_s8",
    "mma_sp_m16n8k32_row_col_f32_f32",
    "mma_sp_ordered_metadata_m16n8k64_row_col_s8",
    "ldmatrix",
    "stmatrix",
    "movmatrix",
)
# The route whose kernels of mma.sp show their layouts.
PROBED_ROUTE = "intrinsics"
# The order of the page.
FAMILIES = (
    "wmma.load",
    "wmma.mma",
    "wmma.store",
    "mma",
    "mma.sp",
    "mma.sp::ordered_metadata",
    "ldmatrix",
    "stmatrix",
    "movmatrix",
    "mma.block_scale",
    "mma.sp::ordered_metadata.block_scale",
)
COUNTS = ("variants_run", "variants_passed", "elements_compared")
EXPLANATION = """\
Written by `utils/gpu_warp_tests.py run`; not edited. Each kernel executes one
instruction on raw registers or memory; every element of every result is compared
with the model in `model`: bit for bit, except where the ISA leaves
something open: sums that round are within a bound, a NaN has any bits, subnormal
inputs may count or not (what was seen is told below)."""


def title(route):
    source, options = ROUTES[route]
    return f"the {source}, `{options}`"


def make_kernels(args, cuda, route, out):
    """Makes the kernels, and keeps what is needed to run them."""
    source, options = ROUTES[route]
    with tempfile.TemporaryDirectory() as made:
        command = [sys.executable, f"{ROOT}/test/Device/warp/make_kernels.py", source]
        command += [f"--optimization={options}"]
        command += ["--llc", f"{args.build_dir}/bin/llc"]
        command += ["--clang", f"{args.build_dir}/bin/clang++"]
        command += ["--ptxas", f"{cuda}/bin/ptxas", "--out", made]
        call(
            command + (["--skip", *args.skip] if args.skip else []),
            f"kernels of {route}",
        )
        os.makedirs(f"{out}/{route}")
        for name in os.listdir(made):
            if name.endswith(".cubin") or name == "manifest.txt":
                shutil.copy(f"{made}/{name}", f"{out}/{route}")


def build(args):
    args.build_dir, out, cuda = prepare(args, "gpu-warp")
    for route in args.routes:
        print(f"Making the kernels: {route}", flush=True)
        make_kernels(args, cuda, route, out)
    print("Compiling the program", flush=True)
    folder = f"{ROOT}/test/Device/warp"
    sources = [f"{folder}/main.cpp", f"{folder}/CubinDevice.cpp"]
    sources += [f"{args.build_dir}/{library}" for library in WARP_HARNESS]
    compile_program(
        args.build_dir, cuda, sources, f"{out}/{PROGRAM}", f"-I{ROOT}/model"
    )
    finish(__file__, args.build_dir, out, cuda, routes=args.routes, skipped=args.skip)


def run_program(runner, arguments):
    """Returns the record of one run and what the program reported."""
    return runner.execute_reporting(
        "tests", [f"./{PROGRAM}", *arguments, "--json", "FILE"]
    )


def add_families(families, more):
    for name, family in more.items():
        known = families.setdefault(name, dict(family, **dict.fromkeys(COUNTS, 0)))
        for count in COUNTS:
            known[count] += family[count]


def run_route(runner, route, seed):
    """Runs the kernels of one route and returns their record."""
    families, failures, notes, sums = {}, [], [], []
    record, found = run_program(runner, [route, *seed_options(seed)])
    seconds = record["seconds"]
    while found:
        add_families(families, found["families"])
        failures += found["failures"]
        notes += found["notes"]
        sums += found["rounded_sums"]
        if not found["stopped_at"]:
            break
        # A process in which the GPU failed can do nothing more with it.
        print(
            f"{route}: the device failed; on with the next kernel\n", end="", flush=True
        )
        again, found = run_program(
            runner,
            [route, *seed_options(seed), "--after", found["stopped_at"]],
        )
        seconds += again["seconds"]
    record.update(families=families, failures=failures, notes=notes, rounded_sums=sums)
    record["seconds"] = round(seconds, 2)
    if failures:
        record["result"] = FAILED
    if record["result"] != NOT_RUN:
        passed = sum(f["variants_passed"] for f in families.values())
        ran = sum(f["variants_run"] for f in families.values())
        record["summary"] = f"{passed} of {ran} instructions passed"
        if not ran:
            record["result"] = FAILED
    return runner.report(record)


def combined(routes):
    """What holds in each route that there is."""
    families = {}
    for route in routes.values():
        for name, family in route["families"].items():
            if name not in families:
                families[name] = dict(family)
                continue
            ran, passed, elements = COUNTS
            families[name][elements] += family[elements]
            for count in (ran, passed):
                families[name][count] = min(families[name][count], family[count])
    return {name: families[name] for name in FAMILIES if name in families}


def short_name(instruction):
    """An instruction without what does not concern its arithmetic."""
    return re.sub(r"\.(sync\.aligned|row|col)(?=\.)", "", instruction)


def markdown(results):
    routes, families = results["routes"], results["families"]
    ran = sum(f["variants_run"] for f in families.values())
    passed = sum(f["variants_passed"] for f in families.values())
    lines = [
        "# Warp-level instructions on the device",
        "",
        EXPLANATION,
        "",
        f"**{passed} of {ran} instructions passed.**",
        "",
    ]
    lines += table(
        ("", ""),
        [
            *origin_rows(results),
        ]
        + [
            (
                f"From {title(name)}",
                "; ".join(
                    [route["result"]]
                    + [route[k] for k in ("reason", "summary") if k in route]
                    + [f"{route.get('seconds', 0)} s"]
                ),
            )
            for name, route in routes.items()
        ]
        + [test_time(results)]
        + [("Left out", ", ".join(results["skipped"]))] * bool(results["skipped"]),
    )

    lines += ["## Families", "", "How many passed, of each route to a kernel:", ""]
    lines += table(
        ("family", *routes, "elements compared", "not of sm_90"),
        [
            (
                name,
                *(
                    f"{counts['variants_passed']} of {counts['variants_run']}"
                    if counts
                    else "not run"
                    for counts in (
                        route["families"].get(name) for route in routes.values()
                    )
                ),
                family["elements_compared"],
                len(family["not_executable"]),
            )
            for name, family in families.items()
        ],
    )

    for name, route in routes.items():
        if route["failures"] or route["result"] == FAILED:
            lines += [f"## Failures, from {title(name)}", "", "```"]
            lines += [f"{f['kernel']}: {f['fault']}" for f in route["failures"]]
            lines += [] if route["failures"] else route.get("end_of_output", [])
            lines += ["```", ""]
    if results["sanitizers"]:
        lines += ["## Under compute-sanitizer", ""]
        lines += table(
            ("tool", "result", "exit code", "seconds", ""),
            [
                (
                    tool,
                    record["result"],
                    record.get("exit_code", ""),
                    record.get("seconds", ""),
                    "; ".join(
                        record[k] for k in ("reason", "summary") if record.get(k)
                    ),
                )
                for tool, record in results["sanitizers"].items()
            ],
        )
        lines += [
            "Each ran some kernels of each family: those with one of these parts of",
            "names: " + ", ".join(f"`{part}`" for part in SANITIZED_KERNELS) + ".",
            "",
        ]
        for tool, record in results["sanitizers"].items():
            if record["result"] == FAILED:
                lines += [f"### Failure under {tool}", "", "```"]
                lines += [*record.get("end_of_output", []), "```", ""]
    lines += rounded_sums_section(results["rounded_sums"])
    lines += probe_section(results["probes"])
    for record in results["probes"]:
        if record["result"] == FAILED:
            lines += [
                "### Failure of the probe",
                "",
                "```",
                *record["end_of_output"],
                "```",
                "",
            ]
    lines += open_points_section(results["notes"])
    lines += ["## Not of sm_90", "", "As `ptxas` says:", ""]
    for name, family in families.items():
        if family["not_executable"]:
            lines += [f"- {name}: " + "; ".join(family["reasons"]) + "."]
            lines += [f"  - `{title}`" for title in family["not_executable"]]
    return "\n".join(lines) + "\n"


def run(args):
    manifest = prepare_run(args)
    if manifest is None:
        return 2
    runner = Runner(args.folder, args.timeout)
    results = origin(manifest, "skipped")
    routes, test_seconds = run_together(
        args.jobs,
        {route: (run_route, runner, route, args.seed) for route in manifest["routes"]},
    )
    results |= {
        "jobs": args.jobs,
        "seed": args.seed,
        "test_seconds": test_seconds,
        "families": combined(routes),
        "notes": open_points(
            (note["instruction"], note["note"])
            for route in routes.values()
            for note in route["notes"]
        ),
        "rounded_sums": rounded_sums(
            (short_name(entry["instruction"]), entry["sums"])
            for route in routes.values()
            for entry in route["rounded_sums"]
        ),
        "routes": routes,
        "probes": [
            runner.probe([f"./{PROGRAM}", PROBED_ROUTE, "--probe"])
            for route in routes
            if route == PROBED_ROUTE
        ],
        "sanitizers": {
            tool: runner.sanitizer(
                tool, [f"./{PROGRAM}", SANITIZED_ROUTE, *SANITIZED_KERNELS]
            )
            for tool in SANITIZERS
            if SANITIZED_ROUTE in routes and not manifest["skipped"]
        },
    }
    write_results(args, results, markdown(results))
    found = {
        record["result"]
        for part in ("routes", "sanitizers")
        for record in results[part].values()
    }
    return exit_status(found | {record["result"] for record in results["probes"]})


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)

    builder = commands.add_parser("build", help="make kernels and program")
    add_build_options(builder, "gpu-warp")
    builder.add_argument(
        "--routes",
        nargs="+",
        choices=ROUTES,
        default=list(ROUTES),
        metavar="ROUTE",
        help=f"of {', '.join(ROUTES)} (default: all)",
    )
    builder.add_argument(
        "--skip",
        nargs="+",
        default=[],
        metavar="FAMILY",
        help="leave out, for example, movmatrix",
    )

    runner = commands.add_parser("run", help="run what build made")
    add_run_options(runner, 300, "route and for each tool")
    add_jobs_and_seed(runner, "routes")

    args = parser.parse_args()
    return build(args) if args.command == "build" else run(args)


if __name__ == "__main__":
    sys.exit(main())
