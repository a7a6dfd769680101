; Every warp-level matrix instruction whose lowest target is sm_110f, PTX 9.0; see warp.py.
; RUN: %python %S/warp.py sm_110f 90 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_110f -mattr=+ptx90 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_110f -mattr=+ptx90 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_110f && ptxas-isa-9.0 %{ %ptxas-verify -arch=sm_110f < %t.ptx %}
