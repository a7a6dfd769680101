#!/usr/bin/env python3
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
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

The folder holds a copy of this script. What `run` writes comes from the programs
that it ran and from nvidia-smi; what did not run is listed as not run. Neither
host names nor paths of the machine get into it.

Exit status of `build`: 0, or 1 when something could not be built. Of `run`: 0
when everything ran and passed, 1 when something failed, 2 for wrong usage, 3
when nothing failed but something did not run.
"""

import argparse
import collections
import concurrent.futures
import datetime
import importlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

PASSED, FAILED, NOT_RUN = "passed", "failed", "not run"

MANIFEST = "manifest.json"
# In a build folder: what the programs of the warpgroup's and of the warp's instructions
# are linked with.
MODEL = "lib/libnvptx-mma-model.a"
HARNESS = ("lib/libnvptx-mma-harness.a", MODEL)
WARP_HARNESS = ("lib/libnvptx-mma-warp-harness.a", MODEL)
EXAMPLE = "sparse_gemm"
EXAMPLE_SIZES = (512, 4096)
# Made of LLVM IR; the other programs, by Clang.
INTRINSICS = "wgmma-intrinsics"
# What is compiled in each of these ways besides the usual one.
SAMPLE = "wgmma-sample"
USUAL_LEVEL = "-O2"
LEVELS = {
    "O0": "-O0",
    "O1": "-O1",
    "O3": "-O3",
    # All debug information, as nvcc makes with -G; ptxas does not optimize then.
    "O0-g": "-O0 -g",
    "O2-g": "-O2 -g --cuda-noopt-device-debug",
}
# Here, ptxas may serialize wgmma, as accumulators do not stay in registers.
REPAIRED_LEVELS = ("O0", "O0-g", "O2-g")
SAMPLE_LAUNCHES = 20
# So that nothing waits for them in the end, they begin first.
LONGEST = (INTRINSICS, SAMPLE)
# Each program keeps a core busy; some are left to the driver and to others.
DEFAULT_JOBS = max(1, (os.cpu_count() or 1) // 4)
# Of the sample, the instructions whose layouts are read off the device: of the sparse ones
# each type of A, which N = 8 has with selector 0 and N = 24 with selector 1 and the others'
# transposes, and of the dense ones a type, with A in registers and in shared memory.
PROBED_TESTS = tuple(
    f"single/sp.{form}.{types}.n{n}"
    for types in (
        "f32.f16.f16",
        "f32.bf16.bf16",
        "f32.tf32.tf32",
        "f32.e4m3.e4m3",
        "f32.e5m2.e5m2",
        "s32.s8.s8",
        "s32.u8.u8",
    )
    for form in ("rs", "ss")
    for n in (8, 24)
) + ("single/rs.f32.f16.f16.n24", "single/ss.f32.f16.f16.n24")
# compute-sanitizer slows a kernel down by orders of magnitude.
SANITIZED_SIZES = (512, 256, 512)
SANITIZED_TESTS = (".n8",)
SANITIZERS = ("memcheck", "racecheck", "synccheck")
# The programs' exit status when there is no suitable GPU.
NO_DEVICE = 3
SANITIZER_FOUND_ERRORS = 99
# What ptxas -v says of every kernel.
PTXAS_STATISTICS = re.compile(
    r"ptxas info +: (Compiling entry function|Function properties|Used \d+ registers|"
    r"Compile time|\d+ bytes gmem)| +\d+ bytes stack frame",
    re.MULTILINE,
)
# What a probe says of one layout: instruction, what was read (and how), result, more.
PROBE_LINE = re.compile(
    r"(\S+): ((?:[AB]|metadata|kept elements)\b[^:]*): ((?:not )?as modelled)(?:, (.*))?$",
    re.MULTILINE,
)
# What ptxas has to say of the order of instructions and wgmma.
PTXAS_NOTE = re.compile(r"ptxas info +: \((C75\d\d)\).*function '(\w+)'")


def fail(message):
    sys.exit(f"gpu_tests.py: error: {message}")


# ---------------------------------------------------------------------------
# build
# ---------------------------------------------------------------------------


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


def output_of(command, **kwargs):
    """What a command prints, or None when it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, **kwargs)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def git_state(root):
    commit = output_of(["git", "rev-parse", "HEAD"], cwd=root)
    status = output_of(["git", "status", "--porcelain"], cwd=root)
    return {"commit": commit, "modified": None if status is None else bool(status)}


