; The tests wgmma-<types>.ll must together cover what the PTX ISA defines of dense
; wgmma: 34 intrinsics, one for each of ss and rs and each combination of types;
; 948 with N; 1,092 with .satfinite, which the 144 8-bit integer ones have with and
; without, and the 36 of single bits only without.
; RUN: %python %S/wgmma.py --summary %S --only=dense | FileCheck %s

; CHECK-COUNT-12: {{^f(16|32)\..*}}: 64 variants
; CHECK-NEXT:     {{^}}s32.b1.b1.and.popc: 36 variants
; CHECK-COUNT-4:  {{^s32\..*}}: 72 variants
; CHECK-NEXT:     {{^}}1092 variants, 948 pairs of intrinsic and N, 34 intrinsics
; CHECK-NEXT:     untested: none

; Dense and sparse together.
; RUN: %python %S/wgmma.py --summary %S | FileCheck %s --check-prefix=ALL
; ALL: {{^}}2148 variants, 1860 pairs of intrinsic and N, 66 intrinsics
; ALL-NEXT: untested: none
