; Every dense wgmma.mma_async in inline assembly, as CUTLASS and others write it, is compiled as the intrinsic is; see
; wgmma.py.
; RUN: %python %S/wgmma.py --assembly --only=dense > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --check-prefixes=CHECK,OPT --enable-var-scope \
; RUN:   --implicit-check-not=mov --implicit-check-not=wgmma --implicit-check-not='inline asm'
; RUN: %if ptxas-sm_90a && ptxas-isa-8.4 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
