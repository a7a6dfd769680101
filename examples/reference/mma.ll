;===- mma.ll - mma as a front end emits it -------------------------------===
;
; Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
; See https://llvm.org/LICENSE.txt for license information.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
;===----------------------------------------------------------------------===

target triple = "nvptx64-nvidia-cuda"

; D = A * B + C for 16x16, 16x8 matrices: A's and B's fragments from shared
; memory, C's and D's as values. ldmatrix gives registers, mma takes pairs of
; halves: a bitcast each, which costs nothing.
define {float, float, float, float} @multiply(ptr addrspace(3) %a, ptr addrspace(3) %b, float %c0, float %c1, float %c2, float %c3) #0 {
  %as = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %a)
  %a0 = extractvalue {i32, i32, i32, i32} %as, 0
  %a1 = extractvalue {i32, i32, i32, i32} %as, 1
  %a2 = extractvalue {i32, i32, i32, i32} %as, 2
  %a3 = extractvalue {i32, i32, i32, i32} %as, 3
  %bs = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %b)
  %b0 = extractvalue {i32, i32} %bs, 0
  %b1 = extractvalue {i32, i32} %bs, 1
  %ah0 = bitcast i32 %a0 to <2 x half>
  %ah1 = bitcast i32 %a1 to <2 x half>
  %ah2 = bitcast i32 %a2 to <2 x half>
  %ah3 = bitcast i32 %a3 to <2 x half>
  %bh0 = bitcast i32 %b0 to <2 x half>
  %bh1 = bitcast i32 %b1 to <2 x half>
  %d = call {float, float, float, float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(
      <2 x half> %ah0, <2 x half> %ah1, <2 x half> %ah2, <2 x half> %ah3,
      <2 x half> %bh0, <2 x half> %bh1,
      float %c0, float %c1, float %c2, float %c3)
  ret {float, float, float, float} %d
}

attributes #0 = { convergent nounwind }
