#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Carry wgmma-random to a GPU, make random kernels there, and launch them.

  gpu_random_tests.py build       copy the generator, and make the program of
                                  test/Device/random, in a folder that needs no LLVM
  gpu_random_tests.py run FOLDER  make kernels with all cores and ptxas, launch them,
                                  and write what happened as JSON and as Markdown

Kernels are made where they are run, since tens of thousands of them are too much to
carry. Each is launched twice, with other scalars, and must leave what the evaluation
of its IR gives. One that the interpreter finds something in is not launched, and named.

Exit status of `build`: 0, or 1 when something could not be built. Of `run`: 0 when
everything ran and was right, 1 when something was wrong or found, 2 for wrong usage.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from device.build import ROOT, call, compile_program, finish, prepare, ptxas_release
from device.options import add_build_options, add_run_options, natural, positive
from device.report import origin_rows, table
from device.run import origin, prepare_run, write_results

GENERATOR, PROGRAM = "wgmma-random", "random"
# Of one process: short enough that all cores end at nearly the same time.
PART = 500
EMIT_OPTIONS = ["--size", "8"]
EMITTED = re.compile(
    r"^kernels: (\d+), left out with findings: (\d+), with sums that round: (\d+)$",
    re.M,
)
FOUND = re.compile(r"^seed-(\d+) (.*)$", re.M)
LAUNCHED = re.compile(r"^.*: (\d+) kernels, (\d+) launches, (\d+) wrong$", re.M)
WRONG = re.compile(r"^wrong: k(\d+) of ", re.M)
EXPLANATION = """\
Written by `utils/gpu_random_tests.py run`; not edited. Each kernel is a random program of
[wgmma-random](../../tools/wgmma-random/README.md) that the interpreter of PTX has found
right, launched twice, with real matrices. All that it stores must be, bit for bit, what
the evaluation of its IR gives."""


def build(args):
    build_dir, out, cuda = prepare(args, "gpu-random")
    strip = shutil.which("llvm-strip-22") or "strip"
    call([strip, f"{build_dir}/bin/{GENERATOR}", "-o", f"{out}/{GENERATOR}"], GENERATOR)
    compile_program(
        build_dir,
        cuda,
        [f"{ROOT}/test/Device/random/main.cpp"],
        f"{out}/{PROGRAM}",
        f"-I{ROOT}/tools/wgmma-random",
    )
    finish(__file__, build_dir, out, cuda)


class Campaign:
    """Parts of the kernels, made at the same time and launched one after another."""

    def __init__(self, args):
        self.args = args
        self.device = threading.Lock()

    def run_part(self, seed, count):
        """What became of the kernels from this seed on."""
        with tempfile.TemporaryDirectory() as folder:
            command = [f"./{GENERATOR}", "emit-device", "--seed", str(seed)]
            command += ["--count", str(count), *EMIT_OPTIONS]
            emitted = self.call([*command, "--ptxas", self.args.ptxas, "-o", folder])
            found = EMITTED.search(emitted)
            if not found:
                return {"seed": seed, "trouble": emitted[-500:]}
            kernels, findings, rounding = map(int, found.groups())
            part = {
                "seed": seed,
                "left_out_with_findings": findings,
                "findings": dict(FOUND.findall(emitted)),
                "with_sums_that_round": rounding,
            }
            with self.device:
                output = self.call([f"./{PROGRAM}", folder])
        ended = LAUNCHED.search(output)
        # One that the GPU gives up on ends the program: the others are not counted.
        if not ended or int(ended[1]) != kernels:
            return part | {"trouble": output[-500:]}
        part |= {"kernels": kernels, "launches": int(ended[2])}
        return part | {"wrong": sorted(set(map(int, WRONG.findall(output))))}

    def call(self, command):
        """What a program prints; what is wrong stands there, too."""
        try:
            done = subprocess.run(
                command,
                cwd=self.args.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=self.args.timeout,
            )
        except subprocess.TimeoutExpired:
            return f"{command[0]}: no end after {self.args.timeout} s"
        return done.stdout

    def run(self):
        first, end = self.args.seed, self.args.seed + self.args.kernels
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            parts = [
                pool.submit(self.run_part, seed, min(PART, end - seed))
                for seed in range(first, end, PART)
            ]
            return [part.result() for part in parts]


def totals(parts):
    keys = ("kernels", "launches", "left_out_with_findings")
    result = {key: sum(part.get(key, 0) for part in parts) for key in keys}
    return result | {
        "wrong": [seed for part in parts for seed in part.get("wrong", ())],
        "findings": {
            seed: text for p in parts for seed, text in p.get("findings", {}).items()
        },
        "trouble": {p["seed"]: p["trouble"] for p in parts if "trouble" in p},
    }


def markdown(results):
    found = results["found"]
    lines = [
        "# Random kernels on the device",
        "",
        EXPLANATION,
        "",
        f"**{len(found['wrong'])} of {found['kernels']:,} kernels were wrong**, in"
        f" {found['launches']:,} launches.",
        "",
    ]
    options = " ".join(EMIT_OPTIONS)
    rows = [
        *origin_rows(results),
        ("Kernels", f"`wgmma-random emit-device {options}`, seeds {results['seeds']}"),
        ("Left out, with findings of the interpreter", found["left_out_with_findings"]),
    ]
    lines += table(("", ""), rows)
    if found["wrong"]:
        lines += ["## Wrong", "", "Seeds: " + ", ".join(map(str, found["wrong"])), ""]
    if found["findings"]:
        lines += ["## Left out", "", "```"]
        lines += [f"{seed} {text}" for seed, text in found["findings"].items()]
        lines += ["```", ""]
    if found["trouble"]:
        lines += ["## Not run", "", "```"]
        lines += [f"{seed}: {text}" for seed, text in found["trouble"].items()]
        lines += ["```", ""]
    return "\n".join(lines).rstrip() + "\n"


def run(args):
    manifest = prepare_run(args)
    if manifest is None:
        return 2
    # This machine's ptxas makes the kernels.
    results = origin(manifest | {"ptxas": ptxas_release(args.ptxas)})
    found = totals(Campaign(args).run())
    results |= {
        "seeds": f"{args.seed} to {args.seed + args.kernels - 1}",
        "found": found,
    }
    write_results(args, results, markdown(results))
    print(f"{found['kernels']} kernels, {len(found['wrong'])} wrong: {found['wrong']}")
    for seed, text in found["findings"].items():
        print(f"  left out: {seed} {text}")
    for seed, text in found["trouble"].items():
        print(f"  from seed {seed} on: {text}")
    complete = found["kernels"] > 0 and not found["trouble"]
    good = not found["wrong"] and not found["left_out_with_findings"]
    return 0 if complete and good else 1


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    builder = commands.add_parser("build", help="make generator and program")
    add_build_options(builder, "gpu-random")
    runner = commands.add_parser("run", help="make and launch kernels on the GPU")
    add_run_options(runner, 900, "part", default="random-kernels")
    runner.add_argument("--seed", type=natural, default=1, help="of the first kernel")
    runner.add_argument("--kernels", type=positive, default=5000, metavar="N")
    runner.add_argument("--jobs", type=positive, default=os.cpu_count(), metavar="N")
    runner.add_argument("--ptxas", default=shutil.which("ptxas"), metavar="PATH")
    args = parser.parse_args()
    if args.command == "build":
        build(args)
        return 0
    if not args.ptxas:
        runner.error("no ptxas on the PATH: name one with --ptxas")
    args.ptxas = os.path.abspath(args.ptxas)
    return run(args)


if __name__ == "__main__":
    sys.exit(main())
