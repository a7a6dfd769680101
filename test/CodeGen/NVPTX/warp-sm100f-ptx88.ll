; Every warp-level matrix instruction whose lowest target is sm_100f, PTX 8.8; see warp.py.
; RUN: %python %S/warp.py sm_100f 88 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_100f -mattr=+ptx88 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_100f -mattr=+ptx88 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_100f && ptxas-isa-8.8 %{ %ptxas-verify -arch=sm_100f < %t.ptx %}
