# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""What the command lines have in common."""

from .run import DEFAULT_JOBS


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def natural(text):
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def add_build_options(parser, name):
    parser.add_argument(
        "--build-dir", help="build folder with bin/clang++ (default: build)"
    )
    parser.add_argument(
        "--out", help=f"folder to make anew (default: BUILD_DIR/{name})"
    )
    parser.add_argument(
        "--cuda-path", help="CUDA toolkit (default: CUDA_PATH, nvcc's, /usr/local/cuda)"
    )


def add_run_options(parser, timeout, of_what, default=None):
    """By default, results go to files of that name, if one is given."""
    parser.add_argument("folder", help="the output folder of build")
    for option, suffix in (("--json", "json"), ("--markdown", "md")):
        parser.add_argument(
            option,
            required=default is None,
            default=default and f"{default}.{suffix}",
            metavar="FILE",
        )
    parser.add_argument(
        "--timeout",
        type=positive,
        default=timeout,
        metavar="SECONDS",
        help=f"limit for each {of_what} (default: {timeout})",
    )


def add_jobs_and_seed(parser, of_what):
    parser.add_argument(
        "--jobs",
        type=positive,
        default=DEFAULT_JOBS,
        metavar="N",
        help=f"{of_what} at a time (default: a quarter of the cores)",
    )
    parser.add_argument(
        "--seed",
        type=natural,
        default=0,
        metavar="N",
        help="other random inputs than those of seed 0, the default",
    )
