#!/usr/bin/env python3
#===----------------------------------------------------------------------===#
#
# Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Makes cubins with one kernel for each warp-level matrix instruction of sm_90.

  make_kernels.py intrinsics --llc LLC --ptxas PTXAS --out FOLDER
  make_kernels.py builtins --clang CLANG --ptxas PTXAS --out FOLDER

Both make kernels of the same names, which take the same arguments (kernels.py). The
folder gets the sources, the PTX and the cubin of each family of instructions, and
manifest.txt, which lists the kernels and the instructions that ptxas refuses for the
target. Each kernel's PTX is checked to contain the instruction, once.

The lines of manifest.txt, fields separated by tabs:
  kernel  NAME  CUBIN  FAMILY  INSTRUCTION  KEY=VALUE...
  lacks   FAMILY  INSTRUCTION  REASON
"""

import argparse
import os
import re
import subprocess
import sys

import grammar
import kernels
import probe

TARGET = "sm_90"
PTX_FEATURE = "+ptx" + probe.PTX_VERSION.replace(".", "")
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
        return [args.llc, f"-mcpu={TARGET}", f"-mattr={PTX_FEATURE}", "-o", f"{base}.ptx"]
    return [
        *(args.clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib"),
        "-Wno-unknown-cuda-version",
        *("-std=c++17", f"--cuda-gpu-arch={TARGET}", "-Xclang", "-target-feature"),
        *("-Xclang", PTX_FEATURE, "-O2", "-S", "-o", f"{base}.ptx"),
    ]


def check_ptx(file, made):
    """Each kernel has its instruction, once, and no other of these families."""
    with open(file) as ptx:
        bodies = re.split(r"^\.visible \.entry (\w+)\(", ptx.read(), flags=re.MULTILINE)
    found = {
        name: re.findall(r"^\t((?:w?mma|ldmatrix|stmatrix|movmatrix)\.\S+)", body, re.M)
        for name, body in zip(bodies[1::2], bodies[2::2])
    }
    for kernel in made:
        if found.get(kernel.name) != [kernel.variant.ptx]:
            fail(
                f"{kernel.name} should contain '{kernel.variant.ptx}', "
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
    check_ptx(f"{base}.ptx", made)
    call([args.ptxas, f"-arch={TARGET}", "-o", f"{base}.cubin", f"{base}.ptx"])
    return f"{file}.cubin"


def manifest_line(kernel, cubin):
    v = kernel.variant
    described = v.fields + grammar.fields(
        kind=kernel.kind,
        in_words=kernel.input_words,
        out_words=v.result.words if v.result else 0,
        selector=0 if kernel.selector is None else kernel.selector,
    )
    words = ["kernel", kernel.name, cubin, v.family, v.title]
    return "\t".join(words + [f"{key}={value}" for key, value in described])


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
        "--skip", nargs="+", default=[], metavar="FAMILY", help="leave out, for example, movmatrix"
    )
    args = parser.parse_args()
    compiler = "llc" if args.route == "intrinsics" else "clang"
    if not getattr(args, compiler):
        parser.error(f"{args.route} need --{compiler}")

    variants = grammar.variants()
    families = list(dict.fromkeys(v.family for v in variants))
    unknown = set(args.skip) - set(families)
    if unknown:
        parser.error(f"no family {', '.join(sorted(unknown))}; there are {', '.join(families)}")

    refused = probe.lacking(args.ptxas, TARGET, variants)
    os.makedirs(args.out, exist_ok=True)
    lines = [
        "\t".join(("lacks", v.family, v.title, reason)) for v, reason in refused.items()
    ]
    for family in families:
        made = kernels.kernels(
            v for v in variants if v.family == family and v not in refused
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
