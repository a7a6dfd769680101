;===- memory.ll - accumulators in memory ----------------------------------===
;
; Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
; See https://llvm.org/LICENSE.txt for license information.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
;===----------------------------------------------------------------------===

; A front end that keeps variables in memory: opt -passes=sroa makes values of
; them. Four fragments of A, then the multiplication, all through allocas.

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @memory(ptr addrspace(1) %out, ptr addrspace(1) %in,
                               i64 %b) #0 {
entry:
  %sum = alloca <32 x float>, align 16
  %fragment = alloca [4 x i32], align 16
  store <32 x float> zeroinitializer, ptr %sum
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr [4 x i32], ptr addrspace(1) %in, i32 %thread
  %loaded = load <4 x i32>, ptr addrspace(1) %from
  store <4 x i32> %loaded, ptr %fragment

  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = load <32 x float>, ptr %sum
  %a = load <4 x i32>, ptr %fragment
  %d.out = call <32 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.bf16.bf16.v32f32(
      <32 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  store <32 x float> %d.out, ptr %sum
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.read = load <32 x float>, ptr %sum
  %d.done = call <32 x float> @llvm.nvvm.wgmma.fence_operand.v32f32(
      <32 x float> %d.read)

  %place = getelementptr <32 x float>, ptr addrspace(1) %out, i32 %thread
  store <32 x float> %d.done, ptr addrspace(1) %place
  ret void
}

declare <32 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.bf16.bf16.v32f32(
    <32 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)
declare <32 x float> @llvm.nvvm.wgmma.fence_operand.v32f32(<32 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { convergent nounwind }
