; Accumulators of type f32 carried round loops; see wgmma-loop.py.
; RUN: %python %S/wgmma-loop.py sparse f32 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope

; As front ends compile, without unrolling at run time.
; RUN: opt -O3 -unroll-runtime=false %t.ll -o %t.bc -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82
; RUN: llc -O3 %t.bc -o %t.O3.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.O3.ptx --enable-var-scope
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.O3.ptx %}
