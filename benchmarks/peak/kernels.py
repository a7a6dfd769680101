# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
"""Kernels in LLVM IR that issue one wgmma again and again.

A block has one, two or four warpgroups. Each accumulates in registers of its own, with an
A of its own; they have B in common, in four stages. Both are lines of 128 bytes with the
128-byte swizzle, through which the instructions go in steps of their K, as in a real
kernel. A group of instructions is committed at a time, and waited for when the next one
has been issued. No two of a group multiply the same: the compiler would put a fence
between them. Of floating point every other four instructions subtract what the four before
them added.

  kernel(ptr cycles, ptr sums, i32 groups, i32 base, i32 mask, i32 metadata)

Elements have random bits where the mask has ones, and those of base elsewhere. cycles
gets an i64 for each block: those from before the first warpgroup began to after the last
one had its sums. sums gets the accumulators, those of a thread after each other.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "utils"))

from ptx_isa import wgmma

# Of one group, between a fence and a commit.
GROUP = 16
A_BYTES = 64 * 128
A_COPIES = 4
# In registers there are two.
FRAGMENTS = 2
STAGE_BYTES = 256 * 128
STAGES = 4
SHARED_BYTES = A_COPIES * A_BYTES + STAGES * STAGE_BYTES
# Two blocks of a warp scheduler's registers: four warpgroups have 128 each.
MOST_ELEMENTS_OF_FOUR = 64
# What a descriptor says besides the address: the leading offset is not used, eight lines
# are 1024 bytes, the swizzle is that of 128 bytes.
DESCRIPTOR = (1 << 16) | (1024 >> 4 << 32) | (1 << 62)

PROLOGUE = """\
target triple = "nvptx64-nvidia-cuda"

@image = external addrspace(3) global [0 x i32], align 1024

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
"""

KERNEL = """
define ptx_kernel void @{name}(ptr addrspace(1) %all.cycles, ptr addrspace(1) %sums, i32 %groups, i32 %base, i32 %mask, i32 %meta) {attributes} {{
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %fill
fill:
  %word = phi i32 [ %tid, %entry ], [ %word.next, %fill ]
{value}
  %to = getelementptr i32, ptr addrspace(3) @image, i32 %word
  store i32 %value, ptr addrspace(3) %to
  %word.next = add i32 %word, %ntid
  %more = icmp ult i32 %word.next, {words}
  br i1 %more, label %fill, label %ready
ready:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  %tid.group = lshr i32 %tid, 7
  ; The shuffle tells that a warp agrees on it.
  %warpgroup = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid.group, i32 0, i32 31)
  %image = ptrtoint ptr addrspace(3) @image to i32
  %a.offset = mul i32 %warpgroup, {a_bytes}
  %a.address = add i32 %image, %a.offset
  %b.address = add i32 %image, {b_offset}
  %a.field = lshr i32 %a.address, 4
  %b.field = lshr i32 %b.address, 4
  %a.wide = zext i32 %a.field to i64
  %b.wide = zext i32 %b.field to i64
  %a.desc = or i64 %a.wide, {descriptor}
  %b.desc = or i64 %b.wide, {descriptor}
{operands}
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %before = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %zero.written = call {acc} @{fence_operand}({acc} zeroinitializer)
  br label %loop
loop:
  %group = phi i32 [ 0, %ready ], [ %group.next, %loop ]
  %d.0 = phi {acc} [ %zero.written, %ready ], [ %d.{count}, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
{calls}
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %group.next = add i32 %group, 1
  %again = icmp ult i32 %group.next, %groups
  br i1 %again, label %loop, label %done
done:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %sum = call {acc} @{fence_operand}({acc} %d.{count})
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %after = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %cta.threads = mul i32 %cta, %ntid
  %sum.thread = add i32 %cta.threads, %tid
  %sum.first = mul i32 %sum.thread, {registers}
  %sum.to = getelementptr i32, ptr addrspace(1) %sums, i32 %sum.first
  store {acc} %sum, ptr addrspace(1) %sum.to, align 4
  %is.first = icmp eq i32 %tid, 0
  br i1 %is.first, label %tell, label %end
tell:
  %cycles = sub i64 %after, %before
  %cycles.to = getelementptr i64, ptr addrspace(1) %all.cycles, i32 %cta
  store i64 %cycles, ptr addrspace(1) %cycles.to
  br label %end
end:
  ret void
}}
"""


def variants():
    """(intrinsic, N) of all instructions; .satfinite is not another one."""
    for intrinsic in wgmma.INTRINSICS:
        for n in intrinsic.rule.n:
            yield intrinsic, n


def name_of(intrinsic, n):
    return f"{intrinsic.sp}{intrinsic.form}.{intrinsic.types}.n{n}".replace(".", "_")


def most_warpgroups(intrinsic, n):
    return 4 if intrinsic.length(n) <= MOST_ELEMENTS_OF_FOUR else 2


def fence_operand(intrinsic, n):
    return f"llvm.nvvm.wgmma.fence_operand.v{intrinsic.length(n)}{intrinsic.element[1]}"


def setting(intrinsic, step):
    """K is contiguous in A and B; every other four instructions subtract."""
    values = {"sp-sel": 0, "imm-trans-a": 0, "imm-trans-b": 0, "imm-scale-b": 1}
    values["imm-scale-a"] = -1 if step // 4 % 2 else 1
    return {name: values[name] for name, _ in intrinsic.flags()}


def element(result, index):
    """The IR of a random element: all bits depend on all of the index."""
    steps = (
        f"mul i32 {index}, -1640531535",
        f"lshr i32 {result}.0, 15",
        f"xor i32 {result}.0, {result}.1",
        f"mul i32 {result}.2, -2048144777",
        f"lshr i32 {result}.3, 13",
        f"xor i32 {result}.3, {result}.4",
        f"and i32 {result}.5, %mask",
    )
    lines = [f"  {result}.{i} = {step}" for i, step in enumerate(steps)]
    return "\n".join([*lines, f"  {result} = xor i32 {result}.6, %base"])


def steps_of_b(intrinsic):
    """How many instructions' K a line of B holds."""
    return 2 if intrinsic.sparse else 4


