; Every instruction around the matrix instructions whose lowest target is sm_70, PTX 7.5; see kernel.py.
; RUN: %python %S/kernel.py sm_70 75 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_70 -mattr=+ptx75 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_70 -mattr=+ptx75 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_75 && ptxas-isa-7.5 %{ %ptxas-verify -arch=sm_75 < %t.ptx %}
