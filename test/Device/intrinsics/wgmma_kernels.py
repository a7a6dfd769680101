#!/usr/bin/env python3
# ===----------------------------------------------------------------------===#
#
# Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Writes kernels in LLVM IR that execute one wgmma each, by its intrinsic.

  wgmma_kernels.py FOLDER

They are, for what PTX has a name of its own for (of each type combination, each N),
what single() in SingleTests.h is for builtins: kernels that move raw images. The
folder gets wgmma.ll, and kernels.inc, which lists them for wgmma-intrinsics.cpp.
Immediates take all their values in turn.
"""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "..", "..", "utils"))

from ptx_isa import wgmma

# The fields of KernelArgs, and what @image is in it: shared memory.
PROLOGUE = """\
target triple = "nvptx64-nvidia-cuda"

%KernelArgs = type {
  ptr addrspace(1), ; 0: shared memory
  ptr addrspace(1), ; 1: accumulators
  ptr addrspace(1), ; 2: fragments
  ptr addrspace(1), ; 3: metadata
  ptr addrspace(1), ; 4: descriptors
  ptr addrspace(1), ; 5: scale-d
  ptr addrspace(1), ; 6: out
  i32,              ; 7: words of shared memory
  i32,              ; 8: problems
  i32,              ; 9: steps
  i32               ; 10: zero
}

@image = external addrspace(3) global [0 x i32], align 1024

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
"""

KERNEL = """
define ptx_kernel void @{name}(ptr byval(%KernelArgs) align 8 %args) #0 {{
entry:
  %all = load %KernelArgs, ptr %args, align 8
  %shared = extractvalue %KernelArgs %all, 0
  %accumulators = extractvalue %KernelArgs %all, 1
  %fragments = extractvalue %KernelArgs %all, 2
  %metadata = extractvalue %KernelArgs %all, 3
  %descriptors = extractvalue %KernelArgs %all, 4
  %scales = extractvalue %KernelArgs %all, 5
  %out = extractvalue %KernelArgs %all, 6
  %words = extractvalue %KernelArgs %all, 7
  %problems = extractvalue %KernelArgs %all, 8
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %problem = urem i32 %cta, %problems
  %image.first = mul i32 %problem, %words
  %source = getelementptr i32, ptr addrspace(1) %shared, i32 %image.first
  br label %head
head:
  %word = phi i32 [ %tid, %entry ], [ %next, %copy ]
  %more = icmp ult i32 %word, %words
  br i1 %more, label %copy, label %multiply
copy:
  %from = getelementptr i32, ptr addrspace(1) %source, i32 %word
  %to = getelementptr i32, ptr addrspace(3) @image, i32 %word
  %copied = load i32, ptr addrspace(1) %from
  store i32 %copied, ptr addrspace(3) %to
  %next = add i32 %word, 128
  br label %head
multiply:
  call void asm sideeffect "fence.proxy.async;", "~{{memory}}"()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %problem.threads = mul i32 %problem, 128
  %d.thread = add i32 %problem.threads, %tid
  %d.first = mul i32 %d.thread, {registers}
  %d.from = getelementptr i32, ptr addrspace(1) %accumulators, i32 %d.first
  %d = load {acc}, ptr addrspace(1) %d.from, align 4
  ; A step and the two that are loaded ahead.
  %a.threads = mul i32 %problem, 384
  %a.thread = add i32 %a.threads, %tid
  %a.from = getelementptr <4 x i32>, ptr addrspace(1) %fragments, i32 %a.thread
  %meta.from = getelementptr i32, ptr addrspace(1) %metadata, i32 %a.thread
  %a = load <4 x i32>, ptr addrspace(1) %a.from
  %meta = load i32, ptr addrspace(1) %meta.from
  %a.desc.index = mul i32 %problem, 2
  %a.desc.from = getelementptr i64, ptr addrspace(1) %descriptors, i32 %a.desc.index
  %b.desc.from = getelementptr i64, ptr addrspace(1) %a.desc.from, i32 1
  %a.relative = load i64, ptr addrspace(1) %a.desc.from
  %b.relative = load i64, ptr addrspace(1) %b.desc.from
  %address = ptrtoint ptr addrspace(3) @image to i32
  %address.field = lshr i32 %address, 4
  %address.wide = zext i32 %address.field to i64
  %a.desc = add i64 %a.relative, %address.wide
  %b.desc = add i64 %b.relative, %address.wide
  %scale.from = getelementptr i32, ptr addrspace(1) %scales, i32 %problem
  %scale = load i32, ptr addrspace(1) %scale.from
  %scale.d = icmp ne i32 %scale, 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %in.flight = {call}
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call {acc} @{fence_operand}({acc} %in.flight)
  %cta.threads = mul i32 %cta, 128
  %out.thread = add i32 %cta.threads, %tid
  %out.first = mul i32 %out.thread, {registers}
  %out.to = getelementptr i32, ptr addrspace(1) %out, i32 %out.first
  store {acc} %result, ptr addrspace(1) %out.to, align 4
  ret void
}}
"""

EPILOGUE = """
attributes #0 = { "nvvm.maxntid"="128" }
"""


def name_of(intrinsic, n, satfinite):
    words = f"{intrinsic.sp}{intrinsic.form}.{intrinsic.types}.n{n}"
    return words.replace(".", "_") + ("_satfinite" if satfinite else "")


def fence_operand(intrinsic, n):
    return f"llvm.nvvm.wgmma.fence_operand.v{intrinsic.length(n)}{intrinsic.element[1]}"


def kernel(intrinsic, n, satfinite, setting):
    ss = intrinsic.form == "ss"
    return KERNEL.format(
        name=name_of(intrinsic, n, satfinite),
        acc=intrinsic.acc(n),
        registers=intrinsic.length(n),
        fence_operand=fence_operand(intrinsic, n),
        call=intrinsic.call(
            n, setting, satfinite, a="%a.desc" if ss else "%a", b="%b.desc"
        ),
    )


def described(intrinsic, n, satfinite, setting):
    """The Instruction, and the name of its kernel."""
    values = [str(intrinsic.sparse).lower(), f"Form::{intrinsic.form.upper()}"]
    values += [f"Element::{e}" for e in (intrinsic.d, intrinsic.a, intrinsic.b)]
    values += [n, setting.get("sp-sel", 0)]
    values += [setting.get(f"imm-scale-{m}", 1) for m in "ab"]
    values += [str(bool(setting.get(f"imm-trans-{m}", 0))).lower() for m in "ab"]
    values += [str(satfinite).lower()]
    words = ", ".join(map(str, values))
    return f'{{{{{words}}}, "{name_of(intrinsic, n, satfinite)}"}},\n'


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: wgmma_kernels.py FOLDER")
    kernels = []
    for index, (intrinsic, n, satfinite) in enumerate(wgmma.VARIANTS):
        settings = intrinsic.flag_settings(index // 2)
        kernels.append((intrinsic, n, satfinite, settings[index % len(settings)]))
    declarations = dict.fromkeys(i.declaration(n) for i, n, _, _ in kernels)
    for intrinsic, n, _, _ in kernels:
        acc = intrinsic.acc(n)
        declarations[f"declare {acc} @{fence_operand(intrinsic, n)}({acc})"] = None
    with open(f"{sys.argv[1]}/wgmma.ll", "w") as file:
        file.write(PROLOGUE + "\n".join(declarations) + "\n")
        file.writelines(kernel(*k) for k in kernels)
        file.write(EPILOGUE)
    with open(f"{sys.argv[1]}/kernels.inc", "w") as file:
        file.writelines(described(*k) for k in kernels)


if __name__ == "__main__":
    main()
