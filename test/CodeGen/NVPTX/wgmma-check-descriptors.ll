; An address in the place of a matrix descriptor compiles, and is never one: a warning tells of it. What has been shifted,
; or comes from elsewhere, may be one.
; RUN: llc < %s -o %t.ptx -mcpu=sm_90a -mattr=+ptx82 2> %t.err
; RUN: FileCheck %s --implicit-check-not=warning: < %t.err
; RUN: llc < %s -O0 -o /dev/null -mcpu=sm_90a -mattr=+ptx82 2> %t.err
; RUN: FileCheck %s --implicit-check-not=warning: < %t.err
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [4096 x i8] undef, align 128

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i32, i32 immarg, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; CHECK: warning: in function both: the matrix descriptor of A is an address; it needs bits 4 to 17 of the address as its lowest ones, and the offsets and the swizzle above
; CHECK: warning: in function both: the matrix descriptor of B is an address; it needs bits 4 to 17 of the address as its lowest ones, and the offsets and the swizzle above
define ptx_kernel void @both(ptr addrspace(1) %out, i32 %k) {
  %a = ptrtoint ptr addrspacecast (ptr addrspace(3) @tile to ptr) to i64
  %shared = ptrtoint ptr addrspace(3) @tile to i32
  %sum = add i32 %shared, %k
  %b = zext i32 %sum to i64
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; CHECK: warning: in function swizzled: the matrix descriptor of B is an address; it needs bits 4 to 17 of the address as its lowest ones, and the offsets and the swizzle above
define ptx_kernel void @swizzled(ptr addrspace(1) %out, i64 %a, ptr %b.smem) {
  %address = ptrtoint ptr %b.smem to i64
  %b = or i64 %address, 4611686018427387904
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; CHECK: warning: in function fragment: the matrix descriptor of B is an address; it needs bits 4 to 17 of the address as its lowest ones, and the offsets and the swizzle above
define ptx_kernel void @fragment(ptr addrspace(1) %out, <4 x i32> %a, ptr addrspace(3) %b.smem) {
  %b = ptrtoint ptr addrspace(3) %b.smem to i64
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> zeroinitializer, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; CHECK: warning: in function sparse: the matrix descriptor of A is an address; it needs bits 4 to 17 of the address as its lowest ones, and the offsets and the swizzle above
define ptx_kernel void @sparse(ptr addrspace(1) %out, ptr addrspace(3) %a.smem, i64 %b, i32 %m) {
  %a = ptrtoint ptr addrspace(3) %a.smem to i64
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i32 %m, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; What follows is right, or may be.

define ptx_kernel void @shifted(ptr addrspace(1) %out, i64 %rest) {
  %shared = ptrtoint ptr addrspace(3) @tile to i32
  %bits = and i32 %shared, 262143
  %start = lshr i32 %bits, 4
  %wide = zext i32 %start to i64
  %a = or i64 %wide, %rest
  %b = add i64 %a, 2
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @distance(ptr addrspace(1) %out, i64 %rest, ptr addrspace(3) %from, ptr addrspace(3) %to) {
  %x = ptrtoint ptr addrspace(3) %from to i64
  %y = ptrtoint ptr addrspace(3) %to to i64
  %bytes = sub i64 %y, %x
  %units = sdiv exact i64 %bytes, 16
  %a = add i64 %rest, %units
  %b = add i64 %a, %rest
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @passed(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @kept_in_pointer(ptr addrspace(1) %out, i64 %a, i64 %rest) {
  %pointer = inttoptr i64 %a to ptr
  %next = getelementptr i8, ptr %pointer, i64 %rest
  %b = ptrtoint ptr %next to i64
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}
