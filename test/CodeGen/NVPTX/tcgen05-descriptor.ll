; Descriptors with a number added to them, as for the steps along K: the sum is a
; register, for B as for A.
; RUN: llc < %s -mtriple=nvptx64 -mcpu=sm_100a -mattr=+ptx86 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_100a && ptxas-isa-8.6 %{ %ptxas-verify -arch=sm_100a < %t.ptx %}

; CHECK-LABEL: step(
; CHECK-DAG: add.s64 [[A:%rd[0-9]+]], {{%rd[0-9]+}}, 4;
; CHECK-DAG: add.s64 [[B:%rd[0-9]+]], {{%rd[0-9]+}}, 2;
; CHECK: tcgen05.mma.cta_group::1.kind::f16.collector::a::discard {{\[}}%r{{[0-9]+}}], [[A]], [[B]], %r{{[0-9]+}}, %p{{[0-9]+}};
define void @step(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %idesc, i1 %input.d) {
  %a1 = add i64 %a, 4
  %b1 = add i64 %b, 2
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %a1, i64 %b1, i32 %idesc, i1 %input.d, i32 0, i32 1, i32 0)
  ret void
}
