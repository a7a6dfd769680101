; Every instruction around the matrix instructions whose lowest target is sm_100a, PTX 8.8; see kernel.py.
; RUN: %python %S/kernel.py sm_100a 88 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_100a -mattr=+ptx88 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_100a -mattr=+ptx88 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_100a && ptxas-isa-8.8 %{ %ptxas-verify -arch=sm_100a < %t.ptx %}
