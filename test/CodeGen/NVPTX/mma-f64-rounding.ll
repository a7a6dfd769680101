; mma of f64 with a rounding in its name.
; RUN: llc < %s -mcpu=sm_90 -mattr=+ptx78 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90 && ptxas-isa-7.8 %{ %ptxas-verify -arch=sm_90 < %t.ptx %}
; The target is looked at: larger shapes are newer.
; RUN: not llc < %s -mcpu=sm_80 -mattr=+ptx78 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: towards_zero(
; CHECK: mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64{{$}}
; CHECK-NEXT: {%rd{{[0-9]+}}, %rd{{[0-9]+}}},
; CHECK-NEXT: {%rd{{[0-9]+}}},
; CHECK-NEXT: {%rd{{[0-9]+}}},
; CHECK-NEXT: {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
define { double, double } @towards_zero(double %a, double %b, double %c0, double %c1) {
  %d = call { double, double } @llvm.nvvm.mma.m8n8k4.row.col.rz.f64(double %a, double %b, double %c0, double %c1)
  ret { double, double } %d
}

; CHECK-LABEL: down(
; CHECK: mma.sync.aligned.m16n8k4.row.col.rm.f64.f64.f64.f64
; ERROR: error: {{.*}}in function down {{.*}}: llvm.nvvm.mma.m16n8k4.row.col.rm.f64 requires sm_90 and PTX 7.8, but the target is sm_80 with PTX 7.8
define { double, double, double, double } @down(double %a0, double %a1, double %b, double %c0, double %c1, double %c2, double %c3) {
  %d = call { double, double, double, double } @llvm.nvvm.mma.m16n8k4.row.col.rm.f64(double %a0, double %a1, double %b, double %c0, double %c1, double %c2, double %c3)
  ret { double, double, double, double } %d
}
