; Every warp-level matrix instruction whose lowest target is sm_121a, PTX 8.8; see warp.py.
; RUN: %python %S/warp.py sm_121a 88 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_121a -mattr=+ptx88 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_121a -mattr=+ptx88 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_121a && ptxas-isa-8.8 %{ %ptxas-verify -arch=sm_121a < %t.ptx %}
