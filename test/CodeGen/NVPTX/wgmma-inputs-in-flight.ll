; An A in registers, as in wgmma-sp-inputs-in-flight.ll. Dense wgmma has no metadata,
; so that nothing else is in need of protection.
; RUN: %python %S/wgmma-dense.py %S/wgmma-sp-inputs-in-flight.ll > %t.ll
; RUN: llc %t.ll -o %t.ptx -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --check-prefix=FRAGMENT
; RUN: llc %t.ll -o /dev/null -mcpu=sm_90a -mattr=+ptx80 2>&1 | FileCheck %s --allow-empty
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

; No wait is added.
; CHECK-NOT: warning:
