; The registers that setmaxnreg counts are a kernel's. In a function that a kernel
; calls, ptxas 13.0 may fail to allocate the callers' and the callees' registers
; (C7600): that gets one warning.
; RUN: split-file %s %t
; RUN: llc < %t/kernel.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -o %t.ptx 2>&1 | count 0
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: llc < %t/kernel.ll -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 | FileCheck %s
; RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
; RUN: llc < %t/function.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
; RUN: llc < %t/function.ll -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
; RUN: not llc < %t/odd.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ODD

; ptxas takes the count at entry from these, and ignores setmaxnreg without one.
; CHECK: .maxntid 384
; CHECK: .minnctapersm 1
; CHECK: setmaxnreg.dec.sync.aligned.u32 40;
; CHECK: setmaxnreg.inc.sync.aligned.u32 232;

; WARN: warning: {{.*}}in function release {{.*}}: llvm.nvvm.setmaxnreg.dec.sync.aligned.u32 belongs into a kernel, where ptxas knows the number of registers; this function was not inlined into one
; WARN-NOT: warning

; ODD: reg_count argument to nvvm.setmaxnreg must be in multiples of 8

;--- kernel.ll
define ptx_kernel void @k(i1 %producer) #0 {
  br i1 %producer, label %dec, label %inc
dec:
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  ret void
inc:
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
  ret void
}
attributes #0 = { "nvvm.maxntid"="384" "nvvm.minctasm"="1" }

;--- function.ll
define void @release() {
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  ret void
}

;--- odd.ll
define ptx_kernel void @k() {
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 42)
  ret void
}
