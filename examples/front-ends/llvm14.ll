;===- llvm14.ll - wgmma in the syntax of LLVM 14 --------------------------===
;
; Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
; See https://llvm.org/LICENSE.txt for license information.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
;===----------------------------------------------------------------------===

; The syntax of LLVM 14, with typed pointers: LLVM 22 reads it as bitcode only.
; To LLVM 14 the wgmma intrinsics are unknown functions.

target triple = "nvptx64-nvidia-cuda"

define void @old(<16 x i32> addrspace(1)* %out, i64 %a, i64 %b, i32 %meta) {
  %d = load <16 x i32>, <16 x i32> addrspace(1)* %out, align 64
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %sum = call <16 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.s32.u8.s8.v16i32(
      <16 x i32> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done = call <16 x i32> @llvm.nvvm.wgmma.fence_operand.v16i32(<16 x i32> %sum)
  store <16 x i32> %done, <16 x i32> addrspace(1)* %out, align 64
  ret void
}

declare <16 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.s32.u8.s8.v16i32(
    <16 x i32>, i64, i64, i32, i32, i1, i1)
declare <16 x i32> @llvm.nvvm.wgmma.fence_operand.v16i32(<16 x i32>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

!nvvm.annotations = !{!0}
!0 = !{void (<16 x i32> addrspace(1)*, i64, i64, i32)* @old, !"kernel", i32 1}
