; tensormap.cp_fenceproxy, at the lowest target and PTX version, and where it is an
; error.
; RUN: llc < %s -mcpu=sm_90 -mattr=+ptx83 -verify-machineinstrs | FileCheck %s
; RUN: llc < %s -mcpu=sm_90 -mattr=+ptx83 -O0 -verify-machineinstrs | FileCheck %s
; RUN: %if ptxas-sm_90 && ptxas-isa-8.3 %{ llc < %s -mcpu=sm_90 -mattr=+ptx83 | %ptxas-verify -arch=sm_90 %}
; RUN: not llc < %s -o /dev/null -mcpu=sm_90 -mattr=+ptx82 2>&1 | FileCheck %s --check-prefix=LACKING --implicit-check-not=error:
; RUN: sed 's/i32 128)/i32 64)/' %s | not llc -o /dev/null -mcpu=sm_90 -mattr=+ptx83 2>&1 | FileCheck %s --check-prefix=SIZE

target triple = "nvptx64-nvidia-cuda"

; The map's last change stays before the copy.
; LACKING: error: {{.*}}in function copy {{.*}}: llvm.nvvm.tensormap.cp_fenceproxy.global.shared.cta.tensormap_generic.release.gpu.sync.aligned requires sm_90 and PTX 8.3, but the target is sm_90 with PTX 8.2{{$}}
; SIZE: immarg value 64{{( for arg [0-9]+)?}} out of range [128,{{ ?}}129)
; CHECK-LABEL: copy(
; CHECK-DAG: ld.param{{(::func)?}}.b64 [[DST:%rd[0-9]+]], [copy_param_0];
; CHECK-DAG: ld.param{{(::func)?}}.b64 [[SRC:%rd[0-9]+]], [copy_param_1];
; CHECK-DAG: ld.param{{(::func)?}}.b64 [[VALUE:%rd[0-9]+]], [copy_param_2];
; CHECK:      st.shared.b64 {{.*}}[[SRC]]], [[VALUE]];
; CHECK-NEXT: tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned {{.*}}[[DST]]+128], {{\[}}[[SRC]]], 128;
; CHECK-NEXT: ret;
define void @copy(ptr addrspace(1) %dst, ptr addrspace(3) %src, i64 %value) {
  store i64 %value, ptr addrspace(3) %src
  %next = getelementptr i8, ptr addrspace(1) %dst, i64 128
  call void @llvm.nvvm.tensormap.cp_fenceproxy.global.shared.cta.tensormap_generic.release.gpu.sync.aligned(ptr addrspace(1) %next, ptr addrspace(3) %src, i32 128)
  ret void
}
