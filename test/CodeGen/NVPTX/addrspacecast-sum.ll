; The shared address of a part of shared memory, from its generic one, is a sum of 32 bits.
; RUN: llc < %s -mcpu=sm_80 -mattr=+ptx80 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_80 && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_80 < %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

@tiles = external addrspace(3) global [0 x i8], align 128

; CHECK-LABEL: .entry offset(
; CHECK-NOT:   cvta
; CHECK:       mov.b64 [[TILES:%rd[0-9]+]], tiles;
; CHECK-NEXT:  cvt.u32.u64 [[BASE:%r[0-9]+]], [[TILES]];
; CHECK-NEXT:  add.s32 [[PLACE:%r[0-9]+]], [[BASE]], 4096;
; CHECK:       mbarrier.init.shared.b64 [[[PLACE]]], 1;
; CHECK-NOT:   cvta
; CHECK:       ret;
define ptx_kernel void @offset() {
  call void asm sideeffect "mbarrier.init.shared.b64 [$0], 1;", "r"(i32 ptrtoint (ptr addrspace(3) addrspacecast (ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @tiles to ptr), i64 4096) to ptr addrspace(3)) to i32))
  ret void
}

; To another address space than that which it came from is no sum.
; CHECK-LABEL: .entry other(
; CHECK:       cvta.shared.u64
; CHECK:       add.s64
; CHECK:       cvta.to.global.u64
; CHECK:       ret;
define ptx_kernel void @other(ptr addrspace(1) %out) {
  store i64 ptrtoint (ptr addrspace(1) addrspacecast (ptr getelementptr inbounds nuw (i8, ptr addrspacecast (ptr addrspace(3) @tiles to ptr), i64 4096) to ptr addrspace(1)) to i64), ptr addrspace(1) %out
  ret void
}
