; In a function that calls another one, an accumulator in flight meets what another path has written. ptxas may say
; nothing, and move what it becomes there ahead of the wait: each path waits for its own.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | count 0
; RUN: FileCheck %s --input-file=%t.ptx

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

define internal i32 @other(i32 %x) noinline {
  %y = and i32 %x, 1
  ret i32 %y
}

; CHECK-LABEL: .entry meets(
; CHECK:       call.uni (retval0), other, (param0);
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[D:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]}
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       [[MEET:\$L__BB[0-9_]+]]: // %meet
; CHECK:       st.global.v4.b32 [{{%rd[0-9]+}}], {[[D]]};
define ptx_kernel void @meets(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %n) {
entry:
  %c = call i32 @other(i32 %n)
  %multiplies = icmp eq i32 %c, 0
  br i1 %multiplies, label %multiply, label %load

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %meet

load:
  %e = load <4 x float>, ptr addrspace(1) %in
  br label %meet

meet:
  %f = phi <4 x float> [ %d, %multiply ], [ %e, %load ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %x = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  store <4 x float> %x, ptr addrspace(1) %out
  ret void
}
