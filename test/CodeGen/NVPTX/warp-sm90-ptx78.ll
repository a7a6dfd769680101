; Every warp-level matrix instruction whose lowest target is sm_90, PTX 7.8; see warp.py.
; RUN: %python %S/warp.py sm_90 78 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx78 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx78 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_90 && ptxas-isa-7.8 %{ %ptxas-verify -arch=sm_90 < %t.ptx %}
