; Instructions around the matrix instructions from the lowest target and PTX version on that the ISA
; gives them: those that LLVM had from later ones on only.
; RUN: split-file %s %t
; RUN: llc < %t/prefetch.ll -mtriple=nvptx64 -mcpu=sm_75 -mattr=+ptx63 -verify-machineinstrs | FileCheck %t/prefetch.ll
; RUN: %if ptxas-sm_75 && ptxas-isa-6.3 %{ llc < %t/prefetch.ll -mtriple=nvptx64 -mcpu=sm_75 -mattr=+ptx63 | %ptxas-verify -arch=sm_75 %}
; RUN: llc < %t/evict.ll -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx74 -verify-machineinstrs | FileCheck %t/evict.ll
; RUN: %if ptxas-sm_80 && ptxas-isa-7.4 %{ llc < %t/evict.ll -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx74 | %ptxas-verify -arch=sm_80 %}
; RUN: llc < %t/arrive.ll -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx78 -verify-machineinstrs | FileCheck %t/arrive.ll
; RUN: %if ptxas-sm_90 && ptxas-isa-7.8 %{ llc < %t/arrive.ll -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx78 | %ptxas-verify -arch=sm_90 %}

;--- prefetch.ll
define void @prefetch(ptr %p, ptr addrspace(1) %global) {
; CHECK: prefetchu.L1 [
; CHECK: prefetch.global.L2 [
  call void @llvm.nvvm.prefetchu.L1(ptr %p)
  call void @llvm.nvvm.prefetch.global.L2(ptr addrspace(1) %global)
  ret void
}

;--- evict.ll
define void @evict(ptr addrspace(1) %global) {
; CHECK: prefetch.global.L2::evict_last [
; CHECK: prefetch.global.L2::evict_normal [
  call void @llvm.nvvm.prefetch.global.L2.evict.last(ptr addrspace(1) %global)
  call void @llvm.nvvm.prefetch.global.L2.evict.normal(ptr addrspace(1) %global)
  ret void
}

;--- arrive.ll
define i64 @arrive(ptr addrspace(3) %barrier) {
; CHECK: mbarrier.arrive.shared.b64 %rd{{[0-9]+}}, [%rd{{[0-9]+}}], %r{{[0-9]+}};
  %state = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) %barrier, i32 2)
  ret i64 %state
}