class Builder:
    def __init__(self, root, build_dir, out, cuda):
        self.root = root
        self.out = out
        self.clang = f"{build_dir}/bin/clang++"
        self.llc = f"{build_dir}/bin/llc"
        self.cuda = cuda
        self.ptxas = f"{cuda}/bin/ptxas"
        # Without a __pycache__ in the source tree.
        sys.dont_write_bytecode = True
        sys.path.insert(0, f"{root}/test/support")
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


def make_anew(folder):
    """Leaves nothing of an earlier build, which might be run as this one's."""
    if os.path.exists(f"{folder}/{MANIFEST}"):
        shutil.rmtree(folder)
    elif os.path.isdir(folder) and os.listdir(folder):
        fail(f"{folder} is not empty, and no output of an earlier build")
    os.makedirs(folder, exist_ok=True)
    # It is such an output from now on, even if this build ends early.
    with open(f"{folder}/{MANIFEST}", "w") as file:
        file.write("{}")


def build(args):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    device_tests = f"{root}/test/Device"
    tests = sorted(n[:-3] for n in os.listdir(device_tests) if n.endswith(".cu"))
    sources = {name: f"{device_tests}/{name}.cu" for name in tests}
    sources[EXAMPLE] = f"{root}/examples/{EXAMPLE}.cu"
    sources[INTRINSICS] = f"{device_tests}/intrinsics"
    levels = {f"{SAMPLE}-{level}": level for level in LEVELS}
    sources.update(dict.fromkeys(levels, sources[SAMPLE]))
    unknown = set(args.only or []) - set(sources)
    if unknown:
        fail(f"no program {', '.join(sorted(unknown))}; there are {', '.join(sources)}")
    names = [name for name in sources if not args.only or name in args.only]

    build_dir = args.build_dir or f"{root}/build"
    out = args.out or f"{build_dir}/gpu"
    if not os.access(f"{build_dir}/bin/clang++", os.X_OK):
        fail(
            f"no clang++ in {build_dir}/bin; build the project first, or name "
            "the build folder with --build-dir"
        )
    make_anew(out)

    builder = Builder(root, build_dir, out, find_cuda(args.cuda_path))
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

    release = re.search(r"release .*", output_of([builder.ptxas, "--version"]) or "")
    manifest = {
        "git": git_state(root),
        "ptxas": release.group(0) if release else None,
        "compiler": (output_of([builder.clang, "--version"]) or "").splitlines()[0],
        "flags": " ".join(
            builder.compile_flags[:1] + [USUAL_LEVEL] + builder.cuda_flags[1:]
        ),
        "programs": [name for name in names if name not in levels],
        "levels": [
            {"program": name, "flags": LEVELS[level], "repaired": repaired[name]}
            for name, level in levels.items()
            if name in names
        ],
    }
    with open(f"{out}/{MANIFEST}", "w") as file:
        json.dump(manifest, file, indent=1)
    shutil.copy(os.path.abspath(__file__), out)
    print(
        f"Done. On a machine with a GPU: python3 {os.path.relpath(out)}/gpu_tests.py run "
        f"{os.path.relpath(out)} --json device.json --markdown device.md"
    )


# ---------------------------------------------------------------------------
# run
# ---------------------------------------------------------------------------


