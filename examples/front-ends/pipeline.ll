;===- pipeline.ll - two multiplications in flight -------------------------===
;
; Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
; See https://llvm.org/LICENSE.txt for license information.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
;===----------------------------------------------------------------------===

; Two accumulators in flight: while one multiplication runs, the next is issued.
; An accumulator is a value: the phi of a loop, the argument and the result of
; each multiplication.

target triple = "nvptx64-nvidia-cuda"

; %d accumulates the products of rounds 0, 2, 4, ..., %e those of 1, 3, 5, ...
define ptx_kernel void @pipeline(ptr addrspace(1) %out, i64 %a, i64 %b,
                                 i32 %rounds) #0 {
entry:
  br label %loop

loop:
  %round = phi i32 [ 0, %entry ], [ %round.next, %loop ]
  %a.desc = phi i64 [ %a, %entry ], [ %a.next, %loop ]
  %d = phi <32 x float> [ zeroinitializer, %entry ], [ %d.done, %loop ]
  %e = phi <32 x float> [ zeroinitializer, %entry ], [ %e.out, %loop ]

  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.out = call <32 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v32f32(
      <32 x float> %d, i64 %a.desc, i64 %b, i1 true,
      i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  ; At most one group in flight: that of %d, so %e is done.
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %e.done = call <32 x float> @llvm.nvvm.wgmma.fence_operand.v32f32(
      <32 x float> %e)

  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %a.odd = add i64 %a.desc, 2
  %e.out = call <32 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v32f32(
      <32 x float> %e.done, i64 %a.odd, i64 %b, i1 true,
      i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %d.done = call <32 x float> @llvm.nvvm.wgmma.fence_operand.v32f32(
      <32 x float> %d.out)

  %a.next = add i64 %a.desc, 4
  %round.next = add i32 %round, 2
  %more = icmp slt i32 %round.next, %rounds
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e.last = call <32 x float> @llvm.nvvm.wgmma.fence_operand.v32f32(
      <32 x float> %e.out)
  %sum = fadd <32 x float> %d.done, %e.last
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr <32 x float>, ptr addrspace(1) %out, i32 %thread
  store <32 x float> %sum, ptr addrspace(1) %place
  ret void
}

; Attributes may be left out: the intrinsics have theirs.
declare <32 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v32f32(
    <32 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <32 x float> @llvm.nvvm.wgmma.fence_operand.v32f32(<32 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { convergent nounwind }
