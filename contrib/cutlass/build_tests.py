#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Build examples and unit tests of CUTLASS for an H100 or H200.

  build_tests.py --cutlass DIR --output DIR [TARGET...]

Without a TARGET, lists them. A target is PROGRAM.COMPILER: an example built by
nvcc, by our Clang with CUTLASS's inline assembly (asm), or by our Clang with the
builtins (overlay); or a unit test, built with the overlay. The programs can be
carried to another machine; run_tests.sh, beside this script, runs all those of a
folder. What ptxas has to say of a program is in PROGRAM.COMPILER.log: it must
not say that it serialized wgmma or injected a wait.

Exit status: 0, or 1 when a program does not compile, 2 for wrong usage.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Built beside this folder, or installed with it.
CLANGS = (HERE.parents[1] / "build/bin/clang++", HERE.parents[2] / "bin/clang++")
CUDA = Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))
COMPILERS = ("nvcc", "asm", "overlay")
DEFECT = re.compile(r"\(C75(10|11|13|14|15|17)\)|serialized|wait is injected")


@dataclass(frozen=True)
class Program:
    """A source file of CUTLASS's, and what is changed in it."""

    source: str
    edits: tuple = ()  # (regular expression, replacement)
    tests: str = ""  # A regular expression for the unit tests that are kept.

    @property
    def is_unit_test(self):
        return self.source.startswith("test/unit/")

    def text(self, cutlass):
        text = (cutlass / self.source).read_text()
        for pattern, replacement in self.edits:
            text, count = re.subn(pattern, replacement, text)
            assert count, f"{self.source} has no {pattern}"
        return only_tests(text, self.tests) if self.tests else text


def shape(name, *sizes):
    sizes = ",".join(f"_{n}" for n in sizes)
    return rf"(using {name} +=) Shape<[^>]*>", rf"\1 Shape<{sizes}>"


def element(name, kind):
    return rf"(using +{name} +=) float", rf"\1 {kind}"


# Sums of products of integers up to 8 fit no f16 accumulator for a large K: the
# results are compared with K = 32, and a difference does not end the program.
F16_ACCUMULATOR = (
    *(element(f"Element{m}", "cutlass::half_t") for m in ("A", "B", "C")),
    element("ElementAccumulator", "cutlass::half_t"),
    shape("TileShape", 128, 128, 64),
    shape("ClusterShape", 2, 1, 1),
    (r"options\.(alpha|beta)([,}])", r"ElementAccumulator(options.\1)\2"),
    (r"exit\(-1\);", ";"),
)

SPARSE = "examples/62_hopper_sparse_gemm/62_hopper_sparse_gemm.cu"
DENSE = "examples/48_hopper_warp_specialized_gemm/48_hopper_warp_specialized_gemm.cu"
EXAMPLES = {
    # Tiles of 128x128x128, as shipped.
    "sparse-f16": Program(SPARSE),
    "sparse-f16-256": Program(
        SPARSE, (shape("TileShape", 128, 256, 128), shape("ClusterShape", 2, 1, 1))
    ),
    "dense-tf32": Program(DENSE),
    "dense-f16-accumulator": Program(DENSE, F16_ACCUMULATOR),
}

UNIT = "test/unit/gemm/device/sm90_"
UNIT_TESTS = {
    name: Program(f"{UNIT}{file}.cu", tests=tests)
    for name, file, tests in (
        ("sparse-ss-s8", "sparse_gemm_s8_s8_s32_tensor_op_s32", ""),
        ("sparse-ss-tf32", "sparse_gemm_tf32_tf32_f32_tensor_op_f32", ""),
        ("sparse-ss-f16", "sparse_gemm_f16_f16_f32_tensor_op_f32", ""),
        ("sparse-ss-fp8", "sparse_gemm_f8_f8_f32_tensor_op_f32", ""),
        ("dense-ss-f16-f16", "gemm_f16_f16_f16_tensor_op", "gmma_f16, 64x128x64"),
        ("dense-ss-s8", "gemm_s8_s8_s8_alignx_tensor_op_s32", ""),
        ("dense-ss-s8-broadcast", "gemm_s8_s8_s8_tensor_op_s32_tensor_broadcast", ""),
        ("dense-ss-bf16", "gemm_bf16_bf16_bf16_alignx_tensor_op_f32", ""),
        ("dense-ss-tf32", "gemm_tf32_tf32_f32_alignx_tensor_op_f32", ""),
        ("dense-ss-f16", "gett_f16_f16_f16_tensor_op", ""),
        ("dense-ss-fp8", "gemm_f8_f8_bf16_tensor_op_fp32_evt", ""),
        ("dense-ss-fp8-blockwise", "gemm_f8_f8_f8_tensor_op_f32_blockwise", ""),
        (
            "dense-rs-f16",
            "gemm_f16_f16_f32_tensor_op_f32_rs_cluster_warpspecialized_cooperative",
            "",
        ),
        (
            "dense-rs-fp8",
            "gemm_f8_f8_f32_tensor_op_f32_rs_cluster_warpspecialized_cooperative",
            "",
        ),
    )
}


