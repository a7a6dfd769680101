; Every warp-level matrix instruction whose lowest target is sm_80, PTX 8.5; see warp.py.
; RUN: %python %S/warp.py sm_80 85 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx85 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx85 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_80 && ptxas-isa-8.5 %{ %ptxas-verify -arch=sm_80 < %t.ptx %}
