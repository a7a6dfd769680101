# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
# LLVM's lit takes each .py in its folder for a test.
# RUN: true
"""Generates loops around wgmma.mma_async[.sp], as GEMM kernels have them.

The accumulators are carried round the loop in registers. Whatever copies one of
them, or a fragment of A, costs the time that the tensor cores were to save, and
in flight it is an error: no loop may contain a mov or a wait of the compiler's own,
every wgmma must work on the same registers, and a fragment of A must not be
loaded over one that is in use.
wgmma-[sp-]loop-<D>.ll run this script for an accumulator type each.
"""

import argparse
import os
import sys

sys.path.insert(1, os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))
from ptx_isa import wgmma

TYPES = {"f32": "f32.f16.f16", "f16": "f16.f16.f16", "s32": "s32.s8.s8"}
N = {
    "f32": (8, 24, 40, 144, 200, 256),
    "f16": (8, 24, 40, 144, 200, 256),
    "s32": (8, 24, 48, 144, 256),
}
# Two accumulators may take this many of a thread's 255 registers.
MAX_TWO_ACCUMULATORS = 160

# IR.
FENCE = "  call void @llvm.nvvm.wgmma.fence.sync.aligned()\n"
COMMIT = "  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()\n"
BARRIER = "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
WAIT = "  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 {})\n"
WAIT0, WAIT1 = WAIT.format(0), WAIT.format(1)

# What FileCheck is to find in the PTX.
PTX_FENCE = "wgmma.fence.sync.aligned;"
PTX_COMMIT = "wgmma.commit_group.sync.aligned;"
PTX_BARRIER = "bar{{(rier)?}}."
PTX_WAIT0 = "wgmma.wait_group.sync.aligned 0;"
PTX_WAIT1 = "wgmma.wait_group.sync.aligned 1;"
LOOP_BEGIN = r"[[LOOP:\$L__BB[0-9]+_[0-9]+]]: // %loop"
LOOP_END = "bra{{.*}}[[LOOP]];"


def define_a(name):
    return "{[[" + name + ":%r[0-9]+(, %r[0-9]+){3}]]}"


def use(name):
    return "{[[" + name + "]]}"


def load_a(regs, address="{{.*}}"):
    return f"ld.shared.v4.b32 {regs}, {{{{\\[}}}}{address}];"


