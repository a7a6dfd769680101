; Every warp-level matrix instruction whose lowest target is sm_89, PTX 8.7; see warp.py.
; RUN: %python %S/warp.py sm_89 87 > %t.ll
; RUN: llc %t.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_89 -mattr=+ptx87 -verify-machineinstrs
; RUN: FileCheck %t.ll --input-file=%t.ptx --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: llc -O0 %t.ll -o - -mtriple=nvptx64 -mcpu=sm_89 -mattr=+ptx87 -verify-machineinstrs \
; RUN: | FileCheck %t.ll --enable-var-scope \
; RUN:   --implicit-check-not=mov. --implicit-check-not=.sync.
; RUN: %if ptxas-sm_89 && ptxas-isa-8.7 %{ %ptxas-verify -arch=sm_89 < %t.ptx %}
