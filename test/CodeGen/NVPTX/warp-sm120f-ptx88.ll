; Every warp-level matrix instruction whose lowest target is sm_120f, PTX 8.8; see warp.py.
; RUN: %python %S/warp.py sm_120f 88 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_120f -mattr=+ptx88 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_120f -mattr=+ptx88 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_120f && ptxas-isa-8.8 %{ %ptxas-verify -arch=sm_120f < %t.ptx %}
