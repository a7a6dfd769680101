#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Compile kernels that others published, and run them on a GPU that executes wgmma.

  gpu_other_kernels.py fetch SOURCES  get the projects' sources, at the commits that
                                      test/Device/other-kernels/programs.json names
  gpu_other_kernels.py build --sources SOURCES
                                      make the programs of test/Device/other-kernels with
                                      nvcc, with our Clang and the projects' inline
                                      assembly (asm), and with our Clang and the builtins
                                      in CUTLASS's atoms (overlay); and count what the
                                      machine code has
  gpu_other_kernels.py run FOLDER     run them, and write what happened as JSON and as
                                      Markdown

Exit status of `build`: 0, or 1 when something could not be built. Of `run`: 0 when
everything ran and was right, 1 when something was wrong, 2 for wrong usage.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from device.build import ROOT, call, fail, finish, prepare
from device.options import add_build_options, add_run_options, natural, positive
from device.report import origin_rows, table
from device.run import Runner, PASSED, origin, prepare_run, write_results

FOLDER = Path(ROOT) / "test/Device/other-kernels"
COMPILERS = ("nvcc", "asm", "overlay")
FLAGS = ["-O3", "-DNDEBUG"]
STANDARD = "c++17"
# What nvcc's option changes, and no more: infinities stay what they are.
NVCC_FAST_MATH = ["--use_fast_math"]
CLANG_FAST_MATH = [
    "-fgpu-flush-denormals-to-zero",
    "-fgpu-approx-transcendentals",
    *("-mllvm", "-nvptx-prec-divf32=0"),
    *("-mllvm", "-nvptx-prec-sqrtf32=0"),
]
EDITED_SUFFIXES = {".h", ".hpp", ".cuh", ".cu", ".impl"}
LIBRARIES = ["-lcudart_static", "-lcuda", "-ldl", "-lrt", "-lpthread"]
NOTE = re.compile(r"\((C75\d\d)\)")
WARNING = re.compile(r"\[-W(nvptx-wgmma[\w-]*)\]")
ENTRY = re.compile(r"Compiling entry function '(\w+)'")
SPILLS = re.compile(r"(\d+) bytes spill stores")
EXPLANATION = """\
Written by `utils/gpu_other_kernels.py run`; not edited. Each program of
`test/Device/other-kernels` launches published kernels, with random inputs; all that they store is compared with what the host computes. *asm* is
our Clang with the project's inline assembly, *overlay* our Clang with the builtins in
CUTLASS's atoms. [Kernels that others wrote](../other-kernels.md) tells more of them."""


def read_programs():
    with open(FOLDER / "programs.json") as file:
        return json.load(file)


def fetch(args):
    os.makedirs(args.sources, exist_ok=True)
    for name, project in read_programs()["projects"].items():
        clone = f"{args.sources}/{name}"
        if not os.path.exists(clone):
            call(["git", "clone", "--no-checkout", project["site"], clone], name)
        call(["git", "-C", clone, "checkout", "--force", project["commit"]], name)


def check_sources(sources):
    """Other commits would give other figures than those that the page has."""
    for name, project in read_programs()["projects"].items():
        done = subprocess.run(
            ["git", "-C", f"{sources}/{name}", "rev-parse", "HEAD"],
            stdout=subprocess.PIPE,
            text=True,
        )
        if done.stdout.strip() != project["commit"]:
            fail(f"{sources}/{name} is not at {project['commit']}; see `fetch`")


