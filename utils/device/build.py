# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Making a folder that needs no LLVM and no CUDA toolkit where it is run."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .run import MANIFEST, output_of

ROOT = str(Path(__file__).resolve().parents[2])

# In a build folder: what the programs of the warpgroup's and of the warp's instructions
# are linked with.
MODEL = "lib/libnvptx-mma-model.a"
COMMON = "lib/libnvptx-mma-device-common.a"
HARNESS = ("lib/libnvptx-mma-harness.a", COMMON, MODEL)
WARP_HARNESS = ("lib/libnvptx-mma-warp-harness.a", COMMON, MODEL)
USUAL_LEVEL = "-O2"
LEVELS = {
    "O0": "-O0",
    "O1": "-O1",
    "O3": "-O3",
    # All debug information, as nvcc makes with -G; ptxas does not optimize then.
    "O0-g": "-O0 -g",
    "O2-g": "-O2 -g --cuda-noopt-device-debug",
}


def fail(message):
    sys.exit(f"{os.path.basename(sys.argv[0])}: error: {message}")


def find_cuda(named):
    """The CUDA toolkit: the one that was named, else nvcc's, else the usual."""
    nvcc = shutil.which("nvcc")
    candidates = [named or os.environ.get("CUDA_PATH")]
    if not candidates[0]:
        candidates = (
            [os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))] if nvcc else []
        )
        candidates.append("/usr/local/cuda")
    for candidate in candidates:
        if os.path.exists(f"{candidate}/include/cuda_runtime.h"):
            return candidate
    fail(f"no CUDA toolkit in {', '.join(candidates)}; name one with --cuda-path")


def git_state(root):
    commit = output_of(["git", "rev-parse", "HEAD"], cwd=root)
    status = output_of(["git", "status", "--porcelain"], cwd=root)
    return {"commit": commit, "modified": None if status is None else bool(status)}


def ptxas_release(ptxas):
    """Such as "release 13.0, V13.0.88", or None."""
    release = re.search(r"release .*", output_of([ptxas, "--version"]) or "")
    return release and release[0]


def ptxas_version(ptxas):
    """Such as "13.0.88", or None."""
    version = re.search(r"V([\d.]+)", ptxas_release(ptxas) or "")
    return version and version[1]


def call(command, what):
    if subprocess.run(command).returncode:
        fail(f"could not be done: {what}")


def compile_program(build_dir, cuda, sources, program, *options):
    """Makes a program that needs nothing but CUDA's driver where it is run."""
    call(
        [
            f"{build_dir}/bin/clang++",
            "-std=c++17",
            "-O2",
            f"-I{cuda}/include",
            *options,
            *sources,
            "-s",
            "-static-libstdc++",
            "-static-libgcc",
            "-ldl",
            "-o",
            program,
        ],
        os.path.basename(program),
    )


def make_anew(folder):
    """Leaves nothing of an earlier build, which might be run as this one's."""
    if os.path.exists(f"{folder}/{MANIFEST}"):
        shutil.rmtree(folder)
    elif os.path.isdir(folder) and os.listdir(folder):
        fail(f"{folder} is not empty, and no output of an earlier build")
    os.makedirs(folder, exist_ok=True)
    # It is such an output from now on, even if this build ends early, and of what
    # is there now, whatever is committed while it goes on.
    with open(f"{folder}/{MANIFEST}", "w") as file:
        json.dump({"git": git_state(ROOT)}, file)


def prepare(args, name):
    """Returns the build folder, the empty folder to fill, and the CUDA toolkit."""
    build_dir = args.build_dir or f"{ROOT}/build"
    out = args.out or f"{build_dir}/{name}"
    if not os.access(f"{build_dir}/bin/clang++", os.X_OK):
        fail(
            f"no clang++ in {build_dir}/bin; build the project first, or name "
            "the build folder with --build-dir"
        )
    cuda = find_cuda(args.cuda_path)
    make_anew(out)
    return build_dir, out, cuda


def finish(script, build_dir, out, cuda, **manifest):
    """Writes what was built, with what, and adds what runs it."""
    clang = f"{build_dir}/bin/clang++"
    with open(f"{out}/{MANIFEST}") as file:
        manifest |= json.load(file)
    manifest |= {
        "ptxas": ptxas_release(f"{cuda}/bin/ptxas"),
        "compiler": (output_of([clang, "--version"]) or "").splitlines()[0],
    }
    with open(f"{out}/{MANIFEST}", "w") as file:
        json.dump(manifest, file, indent=1)
    shutil.copy(script, out)
    package = Path(__file__).parent
    shutil.copytree(
        package, f"{out}/{package.name}", ignore=shutil.ignore_patterns("__pycache__")
    )
    folder, name = os.path.relpath(out), os.path.basename(script)
    print(
        f"Done. On a machine with a GPU: python3 {folder}/{name} run {folder} "
        "--json FILE --markdown FILE"
    )