def ask_nvidia_smi():
    """What nvidia-smi tells of the first GPU; None for what it does not."""
    fields = {
        "gpu": "name",
        "driver": "driver_version",
        "compute_capability": "compute_cap",
    }
    answer = output_of(
        [
            "nvidia-smi",
            f"--query-gpu={','.join(fields.values())}",
            "--format=csv,noheader",
            "--id=0",
        ]
    )
    values = [v.strip() for v in answer.split(",")] if answer else []
    machine = (
        dict(zip(fields, values))
        if len(values) == len(fields)
        else dict.fromkeys(fields)
    )
    version = re.search(r"CUDA Version: *([0-9.]+)", output_of(["nvidia-smi"]) or "")
    machine["cuda_driver_api"] = version.group(1) if version else None
    return machine


class Runner:
    def __init__(self, folder, timeout):
        self.folder = os.path.abspath(folder)
        self.timeout = timeout

    def clean(self, text):
        """Leaves out what tells of this machine only."""
        for secret, word in (
            (self.folder, "."),
            (os.getcwd(), "."),
            (os.path.expanduser("~"), "~"),
            (socket.gethostname(), "HOST"),
        ):
            if len(secret) > 1:
                text = text.replace(secret, word)
        return text

    def execute(self, kind, command):
        """Runs a command in the folder and returns its record and output."""
        record = {"kind": kind, "command": " ".join(command)}
        started = time.monotonic()
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=self.timeout,
            )
            record["exit_code"] = done.returncode
            output = done.stdout
        except OSError as error:
            record["reason"] = f"it could not be started: {error.strerror}"
            output = b""
        except subprocess.TimeoutExpired as expired:
            record["reason"] = f"no end after {self.timeout} s"
            output = expired.stdout or b""
        record["seconds"] = round(time.monotonic() - started, 2)
        output = self.clean(output.decode(errors="replace"))
        record["result"] = PASSED if record.get("exit_code") == 0 else FAILED
        if record.get("exit_code") == NO_DEVICE:
            record["result"] = NOT_RUN
            record["reason"] = (output.strip().splitlines() or ["no suitable GPU"])[-1]
        elif record["result"] == FAILED:
            record["end_of_output"] = output.splitlines()[-20:]
        return record, output

    def execute_reporting(self, kind, command):
        """Runs a program that writes JSON to FILE. Returns its record, and that or None."""
        handle, report = tempfile.mkstemp(suffix=".json")
        os.close(handle)
        try:
            record, _ = self.execute(
                kind, [report if word == "FILE" else word for word in command]
            )
            with open(report, errors="replace") as file:
                text = file.read()
        finally:
            os.remove(report)
        record["command"] = " ".join(command)
        # A program that crashed has written nothing, or not all.
        if not text:
            return record, None
        try:
            return record, json.loads(text)
        except json.JSONDecodeError:
            record["result"] = FAILED
            reasons = [record.get("reason"), "what it wrote is incomplete"]
            record["reason"] = "; ".join(filter(None, reasons))
            return record, None

    def not_run(self, kind, command, reason):
        record = {
            "kind": kind,
            "command": " ".join(command),
            "result": NOT_RUN,
            "reason": reason,
        }
        return self.report(record)

    def report(self, record):
        details = [record[key] for key in ("reason", "summary") if record.get(key)]
        if "seconds" in record:
            details.append(f"{record['seconds']} s")
        # With the end of the line in it, as others print, too.
        print(
            f"{record['command']}: {record['result']} ({', '.join(details)})\n",
            end="",
            flush=True,
        )
        return record

    def test_program(self, name, launches, seed, kind="tests"):
        """Runs a program of the device tests. What it covered comes from it."""
        options = ["--launches", str(launches)] if launches else []
        options += seed_options(seed)
        record, tests = self.execute_reporting(
            kind, [f"./{name}", "--json", "FILE", *options]
        )
        tests = tests or []
        record["passed"] = sum(test["passed"] for test in tests)
        record["failed"] = len(tests) - record["passed"]
        record["elements_compared"] = sum(test["elements_compared"] for test in tests)
        record["launches"] = sum(test["launches"] for test in tests)
        record["failures"] = [
            {"name": test["name"], "fault": test["fault"]}
            for test in tests
            if not test["passed"]
        ]
        if record["result"] == PASSED and not tests:
            record["result"], record["reason"] = FAILED, "it ran no test"
        if record["result"] != NOT_RUN:
            record["summary"] = f"{record['passed']} passed, {record['failed']} failed"
        return self.report(record), tests

    def example(self, size):
        record, output = self.execute("example", [f"./{EXAMPLE}"] + [str(size)] * 3)
        record["output"] = [
            line
            for line in output.splitlines()
            if re.match(r"(Result|First wrong element|Time|PASS|FAIL)\b", line)
        ]
        return self.report(record)

    def probe(self, program, asked_for=()):
        """Reads layouts off the device, of these instructions, and compares them with the model."""
        record, output = self.execute("probe", program)
        record["lines"] = [line.group() for line in PROBE_LINE.finditer(output)]
        agreeing = sum(": as modelled" in line for line in record["lines"])
        if record["result"] != NOT_RUN:
            record["summary"] = f"{agreeing} of {len(record['lines'])} as modelled"
        # Immediates may follow the name that was asked for.
        seen = [PROBE_LINE.match(line).group(1) + "." for line in record["lines"]]
        missing = [
            name
            for name in asked_for
            if not any(instruction.startswith(name + ".") for instruction in seen)
        ]
        if record["result"] == PASSED:
            if not 0 < agreeing == len(record["lines"]):
                record["result"], record["reason"] = (
                    FAILED,
                    "it did not print what its status says",
                )
            elif missing:
                record["result"] = FAILED
                record["reason"] = f"it did not probe {', '.join(missing)}"
        if record["result"] == FAILED:
            # What was found follows the first line that tells of a difference.
            different = re.search("^.*: not as modelled", output, re.MULTILINE)
            record["end_of_output"] = (
                output[different.start() :].splitlines()[:20]
                if different
                else output.splitlines()[-20:]
            )
        return self.report(record)

    def sanitizer(self, tool, program):
        """Runs a program, with its arguments, under compute-sanitizer."""
        command = [
            "compute-sanitizer",
            "--tool",
            tool,
            "--error-exitcode",
            str(SANITIZER_FOUND_ERRORS),
            *program,
        ]
        if not shutil.which(command[0]):
            return self.not_run(
                "sanitizer", command, f"{command[0]} is not on the PATH"
            )
        record, output = self.execute("sanitizer", command)
        summaries = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (.*)", output)
        if summaries:
            record["summary"] = summaries[-1]
        elif record["result"] == PASSED:
            record["result"], record["reason"] = FAILED, "the tool printed no summary"
        return self.report(record)


