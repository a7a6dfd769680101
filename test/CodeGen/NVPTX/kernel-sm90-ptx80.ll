; Every instruction around the matrix instructions whose lowest target is sm_90, PTX 8.0; see kernel.py.
; RUN: %python %S/kernel.py sm_90 80 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx80 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_90 && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90 < %t.ptx %}
