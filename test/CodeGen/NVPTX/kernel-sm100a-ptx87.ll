; Every instruction around the matrix instructions whose lowest target is sm_100a, PTX 8.7; see kernel.py.
; Not with -verify-machineinstrs: LLVM's tensormap.replace has a register for what is a constant.
; RUN: %python %S/kernel.py sm_100a 87 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_100a -mattr=+ptx87
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_100a -mattr=+ptx87 \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_100a && ptxas-isa-8.7 %{ %ptxas-verify -arch=sm_100a < %t.ptx %}
