# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""The programs of test/Device, made with Clang and llc, and sparse_gemm.cu."""

import collections
import concurrent.futures
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from .build import HARNESS, LEVELS, ROOT, USUAL_LEVEL, fail, finish, prepare
from .warpgroup_page import SAMPLE
from .warpgroup_run import EXAMPLE, INTRINSICS


# Here, ptxas may serialize wgmma, as accumulators do not stay in registers.
REPAIRED_LEVELS = ("O0", "O0-g", "O2-g")
# What ptxas -v says of every kernel.
PTXAS_STATISTICS = re.compile(
    r"ptxas info +: (Compiling entry function|Function properties|Used \d+ registers|"
    r"Compile time|\d+ bytes gmem)| +\d+ bytes stack frame",
    re.MULTILINE,
)
# What ptxas has to say of the order of instructions and wgmma.
PTXAS_NOTE = re.compile(r"ptxas info +: \((C75\d\d)\).*function '(\w+)'")


class Builder:
    def __init__(self, root, build_dir, out, cuda):
        self.root = root
        self.out = out
        self.clang = f"{build_dir}/bin/clang++"
        self.llc = f"{build_dir}/bin/llc"
        self.cuda = cuda
        self.ptxas = f"{cuda}/bin/ptxas"
        sys.path.insert(1, f"{root}/test/support")
        self.defect = importlib.import_module("ptxas_verify").DEFECT
        self.objects = tempfile.mkdtemp(prefix="gpu-tests-")
        self.compile_flags = ["-std=c++17", f"-I{root}/model"]
        self.harness = [f"{build_dir}/{library}" for library in HARNESS]
        # The folder travels: compressed, it is a fifth.
        self.cuda_flags = [
            f"--cuda-path={cuda}",
            "--cuda-gpu-arch=sm_90a",
            "-Xcuda-fatbinary",
            "--compress-all",
        ]
        self.link_flags = [
            "-s",
            "-static-libstdc++",
            "-static-libgcc",
            f"-L{cuda}/lib64",
            "-lcudart_static",
            "-ldl",
            "-lrt",
            "-lpthread",
        ]

    def call(self, command, what, expected_output=None):
        """Runs a command, whose output is of interest where it is unexpected."""
        started = time.monotonic()
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        print(f"  {what} ({time.monotonic() - started:.1f} s)", flush=True)
        lines = [
            line
            for line in done.stdout.splitlines()
            if not (expected_output and expected_output.match(line))
        ]
        if lines:
            print("\n".join(lines), flush=True)
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, what)
        return done.stdout

    def compile(self, source, level=None):
        """Returns the object, and of how many kernels ptxas made which note."""
        name = os.path.basename(source)
        what = f"compiled {name}" + (f" at {level}" if level else "")
        target = f"{self.objects}/{name}.{level}.o"
        flags = self.compile_flags + LEVELS.get(level, USUAL_LEVEL).split()
        command = [self.clang, *flags, "-c", source, "-o", target]
        may_repair = level in REPAIRED_LEVELS
        notes = self.call(
            command + self.cuda_flags + ["-Xcuda-ptxas", "-v"],
            what,
            re.compile(f"{PTXAS_STATISTICS.pattern}|{PTXAS_NOTE.pattern}", re.MULTILINE)
            if may_repair
            else PTXAS_STATISTICS,
        )
        defects = self.defects(name, notes)
        if defects and not may_repair:
            fail(f"ptxas repaired {name}: {defects[0]}")
        kernels = {PTXAS_NOTE.search(line).groups() for line in defects}
        return target, dict(collections.Counter(code for code, _ in sorted(kernels)))

    def defects(self, name, notes):
        # The statistics show that ptxas would have told of defects.
        if not PTXAS_STATISTICS.search(notes):
            fail(f"no notes of ptxas on {name}")
        return [line for line in notes.splitlines() if self.defect.search(line)]

    def compile_intrinsics(self, folder):
        """Makes the kernels from LLVM IR, and the program that contains them."""
        made = self.objects
        name, ptx, cubin = "wgmma.ll", f"{made}/wgmma.ptx", f"{made}/wgmma.cubin"
        self.call([sys.executable, f"{folder}/wgmma_kernels.py", made], f"wrote {name}")
        self.call(
            [self.llc, "-mcpu=sm_90a", "-mattr=+ptx84", f"{made}/{name}", "-o", ptx],
            f"compiled {name}",
        )
        notes = self.call(
            [self.ptxas, "-v", "-arch=sm_90a", ptx, "-o", cubin],
            f"assembled {name}",
            PTXAS_STATISTICS,
        )
        defects = self.defects(name, notes)
        if defects:
            fail(f"ptxas repaired {name}: {defects[0]}")
        self.call(
            [
                f"{self.cuda}/bin/fatbinary",
                f"--create={made}/wgmma.fatbin",
                "--compress-all",
                f"--image3=kind=elf,sm=90a,file={cubin}",
            ],
            "compressed the kernels",
        )
        target = f"{made}/{INTRINSICS}.o"
        # #embed is new.
        self.call(
            [
                self.clang,
                *self.compile_flags,
                USUAL_LEVEL,
                "-Wno-c23-extensions",
                f"-I{made}",
                f"--embed-dir={made}",
                f"-I{self.cuda}/include",
                "-c",
                f"{folder}/{INTRINSICS}.cpp",
                "-o",
                target,
            ],
            f"compiled {INTRINSICS}.cpp",
        )
        return target, {}

    def link(self, name, main):
        target = f"{self.out}/{name}"
        libraries = self.harness if name != EXAMPLE else []
        self.call(
            [self.clang, main, *libraries, *self.link_flags, "-o", target],
            f"linked {name}",
        )


def programs():
    """{name: source} of all, and {name: level} of those at other levels."""
    tests = f"{ROOT}/test/Device"
    names = sorted(n[:-3] for n in os.listdir(tests) if n.endswith(".cu"))
    sources = {name: f"{tests}/{name}.cu" for name in names}
    sources[EXAMPLE] = f"{ROOT}/examples/{EXAMPLE}.cu"
    sources[INTRINSICS] = f"{tests}/intrinsics"
    levels = {f"{SAMPLE}-{level}": level for level in LEVELS}
    return sources | dict.fromkeys(levels, sources[SAMPLE]), levels


def build(args, script):
    sources, levels = programs()
    unknown = set(args.only or []) - set(sources)
    if unknown:
        fail(f"no program {', '.join(sorted(unknown))}; there are {', '.join(sources)}")
    names = [name for name in sources if not args.only or name in args.only]
    build_dir, out, cuda = prepare(args, "gpu")
    builder = Builder(ROOT, build_dir, out, cuda)
    print(f"Building {len(names)} programs into {out}", flush=True)
    repaired = {}
    try:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            mains = {
                name: pool.submit(builder.compile_intrinsics, sources[name])
                if name == INTRINSICS
                else pool.submit(builder.compile, sources[name], levels.get(name))
                for name in names
            }
            for name, main in mains.items():
                target, repaired[name] = main.result()
                builder.link(name, target)
    except subprocess.CalledProcessError as error:
        fail(f"could not be done: {error.cmd}")
    finally:
        shutil.rmtree(builder.objects)
    finish(
        script,
        build_dir,
        out,
        cuda,
        flags=" ".join(
            builder.compile_flags[:1] + [USUAL_LEVEL] + builder.cuda_flags[1:]
        ),
        programs=[name for name in names if name not in levels],
        levels=[
            {"program": name, "flags": LEVELS[level], "repaired": repaired[name]}
            for name, level in levels.items()
            if name in names
        ],
    )
