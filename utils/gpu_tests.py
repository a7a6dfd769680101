#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Carry the device tests to a GPU machine, run them, record the results.

  gpu_tests.py build         compile test/Device/*.cu, examples/sparse_gemm.cu, and
                             the kernels in LLVM IR of test/Device/intrinsics
                             into a folder that needs no LLVM and no CUDA toolkit,
                             and check that ptxas had no wgmma to serialize;
                             compile wgmma-sample.cu at other levels of
                             optimization, too, and with debug information
  gpu_tests.py run FOLDER    run everything in it (with Python alone), some programs
                             at a time, the example and some of the sample under
                             compute-sanitizer, too, read layouts off the device,
                             and write what happened as JSON and as Markdown

The folder holds a copy of this script and of the package device. What `run` writes comes from the programs
that it ran and from nvidia-smi; what did not run is listed as not run. Neither
host names nor paths of the machine get into it.

Exit status of `build`: 0, or 1 when something could not be built. Of `run`: 0
when everything ran and passed, 1 when something failed, 2 for wrong usage, 3
when nothing failed but something did not run.
"""

import argparse
import os
import sys

from device.options import (
    add_build_options,
    add_jobs_and_seed,
    add_run_options,
    positive,
)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)

    builder = commands.add_parser("build", help="compile the programs into a folder")
    add_build_options(builder, "gpu")
    builder.add_argument("--jobs", type=positive, default=os.cpu_count(), metavar="N")
    builder.add_argument(
        "--only", nargs="+", metavar="PROGRAM", help="build just these"
    )

    runner = commands.add_parser("run", help="run what build made")
    add_run_options(runner, 300, "program")
    add_jobs_and_seed(runner, "test programs")
    runner.add_argument(
        "--launches", type=positive, metavar="N", help="launches of each test of a loop"
    )

    args = parser.parse_args()
    if args.command == "build":
        from device.warpgroup_build import build

        return build(args, __file__)
    from device.warpgroup_run import run

    return run(args)


if __name__ == "__main__":
    sys.exit(main())