def name_of(parameters):
    """An instruction's operands and types, as PTX names them."""
    sparse = "sp." if parameters["sparse"] else ""
    return f"{sparse}{'.'.join(parameters[key] for key in ('a_source', 'd', 'a', 'b'))}"


def coverage(tests):
    """What was tested of each instruction, by its PTX operands and types."""
    rows = {}
    for test in tests:
        p = test["parameters"]
        key = name_of(p)
        row = rows.setdefault(
            key,
            {
                "instruction": key,
                "n": set(),
                "schedules": set(),
                "swizzles": set(),
                "immediates": {},
                "tests": 0,
                "failed": 0,
                "launches": 0,
                "elements_compared": 0,
            },
        )
        row["n"].add(p["n"])
        row["schedules"].add(p["schedule"])
        row["swizzles"].update(p["swizzles"])
        for immediate in (
            "selector",
            "scale_a",
            "scale_b",
            "trans_a",
            "trans_b",
            "satfinite",
        ):
            row["immediates"].setdefault(immediate, set()).add(p[immediate])
        row["tests"] += 1
        row["failed"] += not test["passed"]
        row["launches"] += test["launches"]
        row["elements_compared"] += test["elements_compared"]
    for row in rows.values():
        row["n"] = sorted(row["n"])
        row["schedules"] = sorted(row["schedules"])
        # By width, after "none".
        row["swizzles"] = sorted(
            row["swizzles"], key=lambda s: (s.isdigit(), len(s), s)
        )
        row["immediates"] = {
            name: sorted(values)
            for name, values in row["immediates"].items()
            if len(values) > 1
        }
    return list(rows.values())


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        cells = (str(cell).replace("|", "\\|") for cell in row)
        lines.append("| " + " | ".join(cells) + " |")
    return lines + [""]


