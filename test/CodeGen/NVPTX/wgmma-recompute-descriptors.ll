; Descriptors that do not change in a loop are made in it, where they are many: kept in registers, each would take two.
; RUN: llc < %s -o %t.ptx -mcpu=sm_90a -mattr=+ptx82 -nvptx-max-descriptors=2 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=WARN --allow-empty
; RUN: FileCheck %s < %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefix=FEW
; WARN-NOT: warning:
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

@tiles = external addrspace(3) global [0 x i8], align 1024

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; What is computed from nothing but the address of shared memory.
; CHECK-LABEL: .entry constant(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       mov.b64 [[TILES:%rd[0-9]+]], tiles;
; CHECK:       wgmma.fence
; CHECK:       wgmma.mma_async
; CHECK:       or.b64 [[A:%rd[0-9]+]], {{%rd[0-9]+}}, 4611686293305360384;
; CHECK:       or.b64 [[B:%rd[0-9]+]], {{%rd[0-9]+}}, 4611686293305360384;
; CHECK-NEXT:  wgmma.mma_async.{{.*}}, [[A]], [[B]], 1, 1, 1, 0, 0;
; CHECK-NOT:   wgmma.mma_async
; CHECK:       bra {{.*}}[[LOOP]];
; FEW-LABEL:   .entry constant(
; FEW:         [[LOOP:\$L__BB[0-9_]+]]:
; FEW-NOT:     or.b64
; FEW:         bra {{.*}}[[LOOP]];
define ptx_kernel void @constant(ptr addrspace(1) %out, i32 %n) {
entry:
  %d0.shr = lshr i32 ptrtoint (ptr addrspace(3) @tiles to i32), 4
  %d0.and = and i32 %d0.shr, 16383
  %d0.ext = zext i32 %d0.and to i64
  %d0 = or i64 %d0.ext, 4611686293305360384
  %d1.shr = lshr i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tiles, i32 8192) to i32), 4
  %d1.and = and i32 %d1.shr, 16383
  %d1.ext = zext i32 %d1.and to i64
  %d1 = or i64 %d1.ext, 4611686293305360384
  %d2.shr = lshr i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tiles, i32 16384) to i32), 4
  %d2.and = and i32 %d2.shr, 16383
  %d2.ext = zext i32 %d2.and to i64
  %d2 = or i64 %d2.ext, 4611686293305360384
  %d3.shr = lshr i32 ptrtoint (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tiles, i32 24576) to i32), 4
  %d3.and = and i32 %d3.shr, 16383
  %d3.ext = zext i32 %d3.and to i64
  %d3 = or i64 %d3.ext, 4611686293305360384
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %last, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %acc0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %d0, i64 %d1, i1 true, i32 1, i32 1, i1 false, i1 false)
  %last = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc0, i64 %d2, i64 %d3, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %last, ptr addrspace(1) %out
  ret void
}

