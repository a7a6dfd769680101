# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""What the patches cost whoever builds LLVM's NVPTX library.

All that the library's CMakeLists.txt ask for, patched and unpatched: TableGen's
runs for the intrinsics and the backend, and the translation units. Both sides
have the same flags, read the same packaged headers and bypass ccache. The same
step of both sides runs at the same time, on two cores that they swap after each
step, so that what slows the machine down slows both.
"""

import os
import re
import shutil
import statistics
import threading

from build_commands import Side
from measure import cpu_seconds, growth

LIMIT_PERCENT = 15
LIBRARY = "llvm/lib/Target/NVPTX"
INTRINSICS = "llvm/include/llvm/IR"
# Of the build's commands, which to take as the pattern for all others.
TABLEGEN_PATTERN = "generated/lib/Target/NVPTX/NVPTXGenInstrInfo.inc"
COMPILE_PATTERN = "/llvm/lib/Target/NVPTX/NVPTXISelLowering.cpp.o"


def read_cmake(side, folder):
    with open(side.source(f"{folder}/CMakeLists.txt")) as file:
        return file.read()


def tablegen_steps(side):
    """{what is made: command}, in the order of the CMakeLists.txt."""
    pattern = side.build.words(TABLEGEN_PATTERN)
    steps = {}
    for folder in (INTRINSICS, LIBRARY):
        calls = re.findall(
            r"set\(LLVM_TARGET_DEFINITIONS (\S+)\)|^tablegen\(LLVM (\S+) ([^)]*)\)",
            read_cmake(side, folder),
            re.MULTILINE,
        )
        for definitions, name, arguments in calls:
            if definitions:
                source = side.source(f"{folder}/{definitions}")
                continue
            output = f"{side.folder}/generated/{folder.removeprefix('llvm/')}/{name}"
            words = side.command(pattern, source, output)
            place = words.index("-gen-instr-info")
            words[place : place + 1] = arguments.split()
            steps[name] = words
    return steps


def compile_steps(side):
    """{translation unit: command} for the library and its two small ones."""
    build = side.build
    pattern = build.words(
        next(o for o in build.commands if o.endswith(COMPILE_PATTERN))
    )
    steps = {}
    for folder in (LIBRARY, f"{LIBRARY}/MCTargetDesc", f"{LIBRARY}/TargetInfo"):
        for name in re.findall(
            r"^\s+(\w+\.cpp)$", read_cmake(side, folder), re.MULTILINE
        ):
            unit = f"{folder}/{name}"
            steps[unit] = side.command(
                pattern, side.source(unit), f"{side.folder}/objects/{name}.o"
            )
    return steps


def run_side_by_side(sides, commands, cpus):
    """Runs one command of each side, each on a core of its own; their times."""
    seconds, errors = {}, []

    def run(name, words, cpu):
        pin = ["taskset", "-c", str(cpu)]
        try:
            seconds[name] = cpu_seconds([*pin, *words], cwd=sides[name].folder)
        except Exception as error:
            errors.append(error)

    threads = [
        threading.Thread(target=run, args=(name, words, cpu))
        for (name, words), cpu in zip(commands.items(), cpus)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return seconds


def measure(sides, steps, rounds):
    """{side: {step: median seconds}}. A step of one side only runs alone."""
    names = list(dict.fromkeys(name for side in steps.values() for name in side))
    seconds = {side: {} for side in sides}
    # A machine of one core makes them wait for each other.
    cpus = (sorted(os.sched_getaffinity(0)) * 2)[:2]
    for round in range(rounds):
        for index, name in enumerate(names):
            order = cpus if (round + index) % 2 == 0 else cpus[::-1]
            commands = {
                side: steps[side][name] for side in steps if name in steps[side]
            }
            for side, time in run_side_by_side(sides, commands, order).items():
                seconds[side].setdefault(name, []).append(time)
    return {
        side: {name: statistics.median(times) for name, times in of_side.items()}
        for side, of_side in seconds.items()
    }


def summary(times):
    before, after = (sum(times[side].values()) for side in ("unpatched", "patched"))
    return {
        "unpatched_seconds": before,
        "patched_seconds": after,
        "unpatched_steps": len(times["unpatched"]),
        "patched_steps": len(times["patched"]),
        "growth_percent": growth(before, after),
    }


def library_cost(build, folder, rounds, quick=False):
    """Measures, and returns what was measured."""
    sides = {}
    for name in ("unpatched", "patched"):
        side = Side(build, f"{folder}/library/{name}", name == "patched")
        shutil.rmtree(side.folder, ignore_errors=True)
        for made in (
            "objects",
            "generated/include/llvm/IR",
            "generated/lib/Target/NVPTX",
        ):
            os.makedirs(f"{side.folder}/{made}")
        shutil.copytree(
            f"{build.directory}/generated/include/llvm/Config",
            f"{side.folder}/generated/include/llvm/Config",
        )
        sides[name] = side

    tablegen = {name: tablegen_steps(side) for name, side in sides.items()}
    compile = {name: compile_steps(side) for name, side in sides.items()}
    if quick:
        keep = "NVPTXGenSDNodeInfo.inc", f"{LIBRARY}/TargetInfo/NVPTXTargetInfo.cpp"
        for steps in (*tablegen.values(), *compile.values()):
            for name in [name for name in steps if name not in keep]:
                del steps[name]
    parts = {
        "TableGen": measure(sides, tablegen, rounds),
        "compilation": measure(sides, compile, rounds),
    }
    parts["both"] = {
        name: {**parts["TableGen"][name], **parts["compilation"][name]}
        for name in sides
    }
    result = {part: summary(times) for part, times in parts.items()}
    steps = [
        {
            "step": name,
            **{f"{side}_seconds": parts["both"][side].get(name) for side in sides},
        }
        for name in parts["both"]["patched"]
    ]
    return {
        "limit_percent": LIMIT_PERCENT,
        "holds": result["both"]["growth_percent"] < LIMIT_PERCENT,
        "rounds": rounds,
        "parts": result,
        "steps": steps,
    }
