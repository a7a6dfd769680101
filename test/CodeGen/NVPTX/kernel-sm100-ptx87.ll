; Every instruction around the matrix instructions whose lowest target is sm_100, PTX 8.7; see kernel.py.
; RUN: %python %S/kernel.py sm_100 87 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_100 -mattr=+ptx87 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_100 -mattr=+ptx87 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope
; RUN: %if ptxas-sm_100 && ptxas-isa-8.7 %{ %ptxas-verify -arch=sm_100 < %t.ptx %}
