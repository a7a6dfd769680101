# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""Generates the tests of every variant of wgmma.mma_async[.sp].

Each variant becomes a function per setting of its immediates: the accumulator
comes in and goes out as a parameter, so that the checks can follow each of its
registers from its place in the parameter through the instruction to its place
in the result. wgmma-[sp-]<types>.ll run this script, wgmma-[sp-]coverage.ll check
that together they miss nothing.

Prefixes: CHECK holds at any optimization level. OPT requires that the
instruction accumulates in the very registers that the parameter was loaded to;
O0 allows a copy of each. A fragment of A is a copy, by hidden moves. The stubs add --implicit-check-not=wgmma, and at OPT
--implicit-check-not=mov: nothing stands between what the checks name.
With --assembly the instruction is inline assembly, of which the compiler has to
make the same.
"""

import argparse
import glob
import os
import re
import sys

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))
from ptx_isa.wgmma import INTRINSICS, VARIANTS

REG = {"r": "%r[0-9]+", "rd": "%rd[0-9]+", "p": "%p[0-9]+"}


def define(name, kind="r"):
    return f"[[{name}:{REG[kind]}]]"


def use(name):
    return f"[[{name}]]"


def registers(prefix, count, spell):
    return [spell(f"{prefix}{i}") for i in range(count)]


def param_moves(prefix, regs, fmt):
    """Loads or stores of a vector parameter: by fours, then the rest."""
    lines = []
    for i in range(0, len(regs), 4):
        part = regs[i : i + 4]
        address = f"+{4 * i}" if i else ""
        lines.append(f"; {prefix}-DAG: " + fmt(len(part), address, ", ".join(part)))
    return lines


def load_param(prefix, param, regs):
    return param_moves(
        prefix, regs, lambda n, o, r: f"ld.param.v{n}.b32 {{{r}}}, [{param}{o}];"
    )


def store_result(prefix, regs):
    return param_moves(
        prefix, regs, lambda n, o, r: f"st.param.v{n}.b32 [func_retval0{o}], {{{r}}};"
    )


def gen_assembly(intrinsic, n, satfinite, setting):
    """The instruction as inline assembly, as CUTLASS and others write it."""
    length, element = intrinsic.length(n), intrinsic.element[0]
    of = "f" if element == "float" else "r"
    lines = [
        f"  %d{i} = extractelement {intrinsic.acc(n)} %d, i32 {i}"
        for i in range(length)
    ]
    args, constraints = [], [f"={of}"] * length

    def operand(ir, constraint):
        args.append(ir)
        constraints.append(constraint)
        return f"${length + len(args) - 1}"

    if intrinsic.form == "ss":
        a = operand("i64 %a", "l")
    else:
        lines += [f"  %a{i} = extractelement <4 x i32> %a, i32 {i}" for i in range(4)]
        a = "{" + ", ".join(operand(f"i32 %a{i}", "r") for i in range(4)) + "}"
    operands = [a, operand("i64 %b", "l")]
    if intrinsic.sparse:
        operands += [operand("i32 %meta", "r")]
        operands += [operand(f"i32 {setting['sp-sel']}", "n")]
    scale = operand("i32 %scale", "r")
    operands += ["p"]
    operands += [operand(f"i32 {setting[name]}", "n") for name in intrinsic.immediates]

    acc = ", ".join(f"${i}" for i in range(length))
    text = "{\\0A.reg .pred p;\\0A" + f"setp.ne.b32 p, {scale}, 0;\\0A"
    text += f"{intrinsic.ptx(n, satfinite)} {{{acc}}}, {', '.join(operands)};\\0A}}\\0A"
    args += [f"{element} %d{i}" for i in range(length)]
    constraints += [str(i) for i in range(length)]
    struct = "{ " + ", ".join([element] * length) + " }"
    lines.append(
        f'  %s = call {struct} asm sideeffect "{text}", '
        f'"{",".join(constraints)}"({", ".join(args)})'
    )
    last = "poison"
    for i in range(length):
        lines.append(f"  %s{i} = extractvalue {struct} %s, {i}")
        to = "%r" if i == length - 1 else f"%r{i}"
        lines.append(
            f"  {to} = insertelement {intrinsic.acc(n)} {last}, {element} %s{i}, i32 {i}"
        )
        last = to
    return lines


def gen_function(intrinsic, n, satfinite, setting, name, in_assembly=False):
    acc, length = intrinsic.acc(n), intrinsic.length(n)
    a_type = "i64" if intrinsic.form == "ss" else "<4 x i32>"
    opcode = intrinsic.ptx(n, satfinite)
    ptx_a = "[[A]]" if intrinsic.form == "ss" else "{[[A0]], [[A1]], [[A2]], [[A3]]}"
    acc_regs = ", ".join(registers("D", length, use))

    out = [f"; CHECK-LABEL: .func {{{{.*}}}}) {name}("]
    out += load_param("OPT", f"{name}_param_0", registers("D", length, define))
    out += load_param("O0", f"{name}_param_0", registers("L", length, define))
    if intrinsic.form == "ss":
        out.append(f"; CHECK-DAG: ld.param.b64 {define('A', 'rd')}, [{name}_param_1];")
    else:
        out += load_param("CHECK", f"{name}_param_1", registers("F", 4, define))
    out += [
        f"; CHECK-DAG: ld.param.b64 {define('B', 'rd')}, [{name}_param_2];",
        f"; CHECK-DAG: ld.param.b32 {define('SCALE')}, [{name}_param_3];",
        f"; CHECK-DAG: setp.ne.b32 {define('P', 'p')}, [[SCALE]], 0;",
        "; CHECK-DAG: wgmma.fence.sync.aligned;",
    ]
    ptx_meta = ""
    if intrinsic.sparse:
        out.append(f"; CHECK-DAG: ld.param.b32 {define('META')}, [{name}_param_4];")
        ptx_meta = f"[[META]], {setting['sp-sel']}, "
    # A move that ptxas cannot tell to be one; see NVPTXHideWGMMAMoves.
    hidden = "lop3.b32 {}, {{{{%r[0-9]+, [0-9]+}}}}, {}, 0x6a;"
    if intrinsic.form == "rs":
        # What comes from another function may be halves of 64 bits there.
        out += [
            "; CHECK-DAG: " + hidden.format(define(f"A{i}"), f"[[F{i}]]")
            for i in range(4)
        ]
    out += [
        "; O0-DAG: " + hidden.format(define(f"D{i}"), f"[[L{i}]]")
        for i in range(length)
    ]
    out += [
        # What the stubs say with --implicit-check-not does not reach past -DAG.
        "; OPT-NOT: mov",
        "; CHECK-NOT: wgmma",
        f"; CHECK: {opcode} {{{acc_regs}}}, {ptx_a}, [[B]], "
        f"{ptx_meta}[[P]]{intrinsic.ptx_immediates(setting)};",
        "; CHECK: wgmma.commit_group.sync.aligned;",
        "; CHECK: wgmma.wait_group.sync.aligned 0;",
    ]
    out += store_result("CHECK", registers("D", length, use))
    out += ["; OPT-NOT: mov", "; CHECK-NOT: wgmma", "; CHECK: ret;"]
    if in_assembly:
        instruction = gen_assembly(intrinsic, n, satfinite, setting)
    else:
        instruction = ["  %scale.d = icmp ne i32 %scale, 0"]
        instruction += [f"  %r = {intrinsic.call(n, setting, satfinite)}"]
    out += [
        f"define {acc} @{name}({acc} %d, {a_type} %a, i64 %b, "
        f"i32 %scale{', i32 %meta' if intrinsic.sparse else ''}) {{",
        "  call void @llvm.nvvm.wgmma.fence.sync.aligned()",
        *instruction,
        "  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()",
        "  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)",
        f"  ret {acc} %r",
        "}",
    ]
    return "\n".join(out)


def gen_tests(intrinsics, in_assembly):
    for intrinsic in intrinsics:
        for index, n in enumerate(intrinsic.rule.n):
            if not in_assembly:
                print(intrinsic.declaration(n))
            for satfinite in intrinsic.rule.satfinite:
                settings = intrinsic.flag_settings(index)
                for number, setting in enumerate(settings):
                    name = f"{intrinsic.form}_{intrinsic.types.replace('.', '_')}_n{n}"
                    name += "_sat" if satfinite else ""
                    name += f"_{number}" if len(settings) > 1 else ""
                    print()
                    print(
                        gen_function(
                            intrinsic, n, satfinite, setting, name, in_assembly
                        )
                    )
            print()


def gen_fence_operand_tests():
    """A function for each type of accumulator (<4 x i32>, A, is one of them)."""
    types = {i.acc(n): i.element[1] for i, n, _ in VARIANTS}
    for acc, element in sorted(types.items()):
        length = int(re.search("[0-9]+", acc)[0])
        name = f"v{length}{element}"
        print(f"; CHECK-LABEL: .func {{{{.*}}}}) {name}(")
        checks = load_param("CHECK", f"{name}_param_0", registers("D", length, define))
        checks += ["; CHECK: wgmma.wait_group.sync.aligned 0;"]
        checks += store_result("CHECK", registers("D", length, use))
        checks += ["; CHECK-NOT: mov", "; CHECK: ret;"]
        print("\n".join(checks))
        print(
            f"""define {acc} @{name}({acc} %d) {{
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call {acc} @llvm.nvvm.wgmma.fence_operand.{name}({acc} %d)
  ret {acc} %r
}}
"""
        )


def gen_invalid_tests(intrinsics):
    """Calls with accumulators that no variant has: wrong lengths, then elements."""
    for intrinsic in intrinsics:
        element, mangling, _ = intrinsic.element
        other = ("i32", "i32") if element == "float" else ("float", "f32")
        valid = intrinsic.lengths()
        lengths = sorted(set(range(1, valid[-1] + 9)) - set(valid))
        accs = [(length, element, mangling) for length in lengths]
        for wrong in (other, ("half", "f16"), ("i16", "i16"), ("double", "f64")):
            accs.append((valid[3], *wrong))

        name = intrinsic.name
        print(f"define void @{intrinsic.builtin}(i64 %a.ss, <4 x i32> %a.rs) {{")
        for length, element, mangling in accs:
            acc = f"<{length} x {element}>"
            call = intrinsic.call_with(
                acc,
                f"{name}.v{length}{mangling}",
                d="poison",
                a=f"%a.{intrinsic.form}",
                b="0",
                meta="0",
                scale_d="true",
            )
            print(f"; CHECK: {name}: accumulator must be {{{{.*}}}}, got {acc}")
            print(f"  {call}")
        print("  ret void\n}\n")


def summarize(intrinsics, stub_dir):
    """Prints what the grammar has, and which of it no stub in stub_dir tests."""
    variants = [v for v in VARIANTS if v[0] in intrinsics]
    for family in sorted({i.family for i in intrinsics}):
        count = sum(v[0].family == family for v in variants)
        print(f"{family}: {count} variants")
    shapes = {(intrinsic, n) for intrinsic, n, _ in variants}
    print(
        f"{len(variants)} variants, {len(shapes)} pairs of intrinsic and N, "
        f"{len(intrinsics)} intrinsics"
    )

    tested = set()
    for path in glob.glob(os.path.join(stub_dir, "wgmma-*.ll")):
        with open(path) as stub:
            run = re.search(r"^; RUN\W.*wgmma\.py (\w\S+) >", stub.read(), re.M)
            tested.update(run.groups() if run else ())
    untested = {i.family for i in intrinsics} - tested
    print("untested:", ", ".join(sorted(untested)) or "none")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "family",
        nargs="?",
        choices=sorted({i.family for i in INTRINSICS}),
        help="[sp.]D.A.B[.and.popc]",
    )
    parser.add_argument("--summary", metavar="DIR", help="the stubs are in DIR")
    parser.add_argument("--fence-operand", action="store_true")
    parser.add_argument("--invalid", action="store_true")
    parser.add_argument("--only", choices=("dense", "sparse"))
    parser.add_argument(
        "--assembly", action="store_true", help="inline assembly in place of intrinsics"
    )
    args = parser.parse_args()
    intrinsics = [
        i for i in INTRINSICS if args.only in (None, "sparse" if i.sparse else "dense")
    ]
    if args.summary:
        summarize(intrinsics, args.summary)
    elif args.fence_operand:
        gen_fence_operand_tests()
    elif args.invalid:
        gen_invalid_tests(intrinsics)
    elif args.family or args.assembly:
        family = [i for i in intrinsics if args.family in (None, i.family)]
        gen_tests(family, args.assembly)
    else:
        parser.error("nothing to generate")


if __name__ == "__main__":
    main()
