; Every instruction around the matrix instructions whose lowest target is sm_90a, PTX 8.3; see kernel.py.
; Not with -verify-machineinstrs: LLVM's tensormap.replace has a register for what is a constant.
; RUN: %python %S/kernel.py sm_90a 83 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx83
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx83 \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_90a && ptxas-isa-8.3 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
