; The tests warp-<target>.ll must together cover what the PTX ISA defines of the
; warp-level matrix instructions: 844 intrinsics. A variant has a state space of
; its own, which an intrinsic has from its pointer, so there are more of them.
; RUN: %python %S/warp.py --summary %S | FileCheck %s

; CHECK:      {{^}}wmma.load: 528 variants, 176 intrinsics
; CHECK-NEXT: {{^}}wmma.store: 156 variants, 52 intrinsics
; CHECK-NEXT: {{^}}wmma.mma: 186 variants, 186 intrinsics
; CHECK-NEXT: {{^}}mma: 156 variants, 156 intrinsics
; CHECK-NEXT: {{^}}mma.sp: 44 variants, 44 intrinsics
; CHECK-NEXT: {{^}}mma.sp::ordered_metadata: 94 variants, 94 intrinsics
; CHECK-NEXT: {{^}}mma.block_scale: 54 variants, 54 intrinsics
; CHECK-NEXT: {{^}}mma.sp::ordered_metadata.block_scale: 54 variants, 54 intrinsics
; CHECK-NEXT: {{^}}ldmatrix: 36 variants, 18 intrinsics
; CHECK-NEXT: {{^}}stmatrix: 18 variants, 9 intrinsics
; CHECK-NEXT: {{^}}movmatrix: 1 variants, 1 intrinsics
; CHECK-NEXT: {{^}}1327 variants, 844 intrinsics
; CHECK-NEXT: untested: none
