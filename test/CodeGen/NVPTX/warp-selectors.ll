; A sparsity selector that the ISA does not define for the shape and types is an
; error, of each sparse instruction; see warp.py. Those that it defines are tested
; in warp-<target>.ll.
; RUN: %python %S/warp.py --illegal-selectors > %t.ll
; RUN: not opt %t.ll -S -o /dev/null 2>&1 \
; RUN: | FileCheck %t.ll --implicit-check-not="out of range"
