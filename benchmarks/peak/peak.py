#!/usr/bin/env python3
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Measure how fast each wgmma can be, from LLVM's intrinsics.

  peak.py build FOLDER   compile a kernel for each type, N, source of A, dense and
                         sparse, into a folder that can travel; needs llc of a build of
                         this project (or --llc) and CUDA's ptxas
  peak.py run FOLDER OUT on the GPU machine, which needs Python and the driver alone:
                         cycles of all for one, two and four warpgroups, then rates
                         under load; writes OUT/peak.jsonl line by line
  peak.py page FILE      of peak.jsonl write docs/results/peak.md, .json and plots

Exit status: 0; 1 when something could not be built or measured, also when ptxas would
serialize a kernel; 2 for wrong usage.
"""

import importlib
import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[1:1] = [HERE, f"{ROOT}/benchmarks"]

from commands import Commands, fail, finish_build, now, read_manifest, write_page

SCRIPTS = ("peak/peak.py", "peak/driver.py", "speed/sampler.py")

# Of an interval, and how often; the least of them counts.
CYCLES = 400_000
LAUNCHES = 3
# A group takes this long even where the tensor cores have little to do.
LEAST_CYCLES = 16
WARPGROUPS = (1, 2, 4)

# Under load: a launch, what must pass until clock and power are steady, and what is
# measured then.
LOAD_CYCLES = 4_000_000
WARM_SECONDS = 0.2
LOAD_SECONDS = 0.25
LOAD_WARPGROUPS = 2

# A pair of indices that each type allows: of a chunk the first two, or the last two.
METADATA = 0xE4E4E4E4
# (base, mask) of random elements: signs, some of the exponent's bits, and all of the
# fraction's.
ELEMENTS = {
    "f16": (0x38003800, 0x87FF87FF),
    "bf16": (0x3F003F00, 0x80FF80FF),
    "tf32": (0x3F000000, 0x80FFE000),
    "e4m3": (0x38383838, 0x87878787),
    "e5m2": (0x38383838, 0x87878787),
    "s8": (0, 0xFFFFFFFF),
    "u8": (0, 0xFFFFFFFF),
    "b1": (0, 0xFFFFFFFF),
}


# ---------------------------------------------------------------------------
# build
# ---------------------------------------------------------------------------


def described(intrinsic, n):
    import kernels

    return {
        "name": kernels.name_of(intrinsic, n),
        "types": intrinsic.types,
        "a": intrinsic.a,
        "form": intrinsic.form,
        "sparse": intrinsic.sparse,
        "n": n,
        "k": intrinsic.k,
        "most_warpgroups": kernels.most_warpgroups(intrinsic, n),
    }


def called(command, what):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        fail(f"{what}: {(done.stderr or done.stdout).strip()[:2000]}")
    return done.stdout + done.stderr


def compile_family(args, types, some, defect):
    """The kernels of some types, compressed."""
    import kernels

    base = f"{args.folder}/{types}"
    with open(f"{base}.ll", "w") as file:
        file.write(kernels.module(some))
    target = "-mcpu=sm_90a -mattr=+ptx84 -verify-machineinstrs".split()
    called([args.llc, *target, f"{base}.ll", "-o", f"{base}.ptx"], f"llc, {types}")
    assemble = [f"{args.cuda_path}/bin/ptxas", "-v", "-arch=sm_90a", f"{base}.ptx"]
    notes = called([*assemble, "-o", f"{base}.cubin"], f"ptxas, {types}")
    repaired = [line for line in notes.splitlines() if defect.search(line)]
    if repaired:
        fail(f"{types}: {repaired[0]}")
    called(
        [
            f"{args.cuda_path}/bin/fatbinary",
            f"--create={base}.fatbin",
            "--compress-all",
            f"--image3=kind=elf,sm=90a,file={base}.cubin",
        ],
        f"fatbinary, {types}",
    )
    for kind in ("ll", "ptx", "cubin"):
        os.remove(f"{base}.{kind}")


def build(args):
    sys.path.insert(1, f"{ROOT}/test/support")
    import kernels
    from ptxas_verify import DEFECT

    os.makedirs(args.folder, exist_ok=True)
    families = {}
    for intrinsic, n in kernels.variants():
        if (not args.types or intrinsic.types in args.types) and (
            not args.n or n in args.n
        ):
            families.setdefault(intrinsic.types, []).append((intrinsic, n))
    if not families:
        fail("there is no such instruction")
    for types, some in families.items():
        print(f"-- {types}: {len(some)} kernels", flush=True)
        compile_family(args, types, some, DEFECT)
    finish_build(
        args.folder,
        SCRIPTS,
        args.cuda_path,
        group=kernels.GROUP,
        shared_bytes=kernels.SHARED_BYTES,
        families={
            types: [described(*variant) for variant in some]
            for types, some in families.items()
        },
    )
    return 0


# ---------------------------------------------------------------------------
# run
# ---------------------------------------------------------------------------

# Multiplications and additions of a multiprocessor in a cycle, by the datasheet: 989.4
# TFLOP/s dense of f16 are 132 multiprocessors at 1,830 MHz with 2,048 of them.
PEAK_MACS = {
    "f16": 2048,
    "bf16": 2048,
    "tf32": 1024,
    "e4m3": 4096,
    "e5m2": 4096,
    "s8": 4096,
    "u8": 4096,
}


def ideal_cycles(variant):
    """What the datasheet allows; None of b1, which it does not have."""
    if variant["a"] not in PEAK_MACS:
        return None
    macs = 64 * variant["n"] * variant["k"]
    return macs / PEAK_MACS[variant["a"]] / (2 if variant["sparse"] else 1)


def groups_for(variant, warpgroups, cycles, group):
    each = max((ideal_cycles(variant) or variant["n"] / 2) * warpgroups, LEAST_CYCLES)
    return max(20, round(cycles / each / group))


def measure_cycles(device, launch, variant, warpgroups, group):
    """Cycles of a multiprocessor for each instruction: the median of the blocks, in
    the fastest launch."""
    groups = groups_for(variant, warpgroups, CYCLES, group)
    base, mask = ELEMENTS[variant["a"]]
    found = []
    for _ in range(LAUNCHES):
        launch(warpgroups, groups, base, mask, METADATA)
        device.synchronize()
        found.append(statistics.median(device.read_cycles()))
    return round(min(found) / (groups * group * warpgroups), 3)


def measure_load(device, sampler, launch, variant, group, is_zero):
    """Rate, clock and power when nothing else is done for a while."""
    groups = groups_for(variant, LOAD_WARPGROUPS, LOAD_CYCLES, group)
    base, mask = (0, 0) if is_zero else ELEMENTS[variant["a"]]

    def again():
        launch(LOAD_WARPGROUPS, groups, base, mask, METADATA)

    each = device.seconds(again, 2) / 2
    device.seconds(again, max(1, round(WARM_SECONDS / each)))
    count = max(1, round(LOAD_SECONDS / each))
    start = time.monotonic()
    seconds = device.seconds(again, count)
    samples = sampler.samples(start, time.monotonic())
    cycles = statistics.median(device.read_cycles())
    instructions = count * groups * group * LOAD_WARPGROUPS * device.multiprocessors
    operations = 2 * 64 * variant["n"] * variant["k"] * instructions

    def mean(values):
        return round(statistics.mean(values), 1) if values else None

    return {
        "tflops": round(operations / seconds / 1e12, 1),
        "cycles": round(cycles / (groups * group * LOAD_WARPGROUPS), 3),
        "counted_mhz": round(cycles * count / seconds / 1e6, 1),
        "mhz": mean(samples["mhz"]),
        "watts": mean(samples["watts"]),
        "reasons": samples["reasons"],
    }


def loaded(families):
    """(variant, whether all elements are zero) of what is measured under load."""
    for some in families.values():
        most = max(variant["n"] for variant in some)
        for variant in some:
            if variant["n"] == most:
                yield variant, False
                if variant["form"] == "ss":
                    yield variant, True


def run(args):
    backend = importlib.import_module(args.backend)
    from sampler import Sampler

    manifest = read_manifest(args.folder)
    os.makedirs(args.out, exist_ok=True)
    deadline = time.monotonic() + args.seconds
    device, sampler = backend.Device(), Sampler()
    families, group = manifest.pop("families"), manifest.pop("group")
    shared_bytes = manifest.pop("shared_bytes")
    left_out = 0
    with open(f"{args.out}/peak.jsonl", "w") as results:

        def write(**what):
            results.write(json.dumps(what) + "\n")
            results.flush()

        machine = {**sampler.machine(), **device.machine()}
        write(date=now(), machine=machine, **manifest)
        modules = {t: device.load(f"{args.folder}/{t}.fatbin") for t in families}

        def kernel(variant):
            module = modules[variant["types"]]
            return device.kernel(module, variant["name"], shared_bytes)

        for types, some in families.items():
            print(f"-- {types}", flush=True)
            for variant in some:
                if time.monotonic() > deadline:
                    left_out += 1
                    continue
                launch = kernel(variant)
                cycles = {
                    count: measure_cycles(device, launch, variant, count, group)
                    for count in WARPGROUPS
                    if count <= variant["most_warpgroups"]
                }
                write(variant=variant, cycles=cycles)
        for variant, is_zero in loaded(families):
            if time.monotonic() > deadline:
                left_out += 1
                continue
            launch = kernel(variant)
            load = measure_load(device, sampler, launch, variant, group, is_zero)
            write(variant=variant, zeros=is_zero, load=load)
            print(f"{variant['name']}: {load}", flush=True)
        write(left_out=left_out)
    sampler.stop()
    return 1 if left_out else 0


def main():
    commands = Commands(__doc__)
    part = commands.add("build", build)
    part.add_argument("--llc", default=f"{ROOT}/build/bin/llc")
    part.add_argument("--cuda-path", default="/usr/local/cuda")
    part.add_argument("--types", nargs="+", help="these alone, such as f32.f16.f16")
    part.add_argument("--n", nargs="+", type=int, help="these N alone")
    part = commands.add("run", run)
    part.add_argument("out")
    part.add_argument("--seconds", type=float, default=120)
    part.add_argument("--backend", default="driver", help="Python module")
    commands.add("page", write_page, files=1)
    return commands.run()


if __name__ == "__main__":
    sys.exit(main())
