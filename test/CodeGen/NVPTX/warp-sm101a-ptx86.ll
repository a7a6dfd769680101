; Every warp-level matrix instruction whose lowest target is sm_101a, PTX 8.6; see warp.py.
; RUN: %python %S/warp.py sm_101a 86 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_101a -mattr=+ptx86 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_101a -mattr=+ptx86 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_110a && ptxas-isa-8.6 %{ %ptxas-verify -arch=sm_110a < %t.ptx %}
