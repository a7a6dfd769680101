; The registers that setmaxnreg counts are a kernel's. In a function that a kernel
; calls, ptxas 13.0 may fail to allocate the callers' and the callees' registers
; (C7600): that gets one warning.
; RUN: split-file %s %t
; RUN: llc < %t/kernel.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -o %t.ptx 2>&1 | count 0
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: llc < %t/kernel.ll -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 | FileCheck %s
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
; RUN: llc < %t/function.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
; RUN: llc < %t/function.ll -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARN
; RUN: llc < %t/calls.ll -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.calls.ptx 2>&1 | count 0
; RUN: FileCheck %s --input-file=%t.calls.ptx --check-prefixes=CALLS,DROPPED
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.calls.ptx %}
; RUN: llc < %t/calls.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 | FileCheck %s --check-prefixes=CALLS,KEPT
; RUN: not llc < %t/odd.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ODD

; ptxas takes the count at entry from these, and ignores setmaxnreg without one.
; CHECK: .maxntid 384
; CHECK: .minnctapersm 1
; CHECK: setmaxnreg.dec.sync.aligned.u32 40;
; CHECK: setmaxnreg.inc.sync.aligned.u32 232;

; WARN: warning: {{.*}}in function release {{.*}}: llvm.nvvm.setmaxnreg.dec.sync.aligned.u32 belongs into a kernel, where ptxas knows the number of registers; this function was not inlined into one
; WARN-NOT: warning

; Without optimization, a kernel that calls functions keeps the registers of its
; launch: ptxas 13.0 often died of too small a count for what is called.
; CALLS-LABEL: .entry calls(
; DROPPED-NOT: setmaxnreg
; KEPT: setmaxnreg.dec.sync.aligned.u32 40;
; KEPT: setmaxnreg.inc.sync.aligned.u32 232;
; Special registers, inline assembly and other intrinsics are no calls.
; CALLS-LABEL: .entry calls_none(
; CALLS: setmaxnreg.dec.sync.aligned.u32 40;
; CALLS: setmaxnreg.inc.sync.aligned.u32 232;

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

;--- calls.ll
define i32 @callee(i32 %value) noinline {
  %more = add i32 %value, 1
  ret i32 %more
}

define ptx_kernel void @calls(i1 %producer, ptr %out) #0 {
  br i1 %producer, label %dec, label %inc
dec:
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  ret void
inc:
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
  %result = call i32 @callee(i32 1)
  store i32 %result, ptr %out
  ret void
}

define ptx_kernel void @calls_none(i1 %producer, ptr %out) #0 {
  br i1 %producer, label %dec, label %inc
dec:
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 40)
  ret void
inc:
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 232)
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void asm sideeffect "// nothing", ""()
  store i32 %thread, ptr %out
  ret void
}
attributes #0 = { "nvvm.maxntid"="384" "nvvm.minctasm"="1" }

;--- odd.ll
define ptx_kernel void @k() {
  call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 42)
  ret void
}
