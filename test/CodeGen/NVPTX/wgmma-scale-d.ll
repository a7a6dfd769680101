; scale-d is a register or constant: what wgmma-sp-scale-d.ll checks, for dense wgmma.
; RUN: %python %S/wgmma-dense.py %S/wgmma-sp-scale-d.ll > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %t.ll -DSELECTOR= --input-file=%t.ptx
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll -DSELECTOR=
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