def rounded_sums(sums):
    """Of (name, what a program says of its sums), what is to say of each model."""
    models = {}
    for name, told_of in sums:
        model = models.setdefault(
            told_of["model"],
            {
                "model": told_of["model"],
                "instructions": [],
                "elements": 0,
                "worst_error": 0,
                "worst_of_required": 0,
                "models_left": 0,
            },
        )
        if name not in model["instructions"]:
            model["instructions"].append(name)
        model["elements"] += told_of["elements"]
        for key in ("worst_error", "worst_of_required"):
            # None is a result that was no number.
            worst = (model[key], told_of[key])
            model[key] = None if None in worst else max(worst)
        model["models_left"] = max(model["models_left"], told_of["models_left"])
    return sorted(models.values(), key=lambda model: -len(model["instructions"]))


def open_points(notes):
    """{what was seen where the ISA leaves it open: the instructions}, of (name, note)."""
    seen = {}
    for name, note in notes:
        if note and name not in seen.setdefault(note, []):
            seen[note].append(name)
    return seen


def open_points_section(seen):
    """Nothing where nothing was open."""
    if not seen:
        return []
    return [
        "## What the ISA leaves open",
        "",
        "Seen here:",
        "",
        *table(
            ("", "instructions"),
            [
                (note, ", ".join(f"`{name}`" for name in names))
                for note, names in seen.items()
            ],
        ),
    ]


def rounded_sums_section(models):
    """Nothing where no sum was rounded."""
    if not models:
        return []

    def error(value):
        return "no number" if value is None else value

    return [
        "## Sums that round",
        "",
        "Random floating point numbers with all bits of their types. The worst error is told",
        "in units of the bound that follows from the precision of the accumulation that PTX",
        "states, whatever the order and the rounding, and in units of the bound that is asked",
        "for, which is wider for the 8-bit types of wgmma; see",
        "[how an H200 adds up](../rounding.md). The way of adding up is one that gives each",
        "sum that was tried, bit for bit. Of all ways that were compared with these sums, so",
        "many are left; with 1, no other gives them.",
        "",
        *table(
            (
                "worst error",
                "of what is asked for",
                "elements",
                "how they are added up",
                "ways left",
                "instructions",
            ),
            [
                (
                    error(model["worst_error"]),
                    error(model["worst_of_required"]),
                    model["elements"],
                    model["model"],
                    model["models_left"],
                    ", ".join(f"`{name}`" for name in model["instructions"]),
                )
                for model in models
            ],
        ),
    ]


def origin_rows(results):
    """Of a table: when, where and by what compiler the results were made."""
    machine, git = results["machine"], results["git"]
    commit = told(git["commit"])
    if git["modified"]:
        commit += ", with uncommitted changes"
    return [
        ("Date", results["date"]),
        (
            "GPU",
            f"{told(machine['gpu'])}, compute capability "
            f"{told(machine['compute_capability'])}",
        ),
        (
            "Driver",
            f"{told(machine['driver'])}, CUDA {told(machine['cuda_driver_api'])}",
        ),
        ("Commit", commit),
        (
            "Compiler",
            f"{results['compiler']}, patched; ptxas {told(results['ptxas'])}",
        ),
    ]


