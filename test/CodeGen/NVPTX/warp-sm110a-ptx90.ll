; Every warp-level matrix instruction whose lowest target is sm_110a, PTX 9.0; see warp.py.
; RUN: %python %S/warp.py sm_110a 90 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_110a -mattr=+ptx90 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_110a -mattr=+ptx90 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_110a && ptxas-isa-9.0 %{ %ptxas-verify -arch=sm_110a < %t.ptx %}
