; cp.reduce.async.bulk and red.async, at the lowest target and PTX version: operands
; and their places, and addresses with a number. kernel.py has each operation and type.
; RUN: split-file %s %t
; RUN: llc < %t/bulk.ll -mcpu=sm_90 -mattr=+ptx80 -verify-machineinstrs | FileCheck %t/bulk.ll
; RUN: llc < %t/bulk.ll -mcpu=sm_90 -mattr=+ptx80 -O0 -verify-machineinstrs | FileCheck %t/bulk.ll
; RUN: %if ptxas-sm_90 && ptxas-isa-8.0 %{ llc < %t/bulk.ll -mcpu=sm_90 -mattr=+ptx80 | %ptxas-verify -arch=sm_90 %}
; RUN: llc < %t/register.ll -mcpu=sm_90 -mattr=+ptx81 -verify-machineinstrs | FileCheck %t/register.ll
; RUN: %if ptxas-sm_90 && ptxas-isa-8.1 %{ llc < %t/register.ll -mcpu=sm_90 -mattr=+ptx81 | %ptxas-verify -arch=sm_90 %}
; RUN: not llc < %t/register.ll -o /dev/null -mcpu=sm_90 -mattr=+ptx80 2>&1 \
; RUN: | FileCheck %t/register.ll --check-prefix=LACKING --implicit-check-not=error:
; RUN: llc < %t/global.ll -mcpu=sm_100 -mattr=+ptx87 -verify-machineinstrs | FileCheck %t/global.ll
; RUN: %if ptxas-sm_100 && ptxas-isa-8.7 %{ llc < %t/global.ll -mcpu=sm_100 -mattr=+ptx87 | %ptxas-verify -arch=sm_100 %}
; RUN: not llc < %t/global.ll -o /dev/null -mcpu=sm_100 -mattr=+ptx86 2>&1 \
; RUN: | FileCheck %t/global.ll --check-prefix=LACKING --implicit-check-not=error:

;--- bulk.ll
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: to_global(
; CHECK-DAG: ld.param.b64 [[DST:%rd[0-9]+]], [to_global_param_0];
; CHECK-DAG: ld.param.b64 [[SRC:%rd[0-9]+]], [to_global_param_1];
; CHECK-DAG: ld.param.b32 [[SIZE:%r[0-9]+]], [to_global_param_2];
; CHECK-DAG: ld.param.b64 [[HINT:%rd[0-9]+]], [to_global_param_3];
; CHECK:      cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 {{.*}}[[DST]]], {{\[}}[[SRC]]], [[SIZE]];
; CHECK-NEXT: cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.noftz.bf16 {{.*}}[[DST]]+64], {{\[}}[[SRC]]], [[SIZE]], [[HINT]];
; CHECK-NEXT: ret;
define void @to_global(ptr addrspace(1) %dst, ptr addrspace(3) %src, i32 %size, i64 %hint) {
  call void @llvm.nvvm.cp.reduce.async.bulk.shared.cta.to.global.add.f32(ptr addrspace(1) %dst, ptr addrspace(3) %src, i32 %size, i64 %hint, i1 false)
  %next = getelementptr i8, ptr addrspace(1) %dst, i64 64
  call void @llvm.nvvm.cp.reduce.async.bulk.shared.cta.to.global.add.noftz.bf16(ptr addrspace(1) %next, ptr addrspace(3) %src, i32 %size, i64 %hint, i1 true)
  ret void
}

; CHECK-LABEL: to_cluster(
; CHECK-DAG: ld.param.b64 [[DST:%rd[0-9]+]], [to_cluster_param_0];
; CHECK-DAG: ld.param.b64 [[BAR:%rd[0-9]+]], [to_cluster_param_1];
; CHECK-DAG: ld.param.b64 [[SRC:%rd[0-9]+]], [to_cluster_param_2];
; CHECK-DAG: ld.param.b32 [[SIZE:%r[0-9]+]], [to_cluster_param_3];
; CHECK:      cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.s32 {{.*}}[[DST]]], {{\[}}[[SRC]]], [[SIZE]], {{\[}}[[BAR]]+8];
; CHECK-NEXT: ret;
define void @to_cluster(ptr addrspace(7) %dst, ptr addrspace(7) %bar, ptr addrspace(3) %src, i32 %size) {
  %second = getelementptr i64, ptr addrspace(7) %bar, i64 1
  call void @llvm.nvvm.cp.reduce.async.bulk.shared.cta.to.cluster.min.s32(ptr addrspace(7) %dst, ptr addrspace(7) %second, ptr addrspace(3) %src, i32 %size)
  ret void
}

