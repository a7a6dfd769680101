; Paths with and without a wgmma part by more than one branch, and each phi on the way has the value that the
; accumulator starts from for its own. All of them are one register.
; RUN: llc -O3 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs %s -o %t.ptx 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
; RUN: FileCheck %s < %t.ptx
; RUN: %if ptxas-sm_90a %{ %ptxas-verify -arch=sm_90a %t.ptx 2>&1 | FileCheck --allow-empty --check-prefix=NOTE %s %}

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; SILENT-NOT: warning
; NOTE-NOT: C75{{1[0-8]}}

; A constant.
; CHECK-LABEL: .entry zero(
; CHECK:       wgmma.mma_async{{.*}} [[ACC:\{[^}]*\}]],
; CHECK-NOT:   wgmma.commit_group
; CHECK:       wgmma.mma_async{{.*}} [[ACC]],
; CHECK-NOT:   wgmma.commit_group
; CHECK:       wgmma.mma_async{{.*}} [[ACC]],
; CHECK:       wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @zero(ptr addrspace(1) %out, i64 %a, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = icmp sgt i32 %n, 2
  br i1 %c, label %third, label %test

third:
  %a2 = add i64 %a, 4
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a2, i64 %a2, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %second

test:
  %e = icmp eq i32 %n, 2
  br i1 %e, label %second, label %first

second:
  %x1 = phi <4 x float> [ %d2, %third ], [ zeroinitializer, %test ]
  %a1 = add i64 %a, 2
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x1, i64 %a1, i64 %a1, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %first

first:
  %x0 = phi <4 x float> [ %d1, %second ], [ zeroinitializer, %test ]
  %d0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x0, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %sum = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d0)
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}

; What was loaded.
; CHECK-LABEL: .entry loaded(
; CHECK:       wgmma.mma_async{{.*}} [[ACC:\{[^}]*\}]],
; CHECK-NOT:   wgmma.commit_group
; CHECK:       wgmma.mma_async{{.*}} [[ACC]],
; CHECK-NOT:   wgmma.commit_group
; CHECK:       wgmma.mma_async{{.*}} [[ACC]],
; CHECK:       wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @loaded(ptr addrspace(1) %out, i64 %a, i32 %n) {
entry:
  %c0 = load <4 x float>, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = icmp sgt i32 %n, 2
  br i1 %c, label %third, label %test

third:
  %a2 = add i64 %a, 4
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c0, i64 %a2, i64 %a2, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %second

test:
  %e = icmp eq i32 %n, 2
  br i1 %e, label %second, label %first

second:
  %x1 = phi <4 x float> [ %d2, %third ], [ %c0, %test ]
  %a1 = add i64 %a, 2
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x1, i64 %a1, i64 %a1, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %first

first:
  %x0 = phi <4 x float> [ %d1, %second ], [ %c0, %test ]
  %d0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x0, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %sum = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d0)
  store <4 x float> %sum, ptr addrspace(1) %out
  ret void
}
