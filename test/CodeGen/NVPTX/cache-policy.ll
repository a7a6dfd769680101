; createpolicy, at the lowest target and PTX version, and where it is an error.
; RUN: llc < %s -mcpu=sm_80 -mattr=+ptx74 -verify-machineinstrs | FileCheck %s
; RUN: llc < %s -mcpu=sm_80 -mattr=+ptx74 -O0 -verify-machineinstrs | FileCheck %s
; RUN: %if ptxas-sm_80 && ptxas-isa-7.4 %{ llc < %s -mcpu=sm_80 -mattr=+ptx74 | %ptxas-verify -arch=sm_80 %}
; RUN: not llc < %s -o /dev/null -mcpu=sm_75 -mattr=+ptx90 2>&1 | FileCheck %s --check-prefix=LACKING --implicit-check-not=error:
; RUN: sed 's/i1 true/i1 %flag/' %s | not llc -o /dev/null -mcpu=sm_80 -mattr=+ptx74 2>&1 | FileCheck %s --check-prefix=FLAG

target triple = "nvptx64-nvidia-cuda"

; LACKING: error: {{.*}}in function fractional {{.*}}: llvm.nvvm.createpolicy.fractional.L2.evict.first requires sm_80 and PTX 7.4, but the target is sm_75 with PTX 9.0{{$}}
; FLAG: llvm.nvvm.createpolicy.{{.*}}: argument {{[0-9]}} must be a constant, got a value that is not constant
; CHECK-LABEL: fractional(
; CHECK: ld.param.b32 [[FRACTION:%r[0-9]+]], [fractional_param_0];
; CHECK-NEXT: createpolicy.fractional.L2::evict_first.b64 [[POLICY:%rd[0-9]+]], [[FRACTION]];
; CHECK-NEXT: st.param.b64 [func_retval0], [[POLICY]];
; CHECK-NEXT: ret;
define i64 @fractional(float %fraction, i1 %flag) {
  %policy = call i64 @llvm.nvvm.createpolicy.fractional.L2.evict.first(float %fraction, i1 false)
  ret i64 %policy
}

; LACKING: error: {{.*}}in function second {{.*}}: llvm.nvvm.createpolicy.fractional.L2.evict.last requires
; CHECK-LABEL: second(
; CHECK: mov.b32 [[HALF:%r[0-9]+]], 0f3F000000;
; CHECK-NEXT: createpolicy.fractional.L2::evict_last.L2::evict_first.b64 [[POLICY:%rd[0-9]+]], [[HALF]];
; CHECK-NEXT: st.param.b64 [func_retval0], [[POLICY]];
; CHECK-NEXT: ret;
define i64 @second(i1 %flag) {
  %policy = call i64 @llvm.nvvm.createpolicy.fractional.L2.evict.last(float 0.5, i1 true)
  ret i64 %policy
}

; LACKING: error: {{.*}}in function range {{.*}}: llvm.nvvm.createpolicy.range.L2.evict.normal requires
; CHECK-LABEL: range(
; CHECK-DAG: ld.param.b64 [[ADDRESS:%rd[0-9]+]], [range_param_0];
; CHECK-DAG: ld.param.b32 [[PRIMARY:%r[0-9]+]], [range_param_1];
; CHECK-DAG: ld.param.b32 [[TOTAL:%r[0-9]+]], [range_param_2];
; CHECK: createpolicy.range.L2::evict_normal.b64 [[POLICY:%rd[0-9]+]], {{\[}}[[ADDRESS]]], [[PRIMARY]], [[TOTAL]];
; CHECK-NEXT: st.param.b64 [func_retval0], [[POLICY]];
; CHECK-NEXT: ret;
define i64 @range(ptr %address, i32 %primary, i32 %total) {
  %policy = call i64 @llvm.nvvm.createpolicy.range.L2.evict.normal(ptr %address, i32 %primary, i32 %total, i1 false)
  ret i64 %policy
}

; LACKING: error: {{.*}}in function range_global {{.*}}: llvm.nvvm.createpolicy.range.global.L2.evict.unchanged requires
; CHECK-LABEL: range_global(
; CHECK-DAG: ld.param.b64 [[ADDRESS:%rd[0-9]+]], [range_global_param_0];
; CHECK-DAG: ld.param.b32 [[PRIMARY:%r[0-9]+]], [range_global_param_1];
; CHECK-DAG: ld.param.b32 [[TOTAL:%r[0-9]+]], [range_global_param_2];
; CHECK: createpolicy.range.global.L2::evict_unchanged.L2::evict_first.b64 [[POLICY:%rd[0-9]+]], {{\[}}[[ADDRESS]]+128], [[PRIMARY]], [[TOTAL]];
; CHECK-NEXT: st.param.b64 [func_retval0], [[POLICY]];
; CHECK-NEXT: ret;
define i64 @range_global(ptr addrspace(1) %address, i32 %primary, i32 %total, i1 %flag) {
  %second = getelementptr i8, ptr addrspace(1) %address, i64 128
  %policy = call i64 @llvm.nvvm.createpolicy.range.global.L2.evict.unchanged(ptr addrspace(1) %second, i32 %primary, i32 %total, i1 true)
  ret i64 %policy
}

; LACKING: error: {{.*}}in function converted {{.*}}: llvm.nvvm.createpolicy.cvt.L2 requires
; CHECK-LABEL: converted(
; CHECK: ld.param.b64 [[PROPERTY:%rd[0-9]+]], [converted_param_0];
; CHECK-NEXT: createpolicy.cvt.L2.b64 [[POLICY:%rd[0-9]+]], [[PROPERTY]];
; CHECK-NEXT: st.param.b64 [func_retval0], [[POLICY]];
; CHECK-NEXT: ret;
define i64 @converted(i64 %property) {
  %policy = call i64 @llvm.nvvm.createpolicy.cvt.L2(i64 %property)
  ret i64 %policy
}

; A policy that is not used costs nothing.
; CHECK-LABEL: unused(
; CHECK-NOT: createpolicy
; CHECK: ret;
define void @unused() {
  %policy = call i64 @llvm.nvvm.createpolicy.fractional.L2.evict.first(float 1.0, i1 false)
  ret void
}