; What shared memory got before, the copy reads: the stores stay, and stay in front.
; CHECK-LABEL: order(
; CHECK-DAG:  ld.param.b64 [[DST:%rd[0-9]+]], [order_param_0];
; CHECK-DAG:  ld.param.b64 [[SRC:%rd[0-9]+]], [order_param_1];
; CHECK-DAG:  ld.param.b32 [[VALUE:%r[0-9]+]], [order_param_2];
; CHECK:      st.shared.b32 {{.*}}[[SRC]]], [[VALUE]];
; CHECK:      mov.b32 [[SIZE:%r[0-9]+]], 16;
; CHECK-NEXT: cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 {{.*}}[[DST]]], {{\[}}[[SRC]]], [[SIZE]];
; CHECK-NEXT: st.shared.b32 {{.*}}[[SRC]]], 0;
; CHECK-NEXT: ret;
define void @order(ptr addrspace(1) %dst, ptr addrspace(3) %src, i32 %value) {
  store i32 %value, ptr addrspace(3) %src
  call void @llvm.nvvm.cp.reduce.async.bulk.shared.cta.to.global.xor.b64(ptr addrspace(1) %dst, ptr addrspace(3) %src, i32 16, i64 0, i1 false)
  store i32 0, ptr addrspace(3) %src
  ret void
}

;--- register.ll
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: narrow(
; CHECK-DAG: ld.param.b64 [[DST:%rd[0-9]+]], [narrow_param_0];
; CHECK-DAG: ld.param.b32 [[VALUE:%r[0-9]+]], [narrow_param_1];
; CHECK-DAG: ld.param.b64 [[BAR:%rd[0-9]+]], [narrow_param_2];
; CHECK:      red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 {{.*}}[[DST]]+4], [[VALUE]], {{\[}}[[BAR]]];
; CHECK-NEXT: ret;
; LACKING: error: {{.*}}in function narrow {{.*}}: llvm.nvvm.red.async.inc.u32 requires sm_90 and PTX 8.1, but the target is sm_90 with PTX 8.0{{$}}
define void @narrow(ptr addrspace(7) %dst, i32 %value, ptr addrspace(7) %bar) {
  %next = getelementptr i32, ptr addrspace(7) %dst, i64 1
  call void @llvm.nvvm.red.async.inc.u32(ptr addrspace(7) %next, i32 %value, ptr addrspace(7) %bar)
  ret void
}

; CHECK-LABEL: wide(
; CHECK-DAG: ld.param.b64 [[DST:%rd[0-9]+]], [wide_param_0];
; CHECK-DAG: ld.param.b64 [[VALUE:%rd[0-9]+]], [wide_param_1];
; CHECK-DAG: ld.param.b64 [[BAR:%rd[0-9]+]], [wide_param_2];
; CHECK:      red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 {{.*}}[[DST]]], [[VALUE]], {{\[}}[[BAR]]];
; CHECK-NEXT: ret;
; LACKING: error: {{.*}}in function wide {{.*}}: llvm.nvvm.red.async.add.u64 requires sm_90 and PTX 8.1, but the target is sm_90 with PTX 8.0{{$}}
define void @wide(ptr addrspace(7) %dst, i64 %value, ptr addrspace(7) %bar) {
  call void @llvm.nvvm.red.async.add.u64(ptr addrspace(7) %dst, i64 %value, ptr addrspace(7) %bar)
  ret void
}

;--- global.ll
target triple = "nvptx64-nvidia-cuda"

; It is a release: the store stays above it, and what follows is read again.
; CHECK-LABEL: global(
; CHECK-DAG:  ld.param.b64 [[DST:%rd[0-9]+]], [global_param_0];
; CHECK-DAG:  ld.param.b64 [[VALUE:%rd[0-9]+]], [global_param_1];
; CHECK:      st.global.b64 {{.*}}[[DST]]+16], [[VALUE]];
; CHECK-NEXT: red.async.mmio.release.sys.global.add.s64 {{.*}}[[DST]]+8], [[VALUE]];
; CHECK-NEXT: ld.global.b64 [[AGAIN:%rd[0-9]+]], {{.*}}[[DST]]+16];
; CHECK-NEXT: st.param.b64 {{.*}}, [[AGAIN]];
; CHECK-NEXT: ret;
; LACKING: error: {{.*}}in function global {{.*}}: llvm.nvvm.red.async.mmio.sys.add.s64 requires sm_100 and PTX 8.7, but the target is sm_100 with PTX 8.6{{$}}
define i64 @global(ptr addrspace(1) %dst, i64 %value) {
  %data = getelementptr i64, ptr addrspace(1) %dst, i64 2
  store i64 %value, ptr addrspace(1) %data
  %flag = getelementptr i64, ptr addrspace(1) %dst, i64 1
  call void @llvm.nvvm.red.async.mmio.sys.add.s64(ptr addrspace(1) %flag, i64 %value)
  %again = load i64, ptr addrspace(1) %data
  ret i64 %again
}
