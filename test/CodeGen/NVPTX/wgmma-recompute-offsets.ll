; What LLVM computes ahead of a loop is computed where it is needed, if there are no
; registers for it beside what wgmma need, or beside what setmaxnreg leaves.
;
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a -v < %t.ptx 2>&1 | FileCheck %s --check-prefix=SPILL %}
; SPILL-NOT: C75{{1[0-8]}}
; SPILL-NOT: {{[1-9][0-9]*}} bytes spill
; SPILL:     0 bytes spill stores

target triple = "nvptx64-nvidia-cuda"

declare <16 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v16f32(<16 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; The accumulator, the columns and what else there is need more than 48 registers. A quotient is kept: a division is many
; instructions.
; CHECK-LABEL: .entry columns(
; CHECK-NOT:   or.b32
; CHECK:       and.b32 [[X:%r[0-9]+]], {{%r[0-9]+}}, 6;
; CHECK-NOT:   or.b32
; CHECK:       div.u32
; CHECK-NOT:   or.b32
; CHECK:       wgmma.mma_async
; CHECK-NOT:   div.u32
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  or.b32 [[FIRST:%r[0-9]+]], [[X]], 8;
; CHECK-NEXT:  st.volatile.global.b32 [{{.*}}], [[FIRST]];
; CHECK-COUNT-30: or.b32 {{%r[0-9]+}}, [[X]],
; CHECK:       bra
define ptx_kernel void @columns(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxnreg"="48" {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = and i32 %tid, 6
  %c1 = or disjoint i32 %x, 8
  %c2 = or disjoint i32 %x, 16
  %c3 = or disjoint i32 %x, 24
  %c4 = or disjoint i32 %x, 32
  %c5 = or disjoint i32 %x, 40
  %c6 = or disjoint i32 %x, 48
  %c7 = or disjoint i32 %x, 56
  %c8 = or disjoint i32 %x, 64
  %c9 = or disjoint i32 %x, 72
  %c10 = or disjoint i32 %x, 80
  %c11 = or disjoint i32 %x, 88
  %c12 = or disjoint i32 %x, 96
  %c13 = or disjoint i32 %x, 104
  %c14 = or disjoint i32 %x, 112
  %c15 = or disjoint i32 %x, 120
  %c16 = or disjoint i32 %x, 128
  %c17 = or disjoint i32 %x, 136
  %c18 = or disjoint i32 %x, 144
  %c19 = or disjoint i32 %x, 152
  %c20 = or disjoint i32 %x, 160
  %c21 = or disjoint i32 %x, 168
  %c22 = or disjoint i32 %x, 176
  %c23 = or disjoint i32 %x, 184
  %c24 = or disjoint i32 %x, 192
  %c25 = or disjoint i32 %x, 200
  %c26 = or disjoint i32 %x, 208
  %c27 = or disjoint i32 %x, 216
  %c28 = or disjoint i32 %x, 224
  %c29 = or disjoint i32 %x, 232
  %c30 = or disjoint i32 %x, 240
  %c31 = or disjoint i32 %x, 248
  %c32 = udiv i32 %x, %n
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = phi <16 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <16 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v16f32(<16 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile i32 %c1, ptr addrspace(1) %out
  store volatile i32 %c2, ptr addrspace(1) %out
  store volatile i32 %c3, ptr addrspace(1) %out
  store volatile i32 %c4, ptr addrspace(1) %out
  store volatile i32 %c5, ptr addrspace(1) %out
  store volatile i32 %c6, ptr addrspace(1) %out
  store volatile i32 %c7, ptr addrspace(1) %out
  store volatile i32 %c8, ptr addrspace(1) %out
  store volatile i32 %c9, ptr addrspace(1) %out
  store volatile i32 %c10, ptr addrspace(1) %out
  store volatile i32 %c11, ptr addrspace(1) %out
  store volatile i32 %c12, ptr addrspace(1) %out
  store volatile i32 %c13, ptr addrspace(1) %out
  store volatile i32 %c14, ptr addrspace(1) %out
  store volatile i32 %c15, ptr addrspace(1) %out
  store volatile i32 %c16, ptr addrspace(1) %out
  store volatile i32 %c17, ptr addrspace(1) %out
  store volatile i32 %c18, ptr addrspace(1) %out
  store volatile i32 %c19, ptr addrspace(1) %out
  store volatile i32 %c20, ptr addrspace(1) %out
  store volatile i32 %c21, ptr addrspace(1) %out
  store volatile i32 %c22, ptr addrspace(1) %out
  store volatile i32 %c23, ptr addrspace(1) %out
  store volatile i32 %c24, ptr addrspace(1) %out
  store volatile i32 %c25, ptr addrspace(1) %out
  store volatile i32 %c26, ptr addrspace(1) %out
  store volatile i32 %c27, ptr addrspace(1) %out
  store volatile i32 %c28, ptr addrspace(1) %out
  store volatile i32 %c29, ptr addrspace(1) %out
  store volatile i32 %c30, ptr addrspace(1) %out
  store volatile i32 %c31, ptr addrspace(1) %out
  store volatile i32 %c32, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <16 x float> %d, ptr addrspace(1) %out
  ret void
}

; A thread has registers for all of them: they are computed once.
; CHECK-LABEL: .entry enough(
; CHECK-COUNT-32: or.b32
; CHECK:       wgmma.mma_async
; CHECK-NOT:   or.b32
; CHECK:       .entry
define ptx_kernel void @enough(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = and i32 %tid, 6
  %c1 = or disjoint i32 %x, 8
  %c2 = or disjoint i32 %x, 16
  %c3 = or disjoint i32 %x, 24
  %c4 = or disjoint i32 %x, 32
  %c5 = or disjoint i32 %x, 40
  %c6 = or disjoint i32 %x, 48
  %c7 = or disjoint i32 %x, 56
  %c8 = or disjoint i32 %x, 64
  %c9 = or disjoint i32 %x, 72
  %c10 = or disjoint i32 %x, 80
  %c11 = or disjoint i32 %x, 88
  %c12 = or disjoint i32 %x, 96
  %c13 = or disjoint i32 %x, 104
  %c14 = or disjoint i32 %x, 112
  %c15 = or disjoint i32 %x, 120
  %c16 = or disjoint i32 %x, 128
  %c17 = or disjoint i32 %x, 136
  %c18 = or disjoint i32 %x, 144
  %c19 = or disjoint i32 %x, 152
  %c20 = or disjoint i32 %x, 160
  %c21 = or disjoint i32 %x, 168
  %c22 = or disjoint i32 %x, 176
  %c23 = or disjoint i32 %x, 184
  %c24 = or disjoint i32 %x, 192
  %c25 = or disjoint i32 %x, 200
  %c26 = or disjoint i32 %x, 208
  %c27 = or disjoint i32 %x, 216
  %c28 = or disjoint i32 %x, 224
  %c29 = or disjoint i32 %x, 232
  %c30 = or disjoint i32 %x, 240
  %c31 = or disjoint i32 %x, 248
  %c32 = or disjoint i32 %x, 256
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c = phi <16 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <16 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v16f32(<16 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile i32 %c1, ptr addrspace(1) %out
  store volatile i32 %c2, ptr addrspace(1) %out
  store volatile i32 %c3, ptr addrspace(1) %out
  store volatile i32 %c4, ptr addrspace(1) %out
  store volatile i32 %c5, ptr addrspace(1) %out
  store volatile i32 %c6, ptr addrspace(1) %out
  store volatile i32 %c7, ptr addrspace(1) %out
  store volatile i32 %c8, ptr addrspace(1) %out
  store volatile i32 %c9, ptr addrspace(1) %out
  store volatile i32 %c10, ptr addrspace(1) %out
  store volatile i32 %c11, ptr addrspace(1) %out
  store volatile i32 %c12, ptr addrspace(1) %out
  store volatile i32 %c13, ptr addrspace(1) %out
  store volatile i32 %c14, ptr addrspace(1) %out
  store volatile i32 %c15, ptr addrspace(1) %out
  store volatile i32 %c16, ptr addrspace(1) %out
  store volatile i32 %c17, ptr addrspace(1) %out
  store volatile i32 %c18, ptr addrspace(1) %out
  store volatile i32 %c19, ptr addrspace(1) %out
  store volatile i32 %c20, ptr addrspace(1) %out
  store volatile i32 %c21, ptr addrspace(1) %out
  store volatile i32 %c22, ptr addrspace(1) %out
  store volatile i32 %c23, ptr addrspace(1) %out
  store volatile i32 %c24, ptr addrspace(1) %out
  store volatile i32 %c25, ptr addrspace(1) %out
  store volatile i32 %c26, ptr addrspace(1) %out
  store volatile i32 %c27, ptr addrspace(1) %out
  store volatile i32 %c28, ptr addrspace(1) %out
  store volatile i32 %c29, ptr addrspace(1) %out
  store volatile i32 %c30, ptr addrspace(1) %out
  store volatile i32 %c31, ptr addrspace(1) %out
  store volatile i32 %c32, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <16 x float> %d, ptr addrspace(1) %out
  ret void
}

; A warp that loads has given its registers to others: the last setmaxnreg on the way to its loop counts.
; CHECK-SAME:  producer(
; CHECK:       setmaxnreg.dec.sync.aligned.u32 32;
; CHECK-NOT:   or.b32
; CHECK:       $L__BB2_1:
; CHECK-COUNT-32: or.b32
; CHECK:       bra
define ptx_kernel void @producer(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxnreg"="168" {
entry:
  call void asm sideeffect "setmaxnreg.dec.sync.aligned.u32 $0;", "n"(i32 32)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = and i32 %tid, 6
  %c1 = or disjoint i32 %x, 8
  %c2 = or disjoint i32 %x, 16
  %c3 = or disjoint i32 %x, 24
  %c4 = or disjoint i32 %x, 32
  %c5 = or disjoint i32 %x, 40
  %c6 = or disjoint i32 %x, 48
  %c7 = or disjoint i32 %x, 56
  %c8 = or disjoint i32 %x, 64
  %c9 = or disjoint i32 %x, 72
  %c10 = or disjoint i32 %x, 80
  %c11 = or disjoint i32 %x, 88
  %c12 = or disjoint i32 %x, 96
  %c13 = or disjoint i32 %x, 104
  %c14 = or disjoint i32 %x, 112
  %c15 = or disjoint i32 %x, 120
  %c16 = or disjoint i32 %x, 128
  %c17 = or disjoint i32 %x, 136
  %c18 = or disjoint i32 %x, 144
  %c19 = or disjoint i32 %x, 152
  %c20 = or disjoint i32 %x, 160
  %c21 = or disjoint i32 %x, 168
  %c22 = or disjoint i32 %x, 176
  %c23 = or disjoint i32 %x, 184
  %c24 = or disjoint i32 %x, 192
  %c25 = or disjoint i32 %x, 200
  %c26 = or disjoint i32 %x, 208
  %c27 = or disjoint i32 %x, 216
  %c28 = or disjoint i32 %x, 224
  %c29 = or disjoint i32 %x, 232
  %c30 = or disjoint i32 %x, 240
  %c31 = or disjoint i32 %x, 248
  %c32 = or disjoint i32 %x, 256
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %c1, ptr addrspace(1) %out
  store volatile i32 %c2, ptr addrspace(1) %out
  store volatile i32 %c3, ptr addrspace(1) %out
  store volatile i32 %c4, ptr addrspace(1) %out
  store volatile i32 %c5, ptr addrspace(1) %out
  store volatile i32 %c6, ptr addrspace(1) %out
  store volatile i32 %c7, ptr addrspace(1) %out
  store volatile i32 %c8, ptr addrspace(1) %out
  store volatile i32 %c9, ptr addrspace(1) %out
  store volatile i32 %c10, ptr addrspace(1) %out
  store volatile i32 %c11, ptr addrspace(1) %out
  store volatile i32 %c12, ptr addrspace(1) %out
  store volatile i32 %c13, ptr addrspace(1) %out
  store volatile i32 %c14, ptr addrspace(1) %out
  store volatile i32 %c15, ptr addrspace(1) %out
  store volatile i32 %c16, ptr addrspace(1) %out
  store volatile i32 %c17, ptr addrspace(1) %out
  store volatile i32 %c18, ptr addrspace(1) %out
  store volatile i32 %c19, ptr addrspace(1) %out
  store volatile i32 %c20, ptr addrspace(1) %out
  store volatile i32 %c21, ptr addrspace(1) %out
  store volatile i32 %c22, ptr addrspace(1) %out
  store volatile i32 %c23, ptr addrspace(1) %out
  store volatile i32 %c24, ptr addrspace(1) %out
  store volatile i32 %c25, ptr addrspace(1) %out
  store volatile i32 %c26, ptr addrspace(1) %out
  store volatile i32 %c27, ptr addrspace(1) %out
  store volatile i32 %c28, ptr addrspace(1) %out
  store volatile i32 %c29, ptr addrspace(1) %out
  store volatile i32 %c30, ptr addrspace(1) %out
  store volatile i32 %c31, ptr addrspace(1) %out
  store volatile i32 %c32, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  call void asm sideeffect "setmaxnreg.inc.sync.aligned.u32 168;", ""()
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <16 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v16f32(<16 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <16 x float> %d, ptr addrspace(1) %out
  ret void
}
