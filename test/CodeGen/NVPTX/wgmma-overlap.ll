; A and the accumulator share no register: what wgmma-sp-overlap.ll checks, for dense wgmma.
; RUN: %python %S/wgmma-dense.py %S/wgmma-sp-overlap.ll > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
