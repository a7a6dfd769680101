#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Measure the example kernels beside cuBLAS, cublasLt, cuSPARSELt, cuDNN and CUTLASS.

  speed.py build FOLDER      compile the kernels into a folder that can travel, with
                             the scripts that measure; needs a build of this project
                             (or --clang), CUDA, and for CUTLASS's kernel --cutlass
  speed.py run FOLDER OUT    on the GPU machine, which needs PyTorch alone: measure
                             what fits in --seconds, the most important first, and
                             write OUT/speed.jsonl, a line for each problem, at once
  speed.py page FILE...      of speed.jsonl write docs/results/speed.md, .json.gz
                             and plots; what a later FILE has counts instead. The
                             first FILE may be a speed.json.gz

`run` works in a process of its own: when that crashes, loses the device, or says
nothing for --patience seconds, the contender at hand is told to have failed, and
another process tries the problem without it; or goes on with the next one, when no
contender was at hand.

Exit status: 0; 1 when something could not be built or measured; 2 for wrong usage.
"""

import importlib
import json
import os
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[1:1] = [HERE, f"{ROOT}/benchmarks"]

from commands import Commands, fail, finish_build, now, read_manifest, write_page
from problems import problems
from rounds import first_line, measure

LIBRARIES = ("gemm_f16", "gemm_fp8", "gemm_s8", "sparse_gemm", "attention")
SCRIPTS = ("speed.py", "problems.py", "rounds.py", "sampler.py", "torch_backend.py")
# Nothing of CUDA's runtime is seen from outside: PyTorch has its own.
LINK_FLAGS = ("--exclude-libs,ALL", "-z,defs", "-s")


# ---------------------------------------------------------------------------
# build
# ---------------------------------------------------------------------------


def our_command(args, name):
    return [
        args.clang,
        *"-O3 -std=c++17 -fPIC -shared -fvisibility=hidden".split(),
        *f"--cuda-gpu-arch=sm_90a --cuda-path={args.cuda_path}".split(),
        *"-Xcuda-fatbinary --compress-all".split(),
        f"{HERE}/{name}_library.cu",
        f"-L{args.cuda_path}/lib64",
        *"-lcudart_static -ldl -lrt -lpthread".split(),
        *(f"-Wl,{flag}" for flag in LINK_FLAGS),
    ]


def cutlass_command(args):
    return [
        f"{args.cuda_path}/bin/nvcc",
        *"-O3 -std=c++17 -arch=sm_90a --expt-relaxed-constexpr -DNDEBUG".split(),
        *"-shared -Xcompiler -fPIC,-fvisibility=hidden".split(),
        *(f"-I{args.cutlass}/{folder}" for folder in ("include", "tools/util/include")),
        f"{HERE}/cutlass_sparse_library.cu",
        *(f"-Xlinker={flag}" for flag in LINK_FLAGS),
    ]


def build(args):
    os.makedirs(args.folder, exist_ok=True)
    commands = {name: our_command(args, name) for name in LIBRARIES}
    if args.cutlass:
        commands["cutlass_sparse"] = cutlass_command(args)
    if args.libraries:
        commands = {name: commands[name] for name in args.libraries}
    for name, command in commands.items():
        print(f"-- {name}", flush=True)
        done = subprocess.run(
            [*command, "-o", f"{args.folder}/{name}.so"], capture_output=True, text=True
        )
        if done.returncode:
            fail(f"{name}: {done.stderr.strip()}")
    clang = subprocess.run([args.clang, "--version"], capture_output=True, text=True)
    finish_build(
        args.folder,
        [f"speed/{script}" for script in SCRIPTS],
        args.cuda_path,
        compiler=clang.stdout.split("\n")[0],
        libraries=list(commands),
    )


# ---------------------------------------------------------------------------
# run
# ---------------------------------------------------------------------------


def chosen(args):
    def is_wanted(name):
        return args.only is None or any(part in name for part in args.only)

    return [p for p in problems() if is_wanted(p["id"])]


def work(args):
    """The process that measures, from problem number --first on. What it prints
    are lines of JSON."""
    backend = importlib.import_module(args.backend).Backend(args.folder)

    def say(**what):
        print(json.dumps(what), flush=True)

    say(machine=backend.machine())
    for index, problem in enumerate(chosen(args)):
        if index < args.first:
            continue
        if time.time() > args.deadline:
            break
        say(begun=index)
        without = args.without if index == args.first else ()
        try:
            contenders = measure(
                problem,
                backend,
                args.rounds,
                without,
                at_hand=lambda name: say(contender=name),
            )
            say(index=index, contenders=contenders)
        except Exception as error:  # one problem's failure is not that of others
            try:
                backend.release()
            except Exception:  # but that of the device is
                say(lost=first_line(error))
                return 1
            say(index=index, failed=first_line(error))
    return 0


class Worker:
    """A process that measures; ends it when it is silent for too long."""

    def __init__(self, args, first, without, deadline):
        command = [sys.executable, os.path.abspath(__file__), "work", args.folder]
        command += ["--first", str(first), "--deadline", str(deadline)]
        command += ["--rounds", str(args.rounds), "--backend", args.backend]
        if args.only is not None:
            command += ["--only", *args.only]
        command += ["--without", *without]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.patience = args.patience
        self.heard = time.monotonic()
        self.is_late = False
        self.lost = None
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while self.process.poll() is None:
            if time.monotonic() - self.heard > self.patience:
                self.is_late = True
                self.process.kill()
            time.sleep(0.1)

    def lines(self):
        for line in self.process.stdout:
            self.heard = time.monotonic()
            if not line.startswith("{"):
                print(line, end="", flush=True)
                continue
            line = json.loads(line)
            self.lost = line.get("lost", self.lost)
            yield line
        self.process.wait()

    def ending(self):
        if self.lost:
            return self.lost
        if self.is_late:
            return f"nothing came for {self.patience} s"
        return f"the process ended with status {self.process.returncode}"


def run(args):
    every = chosen(args)
    if not every:
        fail("no problem contains " + " or ".join(f"'{part}'" for part in args.only))
    manifest = read_manifest(args.folder)
    os.makedirs(args.out, exist_ok=True)
    deadline = time.time() + args.seconds
    failed = first = 0
    with open(f"{args.out}/speed.jsonl", "w") as results:

        def write(**what):
            results.write(json.dumps(what) + "\n")
            results.flush()

        write(
            date=now(),
            rounds=args.rounds,
            wanted=[p["id"] for p in every],
            **manifest,
        )

        def done(index, crashed, line):
            for name, why in crashed.items():
                line.setdefault("contenders", {})[name] = {"failed": why}
            write(problem=every[index], **line)
            print(summary(every[index], line), flush=True)
            return bool(crashed) or "failed" in line

        told_machine = False
        crashed = {}  # of problem number `first`: who, and how
        while first < len(every) and time.time() < deadline:
            worker = Worker(args, first, crashed, deadline)
            at_hand = contender = None
            for line in worker.lines():
                if "machine" in line:
                    if not told_machine:
                        write(machine=line["machine"])
                    told_machine = True
                elif "begun" in line:
                    at_hand, contender = line["begun"], None
                elif "contender" in line:
                    contender = line["contender"]
                elif "index" in line:
                    index = line.pop("index")
                    failed += done(index, crashed, line)
                    first, at_hand, crashed = index + 1, None, {}
            if at_hand is None:
                if worker.process.returncode:
                    fail(worker.ending())
                break
            if contender is not None:
                crashed[contender] = worker.ending()
                print(f"{every[at_hand]['id']}: {contender}: {worker.ending()}")
                continue
            failed += done(at_hand, crashed, {"failed": worker.ending()})
            first, crashed = at_hand + 1, {}
        if crashed:
            failed += done(first, crashed, {"failed": "no time to try it again"})
    return 1 if failed else 0


def summary(problem, line):
    if "failed" in line:
        return f"{problem['id']}: {line['failed']}"
    words = [
        f"{name} {told['failed']}"
        if "failed" in told
        else f"{name} {told['seconds'] * 1e6:.1f} us{'' if told['right'] else ' WRONG'}"
        for name, told in line["contenders"].items()
    ]
    return f"{problem['id']}: {', '.join(words)}"


def main():
    commands = Commands(__doc__)
    part = commands.add("build", build)
    part.add_argument("--libraries", nargs="+", choices=LIBRARIES, help="these alone")
    part.add_argument("--clang", default=f"{ROOT}/build/bin/clang++")
    part.add_argument("--cuda-path", default="/usr/local/cuda")
    part.add_argument(
        "--cutlass", help="a CUTLASS source tree; its kernel takes minutes"
    )
    for name, call in (("run", run), ("work", work)):
        part = commands.add(name, call)
        if name == "run":
            part.add_argument("out")
            part.add_argument("--seconds", type=float, default=400)
            part.add_argument("--patience", type=float, default=60)
        else:
            part.add_argument("--first", type=int, required=True)
            part.add_argument("--deadline", type=float, required=True)
            part.add_argument("--without", nargs="*", default=())
        part.add_argument("--rounds", type=int, default=9)
        part.add_argument(
            "--only", nargs="+", help="problems whose names contain one of these"
        )
        part.add_argument("--backend", default="torch_backend", help="Python module")
    commands.add("page", write_page)
    return commands.run()


if __name__ == "__main__":
    sys.exit(main())
