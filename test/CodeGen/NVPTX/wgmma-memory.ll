; Accesses to memory stay on their side: what wgmma-sp-memory.ll checks, for dense wgmma.
; RUN: %python %S/wgmma-dense.py %S/wgmma-sp-memory.ll > %t.ll
; RUN: opt -O3 -S %t.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 | FileCheck %t.ll --check-prefix=IR
; RUN: opt -S %t.ll -mtriple=nvptx64 -passes='function(early-cse<memssa>,gvn,memcpyopt,dse,instcombine,loop-mssa(licm),sink,adce)' | FileCheck %t.ll --check-prefix=IR
; RUN: llc -O3 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll --check-prefix=PTX
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll --check-prefix=PTX
; RUN: opt -O3 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 \
; RUN: | llc -O3 -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %t.ll --check-prefix=PTX