class Kernels:
    """The kernels for an accumulator type and N: each method returns the IR of
    its body and the checks of its loop, in order."""

    def __init__(self, d, sparse, form, n):
        family = ("sp." if sparse else "") + TYPES[d]
        self.intrinsic = wgmma.find(form, family)
        self.n = n
        self.acc = self.intrinsic.acc(n)
        self.acc_suffix = self.acc.replace("<", "v").replace(" x ", "").rstrip(">")
        self.acc_suffix = self.acc_suffix.replace("float", "f32")
        self.setting = self.intrinsic.flag_settings(0)[0]

    def mma(self, result, d, a, b, meta):
        call = self.intrinsic.call(
            self.n, self.setting, d=d, a=a, b=b, meta=meta, scale_d="true"
        )
        return f"  {result} = {call}\n"

    def load_metadata(self, result, offset=0):
        """Nothing where A is dense."""
        if not self.intrinsic.sparse:
            return ""
        address = f"{result}.address"
        return (
            f"  {address} = getelementptr i8, ptr addrspace(3) %meta, i32 {offset}\n"
            f"  {result} = load i32, ptr addrspace(3) {address}\n"
        )

    def load_first_metadata(self, result):
        """In front of the loop."""
        if not self.intrinsic.sparse:
            return ""
        return f"  {result} = load i32, ptr addrspace(3) %meta.first\n"

    def keep(self, result, value):
        fence = f"@llvm.nvvm.wgmma.fence_operand.{self.acc_suffix}"
        return f"  {result} = call {self.acc} {fence}({self.acc} {value})\n"

    def keep_a(self, value):
        fence = "@llvm.nvvm.wgmma.fence_operand.v4i32"
        return f"  {value}.done = call <4 x i32> {fence}(<4 x i32> {value})\n"

    def load_a(self, result, pointer):
        return f"  {result} = load <4 x i32>, ptr addrspace(3) {pointer}, align 16\n"

    def loop(self, phis, body, entry="", exit=""):
        """A loop with a counter, a descriptor of B and, where A is sparse, an
        address of metadata.

        Every wgmma gets metadata of its own, as in earnest. Where two of a group
        share it, ptxas copies the register between them and serializes (C7513).
        """
        phis = [
            ("i32 %i", "0", "%i.next"),
            ("i64 %b", "%b.desc", "%b.next"),
            *phis,
        ]
        next_metadata = ""
        if self.intrinsic.sparse:
            phis.insert(2, ("ptr addrspace(3) %meta", "%meta.first", "%meta.next"))
            next_metadata = (
                "  %meta.next = getelementptr i8, ptr addrspace(3) %meta, i32 1024\n"
            )
        ir = f"entry:\n{entry}  br label %loop\nloop:\n"
        for value, first, following in phis:
            ty, name = value.rsplit(" ", 1)
            ir += f"  {name} = phi {ty} [ {first}, %entry ], [ {following}, %loop ]\n"
        return ir + (
            f"{body}"
            "  %b.next = add i64 %b, 64\n"
            f"{next_metadata}"
            "  %i.next = add i32 %i, 1\n"
            "  %more = icmp ult i32 %i.next, %count\n"
            "  br i1 %more, label %loop, label %exit\n"
            f"exit:\n{exit}"
            f"  store {self.acc} %d.end, ptr addrspace(1) %out, align 4\n"
            "  ret void\n"
        )

    def define_acc(self, name="ACC"):
        rest = self.intrinsic.length(self.n) - 1
        return "{[[" + name + ":%r[0-9]+(, %r[0-9]+){" + str(rest) + "}]]}"

    def ptx(self, acc, a=r"{{%rd[0-9]+}}", scale_d="1"):
        opcode = self.intrinsic.ptx(self.n, False)
        tail = self.intrinsic.ptx_immediates(self.setting)
        b = "{{%rd[0-9]+, %r[0-9]+}}, 0" if self.intrinsic.sparse else "{{%rd[0-9]+}}"
        return f"{opcode} {acc}, {a}, {b}, {scale_d}{tail};"

    def ss_wait0(self):
        ir = self.loop(
            [(f"{self.acc} %d", "zeroinitializer", "%d.end")],
            self.load_metadata("%m1")
            + self.load_metadata("%m2", 512)
            + FENCE
            + self.mma("%d1", "%d", "%a.desc", "%b", "%m1")
            + "  %b1 = add i64 %b, 32\n"
            + self.mma("%d2", "%d1", "%a.desc", "%b1", "%m2")
            + COMMIT
            + WAIT0
            + self.keep("%d.end", "%d2"),
        )
        return ir, [
            LOOP_BEGIN,
            PTX_FENCE,
            self.ptx(self.define_acc()),
            self.ptx(use("ACC")),
            PTX_COMMIT,
            PTX_WAIT0,
            LOOP_END,
        ]

    def ss_wait1(self):
        """A group is in flight round the back edge, the accumulator with it.

        It still reads its metadata, so that the next sparse group needs registers
        of its own, and the loop two steps.
        """
        step = (
            FENCE
            + self.mma("%d{1}", "%d{0}", "%a.desc", "%b", "%m{1}")
            + "  %b{1} = add i64 %b, 32\n"
            + self.mma("%d{2}", "%d{1}", "%a.desc", "%b{1}", "%m{2}")
            + COMMIT
            + WAIT1
        )
        ir = self.loop(
            [(f"{self.acc} %d0", "zeroinitializer", "%d4")],
            self.load_metadata("%m1")
            + self.load_metadata("%m2", 256)
            + step.format(0, 1, 2)
            + self.load_metadata("%m3", 512)
            + self.load_metadata("%m4", 768)
            + step.format(2, 3, 4),
            exit=WAIT0 + self.keep("%d.end", "%d4"),
        )
        return ir, [
            LOOP_BEGIN,
            PTX_FENCE,
            self.ptx(self.define_acc()),
            self.ptx(use("ACC")),
            PTX_COMMIT,
            PTX_WAIT1,
            PTX_FENCE,
            self.ptx(use("ACC")),
            self.ptx(use("ACC")),
            PTX_COMMIT,
            PTX_WAIT1,
            LOOP_END,
            PTX_WAIT0,
        ]

    def ss_wait1_one_step(self):
        """Without metadata, the loop needs no second step."""
        if self.intrinsic.sparse:
            return None
        ir = self.loop(
            [(f"{self.acc} %d", "zeroinitializer", "%d2")],
            FENCE
            + self.mma("%d1", "%d", "%a.desc", "%b", None)
            + "  %b1 = add i64 %b, 32\n"
            + self.mma("%d2", "%d1", "%a.desc", "%b1", None)
            + COMMIT
            + WAIT1,
            exit=WAIT0 + self.keep("%d.end", "%d2"),
        )
        return ir, [
            LOOP_BEGIN,
            PTX_FENCE,
            self.ptx(self.define_acc()),
            self.ptx(use("ACC")),
            PTX_COMMIT,
            PTX_WAIT1,
            LOOP_END,
            PTX_WAIT0,
        ]

    def ss_two_accumulators(self):
        if 2 * self.intrinsic.length(self.n) > MAX_TWO_ACCUMULATORS:
            return None
        ir = self.loop(
            [
                (f"{self.acc} %d", "zeroinitializer", "%d.end"),
                (f"{self.acc} %e", "zeroinitializer", "%e.end"),
            ],
            self.load_metadata("%m1")
            + self.load_metadata("%m2", 512)
            + FENCE
            + self.mma("%d1", "%d", "%a.desc", "%b", "%m1")
            + "  %a1 = add i64 %a.desc, 512\n"
            + self.mma("%e1", "%e", "%a1", "%b", "%m2")
            + COMMIT
            + WAIT0
            + self.keep("%d.end", "%d1")
            + self.keep("%e.end", "%e1"),
            exit="  %out2 = getelementptr i8, ptr addrspace(1) %out, i64 65536\n"
            f"  store {self.acc} %e.end, ptr addrspace(1) %out2, align 4\n",
        )
        return ir, [
            LOOP_BEGIN,
            PTX_FENCE,
            self.ptx(self.define_acc("D")),
            self.ptx(self.define_acc("E")),
            PTX_COMMIT,
            PTX_WAIT0,
            LOOP_END,
        ]

    def rs_wait0(self):
        """A is loaded in the loop."""
        ir = self.loop(
            [
                ("ptr addrspace(3) %p", "%smem", "%p.next"),
                (f"{self.acc} %d", "zeroinitializer", "%d.end"),
            ],
            self.load_a("%a0", "%p")
            + "  %p1 = getelementptr i8, ptr addrspace(3) %p, i32 2048\n"
            + self.load_a("%a1", "%p1")
            + self.load_metadata("%m1")
            + self.load_metadata("%m2", 512)
            + FENCE
            + self.mma("%d1", "%d", "%a0", "%b", "%m1")
            + "  %b1 = add i64 %b, 32\n"
            + self.mma("%d2", "%d1", "%a1", "%b1", "%m2")
            + COMMIT
            + WAIT0
            + self.keep("%d.end", "%d2")
            + self.keep_a("%a0")
            + self.keep_a("%a1")
            + "  %p.next = getelementptr i8, ptr addrspace(3) %p, i32 4096\n",
        )
        return ir, [
            LOOP_BEGIN,
            ("-DAG", load_a(define_a("A0"), "[[P:%rd?[0-9]+]]")),
            ("-DAG", load_a(define_a("A1"), "[[P]]+2048")),
            PTX_FENCE,
            self.ptx(self.define_acc(), use("A0")),
            self.ptx(use("ACC"), use("A1")),
            PTX_COMMIT,
            PTX_WAIT0,
            LOOP_END,
        ]

    def rs_pipelined_wait0(self):
        """The next fragment is loaded while wgmma reads the current one. There
        are two steps in the loop, for the fragments to take turns uncopied."""
        ir = self.loop(
            [
                ("ptr addrspace(3) %p", "%smem", "%p.next"),
                (f"{self.acc} %d", "zeroinitializer", "%d.end"),
                ("<4 x i32> %a0", "%a.first", "%a.next"),
            ],
            self.load_metadata("%m1")
            + FENCE
            + self.mma("%d1", "%d", "%a0", "%b", "%m1")
            + COMMIT
            + "  %p1 = getelementptr i8, ptr addrspace(3) %p, i32 2048\n"
            + self.load_a("%a1", "%p1")
            + WAIT0
            + self.keep("%d1.done", "%d1")
            + self.keep_a("%a0")
            + self.load_metadata("%m2", 512)
            + FENCE
            + "  %b1 = add i64 %b, 32\n"
            + self.mma("%d2", "%d1.done", "%a1", "%b1", "%m2")
            + COMMIT
            + "  %p.next = getelementptr i8, ptr addrspace(3) %p, i32 4096\n"
            + self.load_a("%a.next", "%p.next")
            + WAIT0
            + self.keep("%d.end", "%d2")
            + self.keep_a("%a1"),
            entry=self.load_a("%a.first", "%smem"),
        )
        return ir, [
            load_a(define_a("A0")),
            LOOP_BEGIN,
            PTX_FENCE,
            self.ptx(self.define_acc(), use("A0")),
            PTX_COMMIT,
            ("-NOT", load_a(use("A0"))),
            load_a(define_a("A1")),
            PTX_WAIT0,
            PTX_FENCE,
            self.ptx(use("ACC"), use("A1")),
            PTX_COMMIT,
            load_a(define_a("A0")),
            PTX_WAIT0,
            LOOP_END,
        ]

    def rs_pipelined_wait1(self):
        """A group is always in flight. Its fragment may be loaded again when the
        next group has been committed and all but one have been waited for."""
        ir = self.loop(
            [
                ("ptr addrspace(3) %p", "%p.second", "%p.next"),
                (f"{self.acc} %d", "%d.first", "%d2"),
                ("<4 x i32> %a0", "%a.first", "%a0.next"),
                ("<4 x i32> %a1", "%a.second", "%a1.next"),
            ],
            self.load_metadata("%m1")
            + FENCE
            + self.mma("%d1", "%d", "%a1", "%b", "%m1")
            + COMMIT
            + WAIT1
            + self.keep_a("%a0")
            + "  %p1 = getelementptr i8, ptr addrspace(3) %p, i32 2048\n"
            + self.load_a("%a0.next", "%p1")
            + self.load_metadata("%m2", 512)
            + FENCE
            + "  %b1 = add i64 %b, 32\n"
            + self.mma("%d2", "%d1", "%a0.next", "%b1", "%m2")
            + COMMIT
            + WAIT1
            + self.keep_a("%a1")
            + "  %p.next = getelementptr i8, ptr addrspace(3) %p, i32 4096\n"
            + self.load_a("%a1.next", "%p.next")
            + BARRIER,
            entry=self.load_a("%a.first", "%smem")
            + self.load_first_metadata("%m.first")
            + FENCE
            + self.mma("%d.first", "zeroinitializer", "%a.first", "%b.desc", "%m.first")
            + COMMIT
            + "  %p.second = getelementptr i8, ptr addrspace(3) %smem, i32 2048\n"
            + self.load_a("%a.second", "%p.second"),
            exit=WAIT0 + self.keep("%d.end", "%d2") + self.keep_a("%a0.next"),
        )
        return ir, [
            load_a(define_a("A0")),
            PTX_FENCE,
            # It adds to zero, or overwrites instead.
            self.ptx(self.define_acc(), use("A0"), "{{0|1|%p[0-9]+}}"),
            PTX_COMMIT,
            ("-NOT", load_a(use("A0"))),
            load_a(define_a("A1")),
            LOOP_BEGIN,
            PTX_FENCE,
            self.ptx(use("ACC"), use("A1")),
            PTX_COMMIT,
            PTX_WAIT1,
            # Those of the first step, or others.
            load_a(define_a("A0")),
            PTX_FENCE,
            self.ptx(use("ACC"), use("A0")),
            PTX_COMMIT,
            PTX_WAIT1,
            load_a(use("A1")),
            PTX_BARRIER,
            LOOP_END,
            PTX_WAIT0,
        ]


