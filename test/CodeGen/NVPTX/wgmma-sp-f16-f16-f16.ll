; Every wgmma.mma_async.sp of types f16.f16.f16; see wgmma.py.
; RUN: %python %S/wgmma.py sp.f16.f16.f16 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --check-prefixes=CHECK,OPT --enable-var-scope \
; RUN:   --implicit-check-not=mov --implicit-check-not=wgmma
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --check-prefixes=CHECK,O0 --enable-var-scope --implicit-check-not=wgmma
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
