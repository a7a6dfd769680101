; What is computed of both halves of a register alike is computed of the register; see
; NVPTXHalfOperations.h.
; RUN: opt -S -passes=nvptx-merge-halves -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s
; RUN: llc %s -o %t.ptx -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --check-prefix=PTX --input-file %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; An accumulator that is scaled in each round. Of single halves each register would be a hidden
; move, and more.
; PTX-LABEL: .entry scaled(
; PTX: wgmma.wait_group
; PTX-NOT: lop3
; PTX: mul.rn.f16x2
; PTX-NEXT: mul.rn.f16x2
; PTX-NOT: lop3
; PTX: bra
define ptx_kernel void @scaled(ptr %p, i64 %a, i64 %b, i32 %n, half %s) {
; CHECK-LABEL: define ptx_kernel void @scaled(
; CHECK: loop:
; CHECK: [[R0:%halves.*]] = phi i32 [ 0, %entry ], [ [[NEXT0:%.*]], %loop ]
; CHECK: [[R1:%halves.*]] = phi i32 [ 0, %entry ], [ [[NEXT1:%.*]], %loop ]
; CHECK: call void @llvm.nvvm.wgmma.wait_group
; CHECK-NOT: fmul half
; CHECK: [[H0:%.*]] = fmul <2 x half>
; CHECK: [[NEXT0]] = bitcast <2 x half> [[H0]] to i32
; CHECK: [[H1:%.*]] = fmul <2 x half>
; CHECK: [[NEXT1]] = bitcast <2 x half> [[H1]] to i32
; CHECK-NOT: fmul half
; CHECK: exit:
; CHECK-NOT: fmul
; CHECK: ret void
entry:
  br label %loop

loop:
  %j = phi i32 [ 0, %entry ], [ %j.next, %loop ]
  %h0 = phi half [ 0.0, %entry ], [ %s0, %loop ]
  %h1 = phi half [ 0.0, %entry ], [ %s1, %loop ]
  %h2 = phi half [ 0.0, %entry ], [ %s2, %loop ]
  %h3 = phi half [ 0.0, %entry ], [ %s3, %loop ]
  %c0 = insertelement <4 x half> poison, half %h0, i64 0
  %c1 = insertelement <4 x half> %c0, half %h1, i64 1
  %c2 = insertelement <4 x half> %c1, half %h2, i64 2
  %c3 = insertelement <4 x half> %c2, half %h3, i64 3
  %c = bitcast <4 x half> %c3 to <2 x i32>
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %v = bitcast <2 x i32> %d to <4 x half>
  %d0 = extractelement <4 x half> %v, i64 0
  %d1 = extractelement <4 x half> %v, i64 1
  %d2 = extractelement <4 x half> %v, i64 2
  %d3 = extractelement <4 x half> %v, i64 3
  %s0 = fmul half %d0, %s
  %s1 = fmul half %d1, %s
  %s2 = fmul half %d2, %s
  %s3 = fmul half %d3, %s
  %j.next = add nuw nsw i32 %j, 1
  %done = icmp eq i32 %j.next, %n
  br i1 %done, label %exit, label %loop

exit:
  store half %s0, ptr %p
  %p2 = getelementptr half, ptr %p, i64 8
  store half %s3, ptr %p2
  ret void
}

; What CUDA's headers compute in inline assembly. Nothing of the single halves is left.
; CHECK-LABEL: define i32 @assembly(
; CHECK:      [[R:%.*]] = extractelement <2 x i32> %d, i64 0
; CHECK-NEXT: [[MAX:%.*]] = call i32 asm "max.f16x2 $0, $1, $2;", "=r,r,r"(i32 [[R]], i32 0)
; CHECK-NEXT: [[S:%.*]] = freeze i16 %s
; CHECK:      [[SPLAT:%.*]] = bitcast <2 x i16> {{.*}} to i32
; CHECK-NEXT: [[FMA:%.*]] = call i32 asm "fma.rn.relu.f16x2 $0, $1, $2, $3;", "=r,r,r,r"(i32 [[MAX]], i32 %x, i32 [[SPLAT]])
; CHECK-NEXT: [[TANH:%.*]] = call i32 asm "tanh.approx.f16x2 $0, $0;", "=r,0"(i32 [[FMA]])
; CHECK-NEXT: ret i32 [[TANH]]
; PTX-LABEL: ) assembly(
; PTX: wait_group
; PTX-NOT: .f16 %
; PTX: max.f16x2
; PTX-NOT: .f16 %
; PTX: fma.rn.relu.f16x2
; PTX-NOT: .f16 %
; PTX: tanh.approx.f16x2
; PTX-NOT: .f16 %
; PTX: ret;
define i32 @assembly(<2 x i32> %c, i64 %a, i64 %b, i32 %x, i16 %s) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %x.lo = trunc i32 %x to i16
  %x.up = lshr i32 %x, 16
  %x.hi = trunc nuw i32 %x.up to i16
  %lo.m = call i16 asm "{max.f16 $0,$1,$2;\0A}", "=h,h,h"(i16 %lo, i16 0)
  %hi.m = call i16 asm "{max.f16 $0,$1,$2;\0A}", "=h,h,h"(i16 %hi, i16 0)
  %lo.f = call i16 asm "{ fma.rn.relu.f16 $0, $1, $2, $3; }", "=h,h,h,h"(i16 %lo.m, i16 %x.lo, i16 %s)
  %hi.f = call i16 asm "{ fma.rn.relu.f16 $0, $1, $2, $3; }", "=h,h,h,h"(i16 %hi.m, i16 %x.hi, i16 %s)
  %lo.t = call i16 asm "tanh.approx.f16 $0, $0; // of both", "=h,0"(i16 %lo.f)
  %hi.t = call i16 asm "tanh.approx.f16 $0, $0; // of both", "=h,0"(i16 %hi.f)
  %q.lo = zext i16 %lo.t to i32
  %q.hi = zext i16 %hi.t to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; CHECK-LABEL: define i32 @intrinsics(
; CHECK: [[A:%.*]] = call <2 x half> @llvm.fabs.v2f16(<2 x half>
; CHECK: [[F:%.*]] = call <2 x half> @llvm.fma.v2f16(<2 x half> {{.*}}, <2 x half> splat (half {{0xH4000|2[.]0+e[+]00}}), <2 x half> <half {{0xH3C00|1[.]0+e[+]00}}, half {{0xH4200|3[.]0+e[+]00}}>)
; CHECK: [[M:%.*]] = call <2 x half> @llvm.minnum.v2f16(<2 x half> {{.*}}, <2 x half> splat (half {{0xH4400|4[.]0+e[+]00}}))
; CHECK-NEXT: [[Q:%.*]] = bitcast <2 x half> [[M]] to i32
; CHECK-NEXT: ret i32 [[Q]]
; PTX-LABEL: ) intrinsics(
; PTX: and.b32 {{.*}}, 2147450879;
; PTX: fma.rn.f16x2
; PTX: min.f16x2
define i32 @intrinsics(<2 x i32> %c, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.h = bitcast i16 %lo to half
  %hi.h = bitcast i16 %hi to half
  %lo.a = call half @llvm.fabs.f16(half %lo.h)
  %hi.a = call half @llvm.fabs.f16(half %hi.h)
  %lo.f = call half @llvm.fma.f16(half %lo.a, half 2.0, half 1.0)
  %hi.f = call half @llvm.fma.f16(half %hi.a, half 2.0, half 3.0)
  %lo.n = call half @llvm.minnum.f16(half %lo.f, half 4.0)
  %hi.n = call half @llvm.minnum.f16(half %hi.f, half 4.0)
  %lo.i = bitcast half %lo.n to i16
  %hi.i = bitcast half %hi.n to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; CHECK-LABEL: define i32 @bits(
; CHECK: [[X:%.*]] = xor i32 {{.*}}, -2147450880
; CHECK-NEXT: [[A:%.*]] = and i32 [[X]], -65552
; CHECK-NEXT: ret i32 [[A]]
define i32 @bits(<2 x i32> %c, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.x = xor i16 %lo, -32768
  %hi.x = xor i16 %hi, -32768
  %lo.a = and i16 %lo.x, -16
  %hi.a = and i16 %hi.x, -2
  %q.lo = zext i16 %lo.a to i32
  %q.hi = zext i16 %hi.a to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; A half that is poison, as no flag may make it, would be the other one, too.
; CHECK-LABEL: define i32 @flags(
; CHECK: fmul nsz <2 x half>
; CHECK-NOT: fmul
; CHECK: ret i32
define i32 @flags(<2 x i32> %c, i64 %a, i64 %b, half %s) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.h = bitcast i16 %lo to half
  %hi.h = bitcast i16 %hi to half
  %lo.n = fmul nnan ninf nsz contract half %lo.h, %s
  %hi.n = fmul nnan ninf nsz half %hi.h, %s
  %lo.i = bitcast half %lo.n to i16
  %hi.i = bitcast half %hi.n to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; A comparison and what it selects.
; CHECK-LABEL: define i32 @relu(
; CHECK: [[MAX:%.*]] = call <2 x half> @llvm.maximumnum.v2f16(<2 x half> {{.*}}, <2 x half> zeroinitializer)
; CHECK: call <2 x half> @llvm.minimumnum.v2f16(<2 x half> {{.*}}, <2 x half> splat (half {{0xH4600|6[.]0+e[+]00}}))
; CHECK-NOT: select
; CHECK: ret i32
; PTX-LABEL: ) relu(
; PTX: max.f16x2
; PTX: min.f16x2
define i32 @relu(<2 x i32> %c, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.h = bitcast i16 %lo to half
  %hi.h = bitcast i16 %hi to half
  %lo.more = fcmp ogt half %lo.h, 0.0
  %hi.more = fcmp ogt half %hi.h, 0.0
  %lo.r = select i1 %lo.more, half %lo.h, half 0.0
  %hi.r = select i1 %hi.more, half %hi.h, half 0.0
  %lo.less = fcmp olt half %lo.r, 6.0
  %hi.less = fcmp olt half %hi.r, 6.0
  %lo.n = select i1 %lo.less, half %lo.r, half 6.0
  %hi.n = select i1 %hi.less, half %hi.r, half 6.0
  %lo.i = bitcast half %lo.n to i16
  %hi.i = bitcast half %hi.n to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; Of 0, max of -0 would be 0, and this is -0.
; CHECK-LABEL: define i32 @negative_zero(
; CHECK-NOT: call <2 x half>
; CHECK: select i1 {{.*}}, half
; CHECK: ret i32
define i32 @negative_zero(<2 x i32> %c, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.h = bitcast i16 %lo to half
  %hi.h = bitcast i16 %hi to half
  %lo.c = fcmp ogt half %lo.h, -0.0
  %hi.c = fcmp ogt half %hi.h, -0.0
  %lo.n = select i1 %lo.c, half %lo.h, half -0.0
  %hi.n = select i1 %hi.c, half %hi.h, half -0.0
  %lo.i = bitcast half %lo.n to i16
  %hi.i = bitcast half %hi.n to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; Of -0, min of 0 would be -0, and this is 0.
; CHECK-LABEL: define i32 @zero(
; CHECK-NOT: call <2 x half>
; CHECK: select i1 {{.*}}, half
; CHECK: ret i32
define i32 @zero(<2 x i32> %c, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.h = bitcast i16 %lo to half
  %hi.h = bitcast i16 %hi to half
  %lo.c = fcmp olt half %lo.h, 0.0
  %hi.c = fcmp olt half %hi.h, 0.0
  %lo.n = select i1 %lo.c, half %lo.h, half 0.0
  %hi.n = select i1 %hi.c, half %hi.h, half 0.0
  %lo.i = bitcast half %lo.n to i16
  %hi.i = bitcast half %hi.n to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; Of -0, max would be 0, and this is -0.
; CHECK-LABEL: define i32 @or_equal(
; CHECK-NOT: call <2 x half>
; CHECK: select i1 {{.*}}, half
; CHECK: ret i32
define i32 @or_equal(<2 x i32> %c, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.h = bitcast i16 %lo to half
  %hi.h = bitcast i16 %hi to half
  %lo.c = fcmp oge half %lo.h, 0.0
  %hi.c = fcmp oge half %hi.h, 0.0
  %lo.n = select i1 %lo.c, half %lo.h, half 0.0
  %hi.n = select i1 %hi.c, half %hi.h, half 0.0
  %lo.i = bitcast half %lo.n to i16
  %hi.i = bitcast half %hi.n to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; Of what is no number, max would be 1, and this is no number.
; CHECK-LABEL: define i32 @not_a_number(
; CHECK-NOT: call <2 x half>
; CHECK: select i1 {{.*}}, half
; CHECK: ret i32
define i32 @not_a_number(<2 x i32> %c, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.h = bitcast i16 %lo to half
  %hi.h = bitcast i16 %hi to half
  %lo.c = fcmp ugt half %lo.h, 1.0
  %hi.c = fcmp ugt half %hi.h, 1.0
  %lo.n = select i1 %lo.c, half %lo.h, half 1.0
  %hi.n = select i1 %hi.c, half %hi.h, half 1.0
  %lo.i = bitcast half %lo.n to i16
  %hi.i = bitcast half %hi.n to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; Not the same operation.
; CHECK-LABEL: define i32 @differ(
; CHECK: fmul half
; CHECK: fadd half
; CHECK: call i16 asm "ex2
; CHECK: call i16 asm "tanh
define i32 @differ(<2 x i32> %c, i64 %a, i64 %b, half %s, i1 %p) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  br i1 %p, label %next, label %other

next:
  %lo.h = bitcast i16 %lo to half
  %hi.h = bitcast i16 %hi to half
  %lo.n = fmul half %lo.h, %s
  %hi.n = fadd half %hi.h, %s
  %lo.i = bitcast half %lo.n to i16
  %hi.i = bitcast half %hi.n to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q

other:
  %lo.e = call i16 asm "ex2.approx.f16 $0, $1;", "=h,h"(i16 %lo)
  %hi.e = call i16 asm "tanh.approx.f16 $0, $1;", "=h,h"(i16 %hi)
  %e.lo = zext i16 %lo.e to i32
  %e.hi = zext i16 %hi.e to i32
  %e.up = shl nuw i32 %e.hi, 16
  %e = or disjoint i32 %e.up, %e.lo
  ret i32 %e
}

; With an effect, of which PTX has no other form, two instructions.
; CHECK-LABEL: define i32 @other_assembly(
; CHECK-COUNT-6: call i16 asm
; CHECK-NOT: call i16 asm
; CHECK: ret i32
define i32 @other_assembly(<2 x i32> %c, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.v = call i16 asm sideeffect "{neg.f16 $0,$1;}", "=h,h"(i16 %lo)
  %hi.v = call i16 asm sideeffect "{neg.f16 $0,$1;}", "=h,h"(i16 %hi)
  %lo.r = call i16 asm "cvt.rni.f16.f16 $0, $1;", "=h,h"(i16 %lo.v)
  %hi.r = call i16 asm "cvt.rni.f16.f16 $0, $1;", "=h,h"(i16 %hi.v)
  %lo.t = call i16 asm "{neg.f16 $0,$1; neg.f16 $0,$0;}", "=h,h"(i16 %lo.r)
  %hi.t = call i16 asm "{neg.f16 $0,$1; neg.f16 $0,$0;}", "=h,h"(i16 %hi.r)
  %q.lo = zext i16 %lo.t to i32
  %q.hi = zext i16 %hi.t to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; CHECK-LABEL: define i32 @in_two_blocks(
; CHECK: fmul half
; CHECK: fmul half
define i32 @in_two_blocks(<2 x i32> %c, i64 %a, i64 %b, i1 %p, half %s) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.h = bitcast i16 %lo to half
  %hi.h = bitcast i16 %hi to half
  %lo.n = fmul half %lo.h, %s
  br i1 %p, label %next, label %none

next:
  %hi.n = fmul half %hi.h, %s
  %lo.i = bitcast half %lo.n to i16
  %hi.i = bitcast half %hi.n to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q

none:
  ret i32 0
}

; Factors and summands change places.
; CHECK-LABEL: define i32 @exchanged(
; CHECK: [[R:%.*]] = extractelement <2 x i32> %d, i64 0
; CHECK: [[PRODUCT:%.*]] = call i32 asm "mul.f16x2 $0, $1, $2;", "=r,r,r"(i32 [[R]], i32 {{%.*}})
; CHECK-NOT: mul.f16
; CHECK: fadd <2 x half>
; CHECK-NOT: fadd
; CHECK: ret i32
; PTX-LABEL: ) exchanged(
; PTX: wait_group
; PTX: mov.b32 [[S:%r[0-9]+]], {[[H:%rs[0-9]+]], [[H]]};
; PTX: mul.f16x2 [[P:%r[0-9]+]], %r{{[0-9]+}}, [[S]];
; PTX: add{{(.rn)?}}.f16x2 %r{{[0-9]+}}, [[S]], [[P]];
define i32 @exchanged(<2 x i32> %c, i64 %a, i64 %b, i16 %s) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.m = call i16 asm "{mul.f16 $0,$1,$2;}", "=h,h,h"(i16 %lo, i16 %s)
  %hi.m = call i16 asm "{mul.f16 $0,$1,$2;}", "=h,h,h"(i16 %s, i16 %hi)
  %s.h = bitcast i16 %s to half
  %lo.h = bitcast i16 %lo.m to half
  %hi.h = bitcast i16 %hi.m to half
  %lo.a = fadd half %s.h, %lo.h
  %hi.a = fadd half %hi.h, %s.h
  %lo.i = bitcast half %lo.a to i16
  %hi.i = bitcast half %hi.a to i16
  %q.lo = zext i16 %lo.i to i32
  %q.hi = zext i16 %hi.i to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; What is subtracted does not, nor what the text takes in another order.
; CHECK-LABEL: define i32 @not_exchanged(
; CHECK-NOT: f16x2
; CHECK: ret i32
define i32 @not_exchanged(<2 x i32> %c, i64 %a, i64 %b, i16 %s) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.f = call i16 asm "fma.rn.f16 $0, $3, $1, $2;", "=h,h,h,h"(i16 %lo, i16 %s, i16 2)
  %hi.f = call i16 asm "fma.rn.f16 $0, $3, $1, $2;", "=h,h,h,h"(i16 %s, i16 %hi, i16 2)
  %lo.s = call i16 asm "{sub.f16 $0,$1,$2;}", "=h,h,h"(i16 %lo.f, i16 %s)
  %hi.s = call i16 asm "{sub.f16 $0,$1,$2;}", "=h,h,h"(i16 %s, i16 %hi.f)
  %q.lo = zext i16 %lo.s to i32
  %q.hi = zext i16 %hi.s to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; What is known of the results of single halves is not known of the register's.
; CHECK-LABEL: define i32 @attributes(
; CHECK: call i32 asm "abs.f16x2 $0, $1;", "=r,r"(i32 {{[^)]*}}) [[ATTRIBUTES:#[0-9]+]]
define i32 @attributes(<2 x i32> %c, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <2 x i32> %d, i64 0
  %lo = trunc i32 %r to i16
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %lo.n = call range(i16 0, 31744) i16 asm "{abs.f16 $0,$1;}", "=h,h"(i16 signext %lo) #0
  %hi.n = call range(i16 0, 31744) i16 asm "{abs.f16 $0,$1;}", "=h,h"(i16 signext %hi) #0
  %q.lo = zext i16 %lo.n to i32
  %q.hi = zext i16 %hi.n to i32
  %q.up = shl nuw i32 %q.hi, 16
  %q = or disjoint i32 %q.up, %q.lo
  ret i32 %q
}

; A half that is a vector of bytes, which is no element of another vector, is extracted behind the wait, too.
; CHECK-LABEL: define void @bytes(
; CHECK: call void @llvm.nvvm.wgmma.wait_group
; CHECK: [[HALVES:%.*]] = bitcast i32 {{.*}} to <2 x i16>
; CHECK: [[HI:%.*]] = extractelement <2 x i16> [[HALVES]], i64 1
; CHECK: [[BYTES:%.*]] = bitcast i16 [[HI]] to <2 x i8>
; CHECK: store <2 x i8> [[BYTES]], ptr %p
define void @bytes(<2 x i32> %c, i64 %a, i64 %b, ptr %p) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %r = extractelement <2 x i32> %d, i64 0
  %up = lshr i32 %r, 16
  %hi = trunc nuw i32 %up to i16
  %v = bitcast i16 %hi to <2 x i8>
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <2 x i8> %v, ptr %p
  ret void
}

; CHECK: attributes [[ATTRIBUTES]] = { nounwind }
attributes #0 = { nounwind }

declare half @llvm.fabs.f16(half)
declare half @llvm.fma.f16(half, half, half)
declare half @llvm.minnum.f16(half, half)