def told(value):
    return "not known" if value is None else value


def probe_table(records):
    """What was read of each instruction, and how much of it agrees."""
    rows = {}
    for record in records:
        for line in record["lines"]:
            instruction, what, result, note = PROBE_LINE.match(line).groups()
            row = rows.setdefault(
                instruction,
                {"read": collections.Counter(), "agreeing": 0, "effect": ""},
            )
            what = what.split(",")[0]
            row["read"][{"A": "A in memory", "B": "B in memory"}.get(what, what)] += 1
            row["agreeing"] += result == "as modelled"
            if what == "metadata":
                row["effect"] = note
    return table(
        ("instruction", "read", "as modelled", ""),
        [
            (
                f"`{instruction}`",
                ", ".join(
                    what + (f" ({count} descriptors)" if count > 1 else "")
                    for what, count in row["read"].items()
                ),
                f"{row['agreeing']} of {sum(row['read'].values())}",
                row["effect"],
            )
            for instruction, row in rows.items()
        ],
    )


def probe_section(records):
    """Nothing where there was no probe."""
    if not records:
        return []
    lines = [
        "## Layouts read off the device",
        "",
        "One nibble of the metadata and one element of A at a time, and the place in shared",
        "memory of each element. Nothing was taken from the model of what was read.",
        "",
    ]
    lines += table(
        ("command", "result", "exit code", "seconds", ""),
        [
            (
                f"`{record['command']}`",
                record["result"],
                record.get("exit_code", ""),
                record.get("seconds", ""),
                "; ".join(
                    record[key] for key in ("reason", "summary") if record.get(key)
                ),
            )
            for record in records
        ],
    )
    return lines + (
        probe_table(records) if any(record["lines"] for record in records) else []
    )


def markdown(results):
    runs = results["runs"] + results["probes"]
    counts = [
        sum(r["result"] == result for r in runs) for result in (PASSED, FAILED, NOT_RUN)
    ]
    lines = [
        "# Results on the device",
        "",
        "Written by `utils/gpu_tests.py run`; not edited. Results are compared with the model in",
        "`model`: bit for bit, except where the ISA leaves something open: sums that",
        "round are within a bound, a NaN has any bits, subnormal inputs may count or not (what was",
        "seen is told below).",
        "",
        f"**{counts[0]} runs passed, {counts[1]} failed, {counts[2]} did not run.**",
        "",
    ]
    lines += table(
        ("", ""),
        [
            *origin_rows(results),
            ("Flags", f"`{results['flags']}`"),
            test_time(results),
        ],
    )

    def details(run):
        parts = [run[key] for key in ("reason", "summary") if run.get(key)]
        return "; ".join(parts + run.get("output", []))

    def table_of(*kinds):
        return table(
            ("command", "result", "exit code", "seconds", ""),
            [
                (
                    f"`{run['command']}`",
                    run["result"],
                    run.get("exit_code", ""),
                    run.get("seconds", ""),
                    details(run),
                )
                for run in results["runs"]
                if run["kind"] in kinds
            ],
        )

    lines += ["## Runs", "", *table_of("tests", "example")]
    levels = [run for run in results["runs"] if run["kind"] == "level"]
    if levels:
        lines += [
            f"## `{SAMPLE}` at other levels of optimization",
            "",
            "Where `ptxas` does not optimize, it may serialize wgmma and insert waits, as",
            "its notes say.",
            "",
        ]
        lines += table(
            ("flags", "result", "elements compared", "repaired by ptxas", ""),
            [
                (
                    f"`{run['flags']}`",
                    run["result"],
                    run["elements_compared"],
                    ", ".join(
                        f"{count} kernels ({note})"
                        for note, count in run["repaired"].items()
                    )
                    or "none",
                    details(run),
                )
                for run in levels
            ],
        )
    if any(run["kind"] == "sanitizer" for run in results["runs"]):
        lines += ["## Under compute-sanitizer", "", *table_of("sanitizer")]

    lines += rounded_sums_section(results["rounded_sums"])
    lines += open_points_section(results["notes"])
    lines += probe_section(results["probes"])

    def coverage_table(rows):
        return table(
            (
                "wgmma.mma_async",
                "N",
                "schedules",
                "swizzles",
                "immediates varied",
                "tests",
                "failed",
                "launches",
                "elements compared",
            ),
            [
                (
                    row["instruction"],
                    ", ".join(map(str, row["n"])),
                    ", ".join(row["schedules"]),
                    ", ".join(row["swizzles"]),
                    ", ".join(row["immediates"]),
                    row["tests"],
                    row["failed"],
                    row["launches"],
                    row["elements_compared"],
                )
                for row in rows
            ],
        )

    lines += [
        "## Instructions covered",
        "",
        "Scale-d off and on in every test. Loops ran several times with many CTAs.",
        "",
        *coverage_table(results["coverage"]),
    ]
    if results["intrinsics_coverage"]:
        lines += [
            "## Instructions covered, from LLVM's intrinsics",
            "",
            *coverage_table(results["intrinsics_coverage"]),
        ]
    for run in runs:
        if run["result"] != FAILED:
            continue
        lines += [f"## Failure of `{run['command']}`", "", "```"]
        lines += [f"{f['name']}: {f['fault']}" for f in run.get("failures", [])]
        lines += run.get("end_of_output", []) if not run.get("failures") else []
        lines += ["```", ""]
    return "\n".join(lines)


