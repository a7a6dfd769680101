; The tests kernel-<target>.ll must together cover what the PTX ISA defines of the
; instructions around the matrix instructions: 984 intrinsics. An immediate and a
; state space that comes from the pointer make several variants of one.
; RUN: %python %S/kernel.py --summary %S | FileCheck %s

; CHECK:      {{^}}cp.async.bulk: 11 variants, 5 intrinsics
; CHECK-NEXT: {{^}}cp.async.bulk.prefetch: 2 variants, 1 intrinsics
; CHECK-NEXT: {{^}}cp.async.bulk groups: 5 variants, 3 intrinsics
; CHECK-NEXT: {{^}}cp.async.bulk.tensor: 228 variants, 39 intrinsics
; CHECK-NEXT: {{^}}cp.async.bulk.prefetch.tensor: 30 variants, 15 intrinsics
; CHECK-NEXT: {{^}}cp.reduce.async.bulk.tensor: 128 variants, 64 intrinsics
; CHECK-NEXT: {{^}}cp.reduce.async.bulk: 66 variants, 39 intrinsics
; CHECK-NEXT: {{^}}red.async: 24 variants, 24 intrinsics
; CHECK-NEXT: {{^}}st.async: 17 variants, 4 intrinsics
; CHECK-NEXT: {{^}}multimem.ld_reduce: 1197 variants, 266 intrinsics
; CHECK-NEXT: {{^}}multimem.st: 306 variants, 68 intrinsics
; CHECK-NEXT: {{^}}multimem.red: 264 variants, 33 intrinsics
; CHECK-NEXT: {{^}}mbarrier: 79 variants, 79 intrinsics
; CHECK-NEXT: {{^}}fence: 19 variants, 19 intrinsics
; CHECK-NEXT: {{^}}barrier: 18 variants, 18 intrinsics
; CHECK-NEXT: {{^}}barrier.cluster: 6 variants, 6 intrinsics
; CHECK-NEXT: {{^}}mapa, getctarank: 4 variants, 4 intrinsics
; CHECK-NEXT: {{^}}prefetch: 12 variants, 10 intrinsics
; CHECK-NEXT: {{^}}applypriority: 2 variants, 2 intrinsics
; CHECK-NEXT: {{^}}discard: 2 variants, 2 intrinsics
; CHECK-NEXT: {{^}}createpolicy: 25 variants, 13 intrinsics
; CHECK-NEXT: {{^}}tensormap.replace: 69 variants, 11 intrinsics
; CHECK-NEXT: {{^}}tensormap.cp_fenceproxy: 4 variants, 4 intrinsics
; CHECK-NEXT: {{^}}setmaxnreg: 4 variants, 2 intrinsics
; CHECK-NEXT: {{^}}elect.sync: 1 variants, 1 intrinsics
; CHECK-NEXT: {{^}}griddepcontrol: 2 variants, 2 intrinsics
; CHECK-NEXT: {{^}}st.bulk: 2 variants, 2 intrinsics
; CHECK-NEXT: {{^}}clusterlaunchcontrol: 6 variants, 6 intrinsics
; CHECK-NEXT: {{^}}tcgen05.alloc: 8 variants, 8 intrinsics
; CHECK-NEXT: {{^}}tcgen05.commit: 8 variants, 8 intrinsics
; CHECK-NEXT: {{^}}tcgen05.wait: 2 variants, 2 intrinsics
; CHECK-NEXT: {{^}}tcgen05.fence: 2 variants, 2 intrinsics
; CHECK-NEXT: {{^}}tcgen05.cp: 36 variants, 36 intrinsics
; CHECK-NEXT: {{^}}tcgen05.shift: 2 variants, 2 intrinsics
; CHECK-NEXT: {{^}}tcgen05.ld: 74 variants, 37 intrinsics
; CHECK-NEXT: {{^}}tcgen05.st: 74 variants, 37 intrinsics
; CHECK-NEXT: {{^}}tcgen05.ld.red: 168 variants, 42 intrinsics
; CHECK-NEXT: {{^}}tcgen05.mma: 240 variants, 18 intrinsics
; CHECK-NEXT: {{^}}tcgen05.mma.sp: 240 variants, 18 intrinsics
; CHECK-NEXT: {{^}}tcgen05.mma.block_scale: 96 variants, 12 intrinsics
; CHECK-NEXT: {{^}}tcgen05.mma.sp.block_scale: 96 variants, 12 intrinsics
; CHECK-NEXT: {{^}}tcgen05.mma.ws: 256 variants, 4 intrinsics
; CHECK-NEXT: {{^}}tcgen05.mma.ws.sp: 256 variants, 4 intrinsics
; CHECK-NEXT: {{^}}4091 variants, 984 intrinsics
; CHECK-NEXT: {{^}}untested: none
