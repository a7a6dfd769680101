; Wrong calls of the intrinsics around the matrix instructions: one line each, which
; names the intrinsic, what it needs and what it got.
; RUN: split-file %s %t
; RUN: not llc < %t/spaces.ll -o /dev/null -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx83 2>&1 \
; RUN: | FileCheck %t/spaces.ll --implicit-check-not='error:'
; RUN: not llc < %t/values.ll -o /dev/null -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx83 2>&1 \
; RUN: | FileCheck %t/values.ll --implicit-check-not='error:'
; RUN: not llc < %t/arguments.ll -o /dev/null -mtriple=nvptx64 -mcpu=sm_103a -mattr=+ptx88 2>&1 \
; RUN: | FileCheck %t/arguments.ll --implicit-check-not='error:'

;--- spaces.ll
; CHECK: error: {{.*}}in function replace {{.*}}: llvm.nvvm.tensormap.replace.rank requires a pointer of address space 0 or 1 or 3, but got one of address space 5{{$}}
define void @replace(ptr addrspace(5) %p) {
  call void @llvm.nvvm.tensormap.replace.rank.p5(ptr addrspace(5) %p, i32 2)
  ret void
}
; CHECK: error: {{.*}}in function prefetch {{.*}}: llvm.nvvm.prefetch.tensormap requires a pointer of address space 0 or 4 or 101, but got one of address space 1{{$}}
define void @prefetch(ptr addrspace(1) %p) {
  call void @llvm.nvvm.prefetch.tensormap.p1(ptr addrspace(1) %p)
  ret void
}

;--- values.ll
; Of the same intrinsic other values are of more targets.
; CHECK: error: {{.*}}in function elemtype {{.*}}: llvm.nvvm.tensormap.replace.elemtype with 13 as argument 2 requires sm_100a, sm_101a or sm_120a and PTX 8.7, or sm_100f, sm_101f or sm_120f and PTX 8.8, or sm_110a and PTX 9.0, or sm_110f and PTX 9.0, but the target is sm_90a with PTX 8.3{{$}}
define void @elemtype(ptr %p) {
  call void @llvm.nvvm.tensormap.replace.elemtype.p0(ptr %p, i32 12)
  call void @llvm.nvvm.tensormap.replace.elemtype.p0(ptr %p, i32 13)
  ret void
}
; CHECK: error: {{.*}}in function swizzle {{.*}}: llvm.nvvm.tensormap.replace.swizzle.mode with 4 as argument 2 requires sm_103a and PTX 8.8, but the target is sm_90a with PTX 8.3{{$}}
define void @swizzle(ptr addrspace(3) %p) {
  call void @llvm.nvvm.tensormap.replace.swizzle.mode.p3(ptr addrspace(3) %p, i32 3)
  call void @llvm.nvvm.tensormap.replace.swizzle.mode.p3(ptr addrspace(3) %p, i32 4)
  ret void
}

;--- arguments.ll
; What an argument asks for needs more than the rest: sm_103a has no .kind::i8.
; CHECK: error: {{.*}}in function i8 {{.*}}: llvm.nvvm.tcgen05.mma.shared with 3 as argument 6 requires sm_100a or sm_101a and PTX 8.6, or sm_110a and PTX 9.0, but the target is sm_103a with PTX 8.8{{$}}
define void @i8(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 %e) {
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 %e, i32 3, i32 1, i32 0)
  ret void
}
; CHECK: error: {{.*}}in function masked {{.*}}: llvm.nvvm.tcgen05.mma.shared.disable_output_lane.cg1 with 3 as argument 7 requires
define void @masked(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 %e, <4 x i32> %m) {
  call void @llvm.nvvm.tcgen05.mma.shared.disable_output_lane.cg1(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 %e, <4 x i32> %m, i32 3, i32 0)
  ret void
}
define void @f16(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 %e) {
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) %d, i64 %a, i64 %b, i32 %i, i1 %e, i32 0, i32 1, i32 0)
  ret void
}