def only_tests(text, pattern):
    """Leaves out all unit tests but those whose declaration matches."""
    head, *tests = re.split(r"^(?=TEST\()", text, flags=re.M)
    # What follows the last one: the end of an #if.
    end = re.search(r"^}\n(.*)", tests[-1], re.M | re.S)[1]
    tests[-1] = tests[-1].removesuffix(end)
    kept = [t for t in tests if re.search(pattern, t.split("{")[0])]
    assert kept, f"no test matches {pattern}"
    return head + "".join(kept) + end


def includes(cutlass, program):
    folders = ["include", "tools/util/include", "examples/common", "test/unit"]
    # The sources include their neighbours by relative paths.
    folders.append(str(Path(program.source).parent))
    return [f"-I{cutlass / folder}" for folder in folders]


def compiler_command(compiler, clang, cuda=CUDA):
    """What is the same for all programs of an H100 or H200."""
    if compiler == "nvcc":
        flags = ["--expt-relaxed-constexpr", "--compress-mode=none"]
        flags += ["-gencode=arch=compute_90a,code=sm_90a"]
        return [str(Path(cuda) / "bin" / "nvcc"), *flags]
    config = "clang.cfg" if compiler == "asm" else "cutlass.cfg"
    flags = [f"--config={HERE / config}", f"--cuda-path={cuda}"]
    flags += ["--cuda-gpu-arch=sm_90a", "-Xcuda-ptxas", "-v"]
    # Else a release build of Clang emits code of IR that a pass has broken.
    flags += ["-fverify-intermediate-code"]
    # CUTLASS's `#pragma unroll(N)`.
    return [clang, *flags, "-Wno-cuda-compat"]


def command(compiler, clang, cutlass, program):
    flags = ["-std=c++17", "-O3", "-DNDEBUG", *includes(cutlass, program)]
    if program.is_unit_test:
        flags += ["-DCUTLASS_ENABLE_CUBLAS=0", "-DCUTLASS_TEST_LEVEL=0"]
        if compiler != "nvcc":
            # The host's references are most of the code, and need no speed.
            flags += ["-Xarch_host", "-O1"]
    return [*compiler_command(compiler, clang), *flags]


def unit_test_main(args):
    """The objects of the unit tests' main program, compiled once."""
    objects = []
    for name in ("test_unit.cpp", "common/filter_architecture.cpp"):
        source = args.cutlass / "test" / "unit" / name
        output = args.output / "sources" / f"{source.stem}.o"
        objects.append(str(output))
        if output.exists():
            continue
        folders = ("include", "tools/util/include", "test/unit")
        flags = [f"-I{args.cutlass / folder}" for folder in folders]
        flags += [f"-I{CUDA}/include", f"-I{CUDA}/include/cccl"]
        subprocess.run(
            [args.clang, "-std=c++17", *flags, "-c", "-o", output, source], check=True
        )
    return objects


def link_flags(args, program):
    flags = [f"-L{CUDA}/lib64", f"-L{CUDA}/lib64/stubs", "-lcudart_static", "-lcuda"]
    flags += ["-ldl", "-lrt", "-lpthread"]
    if program.is_unit_test:
        return [*unit_test_main(args), "-lgtest", *flags]
    return flags


def build(target, args):
    """Builds one program; returns whether that went well."""
    name, _, compiler = target.rpartition(".")
    program = EXAMPLES.get(name) or UNIT_TESTS[name]
    source = args.output / "sources" / f"{target}.cu"
    source.parent.mkdir(parents=True, exist_ok=True)
    text = program.text(args.cutlass)
    # The copy has other neighbours.
    text = re.sub(r'#include "(?:\.\./)+common/', '#include "common/', text)
    source.write_text(text)
    output = args.output / target
    start = time.monotonic()
    done = subprocess.run(
        [
            *command(compiler, args.clang, args.cutlass, program),
            "-o",
            str(output),
            str(source),
            *link_flags(args, program),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    Path(f"{output}.log").write_text(done.stdout)
    seconds = time.monotonic() - start
    if done.returncode:
        print(f"{target}: failed, see {output}.log")
        return False
    subprocess.run(["strip", str(output)], check=True)
    notes = len(list(filter(DEFECT.search, done.stdout.splitlines())))
    print(f"{target}: {seconds:.0f} s, {notes} notes of ptxas on waits", flush=True)
    return True


def targets():
    yield from (f"{name}.{compiler}" for name in EXAMPLES for compiler in COMPILERS)
    yield from (f"{name}.overlay" for name in UNIT_TESTS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cutlass", type=Path, help="CUTLASS's source tree")
    parser.add_argument("--output", type=Path, help="where the programs go")
    default = next(filter(Path.exists, CLANGS), CLANGS[0])
    parser.add_argument("--clang", default=default, help=f"ours: {default}")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    args = parser.parse_args()
    if not args.targets:
        print("\n".join(targets()))
        return 0
    if not args.cutlass or not args.output:
        parser.error("--cutlass and --output are needed")
    unknown = set(args.targets) - set(targets())
    if unknown:
        parser.error(f"no such target: {' '.join(sorted(unknown))}")
    results = [build(target, args) for target in args.targets]
    shutil.copy(HERE / "run_tests.sh", args.output)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
