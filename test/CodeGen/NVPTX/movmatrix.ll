; movmatrix, at the lowest target and PTX version.
; RUN: llc < %s -mcpu=sm_75 -mattr=+ptx78 -verify-machineinstrs | FileCheck %s
; RUN: llc < %s -mcpu=sm_75 -mattr=+ptx78 -O0 -verify-machineinstrs | FileCheck %s
; RUN: %if ptxas-sm_75 && ptxas-isa-7.8 %{ llc < %s -mcpu=sm_75 -mattr=+ptx78 | %ptxas-verify -arch=sm_75 %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: transpose(
; CHECK: ld.param.b32 [[A:%r[0-9]+]], [transpose_param_0];
; CHECK: movmatrix.sync.aligned.m8n8.trans.b16 [[D:%r[0-9]+]], [[A]];
; CHECK: st.param.b32 [func_retval0], [[D]];
define i32 @transpose(i32 %a) {
  %d = call i32 @llvm.nvvm.movmatrix.sync.aligned.m8n8.trans.b16(i32 %a)
  ret i32 %d
}
