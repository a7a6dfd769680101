; Inline assembly that consists of steps of the protocol counts as these steps: with optimization a wait that does
; nothing goes, for which ptxas adds one of its own otherwise (C7517). What has more in it, or a condition, stays.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2> %t.err
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: FileCheck %s --input-file=%t.err --check-prefix=WARN --implicit-check-not=warning:
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; RUN: llc %s -o - -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %s --check-prefix=O0
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; CHECK-LABEL: .entry steps(
; CHECK-NOT:   begin inline asm
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
; O0-LABEL: .entry steps(
; O0-NOT:   begin inline asm
; O0:       wgmma.commit_group.sync.aligned;
; O0:       wgmma.wait_group.sync.aligned 0;
; O0:       wgmma.wait_group.sync.aligned 1;
; O0:       ret;
define ptx_kernel void @steps(ptr addrspace(1) %out, <4 x float> %c, i64 %a, i64 %b) {
  call void asm sideeffect "wgmma.fence.sync.aligned;\0A", "~{memory}"()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void asm sideeffect "{ // a group\0A\09wgmma.commit_group.sync.aligned; }", "~{memory}"()
  call void asm sideeffect "wgmma.wait_group.sync.aligned $0;\0A", "n,~{memory}"(i32 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  call void asm sideeffect "wgmma.wait_group.sync.aligned 1;", ""()
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry two_steps(
; CHECK-NOT:   begin inline asm
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @two_steps(ptr addrspace(1) %out, <4 x float> %c, i64 %a, i64 %b) {
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned ${0};", "n,~{memory}"(i32 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry more_than_a_step(
; CHECK:       // begin inline asm
; CHECK-NEXT:  wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; nanosleep.u32 1;
; CHECK:       // begin inline asm
; CHECK-NEXT:  @{{%p[0-9]+}} wgmma.fence.sync.aligned;
; CHECK:       // begin inline asm
; CHECK-NEXT:  wgmma.fence.sync.aligned; nanosleep.u32 1;
define ptx_kernel void @more_than_a_step(ptr addrspace(1) %out, <4 x float> %c, i64 %a, i64 %b, i1 %p) {
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; nanosleep.u32 1;", "~{memory}"()
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out
  call void asm sideeffect "@$0 wgmma.fence.sync.aligned;", "b,~{memory}"(i1 %p)
  call void asm sideeffect "wgmma.fence.sync.aligned; nanosleep.u32 1;", "~{memory}"()
  ret void
}

; The number of groups as macros make it.
; CHECK-LABEL: .entry expressions(
; CHECK-NOT:   begin inline asm
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @expressions(ptr addrspace(1) %out, <4 x float> %c, i64 %a, i64 %b) {
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void asm sideeffect "wgmma.commit_group.sync.aligned;", "~{memory}"()
  call void asm sideeffect "wgmma.wait_group.sync.aligned (3U - 0x1 * 2) - $0;", "n,~{memory}"(i32 1)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; A label before a step hides nothing, and a branch nothing behind the last label.
; CHECK-LABEL: .entry labels(
; CHECK:       wgmma.mma_async
; CHECK-NOT:   {{^[[:space:]]+}}wgmma
; CHECK:       DONE{{[0-9]+}}: wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @labels(ptr addrspace(1) %out, <4 x float> %c, i64 %a, i64 %b, i1 %p) {
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void asm sideeffect "@$0 bra DONE${:uid}; nanosleep.u32 1; DONE${:uid}: wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "b,~{memory}"(i1 %p)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; What a branch may skip is as if it were not there.
; WARN: warning: in function skipped: wgmma.mma_async is waited for at once: its accumulator is read before a wgmma.wait_group retires it
; CHECK-LABEL: .entry skipped(
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       DONE{{[0-9]+}}:
define ptx_kernel void @skipped(ptr addrspace(1) %out, <4 x float> %c, i64 %a, i64 %b, i1 %p) {
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void asm sideeffect "wgmma.commit_group.sync.aligned;", "~{memory}"()
  call void asm sideeffect "@$0 bra DONE${:uid}; wgmma.wait_group.sync.aligned 0; DONE${:uid}:", "b,~{memory}"(i1 %p)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}
