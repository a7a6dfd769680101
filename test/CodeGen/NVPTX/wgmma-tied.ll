; The accumulator is updated in place: what wgmma-sp-tied.ll checks, for dense wgmma.
; RUN: %python %S/wgmma-dense.py %S/wgmma-sp-tied.ll > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --check-prefixes=CHECK,OPT --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