def operands(intrinsic):
    """What the instructions have in common: A in registers, or where in a line of A
    their K begins, and where in each stage of B."""
    lines = []
    if intrinsic.form == "rs":
        for i in range(FRAGMENTS):
            before = "poison"
            for j in range(4):
                word, index = f"%a.word.{i}.{j}", f"%a.index.{i}.{j}"
                after = f"%a.{i}" if j == 3 else f"%a.{i}.{j}"
                lines += [
                    f"  {index} = add i32 %tid, {512 * (4 * i + j)}",
                    element(word, index),
                    f"  {after} = insertelement <4 x i32> {before}, i32 {word}, i32 {j}",
                ]
                before = after
    else:
        for i in range(4):
            lines.append(f"  %a.{i} = add i64 %a.desc, {32 * i >> 4}")
    steps = steps_of_b(intrinsic)
    for stage in range(STAGES):
        for i in range(steps):
            offset = stage * STAGE_BYTES + 128 // steps * i
            lines.append(f"  %b.{stage}.{i} = add i64 %b.desc, {offset >> 4}")
    return "\n".join(lines)


def calls(intrinsic, n):
    steps = steps_of_b(intrinsic)
    for i in range(GROUP):
        # Of a sparse A two instructions go through a line of B, with another A each.
        a = i // steps % FRAGMENTS if intrinsic.form == "rs" else i % 4
        call = intrinsic.call(
            n,
            setting(intrinsic, i),
            d=f"%d.{i}",
            a=f"%a.{a}",
            b=f"%b.{i // 4}.{i % steps}",
            meta="%meta",
            scale_d="true",
        )
        yield f"  %d.{i + 1} = {call}"


def kernel(intrinsic, n):
    threads = 128 * most_warpgroups(intrinsic, n)
    return KERNEL.format(
        name=name_of(intrinsic, n),
        attributes=f'"nvvm.maxntid"="{threads}"',
        words=SHARED_BYTES // 4,
        a_bytes=A_BYTES,
        b_offset=A_COPIES * A_BYTES,
        descriptor=DESCRIPTOR,
        operands=operands(intrinsic),
        acc=intrinsic.acc(n),
        registers=intrinsic.length(n),
        value=element("%value", "%word"),
        fence_operand=fence_operand(intrinsic, n),
        count=GROUP,
        calls="\n".join(calls(intrinsic, n)),
    )


def module(some):
    """The IR of some variants' kernels."""
    declarations = {}
    for intrinsic, n in some:
        acc = intrinsic.acc(n)
        declarations[intrinsic.declaration(n)] = None
        declarations[f"declare {acc} @{fence_operand(intrinsic, n)}({acc})"] = None
    return "\n".join(
        [PROLOGUE.format(), *declarations, *(kernel(*variant) for variant in some)]
    )
