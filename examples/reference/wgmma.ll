;===- wgmma.ll - wgmma as a front end emits it ---------------------------===
;
; Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
; See https://llvm.org/LICENSE.txt for license information.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
;===----------------------------------------------------------------------===

target triple = "nvptx64-nvidia-cuda"

; D += A * B for 64x16, 16x32 matrices in shared memory. The accumulator is one
; vector; with N = 32 a thread holds 16 of its elements. fence_operand keeps its
; uses on their side of the fence and of the wait.
define <16 x float> @multiply(<16 x float> %d, i64 %a.desc, i64 %b.desc) #0 {
  %written = call <16 x float> @llvm.nvvm.wgmma.fence_operand.v16f32(<16 x float> %d)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %sum = call <16 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v16f32(
      <16 x float> %written, i64 %a.desc, i64 %b.desc, i1 true,
      i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <16 x float> @llvm.nvvm.wgmma.fence_operand.v16f32(<16 x float> %sum)
  ret <16 x float> %r
}

attributes #0 = { convergent nounwind }
