; Every instruction around the matrix instructions whose lowest target is sm_80, PTX 7.4; see kernel.py.
; Not with -verify-machineinstrs: LLVM's applypriority has a register for what is a constant.
; RUN: %python %S/kernel.py sm_80 74 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx74
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx74 \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_80 && ptxas-isa-7.4 %{ %ptxas-verify -arch=sm_80 < %t.ptx %}
