; Two wgmma of one fence that multiply the same: ptxas executes only one of them
; (seen in the machine code of 12.4 and 13.0, and in results on an H200), so that a
; fence comes between.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -O0 | FileCheck %s --check-prefix=O0
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-place-wgmma-fences | FileCheck %s --check-prefix=PLACED
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry twice(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}}, [[A:%rd[0-9]+]], [[B:%rd[0-9]+]], 1, 1, 1, 0, 0;
; CHECK-NEXT:  wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}}, [[A]], [[B]], 1, 1, 1, 0, 0;
; CHECK-NEXT:  wgmma.mma_async{{.*}}, [[B]], [[A]], 1, 1, 1, 0, 0;
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
;
; O0-LABEL: .entry twice(
; O0-COUNT-3: wgmma.fence.sync.aligned;{{[[:space:]]+}}wgmma.mma_async
; O0:         ret;
define ptx_kernel void @twice(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d1, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d3 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d2, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d3)
  store <4 x float> %r, ptr addrspace(1) %out, align 4
  ret void
}

; One that comes in between does not help, another accumulator or scale neither.
; CHECK-LABEL: .entry again(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}}, [[A:%rd[0-9]+]], [[B:%rd[0-9]+]], 0, 1, 1, 0, 0;
; CHECK-NEXT:  wgmma.mma_async{{.*}}, [[B]], [[B]], 0, 1, 1, 0, 0;
; CHECK-NEXT:  wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}}, [[A]], [[B]], %p{{[0-9]+}}, -1, 1, 0, 0;
define ptx_kernel void @again(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %scale) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %b, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 %scale, i32 -1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %e1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  %f1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  %s = fadd <4 x float> %d1, %e1
  %t = fadd <4 x float> %s, %f1
  store <4 x float> %t, ptr addrspace(1) %out, align 4
  ret void
}

; In a loop, the same matrices are multiplied in each round; a fence before the loop is not enough.
; PLACED-LABEL: name: in_each_round
; PLACED:       bb.1.loop:
; PLACED:       WGMMA_FENCE
; PLACED-NEXT:  WGMMA_ss_f32
;
; CHECK-LABEL: .entry in_each_round(
; CHECK:       Loop Header
; CHECK-NEXT:  wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}}, 1, 1, 1, 0, 0;
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK:       bra
;
; O0-LABEL: .entry in_each_round(
; O0:         bra
; O0:         wgmma.fence.sync.aligned;
; O0-NEXT:    wgmma.mma_async
; O0:         bra
define ptx_kernel void @in_each_round(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %d.next = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d.next)
  store <4 x float> %r, ptr addrspace(1) %out, align 4
  ret void
}

; Not so if a matrix is another one in each round, here by what its descriptor is computed from.
; PLACED-LABEL: name: another_in_each_round
; PLACED:       WGMMA_FENCE
; PLACED:       bb.1.loop:
; PLACED-NOT:   WGMMA_FENCE
; PLACED:       WGMMA_ss_f32
; PLACED-NOT:   WGMMA_FENCE
; PLACED:       Return
define ptx_kernel void @another_in_each_round(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  %wide = zext i32 %i to i64
  %next = or i64 %a, %wide
  %d.next = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %next, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i32 %i, 2
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d.next)
  store <4 x float> %r, ptr addrspace(1) %out, align 4
  ret void
}
