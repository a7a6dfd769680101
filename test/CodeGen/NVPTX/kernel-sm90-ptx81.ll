; Every instruction around the matrix instructions whose lowest target is sm_90, PTX 8.1; see kernel.py.
; RUN: %python %S/kernel.py sm_90 81 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx81 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx81 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_90 && ptxas-isa-8.1 %{ %ptxas-verify -arch=sm_90 < %t.ptx %}
