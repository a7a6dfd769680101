; A sum of a product is one operation where neither is said to be rounded: ptxas makes
; one of such sums of single halves, but not of registers of them. See NVPTXHalfAsm.cpp.
; RUN: opt -S -passes=nvptx-merge-halves -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s
; RUN: llc %s -o %t.ptx -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --check-prefix=PTX --input-file %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; x * s + t, in CUDA's text of both.
; CHECK-LABEL: define i32 @sum(
; CHECK: [[R:%.*]] = extractelement <2 x i32> %d, i64 0
; CHECK: [[Q:%.*]] = call i32 asm "fma.rn.f16x2 $0, $1, $2, $3;", "=r,r,r,r"(i32 [[R]], i32 {{%.*}}, i32 {{%.*}})
; CHECK-NEXT: ret i32 [[Q]]
; PTX-LABEL: ) sum(
; PTX: wait_group
; PTX-NOT: mul
; PTX: fma.rn.f16x2
; PTX-NOT: add.f16
; PTX: ret;
define i32 @sum(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %hi, i16 %s)
  %lo.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %lo.m, i16 %t)
  %hi.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %hi.m, i16 %t)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; t + x * s, with denormals that are zeros.
; CHECK-LABEL: define i32 @flushed(
; CHECK: [[R:%.*]] = extractelement <2 x i32> %d, i64 0
; CHECK: [[Q:%.*]] = call i32 asm "fma.rn.ftz.f16x2 $0, $1, $2, $3;", "=r,r,r,r"(i32 [[R]], i32 {{%.*}}, i32 {{%.*}})
; CHECK-NEXT: ret i32 [[Q]]
define i32 @flushed(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.ftz.f16 $0, $1, $2;", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "mul.ftz.f16 $0, $1, $2;", "=h,h,h"(i16 %hi, i16 %s)
  %lo.q = call i16 asm "add.ftz.f16 $0, $1, $2;", "=h,h,h"(i16 %t, i16 %lo.m)
  %hi.q = call i16 asm "add.ftz.f16 $0, $1, $2;", "=h,h,h"(i16 %t, i16 %hi.m)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; x * s - t.
; CHECK-LABEL: define i32 @difference(
; CHECK: [[R:%.*]] = extractelement <2 x i32> %d, i64 0
; CHECK: [[N:%.*]] = fneg <2 x half>
; CHECK-NEXT: [[NEG:%.*]] = bitcast <2 x half> [[N]] to i32
; CHECK: [[Q:%.*]] = call i32 asm "fma.rn.f16x2 $0, $1, $2, $3;", "=r,r,r,r"(i32 [[R]], i32 {{%.*}}, i32 [[NEG]])
; CHECK-NEXT: ret i32 [[Q]]
; PTX-LABEL: ) difference(
; PTX: wait_group
; PTX: neg.f16x2
; PTX: fma.rn.f16x2
; PTX-NOT: sub.f16
; PTX: ret;
define i32 @difference(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %hi, i16 %s)
  %lo.q = call i16 asm "sub.f16 $0, $1, $2;", "=h,h,h"(i16 %lo.m, i16 %t)
  %hi.q = call i16 asm "sub.f16 $0, $1, $2;", "=h,h,h"(i16 %hi.m, i16 %t)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; t - s * x: rather s changes its sign, which may be one for all.
; CHECK-LABEL: define i32 @subtracted(
; CHECK: [[R:%.*]] = extractelement <2 x i32> %d, i64 0
; CHECK: [[N:%.*]] = fneg <2 x half>
; CHECK-NEXT: [[NEG:%.*]] = bitcast <2 x half> [[N]] to i32
; CHECK: [[Q:%.*]] = call i32 asm "fma.rn.f16x2 $0, $1, $2, $3;", "=r,r,r,r"(i32 [[R]], i32 [[NEG]], i32 {{%.*}})
; CHECK-NEXT: ret i32 [[Q]]
define i32 @subtracted(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %s, i16 %lo)
  %hi.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %s, i16 %hi)
  %lo.q = call i16 asm "sub.f16 $0, $1, $2;", "=h,h,h"(i16 %t, i16 %lo.m)
  %hi.q = call i16 asm "sub.f16 $0, $1, $2;", "=h,h,h"(i16 %t, i16 %hi.m)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; Not where one is said to be rounded,
; CHECK-LABEL: define i32 @rounded(
; CHECK-NOT: fma.rn
; CHECK: ret i32
define i32 @rounded(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.rn.f16 $0, $1, $2;", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "mul.rn.f16 $0, $1, $2;", "=h,h,h"(i16 %hi, i16 %s)
  %lo.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %lo.m, i16 %t)
  %hi.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %hi.m, i16 %t)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; be it the sum,
; CHECK-LABEL: define i32 @rounded_sum(
; CHECK-NOT: fma.rn
; CHECK: ret i32
define i32 @rounded_sum(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %hi, i16 %s)
  %lo.q = call i16 asm "add.rn.f16 $0, $1, $2;", "=h,h,h"(i16 %lo.m, i16 %t)
  %hi.q = call i16 asm "add.rn.f16 $0, $1, $2;", "=h,h,h"(i16 %hi.m, i16 %t)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; or has another modifier,
; CHECK-LABEL: define i32 @saturated(
; CHECK-NOT: fma.rn
; CHECK: ret i32
define i32 @saturated(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.sat.f16 $0, $1, $2;", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "mul.sat.f16 $0, $1, $2;", "=h,h,h"(i16 %hi, i16 %s)
  %lo.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %lo.m, i16 %t)
  %hi.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %hi.m, i16 %t)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; or one alone takes denormals for zeros,
; CHECK-LABEL: define i32 @one_flushed(
; CHECK-NOT: fma.rn
; CHECK: ret i32
define i32 @one_flushed(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.ftz.f16 $0, $1, $2;", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "mul.ftz.f16 $0, $1, $2;", "=h,h,h"(i16 %hi, i16 %s)
  %lo.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %lo.m, i16 %t)
  %hi.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %hi.m, i16 %t)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; or the product is needed, too,
; CHECK-LABEL: define i32 @used_twice(
; CHECK-NOT: fma.rn
; CHECK: ret i32
define i32 @used_twice(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %hi, i16 %s)
  %lo.n = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %lo.m, i16 %t)
  %hi.n = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %hi.m, i16 %t)
  %lo.q = call i16 asm "max.f16 $0, $1, $2;", "=h,h,h"(i16 %lo.n, i16 %lo.m)
  %hi.q = call i16 asm "max.f16 $0, $1, $2;", "=h,h,h"(i16 %hi.n, i16 %hi.m)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; or a step of wgmma lies between them.
; CHECK-LABEL: define i32 @behind_step(
; CHECK-NOT: fma.rn
; CHECK: ret i32
define i32 @behind_step(<2 x i32> %c, i64 %a, i64 %b, i16 %s, i16 %t) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "mul.f16 $0, $1, $2;", "=h,h,h"(i16 %hi, i16 %s)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %lo.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %lo.m, i16 %t)
  %hi.q = call i16 asm "add.f16 $0, $1, $2;", "=h,h,h"(i16 %hi.m, i16 %t)
  %q.lo = zext i16 %lo.q to i32
  %q.hi = zext i16 %hi.q to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}
