# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A device that is not there, for tests of benchmarks/speed: each contender has its
own speed, some fail, end the process or lose the device, and some problems end the
process, or never end."""

import contextlib
import os
import time

from problems import operations
from rounds import OURS, TRIAL_LAUNCHES

SPARSE = "sparse f16 8192x8192x8192 normal"
LOST = (
    ("CUTLASS 62, 128x128", "sparse f16 4096x4096x4096 normal"),
    ("CUTLASS 62, 128x256", SPARSE),
    (OURS, "attention bf16 head 128 length 4096 all"),
)
ENDED = (("CUTLASS 62, 128x128", SPARSE),)
# One that the device must rest for.
HOST_SECONDS = {"cuBLAS": 1e-3}
FASTER = {("cuDNN", "attention f16 head 64 length 4096 all"): 1000}
TFLOPS = {OURS: 800, "cuBLAS": 640, "cublasLt": 1000}


class Contender:
    note = ""
    context = contextlib.nullcontext

    def __init__(self, backend, name, problem):
        self.backend = backend
        self.name = name
        self.problem = problem
        if name == OURS and problem["kind"] == "gemm":
            self.cuts = [64, 128, 2, 300, 66]
        if name == OURS and problem["kind"] == "attention":
            self.tiles = [192, 160, 64, 16]

    def error(self):
        if (self.name, self.problem["id"]) in LOST:
            self.backend.is_lost = True
        self.backend.synchronize()
        if (self.name, self.problem["id"]) in ENDED:
            os._exit(4)
        if self.name == "cuSPARSELt":
            raise RuntimeError("no such type\nand more")
        if self.name == "cuDNN" and self.problem["length"] == 2048:
            return 1.0
        return 0


class Backend:
    def __init__(self, folder):
        self.calls = 0
        self.rests = {}
        self.is_lost = False

    def machine(self):
        return {"gpu": "no GPU", "multiprocessors": 132, "versions": {"Fake": 1}}

    def contenders(self, problem):
        if problem["id"] == "bf16 4096x4096x4096 normal":
            os._exit(3)
        if problem["id"] == "e4m3 4096x4096x4096 normal":
            time.sleep(100)
        if problem["id"] == "s8 4096x4096x4096 normal":
            raise MemoryError("too large")
        return {
            name: lambda name=name: Contender(self, name, problem)
            for name in [OURS, *problem["peers"]]
        }

    def synchronize(self):
        if self.is_lost:
            raise RuntimeError("illegal instruction\nand more")

    def release(self):
        self.synchronize()
        self.rests.clear()

    def host_seconds(self, run):
        return HOST_SECONDS.get(run.name, 1e-6)

    def interval(self, run, warm, count, rest):
        self.calls += 1
        self.rests.setdefault(count == TRIAL_LAUNCHES, set()).add(rest)
        if any(len(rests) > 1 for rests in self.rests.values()):
            raise RuntimeError("some rest longer than others")
        tflops = TFLOPS.get(run.name, 500)
        tflops = FASTER.get((run.name, run.problem["id"]), tflops)
        seconds = operations(run.problem) / tflops / 1e12
        # Every third round is slow, which the median does not show.
        return seconds * (3 if self.calls % 9 == 0 else 1), run.name != "cuDNN", (0, 1)

    def joules(self, run, each):
        return 600 * each

    def samples(self, start, end):
        return {"mhz": [1755], "watts": [690, 700], "reasons": ["power cap"]}
