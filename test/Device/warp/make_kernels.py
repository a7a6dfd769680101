#!/usr/bin/env python3
# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Makes cubins with one kernel for each warp-level matrix instruction of sm_90.

  make_kernels.py intrinsics --llc LLC --ptxas PTXAS --out FOLDER
  make_kernels.py builtins --clang CLANG --ptxas PTXAS --out FOLDER

Both make kernels of the same names, which take the same arguments (kernels.py). The
folder gets the sources, the PTX and the cubin of each family of instructions, and
manifest.txt, which lists the kernels and the instructions that the target lacks, as
ptxas says, or LLVM. Each kernel's PTX is checked to contain the instruction, once.
With --optimization='-O0 -g', builtins get debug information, as nvcc's -G makes it.

The lines of manifest.txt, fields separated by tabs:
  kernel  NAME  CUBIN  FAMILY  INSTRUCTION  KEY=VALUE...
  lacks   FAMILY  INSTRUCTION  REASON
"""

import argparse
import os
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))

from ptx_isa import matrix
from ptx_isa.matrix import assembly
from ptx_isa.matrix.variant import ELEMENTS, Target

import kernels

TARGET = Target("sm_90", 90)
# ptxas's advice to prefer mma.sp::ordered_metadata is no concern of a test.
ADVICE = re.compile(r"^.*Advisory: Modifier '.sp::ordered_metadata'.*\n", re.MULTILINE)


def fail(message):
    sys.exit(f"make_kernels.py: error: {message}")


def call(command):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    sys.stdout.write(ADVICE.sub("", done.stdout))
    if done.returncode:
        fail(f"{os.path.basename(command[0])} failed on {command[-1]}")


def compile_to_ptx(args, base):
    if args.route == "intrinsics":
        options = [f"-mcpu={TARGET.arch}", f"-mattr=+ptx{TARGET.ptx}"]
        return [args.llc, *args.optimization, *options, "-o", f"{base}.ptx"]
    return [
        *(args.clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib"),
        *("-std=c++17", f"--cuda-gpu-arch={TARGET.arch}", "-Xclang", "-target-feature"),
        *("-Xclang", f"+ptx{TARGET.ptx}", *args.optimization),
        *("-S", "-o", f"{base}.ptx"),
    ]


def ptxas_optimization(args):
    """What Clang gives to ptxas."""
    return ["-g"] if "-g" in args.optimization else args.optimization[:1]


def expected_mnemonic(args, variant):
    """Builtins take generic pointers, and only optimization finds their space."""
    generic = args.route == "builtins" and "-O0" in args.optimization
    return variant.mnemonic.replace(variant.space or "", "", int(generic))


def check_ptx(args, file, made):
    """Each kernel has its instruction, once, and no other of these families."""
    with open(file) as ptx:
        bodies = re.split(r"^\.visible \.entry (\w+)\(", ptx.read(), flags=re.MULTILINE)
    found = {
        name: re.findall(r"^\t((?:w?mma|ldmatrix|stmatrix|movmatrix)\.\S+)", body, re.M)
        for name, body in zip(bodies[1::2], bodies[2::2])
    }
    for kernel in made:
        expected = expected_mnemonic(args, kernel.variant)
        if found.get(kernel.name) != [expected]:
            fail(
                f"{kernel.name} should contain '{expected}', "
                f"but contains {found.get(kernel.name)}"
            )


def make_family(args, family, made):
    file = family.replace("::", "_").replace(".", "_")
    base = f"{args.out}/{file}"
    source, text = (
        (f"{base}.ll", kernels.ir(made))
        if args.route == "intrinsics"
        else (f"{base}.cu", kernels.cuda(made))
    )
    with open(source, "w") as output:
        output.write(text)
    call(compile_to_ptx(args, base) + [source])
    check_ptx(args, f"{base}.ptx", made)
    options = [f"-arch={TARGET.arch}", *ptxas_optimization(args)]
    call([args.ptxas, *options, "-o", f"{base}.cubin", f"{base}.ptx"])
    return f"{file}.cubin"


def title(variant):
    """The ISA has one name for what takes a stride or does not."""
    return variant.mnemonic + (" with stride" if variant.argument("stride") else "")


def not_executable(ptxas, variants):
    """{variant: why the target, or the compiler, does not have it}"""
    lines = [assembly.render(v.mnemonic, v.operands) for v in variants]
    refused = assembly.refused(ptxas, lines, TARGET)
    reasons = {variants[index]: refused[index] for index in sorted(refused)}
    for variant in variants:
        if not variant.intrinsic:
            reasons.setdefault(variant, "LLVM has no intrinsic for it")
    return reasons


def one_of(words, *choices):
    return next((word for word in words if word in choices), "none")


def described(kernel):
    """What the program must know of a kernel, most of it from the mnemonic."""
    v = kernel.variant
    words = v.mnemonic.split(".")
    layouts = [word for word in words if word in ("row", "col")]
    types = [word for word in words if word in ELEMENTS]
    result = {
        "kind": kernel.kind,
        "in_words": kernel.input_words,
        "out_words": kernel.output_words,
    }
    shape = next(word for word in words if re.fullmatch(r"m\d+n\d+(k\d+)?", word))
    if v.space is not None:
        result["space"] = v.space[1:] or "generic"
    if v.family in ("ldmatrix", "stmatrix"):
        result["trans"] = int("trans" in words)
    elif v.family in ("wmma.load", "wmma.store"):
        result.update(shape=shape, role=words[2], layout=layouts[0], type=types[0])
        result["stride"] = int(kernel.has_stride)
    elif v.family != "movmatrix":
        # Where the types of A and B are left out, they are f16.
        d, a, b, c = types if len(types) == 4 else (types[0], "f16", "f16", types[1])
        result.update(shape=shape, alayout=layouts[0], blayout=layouts[1])
        result.update(d=d, a=a, b=b, c=c, satfinite=int("satfinite" in words))
        result["rnd"] = one_of(words, "rn", "rz", "rm", "rp")
        result["bitop"] = one_of(words, "xor", "and")
        result["selector"] = kernel.selector or 0
        result["ordered"] = int("ordered_metadata" in v.family)
    return result


def manifest_line(kernel, cubin):
    v = kernel.variant
    words = ["kernel", kernel.name, cubin, v.family, title(v)]
    words += [f"{key}={value}" for key, value in described(kernel).items()]
    return "\t".join(words)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("route", choices=("intrinsics", "builtins"))
    parser.add_argument("--llc", help="compiles intrinsics")
    parser.add_argument("--clang", help="compiles builtins")
    parser.add_argument("--ptxas", required=True)
    parser.add_argument("--out", required=True, help="folder to write to")
    parser.add_argument(
        "--optimization",
        type=str.split,
        default=["-O2"],
        metavar="OPTIONS",
        help="of the compiler: a level, with or without debug information",
    )
    parser.add_argument(
        "--skip", nargs="+", default=[], metavar="FAMILY", help="families to leave out"
    )
    args = parser.parse_args()
    compiler = "llc" if args.route == "intrinsics" else "clang"
    if not getattr(args, compiler):
        parser.error(f"{args.route} need --{compiler}")

    # What PTX has no more is of no target.
    variants = [
        v for v in matrix.VARIANTS if not v.last_ptx or v.last_ptx >= TARGET.ptx
    ]
    families = matrix.FAMILIES
    unknown = set(args.skip) - set(families)
    if unknown:
        parser.error(
            f"no family {', '.join(sorted(unknown))}; there are {', '.join(families)}"
        )

    missing = not_executable(args.ptxas, variants)
    os.makedirs(args.out, exist_ok=True)
    lines = [
        "\t".join(("lacks", v.family, title(v), why)) for v, why in missing.items()
    ]
    for family in families:
        made = kernels.kernels(
            v for v in variants if v.family == family and v not in missing
        )
        if not made or family in args.skip:
            continue
        cubin = make_family(args, family, made)
        lines += [manifest_line(kernel, cubin) for kernel in made]
        print(f"{family}: {len(made)} kernels", flush=True)
    with open(f"{args.out}/manifest.txt", "w") as output:
        output.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
