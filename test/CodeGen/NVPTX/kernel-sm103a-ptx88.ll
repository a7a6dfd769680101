; Every instruction around the matrix instructions whose lowest target is sm_103a, PTX 8.8; see kernel.py.
; Not with -verify-machineinstrs: LLVM's tensormap.replace has a register for what is a constant.
; RUN: %python %S/kernel.py sm_103a 88 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_103a -mattr=+ptx88
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_103a -mattr=+ptx88 \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_103a && ptxas-isa-8.8 %{ %ptxas-verify -arch=sm_103a < %t.ptx %}