def test_time(results):
    """A row of a page's first table."""
    text = f"{results['test_seconds']} s, {results['jobs']} programs at a time"
    return "Tests", text + (f", seed {results['seed']}" if results["seed"] else "")


def seed_options(seed):
    """What tells a program of the device tests to use other random inputs."""
    return ["--seed", str(seed)] if seed else []


def add_seed_option(parser):
    parser.add_argument(
        "--seed",
        type=natural,
        default=0,
        metavar="N",
        help="other random inputs than those of seed 0, the default",
    )


def prepare_run(args):
    """The folder's manifest; None, with an error, if it is no output of `build`."""
    try:
        with open(f"{args.folder}/{MANIFEST}") as file:
            manifest = json.load(file)
    except OSError as error:
        print(
            f"{os.path.basename(sys.argv[0])}: error: {args.folder} is no output of "
            f"`build`: {error.strerror}",
            file=sys.stderr,
        )
        return None
    for file in (args.json, args.markdown):
        os.makedirs(os.path.dirname(os.path.abspath(file)), exist_ok=True)
    return manifest


def run_together(jobs, calls):
    """Makes calls, {name: (function, argument...)}, some at a time and beginning with the first.

    Returns {name: result} and the seconds that it took."""
    started = time.monotonic()
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        pending = {name: pool.submit(*call) for name, call in calls.items()}
        results = {name: job.result() for name, job in pending.items()}
    finally:
        # When interrupted, begin no more.
        pool.shutdown(cancel_futures=True)
    return results, round(time.monotonic() - started, 2)


