; SROA takes metadata that is copied as bytes apart, and InstCombine puts it
; together of masked words, each with a shift and a truncation of its own, which
; nothing behind it makes one value. NVPTXMergeHalves sees one register.
; RUN: llc < %s -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ llc < %s -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 | %ptxas-verify -arch=sm_90a %}

declare <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i32, i32 immarg, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; CUTLASS's example 62: words 1 and 3 of a load of 16 bytes.
; CHECK-LABEL: words(
; CHECK: ld.shared.v4.b32 {{{%r[0-9]+}}, [[WORD1:%r[0-9]+]], {{%r[0-9]+}}, [[WORD3:%r[0-9]+]]}
; CHECK-NOT: {{shr|shl|and|or|prmt|mov}}.b
; CHECK: wgmma.fence
; CHECK-NEXT: wgmma.mma_async.sp{{.*}}, [[WORD1]], 0, 1, 1, 1, 0, 0;
; CHECK-NEXT: wgmma.mma_async.sp{{.*}}, [[WORD3]], 0, 1, 1, 1, 0, 0;
; CHECK-NEXT: wgmma.commit_group
define <4 x float> @words(<4 x float> %acc, i64 %a, i64 %b, ptr addrspace(3) %p) {
  %m = load i128, ptr addrspace(3) %p, align 16
  %s0 = lshr i128 %m, 32
  %t0 = trunc i128 %s0 to i32
  %x0 = and i32 %t0, -16777216
  %s1 = lshr i128 %m, 32
  %t1 = trunc i128 %s1 to i32
  %x1 = and i32 %t1, 16711680
  %o1 = or disjoint i32 %x0, %x1
  %s2 = lshr i128 %m, 32
  %t2 = trunc i128 %s2 to i32
  %x2 = and i32 %t2, 65280
  %o2 = or disjoint i32 %o1, %x2
  %s3 = lshr i128 %m, 32
  %t3 = trunc i128 %s3 to i32
  %x3 = and i32 %t3, 255
  %o3 = or disjoint i32 %o2, %x3
  %u0 = lshr i128 %m, 96
  %v0 = trunc nuw i128 %u0 to i32
  %y0 = and i32 %v0, -16777216
  %u1 = lshr i128 %m, 96
  %v1 = trunc nuw i128 %u1 to i32
  %y1 = and i32 %v1, 16711680
  %q1 = or disjoint i32 %y0, %y1
  %u2 = lshr i128 %m, 96
  %v2 = trunc nuw i128 %u2 to i32
  %y2 = and i32 %v2, 65280
  %q2 = or disjoint i32 %q1, %y2
  %u3 = lshr i128 %m, 96
  %v3 = trunc nuw i128 %u3 to i32
  %y3 = and i32 %v3, 255
  %q3 = or disjoint i32 %q2, %y3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i32 %o3, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %q3, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <4 x float> %e
}

; Bytes that were taken out by shifts and truncations, as SROA leaves them.
; CHECK-LABEL: bytes(
; CHECK: ld.shared.v2.b32 {{{%r[0-9]+}}, [[WORD:%r[0-9]+]]}
; CHECK-NOT: {{shr|shl|and|or|prmt|mov}}.b
; CHECK: wgmma.fence
; CHECK-NEXT: wgmma.mma_async.sp{{.*}}, [[WORD]], 0, 1, 1, 1, 0, 0;
define <4 x float> @bytes(<4 x float> %acc, i64 %a, i64 %b, ptr addrspace(3) %p) {
  %m = load i64, ptr addrspace(3) %p, align 8
  %s0 = lshr i64 %m, 32
  %b0 = trunc i64 %s0 to i8
  %s1 = lshr i64 %m, 40
  %b1 = trunc i64 %s1 to i8
  %s2 = lshr i64 %m, 48
  %b2 = trunc i64 %s2 to i8
  %s3 = lshr i64 %m, 56
  %b3 = trunc i64 %s3 to i8
  %z0 = zext i8 %b0 to i32
  %z1 = zext i8 %b1 to i32
  %z2 = zext i8 %b2 to i32
  %z3 = zext i8 %b3 to i32
  %w1 = shl i32 %z1, 8
  %w2 = shl i32 %z2, 16
  %w3 = shl i32 %z3, 24
  %o1 = or disjoint i32 %z0, %w1
  %o2 = or disjoint i32 %o1, %w2
  %o3 = or disjoint i32 %o2, %w3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i32 %o3, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <4 x float> %d
}

; Bytes that are not all there, or not of one word, stay what they are.
; CHECK-LABEL: others(
; CHECK: ld.shared.b64 [[WORDS:%rd[0-9]+]]
; CHECK-DAG: cvt.u32.u64 [[LOW:%r[0-9]+]], [[WORDS]];
; CHECK-DAG: mov.b64 {_, [[HIGH:%r[0-9]+]]}, [[WORDS]];
; CHECK-DAG: and.b32 [[MISSING:%r[0-9]+]], [[LOW]], -256;
; CHECK-DAG: and.b32 [[UP:%r[0-9]+]], [[HIGH]], -256;
; CHECK-DAG: and.b32 [[DOWN:%r[0-9]+]], [[LOW]], 255;
; CHECK-DAG: or.b32 [[MIXED:%r[0-9]+]], [[UP]], [[DOWN]];
; CHECK: wgmma.mma_async.sp{{.*}}, [[MISSING]], 0, 1, 1, 1, 0, 0;
; CHECK-NEXT: wgmma.mma_async.sp{{.*}}, [[MIXED]], 0, 1, 1, 1, 0, 0;
define <4 x float> @others(<4 x float> %acc, i64 %a, i64 %b, ptr addrspace(3) %p) {
  %m = load i64, ptr addrspace(3) %p, align 8
  %low = trunc i64 %m to i32
  %s = lshr i64 %m, 32
  %high = trunc i64 %s to i32
  %x0 = and i32 %low, -65536
  %x1 = and i32 %low, 65280
  %missing = or disjoint i32 %x0, %x1
  %y0 = and i32 %high, -256
  %y1 = and i32 %low, 255
  %mixed = or disjoint i32 %y0, %y1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i32 %missing, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %mixed, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <4 x float> %e
}
