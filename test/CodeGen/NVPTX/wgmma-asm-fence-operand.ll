; Inline assembly without a text whose results are tied to what goes in is fence_operand to CUTLASS and others, and so it
; is to the passes: nothing is written there, and an accumulator without a value stays one.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | count 0
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: llc < %s -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -O0 -verify-machineinstrs 2>&1 | FileCheck %s --check-prefix=O0
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; One group stays in flight: the wait does not become one for all.
; One clobber of memory is enough for all registers.
; CHECK-LABEL: .entry pipelined(
; CHECK:       // begin inline asm
; CHECK-NEXT:  // end inline asm
; CHECK-NOT:   inline asm
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK:     [[LOOP:\$L__BB[0-9_]+]]:
; CHECK-NOT:   lop3
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   wait_group
; CHECK:       bra [[LOOP]];
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       ret;
; O0-LABEL: .entry pipelined(
define ptx_kernel void @pipelined(ptr addrspace(1) %out, i64 %b, i32 %n, ptr addrspace(1) %done) {
entry:
  %x0 = call float asm sideeffect "", "=f,0,~{memory}"(float undef)
  %x1 = call float asm sideeffect "", "=f,0,~{memory}"(float undef)
  %x2 = call float asm sideeffect "", "=f,0,~{memory}"(float undef)
  %x3 = call float asm sideeffect "", "=f,0,~{memory}"(float undef)
  %v0 = insertelement <4 x float> poison, float %x0, i32 0
  %v1 = insertelement <4 x float> %v0, float %x1, i32 1
  %v2 = insertelement <4 x float> %v1, float %x2, i32 2
  %v3 = insertelement <4 x float> %v2, float %x3, i32 3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %first = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %v3, i64 %b, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %acc = phi <4 x float> [ %first, %entry ], [ %d, %more ]
  %a0 = extractelement <4 x float> %acc, i32 0
  %a1 = extractelement <4 x float> %acc, i32 1
  %a2 = extractelement <4 x float> %acc, i32 2
  %a3 = extractelement <4 x float> %acc, i32 3
  %y0 = call float asm sideeffect "", "=f,0,~{memory}"(float %a0)
  %y1 = call float asm sideeffect "", "=f,0,~{memory}"(float %a1)
  %y = call { float, float } asm sideeffect " ", "=f,=f,0,1,~{memory}"(float %a2, float %a3)
  %y2 = extractvalue { float, float } %y, 0
  %y3 = extractvalue { float, float } %y, 1
  %w0 = insertelement <4 x float> poison, float %y0, i32 0
  %w1 = insertelement <4 x float> %w0, float %y1, i32 1
  %w2 = insertelement <4 x float> %w1, float %y2, i32 2
  %w3 = insertelement <4 x float> %w2, float %y3, i32 3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %w3, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %one = icmp eq i32 %tid, 0
  br i1 %one, label %release, label %more

release:
  store volatile i32 %i, ptr addrspace(1) %done
  br label %more

more:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  %last = phi <4 x float> [ %first, %entry ], [ %d, %more ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %l0 = extractelement <4 x float> %last, i32 0
  %z0 = call float asm sideeffect "", "=f,0,~{memory}"(float %l0)
  store float %z0, ptr addrspace(1) %out
  ret void
}

; What has 64 bits, or another input as well, stays what it is; so does all of that where there is no wgmma.
; CHECK-LABEL: .entry others(
; CHECK:       // begin inline asm
; CHECK-NEXT:  // end inline asm
; CHECK:       // begin inline asm
; CHECK-NEXT:  // end inline asm
; CHECK:       wgmma.mma_async
; O0-LABEL: .entry others(
define ptx_kernel void @others(ptr addrspace(1) %out, i64 %b, i32 %n) {
  %c = call i64 asm sideeffect "", "=l,0"(i64 %b)
  %m = call i32 asm sideeffect "", "=r,0,r"(i32 %n, i32 %n)
  store volatile i32 %m, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %c, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; A clobber of memory stays one.
; CHECK-LABEL: .entry clobbers(
; CHECK:       st.global.b32
; CHECK-NEXT:  // begin inline asm
; CHECK-NEXT:  // end inline asm
; CHECK-NEXT:  st.global.b32
; CHECK-NOT:   inline asm
; CHECK:       ret;
; O0-LABEL: .entry clobbers(
define ptx_kernel void @clobbers(ptr addrspace(1) %out, i64 %b, i32 %n) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d0 = extractelement <4 x float> %d, i32 0
  %x = call float asm sideeffect "", "=f,0"(float %d0)
  store i32 %n, ptr addrspace(1) %out
  %y = call float asm sideeffect "", "=f,0,~{memory}"(float %x)
  store float %y, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry no_wgmma(
; CHECK:       // begin inline asm
; CHECK-NEXT:  // end inline asm
; CHECK:       ret;
define ptx_kernel void @no_wgmma(ptr addrspace(1) %out, i32 %n) {
  %m = call i32 asm sideeffect "", "=r,0"(i32 %n)
  store i32 %m, ptr addrspace(1) %out
  ret void
}
