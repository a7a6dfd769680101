; Every warp-level matrix instruction whose lowest target is sm_70, PTX 6.0; see warp.py.
; RUN: %python %S/warp.py sm_70 60 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_70 -mattr=+ptx60 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_70 -mattr=+ptx60 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_75 && ptxas-isa-6.0 %{ %ptxas-verify -arch=sm_75 < %t.ptx %}
