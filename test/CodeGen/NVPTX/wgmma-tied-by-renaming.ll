; What goes into a wgmma and what comes out of it is one register, by renaming
; where nothing else reads or writes it, by a copy elsewhere.
; RUN: llc %s -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -stop-after=nvptx-tie-accumulators -o - | FileCheck %s
; Without optimization the invariant is the same.
; RUN: llc %s -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -stop-after=nvptx-tie-accumulators -o - | FileCheck %s --check-prefix=TIED
; TIED-COUNT-9: [[D0:%[0-9]+]]:b32, [[D1:%[0-9]+]]:b32, [[D2:%[0-9]+]]:b32, [[D3:%[0-9]+]]:b32 = WGMMA_{{.*}} {{(undef )?}}[[D0]], {{(undef )?}}[[D1]], {{(undef )?}}[[D2]], {{(undef )?}}[[D3]],

; A chain has one set of registers.
; CHECK-LABEL: name: chain
; CHECK: [[D0:%[0-9]+]]:b32, [[D1:%[0-9]+]]:b32, [[D2:%[0-9]+]]:b32, [[D3:%[0-9]+]]:b32 = WGMMA_ss_s32_s8_s8_n8 [[D0]], [[D1]], [[D2]], [[D3]],
; CHECK-NEXT: [[D0]]:b32, [[D1]]:b32, [[D2]]:b32, [[D3]]:b32 = WGMMA_ss_s32_s8_s8_n8 [[D0]], [[D1]], [[D2]], [[D3]],
; CHECK-NOT: COPY
; CHECK: ...
define ptx_kernel void @chain(ptr addrspace(1) %out, <4 x i32> %acc, i64 %a) {
  %d1 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %acc, i64 %a, i64 %a, i1 true, i1 false)
  %d2 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %d1, i64 %a, i64 %a, i1 true, i1 false)
  store <4 x i32> %d2, ptr addrspace(1) %out
  ret void
}

; The first result is needed after the second wgmma.
; CHECK-LABEL: name: needed
; CHECK: [[D0:%[0-9]+]]:b32, [[D1:%[0-9]+]]:b32, [[D2:%[0-9]+]]:b32, [[D3:%[0-9]+]]:b32 = WGMMA_ss_s32_s8_s8_n8 [[D0]], [[D1]], [[D2]], [[D3]],
; CHECK-NEXT: [[E0:%[0-9]+]]:b32 = COPY [[D0]]
; CHECK-NEXT: [[E1:%[0-9]+]]:b32 = COPY [[D1]]
; CHECK-NEXT: [[E2:%[0-9]+]]:b32 = COPY [[D2]]
; CHECK-NEXT: [[E3:%[0-9]+]]:b32 = COPY [[D3]]
; CHECK-NEXT: [[E0]]:b32, [[E1]]:b32, [[E2]]:b32, [[E3]]:b32 = WGMMA_ss_s32_s8_s8_n8 [[E0]], [[E1]], [[E2]], [[E3]],
define ptx_kernel void @needed(ptr addrspace(1) %out, <4 x i32> %acc, i64 %a) {
  %d1 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %acc, i64 %a, i64 %a, i1 true, i1 false)
  %d2 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %d1, i64 %a, i64 %a, i1 true, i1 false)
  store volatile <4 x i32> %d1, ptr addrspace(1) %out
  store volatile <4 x i32> %d2, ptr addrspace(1) %out
  ret void
}

; Each arm copies; NVPTXJoinWGMMACopies makes one register of both.
; CHECK-LABEL: name: arms
; CHECK: [[D0:%[0-9]+]]:b32, [[D1:%[0-9]+]]:b32, [[D2:%[0-9]+]]:b32, [[D3:%[0-9]+]]:b32 = WGMMA_ss_s32_s8_s8_n8 [[D0]], [[D1]], [[D2]], [[D3]],
; CHECK: bb.1.left:
; CHECK: [[E0:%[0-9]+]]:b32 = COPY {{(killed )?}}[[D0]]
; CHECK: [[E0]]:b32, {{.*}} = WGMMA_ss_s32_s8_s8_n8 [[E0]],
; CHECK: bb.2.right:
; CHECK: [[F0:%[0-9]+]]:b32 = COPY {{(killed )?}}[[D0]]
; CHECK: [[F0]]:b32, {{.*}} = WGMMA_ss_s32_s8_s8_n8 [[F0]],
define ptx_kernel void @arms(ptr addrspace(1) %out, <4 x i32> %acc, i64 %a, i1 %c) {
  %d1 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %acc, i64 %a, i64 %a, i1 true, i1 false)
  br i1 %c, label %left, label %right
left:
  %d2 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %d1, i64 %a, i64 %a, i1 true, i1 false)
  store volatile <4 x i32> %d2, ptr addrspace(1) %out
  ret void
right:
  %d3 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %d1, i64 %a, i64 %a, i1 true, i1 true)
  store volatile <4 x i32> %d3, ptr addrspace(1) %out
  ret void
}

; Nothing to copy.
; CHECK-LABEL: name: undefined
; CHECK-NOT: COPY
; CHECK: [[D0:%[0-9]+]]:b32, [[D1:%[0-9]+]]:b32, [[D2:%[0-9]+]]:b32, [[D3:%[0-9]+]]:b32 = WGMMA_ss_s32_s8_s8_n8 undef [[D0]], undef [[D1]], undef [[D2]], undef [[D3]],
define ptx_kernel void @undefined(ptr addrspace(1) %out, i64 %a) {
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> poison, i64 %a, i64 %a, i1 false, i1 false)
  store <4 x i32> %d, ptr addrspace(1) %out
  ret void
}

; One value in four elements, and in A: each has a register of its own.
; CHECK-LABEL: name: twice
; CHECK-COUNT-8: COPY
; CHECK-NEXT: [[D0:%[0-9]+]]:b32, [[D1:%[0-9]+]]:b32, [[D2:%[0-9]+]]:b32, [[D3:%[0-9]+]]:b32 = WGMMA_rs_s32_s8_s8_n8 [[D0]], [[D1]], [[D2]], [[D3]], %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}},
define void @twice(ptr addrspace(1) %out, i32 %x, i64 %a) {
  %v = insertelement <4 x i32> poison, i32 %x, i32 0
  %acc = shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> zeroinitializer
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %acc, <4 x i32> %acc, i64 %a, i1 true, i1 false)
  store <4 x i32> %d, ptr addrspace(1) %out
  ret void
}
