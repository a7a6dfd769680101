; st.async of each type, at the lowest target and PTX version, and on one that has
; registers for <2 x i32>. Also for a type that is legal nowhere.
; RUN: llc < %s -mcpu=sm_90 -mattr=+ptx81 -verify-machineinstrs | FileCheck %s
; RUN: llc < %s -mcpu=sm_90 -mattr=+ptx81 -O0 -verify-machineinstrs | FileCheck %s
; RUN: llc < %s -mcpu=sm_100a -mattr=+ptx86 -verify-machineinstrs | FileCheck %s
; RUN: %if ptxas-sm_90 && ptxas-isa-8.1 %{ llc < %s -mcpu=sm_90 -mattr=+ptx81 | %ptxas-verify -arch=sm_90 %}
; RUN: %if ptxas-sm_100a && ptxas-isa-8.6 %{ llc < %s -mcpu=sm_100a -mattr=+ptx86 | %ptxas-verify -arch=sm_100a %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: one(
; CHECK-DAG: ld.param.b64 [[DST:%rd[0-9]+]], [one_param_0];
; CHECK-DAG: ld.param.b32 [[VALUE:%r[0-9]+]], [one_param_1];
; CHECK-DAG: ld.param.b64 [[BAR:%rd[0-9]+]], [one_param_2];
; CHECK:      st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 {{.*}}[[DST]]], [[VALUE]], {{\[}}[[BAR]]];
; CHECK-NEXT: ret;
define void @one(ptr addrspace(7) %dst, i32 %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.st.async.i32(ptr addrspace(7) %dst, i32 %value, ptr addrspace(7) %bar)
  ret void
}

; CHECK-LABEL: four(
; CHECK-DAG: ld.param.b64 [[DST:%rd[0-9]+]], [four_param_0];
; CHECK-DAG: ld.param.v4.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}, [four_param_1];
; CHECK-DAG: ld.param.b64 [[BAR:%rd[0-9]+]], [four_param_2];
; CHECK:      st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 {{.*}}[[DST]]], {[[A]], [[B]], [[C]], [[D]]}, {{\[}}[[BAR]]];
; CHECK-NEXT: ret;
define void @four(ptr addrspace(7) %dst, <4 x i32> %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.st.async.v4i32(ptr addrspace(7) %dst, <4 x i32> %value, ptr addrspace(7) %bar)
  ret void
}

; CHECK-LABEL: two(
; CHECK-DAG: ld.param.b64 [[DST:%rd[0-9]+]], [two_param_0];
; CHECK-DAG: ld.param.v2.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]]}, [two_param_1];
; CHECK-DAG: ld.param.b64 [[BAR:%rd[0-9]+]], [two_param_2];
; CHECK:      st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 {{.*}}[[DST]]], {[[A]], [[B]]}, {{\[}}[[BAR]]];
; CHECK-NEXT: ret;
define void @two(ptr addrspace(7) %dst, <2 x i32> %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.st.async.v2i32(ptr addrspace(7) %dst, <2 x i32> %value, ptr addrspace(7) %bar)
  ret void
}

; CHECK-LABEL: wide(
; CHECK-DAG: ld.param.b64 [[DST:%rd[0-9]+]], [wide_param_0];
; CHECK-DAG: ld.param.v2.b64 {[[A:%rd[0-9]+]], [[B:%rd[0-9]+]]}, [wide_param_1];
; CHECK-DAG: ld.param.b64 [[BAR:%rd[0-9]+]], [wide_param_2];
; CHECK:      st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 {{.*}}[[DST]]], {[[A]], [[B]]}, {{\[}}[[BAR]]];
; CHECK-NEXT: st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 {{.*}}[[DST]]], [[A]], {{\[}}[[BAR]]];
; CHECK-NEXT: ret;
define void @wide(ptr addrspace(7) %dst, <2 x i64> %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.st.async.v2i64(ptr addrspace(7) %dst, <2 x i64> %value, ptr addrspace(7) %bar)
  %a = extractelement <2 x i64> %value, i32 0
  call void @llvm.nvvm.st.async.i64(ptr addrspace(7) %dst, i64 %a, ptr addrspace(7) %bar)
  ret void
}

; In the other CTA, at an address of shared memory that is known, and stores that
; stay in order with it.
@buffer = internal addrspace(3) global [4 x i32] poison
; CHECK-LABEL: own(
; CHECK-DAG:  ld.param.b32 [[VALUE:%r[0-9]+]], [own_param_0];
; CHECK-DAG:  ld.param.b64 [[BAR:%rd[0-9]+]], [own_param_1];
; CHECK-DAG:  st.shared.b32 [buffer], 1;
; CHECK-DAG:  cvta.to.shared::cluster.u64 [[DST:%rd[0-9]+]],
; CHECK-NEXT: st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 {{.*}}[[DST]]], [[VALUE]], {{\[}}[[BAR]]];
; CHECK-NEXT: st.shared.b32 [buffer], 2;
; CHECK-NEXT: ret;
define void @own(i32 %value, ptr addrspace(7) %bar) {
  store i32 1, ptr addrspace(3) @buffer
  call void @llvm.nvvm.st.async.i32(ptr addrspace(7) addrspacecast (ptr addrspace(3) @buffer to ptr addrspace(7)), i32 %value, ptr addrspace(7) %bar)
  store i32 2, ptr addrspace(3) @buffer
  ret void
}