def run(args):
    manifest = prepare_run(args)
    if manifest is None:
        return 2

    runner = Runner(args.folder, args.timeout)
    now = datetime.datetime.now(datetime.timezone.utc)
    results = {
        "date": now.strftime("%Y-%m-%d %H:%M UTC"),
        "machine": ask_nvidia_smi(),
        **{key: manifest[key] for key in ("git", "compiler", "ptxas", "flags")},
        "jobs": args.jobs,
        "seed": args.seed,
        "runs": [],
        "probes": [],
    }
    programs = [name for name in manifest["programs"] if name != EXAMPLE]
    calls = {
        name: (runner.test_program, name, args.launches, args.seed)
        for name in sorted(programs, key=lambda name: name not in LONGEST)
    }
    for level in manifest["levels"]:
        name = level["program"]
        calls[name] = (runner.test_program, name, SAMPLE_LAUNCHES, args.seed, "level")
    if SAMPLE in programs:
        calls["probe"] = (
            runner.probe,
            [f"./{SAMPLE}", "--probe", *PROBED_TESTS],
            [test.split("/")[1] for test in PROBED_TESTS],
        )
    done, results["test_seconds"] = run_together(args.jobs, calls)

    tests, intrinsics_tests, sanitized = [], [], []
    for name in programs:
        record, own_tests = done[name]
        results["runs"].append(record)
        (intrinsics_tests if name == INTRINSICS else tests).extend(own_tests)
    # What follows is alone on the machine.
    if EXAMPLE in manifest["programs"]:
        results["runs"] += [runner.example(size) for size in EXAMPLE_SIZES]
        sanitized.append([f"./{EXAMPLE}", "--check-only", *map(str, SANITIZED_SIZES)])
    for level in manifest["levels"]:
        record, _ = done[level["program"]]
        results["runs"].append({**record, **level})
    if SAMPLE in programs:
        sanitized.append([f"./{SAMPLE}", "--launches", "1", *SANITIZED_TESTS])
        results["probes"].append(done["probe"])
    results["runs"] += [
        runner.sanitizer(tool, program) for program in sanitized for tool in SANITIZERS
    ]
    results["rounded_sums"] = rounded_sums(
        (name_of(test["parameters"]), test["rounded_sums"])
        for test in tests + intrinsics_tests
        if "rounded_sums" in test
    )
    results["notes"] = open_points(
        (name_of(test["parameters"]), test["note"])
        for test in tests + intrinsics_tests
        if "note" in test
    )
    results["coverage"] = coverage(tests)
    results["intrinsics_coverage"] = coverage(intrinsics_tests)

    with open(args.json, "w") as file:
        json.dump(results, file, indent=1)
        file.write("\n")
    with open(args.markdown, "w") as file:
        file.write(markdown(results))
    found = {record["result"] for record in results["runs"] + results["probes"]}
    print(f"Wrote {args.json} and {args.markdown}")
    if FAILED in found or not found:
        return 1
    return 3 if NOT_RUN in found else 0


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


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)

    builder = commands.add_parser("build", help="compile the programs into a folder")
    builder.add_argument(
        "--build-dir", help="build folder with bin/clang++ (default: build)"
    )
    builder.add_argument("--out", help="folder to make anew (default: BUILD_DIR/gpu)")
    builder.add_argument(
        "--cuda-path",
        help="CUDA toolkit (default: CUDA_PATH, nvcc's, " "/usr/local/cuda)",
    )
    builder.add_argument("--jobs", type=positive, default=os.cpu_count(), metavar="N")
    builder.add_argument(
        "--only", nargs="+", metavar="PROGRAM", help="build just these"
    )

    runner = commands.add_parser("run", help="run what build made")
    runner.add_argument("folder", help="the output folder of build")
    runner.add_argument("--json", required=True, metavar="FILE")
    runner.add_argument("--markdown", required=True, metavar="FILE")
    runner.add_argument(
        "--launches", type=positive, metavar="N", help="launches of each test of a loop"
    )
    runner.add_argument(
        "--jobs",
        type=positive,
        default=DEFAULT_JOBS,
        metavar="N",
        help="test programs at a time (default: a quarter of the cores)",
    )
    add_seed_option(runner)
    runner.add_argument(
        "--timeout",
        type=positive,
        default=300,
        metavar="SECONDS",
        help="limit for each program (default: 300)",
    )

    args = parser.parse_args()
    return build(args) if args.command == "build" else run(args)


if __name__ == "__main__":
    sys.exit(main())
