; Accumulators of type f16 carried round loops; see wgmma-loop.py.
; RUN: %python %S/wgmma-loop.py sparse f16 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify-alone -arch=sm_90a %t.ptx %}

; As front ends compile, without the unrolling of LLVM 23.
; RUN: opt -O3 -unroll-runtime=false %t.ll -o %t.bc -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82
; RUN: llc -O3 %t.bc -o %t.O3.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.O3.ptx --enable-var-scope
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a %t.O3.ptx %}
; RUN: %if nvdisasm %{ %sass-verify %t.O3.ptx %}
; And with it.
; RUN: %if llvm-23 %{ opt -O3 %t.ll -o %t.unrolled.bc -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 %}
; RUN: %if llvm-23 %{ llc -O3 %t.unrolled.bc -o %t.unrolled.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs %}
; RUN: %if llvm-23 %{ %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a %t.unrolled.ptx %} %}
