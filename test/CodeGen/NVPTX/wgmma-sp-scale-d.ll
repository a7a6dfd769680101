; scale-d, whether D is added, is an operand: a register, or constant.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs
; RUN: FileCheck %s -DSELECTOR='0, ' --input-file=%t.ptx
; RUN: llc -O0 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s -DSELECTOR='0, '
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

; CHECK-LABEL: ) variable(
; CHECK:       setp.ne.b32 [[P:%p[0-9]+]], {{%r[0-9]+}}, 0;
; CHECK:       wgmma.mma_async.sp{{.*}} {{%rd?[0-9]+}}, [[SELECTOR]][[P]], 1, 1, 0, 0;
define <4 x float> @variable(<4 x float> %d, i64 %a, i64 %b, i32 %meta, i32 %x) {
  %p = icmp ne i32 %x, 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 %p, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <4 x float> %r
}

; CHECK-LABEL: ) constant_true(
; CHECK:       wgmma.mma_async.sp{{.*}} {{%rd?[0-9]+}}, [[SELECTOR]]1, 1, 1, 0, 0;
define <4 x float> @constant_true(<4 x float> %d, i64 %a, i64 %b, i32 %meta) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <4 x float> %r
}

; CHECK-LABEL: ) constant_false(
; CHECK:       wgmma.mma_async.sp{{.*}} {{%rd?[0-9]+}}, [[SELECTOR]]0, 1, 1, 0, 0;
define <4 x float> @constant_false(i64 %a, i64 %b, i32 %meta) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i32 %meta, i32 0, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <4 x float> %r
}
