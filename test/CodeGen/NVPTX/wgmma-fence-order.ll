; wgmma.fence stands after what it orders: what wgmma-sp-fence-order.ll checks, for dense wgmma.
; RUN: %python %S/wgmma-dense.py %S/wgmma-sp-fence-order.ll > %t.ll
; RUN: llc %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll
; RUN: opt -O3 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 \
; RUN: | llc -O3 -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll
