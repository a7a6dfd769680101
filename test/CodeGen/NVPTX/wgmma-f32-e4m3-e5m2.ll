; Every wgmma.mma_async of types f32.e4m3.e5m2; see wgmma.py.
; RUN: %python %S/wgmma.py f32.e4m3.e5m2 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --check-prefixes=CHECK,OPT --enable-var-scope \
; RUN:   --implicit-check-not=mov --implicit-check-not=wgmma
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --check-prefixes=CHECK,O0 --enable-var-scope --implicit-check-not=wgmma
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