class Builder:
    def __init__(self, args, build_dir, out, cuda):
        # Where programs are run, there is neither.
        sys.path.insert(1, f"{ROOT}/contrib/cutlass")
        import build_tests
        import loop_lengths

        self.compiler_command = build_tests.compiler_command
        self.loop_lengths = loop_lengths
        self.args, self.build_dir, self.out, self.cuda = args, build_dir, out, cuda
        self.edited = Path(f"{out}/edited")

    def command(self, name, program, compiler):
        fast = program.get("fast_math")
        folders = [f"{self.args.sources}/{folder}" for folder in program["includes"]]
        flags = [f"-std={program.get('standard', STANDARD)}", *FLAGS]
        flags += program.get("flags", ())
        clang = f"{self.build_dir}/bin/clang++"
        command = self.compiler_command(compiler, clang, self.cuda)
        if compiler == "nvcc":
            command += ["-Xptxas=-v", *program.get("nvcc", ())]
            command += NVCC_FAST_MATH if fast else ()
        else:
            command += [*program.get("clang", ()), *(CLANG_FAST_MATH if fast else ())]
            edited = [f"{self.edited}/{folder}" for folder in program["includes"]]
            folders = edited + folders
            folders.append(f"{self.cuda}/include/cccl")
        libraries = [f"-L{self.cuda}/lib64", f"-L{self.cuda}/lib64/stubs", *LIBRARIES]
        output = f"{self.out}/{name}.{compiler}"
        flags += [f"-I{folder}" for folder in folders]
        return [*command, *flags, str(FOLDER / f"{name}.cu"), "-o", output, *libraries]

    def edit(self, folder, changes):
        """Copies a folder of what Clang wants otherwise, and changes it."""
        counts = [0] * len(changes)
        for source in Path(f"{self.args.sources}/{folder}").rglob("*.*"):
            if source.suffix not in EDITED_SUFFIXES:
                continue
            text = source.read_text(errors="surrogateescape")
            for i, (pattern, replacement) in enumerate(changes):
                text, count = re.subn(pattern, replacement, text)
                counts[i] += count
            copy = self.edited / source.relative_to(self.args.sources)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, errors="surrogateescape")
        if not all(counts):
            fail(f"{folder} has no {changes[counts.index(0)][0]}")

    def make(self, name, program, compiler):
        """Makes one program; what its machine code has, or None."""
        output = f"{self.out}/{name}.{compiler}"
        done = subprocess.run(
            self.command(name, program, compiler),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        Path(f"{output}.log").write_text(done.stdout)
        if done.returncode:
            print(f"{name}.{compiler}: failed, see {output}.log", flush=True)
            return None
        facts = {
            "notes": sorted(set(NOTE.findall(done.stdout))),
            "warnings": sorted(set(WARNING.findall(done.stdout))),
            "kernels": self.kernels(output, done.stdout),
        }
        call([shutil.which("llvm-strip-22") or "strip", output], output)
        print(f"{name}.{compiler}: {json.dumps(facts)}", flush=True)
        return facts

    def kernels(self, output, log):
        """{name: loops and spills} of the kernels that have loops with wgmma."""
        spills, entry = {}, None
        for line in log.splitlines():
            if match := ENTRY.search(line):
                entry = match[1]
            elif match := SPILLS.search(line):
                spills.setdefault(entry, int(match[1]))
        kernels = {}
        for cubin in self.loop_lengths.cubins(Path(output).read_bytes()):
            lines = self.loop_lengths.disassemble(self.args.nvdisasm, cubin)
            for name, code, labels in self.loop_lengths.functions(lines):
                loops = list(self.loop_lengths.wgmma_loops(code, labels))
                if loops:
                    kernels[name] = {"loops": loops, "spills": spills.get(name)}
        return kernels


def chosen_programs(names):
    """Those of these names, all if there are none."""
    programs = read_programs()["programs"]
    for name in names:
        if name not in programs:
            fail(f"no program {name}; there are {', '.join(programs)}")
    return {name: programs[name] for name in names or programs}


def build(args):
    programs = chosen_programs(args.programs)
    check_sources(args.sources)
    build_dir, out, cuda = prepare(args, "gpu-other-kernels")
    builder = Builder(args, build_dir, out, cuda)
    # Once, and before the first of them is compiled: programs share folders.
    edits = {f: c for p in programs.values() for f, c in p.get("edits", {}).items()}
    for folder, changes in edits.items():
        builder.edit(folder, changes)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        made = {
            name: {
                compiler: pool.submit(builder.make, name, program, compiler)
                for compiler in program.get("compilers", COMPILERS)
                if compiler in args.compilers
            }
            for name, program in programs.items()
        }
        facts = {
            name: {compiler: job.result() for compiler, job in jobs.items()}
            for name, jobs in made.items()
        }
    for name, program in programs.items():
        facts[name] = {
            "title": program["title"],
            "compilers": facts[name],
        }
    finish(__file__, build_dir, out, cuda, programs=facts)
    made = [
        fact for program in facts.values() for fact in program["compilers"].values()
    ]
    return 0 if made and all(made) else 1


class Campaign:
    """Rounds of all programs, each with another seed."""

    def __init__(self, args, programs):
        self.args, self.programs = args, programs
        self.runner = Runner(args.folder, args.timeout)
        # (program, case, compiler): what was printed of it.
        self.cases = {}
        self.trouble = []

    def run(self):
        for round_number in range(self.args.rounds):
            for name, program in self.programs.items():
                compilers = [c for c, made in program["compilers"].items() if made]
                # What runs last finds the GPU at its warmest.
                for compiler in compilers[:: -1 if round_number % 2 else 1]:
                    self.run_program(name, compiler, self.args.seed + round_number)

    def run_program(self, name, compiler, seed):
        command = [f"./{name}.{compiler}", "--seed", str(seed)]
        record, output = self.runner.execute("program", command)
        lines = [line for line in output.splitlines() if line.startswith("{")]
        for line in lines:
            case = json.loads(line)
            key = name, case["case"], compiler
            self.cases.setdefault(key, []).append(case | {"seed": seed})
        wrong = sum(json.loads(line)["wrong"] for line in lines)
        record["summary"] = f"{len(lines)} cases, {wrong} elements wrong"
        self.runner.report(record)
        # A case that is wrong is in the table.
        if not lines or (record["result"] != PASSED and not wrong):
            self.trouble.append(record)


def merge(runs):
    """Of the runs of one case."""
    return {
        "elements": sum(run["elements"] for run in runs),
        "wrong": sum(run["wrong"] for run in runs),
        "worst": max(run["worst"] for run in runs),
        "tflops": round(statistics.median(run["tflops"] for run in runs), 1),
    }


def result_rows(results):
    for name, program in results["programs"].items():
        compilers = results["results"].get(name, {})
        cases = dict.fromkeys(case for c in compilers.values() for case in c)
        for case in cases:
            made = {c: compilers[c][case] for c in compilers if case in compilers[c]}
            speeds = [made[c]["tflops"] if c in made else "" for c in COMPILERS]
            nvcc = made.get("nvcc", {}).get("tflops")
            ratios = [
                f"{made[c]['tflops'] / nvcc:.3f}" if c in made and nvcc else ""
                for c in ("asm", "overlay")
            ]
            wrong = ", ".join(
                f"{m['wrong']:,} of {m['elements']:,}" for m in made.values()
            )
            worst = max(m["worst"] for m in made.values())
            yield f"{program['title']}: {case}", wrong, worst, *speeds, *ratios


def loops_and_spills(facts):
    """Of the kernels in the order of their names, which all compilers give them."""
    return " / ".join(
        ", ".join(f"{n} of {count}" for n, count in kernel["loops"])
        + f": {kernel['spills']}"
        for _, kernel in sorted(facts["kernels"].items())
    )


def machine_code_rows(programs):
    for program in programs.values():
        made = [program["compilers"].get(compiler) for compiler in COMPILERS]
        yield program["title"], *(loops_and_spills(m) if m else "" for m in made)


def said_rows(programs):
    for name, program in programs.items():
        for compiler, facts in program["compilers"].items():
            said = (facts or {}).get("notes", []) + (facts or {}).get("warnings", [])
            if said:
                yield f"`{name}.{compiler}`", ", ".join(said)


def markdown(results):
    rows = list(result_rows(results))
    lines = ["# Kernels that others wrote, on the device", "", EXPLANATION, ""]
    lines += table(
        ("", ""),
        [
            *origin_rows(results),
            ("Rounds", f"{results['rounds']}, seeds from {results['seed']}"),
        ],
    )
    lines += [
        "*wrong* is of the ways that are there, in the order nvcc, asm, overlay; *worst* is the",
        "largest error of them, as a multiple of what is allowed, 0 where all must be exact.",
        "",
    ]
    head = ("case", "wrong", "worst", *(f"{c}, TFLOP/s" for c in COMPILERS))
    lines += table((*head, "asm/nvcc", "overlay/nvcc"), rows)
    lines += [
        "## Machine code",
        "",
        "Instructions of the innermost loops that have wgmma, *of* how many of these, and bytes",
        "of spill stores, of each kernel.",
        "",
    ]
    lines += table(("program", *COMPILERS), machine_code_rows(results["programs"]))
    said = list(said_rows(results["programs"]))
    lines += ["## Notes and warnings", ""]
    if said:
        lines += table(("program", "what `ptxas` and Clang said of wgmma"), said)
    else:
        lines += ["Neither `ptxas` nor Clang said anything of wgmma.", ""]
    if results["trouble"]:
        lines += ["## Not run", "", "```"]
        for record in results["trouble"]:
            reason = record.get("reason") or record.get("end_of_output")
            lines.append(f"{record['command']}: {reason}")
        lines += ["```", ""]
    return "\n".join(lines).rstrip() + "\n"


def run(args):
    manifest = prepare_run(args)
    if manifest is None:
        return 2
    campaign = Campaign(args, manifest["programs"])
    campaign.run()
    results = origin(manifest, "programs") | {
        "seed": args.seed,
        "rounds": args.rounds,
        "results": {},
        "trouble": campaign.trouble,
    }
    for (name, case, compiler), runs in campaign.cases.items():
        of_program = results["results"].setdefault(name, {})
        of_program.setdefault(compiler, {})[case] = merge(runs)
    write_results(args, results, markdown(results))
    wrong = sum(run["wrong"] for runs in campaign.cases.values() for run in runs)
    return 1 if wrong or campaign.trouble or not campaign.cases else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    fetcher = commands.add_parser("fetch", help="get the projects' sources")
    fetcher.add_argument("sources", help="folder to fill")
    builder = commands.add_parser("build", help="make the programs")
    add_build_options(builder, "gpu-other-kernels")
    builder.add_argument("--sources", required=True, help="the folder of `fetch`")
    builder.add_argument("--jobs", type=positive, default=2, metavar="N")
    nvdisasm = shutil.which("nvdisasm")
    builder.add_argument("--nvdisasm", default=nvdisasm, metavar="PATH")
    builder.add_argument(
        "--compilers",
        nargs="+",
        choices=COMPILERS,
        default=COMPILERS,
        help="only these",
    )
    builder.add_argument("programs", nargs="*", metavar="PROGRAM", help="only these")
    runner = commands.add_parser("run", help="run them on the GPU")
    add_run_options(runner, 300, "program", default="other-kernels")
    runner.add_argument("--seed", type=natural, default=1, help="of the first round")
    runner.add_argument("--rounds", type=positive, default=3, metavar="N")
    args = parser.parse_args()
    if args.command == "fetch":
        fetch(args)
        return 0
    if args.command == "run":
        return run(args)
    if not args.nvdisasm:
        builder.error("no nvdisasm on the PATH: name one with --nvdisasm")
    args.sources = os.path.abspath(args.sources)
    return build(args)


if __name__ == "__main__":
    sys.exit(main())
