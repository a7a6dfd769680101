; All threads of a warp must execute the same matrix instruction. Where threads
; have diverged and met again, no pass may give each of their ways an instruction
; of its own; see matrix-convergent.py. All 844 intrinsics.
; RUN: %python %S/matrix-convergent.py > %t.ll
; RUN: opt %t.ll -mtriple=nvptx64 -passes=simplifycfg -S | FileCheck %t.ll
