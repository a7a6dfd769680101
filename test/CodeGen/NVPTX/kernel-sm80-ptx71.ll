; Every instruction around the matrix instructions whose lowest target is sm_80, PTX 7.1; see kernel.py.
; RUN: %python %S/kernel.py sm_80 71 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx71 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx71 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_80 && ptxas-isa-7.1 %{ %ptxas-verify -arch=sm_80 < %t.ptx %}