; What is computed from one register, which stays: as for the K steps of a tile.
; CHECK-LABEL: .entry sequence(
; CHECK:       ld.global.b32 [[STAGE:%r[0-9]+]],
; CHECK-NOT:   or.b64
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-COUNT-4: or.b64
; CHECK-NOT:   or.b64
; CHECK:       bra {{.*}}[[LOOP]];
; FEW-LABEL:   .entry sequence(
; FEW-COUNT-4: or.b64
; FEW-NOT:     or.b64
; FEW:         [[LOOP:\$L__BB[0-9_]+]]:
; FEW-NOT:     or.b64
; FEW:         bra {{.*}}[[LOOP]];
define ptx_kernel void @sequence(ptr addrspace(1) %out, i32 %n, ptr addrspace(1) %in) {
entry:
  %stage = load i32, ptr addrspace(1) %in
  %d0.shr = lshr i32 %stage, 4
  %d0.and = and i32 %d0.shr, 16383
  %d0.ext = zext i32 %d0.and to i64
  %d0 = or i64 %d0.ext, 4611686293305360384
  %p1 = add i32 %stage, 32
  %d1.shr = lshr i32 %p1, 4
  %d1.and = and i32 %d1.shr, 16383
  %d1.ext = zext i32 %d1.and to i64
  %d1 = or i64 %d1.ext, 4611686293305360384
  %p2 = add i32 %stage, 64
  %d2.shr = lshr i32 %p2, 4
  %d2.and = and i32 %d2.shr, 16383
  %d2.ext = zext i32 %d2.and to i64
  %d2 = or i64 %d2.ext, 4611686293305360384
  %p3 = add i32 %stage, 96
  %d3.shr = lshr i32 %p3, 4
  %d3.and = and i32 %d3.shr, 16383
  %d3.ext = zext i32 %d3.and to i64
  %d3 = or i64 %d3.ext, 4611686293305360384
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %last, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %acc0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %d0, i64 %d1, i1 true, i32 1, i32 1, i1 false, i1 false)
  %last = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc0, i64 %d2, i64 %d3, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %last, ptr addrspace(1) %out
  ret void
}

; What is computed from a register each takes no more registers than these: it stays where it is.
; CHECK-LABEL: .entry different(
; CHECK-COUNT-4: or.b64
; CHECK-NOT:   or.b64
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-NOT:   or.b64
; CHECK:       bra {{.*}}[[LOOP]];
define ptx_kernel void @different(ptr addrspace(1) %out, i32 %n, ptr addrspace(1) %in) {
entry:
  %p = load <4 x i32>, ptr addrspace(1) %in
  %p0 = extractelement <4 x i32> %p, i32 0
  %d0.shr = lshr i32 %p0, 4
  %d0.and = and i32 %d0.shr, 16383
  %d0.ext = zext i32 %d0.and to i64
  %d0 = or i64 %d0.ext, 4611686293305360384
  %p1 = extractelement <4 x i32> %p, i32 1
  %d1.shr = lshr i32 %p1, 4
  %d1.and = and i32 %d1.shr, 16383
  %d1.ext = zext i32 %d1.and to i64
  %d1 = or i64 %d1.ext, 4611686293305360384
  %p2 = extractelement <4 x i32> %p, i32 2
  %d2.shr = lshr i32 %p2, 4
  %d2.and = and i32 %d2.shr, 16383
  %d2.ext = zext i32 %d2.and to i64
  %d2 = or i64 %d2.ext, 4611686293305360384
  %p3 = extractelement <4 x i32> %p, i32 3
  %d3.shr = lshr i32 %p3, 4
  %d3.and = and i32 %d3.shr, 16383
  %d3.ext = zext i32 %d3.and to i64
  %d3 = or i64 %d3.ext, 4611686293305360384
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %last, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %acc0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %d0, i64 %d1, i1 true, i32 1, i32 1, i1 false, i1 false)
  %last = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc0, i64 %d2, i64 %d3, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %last, ptr addrspace(1) %out
  ret void
}

; A quotient is kept: ptxas makes many instructions of a division.
; CHECK-LABEL: .entry quotient(
; CHECK:       div.u32 {{%r[0-9]+}}, 4096, {{%r[0-9]+}};
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-NOT:   div
; CHECK:       or.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 4611686293305360384;
; CHECK-NOT:   div
; CHECK:       bra {{.*}}[[LOOP]];
define ptx_kernel void @quotient(ptr addrspace(1) %out, i32 %n, i32 %size) {
entry:
  %quotient = udiv i32 4096, %size
  %q = zext i32 %quotient to i64
  %d0 = or i64 %q, 4611686293305360384
  %d1 = or i64 %q, 4611686293305360392
  %d2 = or i64 %q, 4611686293305360400
  %d3 = or i64 %q, 4611686293305360408
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %last, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %acc0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %d0, i64 %d1, i1 true, i32 1, i32 1, i1 false, i1 false)
  %last = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc0, i64 %d2, i64 %d3, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %last, ptr addrspace(1) %out
  ret void
}
