; The tests wgmma-sp-<types>.ll must together cover what the PTX ISA defines:
; 32 intrinsics, one for each of ss and rs and each combination of types; 912
; with N; 1,056 with .satfinite, which the 144 integer ones have with and without.
; RUN: %python %S/wgmma.py --summary %S --only=sparse | FileCheck %s

; CHECK-COUNT-12: {{^sp\.f(16|32)\..*}}: 64 variants
; CHECK-COUNT-4:  {{^sp\.s32\..*}}: 72 variants
; CHECK-NEXT:     1056 variants, 912 pairs of intrinsic and N, 32 intrinsics
; CHECK-NEXT:     untested: none
