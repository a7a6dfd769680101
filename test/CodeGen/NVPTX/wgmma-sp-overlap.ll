; The registers of A are read while the accumulator is written: they must not be
; the same ones, even if both start with the same value.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: llc -O0 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

; CHECK-LABEL: .entry a_is_d(
; CHECK:       wgmma.mma_async.sp{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]}, {{[{]}}
; CHECK-NOT:   [[D0]]{{[^0-9]}}
; CHECK-NOT:   [[D1]]{{[^0-9]}}
; CHECK-NOT:   [[D2]]{{[^0-9]}}
; CHECK-NOT:   [[D3]]{{[^0-9]}}
; CHECK-SAME:  }, %rd
; CHECK:       ret;
define ptx_kernel void @a_is_d(ptr addrspace(1) %out, <4 x i32> %d, i64 %b, i32 %meta) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x i32> @llvm.nvvm.wgmma.mma_async.sp.rs.s32.s8.s8.v4i32(<4 x i32> %d, <4 x i32> %d, i64 %b, i32 %meta, i32 0, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %r, ptr addrspace(1) %out, align 4
  ret void
}
