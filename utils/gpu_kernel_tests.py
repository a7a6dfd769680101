#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Carry the tests of TMA, mbarriers, clusters and the like to a GPU, and run them.

  gpu_kernel_tests.py build       make the kernels and the program of
                                  test/Device/kernel in a folder that needs no LLVM
                                  and no CUDA toolkit
  gpu_kernel_tests.py run FOLDER  run all kernels (with Python alone), and write what
                                  happened as JSON and as Markdown

The folder holds a copy of this script and of the package device. The kernels are made at several levels of
optimization. An instruction counts as passed if each kernel that has it did, at each
level. Which instructions a kernel has is read off its PTX.

Exit status of `build`: 0, or 1 when something could not be built. Of `run`: 0 when
everything ran and passed, 1 when something failed, 2 for wrong usage, 3 when the
device could not be used.
"""

import argparse
import os
import re
import subprocess
import sys

from device.build import ROOT, call, compile_program, finish, prepare
from device.options import add_build_options, add_run_options
from device.report import origin_rows, table
from device.run import origin, prepare_run, write_results

PROGRAM = "kernel"
LEVELS = {"O3": "-O3", "O1": "-O1", "O0": "-O0"}
# The level at which a kernel's functions are inlined into it.
READ_LEVEL = "O3"
EXPLANATION = """\
Written by `utils/gpu_kernel_tests.py run`; not edited. Each kernel of
`test/Device/kernel/kernels.cu` leaves a result that the program compares bit by bit:
of bulk tensor copies all bytes of shared or global memory, with a model of boxes,
pixels, swizzles and ends of tensors; of reductions, every element; of synchronization,
counts and phases, or data that was handed over."""


def instruction_patterns():
    """[(family, intrinsic, mnemonic, pattern)] of what sm_90a has.

    multimem needs memory that several GPUs share, and these tests run on one.
    """
    from ptx_isa.kernel import INSTRUCTIONS
    from ptx_isa.matrix.targets import supported
    from ptx_isa.matrix.variant import Target

    device = Target("sm_90a", 90)
    return [
        (
            v.family,
            v.intrinsic,
            v.mnemonic,
            re.compile(rf"^\s*{re.escape(v.mnemonic)}[\s;]", re.M),
        )
        for v in INSTRUCTIONS
        if supported(v, device) and not v.family.startswith("multimem")
    ]


def kernel_instructions(ptx):
    """{kernel: [index of an instruction]}, and the instructions."""
    instructions = instruction_patterns()
    kernels = {}
    for text in re.split(r"^\.visible \.entry ", ptx, flags=re.M)[1:]:
        name = text.split("(")[0]
        kernels[name] = [
            i for i, (*_, pattern) in enumerate(instructions) if pattern.search(text)
        ]
    return kernels, [list(instruction[:3]) for instruction in instructions]


def make_kernels(build_dir, cuda, level, out):
    source = f"{ROOT}/test/Device/kernel/kernels.cu"
    ptx = f"{out}/{level}.ptx"
    call(
        [
            f"{build_dir}/bin/clang++",
            "-std=c++17",
            "--cuda-gpu-arch=sm_90a",
            "--cuda-device-only",
            "-nocudainc",
            "-nocudalib",
            "-nogpulib",
            "-Xclang",
            "-target-feature",
            "-Xclang",
            "+ptx90",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-x",
            "cuda",
            LEVELS[level],
            "-S",
            source,
            "-o",
            ptx,
        ],
        f"kernels at {LEVELS[level]}",
    )
    call(
        [f"{cuda}/bin/ptxas", "-arch=sm_90a", ptx, "-o", f"{out}/{level}.cubin"],
        f"cubin at {LEVELS[level]}",
    )
    with open(ptx) as file:
        text = file.read()
    os.remove(ptx)
    return text


def build(args):
    build_dir, out, cuda = prepare(args, "gpu-kernel")
    for level in LEVELS:
        print(f"Making the kernels: {LEVELS[level]}", flush=True)
        ptx = make_kernels(build_dir, cuda, level, out)
        if level == READ_LEVEL:
            kernels, instructions = kernel_instructions(ptx)
    print("Compiling the program", flush=True)
    names = ("main", "Device", "Reduction", "Tensor")
    sources = [f"{ROOT}/test/Device/kernel/{name}.cpp" for name in names]
    compile_program(build_dir, cuda, sources, f"{out}/{PROGRAM}")
    found = {index for indices in kernels.values() for index in indices}
    finish(
        __file__,
        build_dir,
        out,
        cuda,
        lacking=[i[2] for n, i in enumerate(instructions) if n not in found],
        kernels=kernels,
        instructions=instructions,
    )


def run_level(folder, level, timeout):
    """{kernel: fault or ""}, and what went wrong with the program itself."""
    try:
        done = subprocess.run(
            [f"./{PROGRAM}", f"{level}.cubin"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired as error:
        output = (error.stdout or b"").decode()
        return parse(output), f"no end after {timeout} s"
    trouble = ""
    if done.returncode not in (0, 1):
        trouble = f"exit status {done.returncode}: {done.stderr.strip()[-500:]}"
    return parse(done.stdout), trouble


def parse(output):
    found = {}
    for line in output.splitlines():
        match = re.match(r"(pass|fail) (\w+)(?:: (.*))?$", line)
        if match:
            found[match[2]] = "" if match[1] == "pass" else match[3] or "failed"
    return found


def families(manifest, levels):
    """{family: counts} of the instructions, as coverage.py reads them."""
    having = {}
    for kernel, indices in manifest["kernels"].items():
        for index in indices:
            having.setdefault(index, []).append(kernel)
    result = {}
    for index, (family, _, mnemonic) in enumerate(manifest["instructions"]):
        counts = result.setdefault(
            family,
            {"variants": 0, "variants_run": 0, "variants_passed": 0, "not_run": []},
        )
        counts["variants"] += 1
        ran = [
            k
            for k in having.get(index, ())
            if all(k in found for found, _ in levels.values())
        ]
        if not ran:
            counts["not_run"].append(mnemonic)
            continue
        counts["variants_run"] += 1
        counts["variants_passed"] += all(
            found[k] == "" for k in ran for found, _ in levels.values()
        )
    return result


def markdown(results):
    rows = results["families"].items()
    ran = sum(f["variants_run"] for _, f in rows)
    passed = sum(f["variants_passed"] for _, f in rows)
    everything = sum(f["variants"] for _, f in rows)
    lines = [
        "# TMA, mbarriers, clusters and the like on the device",
        "",
        EXPLANATION,
        "",
        f"**{passed} of {ran} instructions passed**, of the {everything} that sm_90a has.",
        "",
    ]
    lines += table(
        ("", ""),
        [
            *origin_rows(results),
        ]
        + [
            (f"Kernels at `{LEVELS[level]}`", record["summary"])
            for level, record in results["levels"].items()
        ],
    )
    lines += ["## Families", ""]
    lines += table(
        ("family", "of sm_90a", "run", "passed"),
        [
            (f"`{name}`", f["variants"], f["variants_run"], f["variants_passed"])
            for name, f in rows
        ],
    )
    for level, record in results["levels"].items():
        if record["failures"] or record["trouble"]:
            lines += [f"## Failures at `{LEVELS[level]}`", "", "```"]
            lines += [
                f"{kernel}: {fault}" for kernel, fault in record["failures"].items()
            ]
            lines += [record["trouble"]] * bool(record["trouble"])
            lines += ["```", ""]
    left = [mnemonic for _, f in rows for mnemonic in f["not_run"]]
    if left:
        lines += ["## Not run", ""] + [f"- `{mnemonic}`" for mnemonic in left]
    return "\n".join(lines).rstrip() + "\n"


def run(args):
    manifest = prepare_run(args)
    if manifest is None:
        return 2
    results = origin(manifest)
    levels = {level: run_level(args.folder, level, args.timeout) for level in LEVELS}
    results |= {
        "families": families(manifest, levels),
        "levels": {
            level: {
                "summary": f"{sum(not f for f in found.values())} of {len(found)} passed"
                + (f"; {trouble}" if trouble else ""),
                "failures": {k: f for k, f in found.items() if f},
                "trouble": trouble,
            }
            for level, (found, trouble) in levels.items()
        },
    }
    write_results(args, results, markdown(results))
    for level, record in results["levels"].items():
        print(f"{LEVELS[level]}: {record['summary']}")
        for kernel, fault in record["failures"].items():
            print(f"  {kernel}: {fault}")
    if any(not found for found, _ in levels.values()):
        return 3
    return int(any(r["failures"] or r["trouble"] for r in results["levels"].values()))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    builder = commands.add_parser("build", help="make kernels and program")
    add_build_options(builder, "gpu-kernel")
    runner = commands.add_parser("run", help="run the tests on the GPU")
    add_run_options(runner, 120, "level", default="kernel")
    args = parser.parse_args()
    if args.command == "build":
        build(args)
        return 0
    return run(args)


if __name__ == "__main__":
    sys.exit(main())
