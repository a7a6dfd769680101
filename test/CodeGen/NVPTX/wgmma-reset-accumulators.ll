; An accumulator that is set back on one of a branch's ways, with nothing else on it:
; the zeros are written there, and the other way moves no register. See
; NVPTXSeparateWGMMAResults.cpp.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; CHECK-LABEL: .entry reset(
; CHECK-COUNT-4: lop3
; CHECK-NOT:   lop3
; CHECK:       wgmma.mma_async
; CHECK-NOT:   lop3
; CHECK:       setp.eq.b32 [[P:%p[0-9]+]], %r{{[0-9]+}}, 0;
; CHECK-NEXT:  @[[P]] bra [[RESET:\$L__BB[0-9_]+]];
; CHECK-NOT:   lop3
; CHECK:       [[RESET]]:
; CHECK-COUNT-4: lop3
; CHECK-NOT:   lop3
; CHECK:       ret;
define ptx_kernel void @reset(ptr addrspace(1) %out, ptr addrspace(1) %flags, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %meet ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %sum, %meet ]
  %at = getelementptr i32, ptr addrspace(1) %flags, i32 %i
  %flag = load i32, ptr addrspace(1) %at
  %c = icmp ne i32 %flag, 0
  br i1 %c, label %multiply, label %meet

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  br label %meet

meet:
  %sum = phi <4 x float> [ zeroinitializer, %loop ], [ %r, %multiply ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}
