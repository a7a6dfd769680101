; Convergence control tokens, of which PTX knows nothing, leave no trace and do
; no harm, in whatever block they are used. See NVPTXStripConvergenceTokens.cpp.
; RUN: opt -S -passes=nvptx-strip-convergence-tokens -mtriple=nvptx64 %s | FileCheck %s --check-prefix=IR --implicit-check-not='call token' --implicit-check-not=convergencectrl
; RUN: llc -O0 -mtriple=nvptx64 -mcpu=sm_75 -mattr=+ptx63 -verify-machineinstrs %s -o - | FileCheck %s
; RUN: llc -O2 -mtriple=nvptx64 -mcpu=sm_75 -mattr=+ptx63 -verify-machineinstrs %s -o - | FileCheck %s
; RUN: %if ptxas-sm_75 && ptxas-isa-6.3 %{ llc -O2 -mtriple=nvptx64 -mcpu=sm_75 -mattr=+ptx63 %s -o - | %ptxas-verify -arch=sm_75 %}

; IR-LABEL: @in_loop(
; IR: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0){{$}}
; IR: %sum = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %value, i32 1, i32 31), !note
; IR: tail call void @callee(){{$}}
; CHECK-LABEL: .entry in_loop(
; CHECK: bar{{(rier)?}}.sync
; CHECK: shfl.sync.bfly.b32
; CHECK: bra
; CHECK: callee
define ptx_kernel void @in_loop(ptr addrspace(1) %out, i32 %n) convergent {
entry:
  %token = call token @llvm.experimental.convergence.entry()
  br label %loop

loop:
  %value = phi i32 [ 1, %entry ], [ %sum, %loop ]
  %heart = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %token) ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) [ "convergencectrl"(token %heart) ]
  %sum = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %value, i32 1, i32 31) [ "convergencectrl"(token %heart) ], !note !0
  %more = icmp slt i32 %sum, %n
  br i1 %more, label %loop, label %done

done:
  tail call void @callee() [ "convergencectrl"(token %token) ]
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

; The token of a place where threads that happen to be there go on together.
; IR-LABEL: @anchored(
; IR-NEXT: call void @callee(){{$}}
; CHECK-LABEL: .entry anchored(
; CHECK: callee
define ptx_kernel void @anchored() convergent {
  %anchor = call token @llvm.experimental.convergence.anchor()
  call void @callee() [ "convergencectrl"(token %anchor) ]
  ret void
}

; Other bundles stay.
; IR-LABEL: @bundles(
; IR: call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
; CHECK-LABEL: .entry bundles(
define ptx_kernel void @bundles(ptr %p) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
  ret void
}

declare void @callee() convergent

!0 = !{}