def print_kernel(name, ir, checks):
    print(f"; CHECK-LABEL: .entry {name}(")
    in_loop = False
    last_suffix = ""
    for check in checks:
        suffix, pattern = check if isinstance(check, tuple) else ("", check)
        # What -NOT stands between must come in this order, so not within a
        # group of -DAG.
        if in_loop and (suffix, last_suffix) != ("-DAG", "-DAG"):
            print("; CHECK-NOT: {{mov|wgmma}}")
        print(f"; CHECK{suffix}: {pattern}")
        in_loop = (in_loop or check == LOOP_BEGIN) and check != LOOP_END
        last_suffix = suffix
    print("; CHECK: ret;")
    print(
        f"define ptx_kernel void @{name}(ptr addrspace(1) %out, i64 %a.desc, "
        "ptr addrspace(3) %smem, i64 %b.desc, ptr addrspace(3) %meta.first, "
        "i32 %count) {"
    )
    print(ir + "}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", choices=("dense", "sparse"))
    parser.add_argument("d", choices=TYPES, help="the accumulator's type")
    args = parser.parse_args()
    sparse = args.family == "sparse"
    for form in ("ss", "rs"):
        for method in [m for m in vars(Kernels) if m.startswith(form + "_")]:
            for n in N[args.d]:
                body = getattr(Kernels(args.d, sparse, form, n), method)()
                if body:
                    print_kernel(f"{method}_n{n}", *body)


if __name__ == "__main__":
    main()
