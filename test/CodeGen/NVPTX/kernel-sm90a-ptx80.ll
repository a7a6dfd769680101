; Every instruction around the matrix instructions whose lowest target is sm_90a, PTX 8.0; see kernel.py.
; RUN: %python %S/kernel.py sm_90a 80 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
