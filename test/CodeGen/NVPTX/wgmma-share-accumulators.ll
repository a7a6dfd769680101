; Accumulators that take turns get the same registers where there are not enough for two of them at once: ptxas would spill
; what is live beside them, to have the second one run while the first one's results are read.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx --enable-var-scope --check-prefixes=CHECK,DEFAULT
; RUN: llc %s -o %t.few.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -nvptx-max-accumulator-registers=16 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.few.ptx --enable-var-scope --check-prefixes=CHECK,FEW
; RUN: llc %s -o %t.own.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -nvptx-max-accumulator-registers=0 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.own.ptx --enable-var-scope --check-prefixes=CHECK,OWN
; RUN: llc -O0 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -nvptx-max-accumulator-registers=16 -verify-machineinstrs | FileCheck %s --check-prefix=O0
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a -v < %t.ptx 2>&1 | FileCheck %s --check-prefix=SPILLS %}
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.few.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.tf32.tf32.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg)
declare <64 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32(<64 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare <64 x float> @llvm.nvvm.wgmma.fence_operand.v64f32(<64 x float>)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; 64 registers for each, 128 for sums.
; SPILLS:        Compiling entry function 'sums'
; SPILLS:        0 bytes spill stores
; CHECK-LABEL:   .entry sums(
; DEFAULT:       wgmma.mma_async{{.*}} {[[D:%r[0-9]+, %r[0-9]+, %r[0-9]+]],
; DEFAULT:       wgmma.mma_async{{.*}} {[[D]],
; OWN:           wgmma.mma_async{{.*}} {[[D:%r[0-9]+, %r[0-9]+, %r[0-9]+]],
; OWN-NOT:       wgmma.mma_async{{.*}} {[[D]],
; CHECK:         ret;
define ptx_kernel void @sums(ptr addrspace(1) %out, i64 %a, i64 %b, float %f, i32 %n) "nvvm.maxntid"="256" {
entry:
  %v0 = insertelement <64 x float> poison, float %f, i32 0
  %v = shufflevector <64 x float> %v0, <64 x float> poison, <64 x i32> zeroinitializer
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi <64 x float> [ zeroinitializer, %entry ], [ %s1, %loop ]
  %t = phi <64 x float> [ zeroinitializer, %entry ], [ %t1, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <64 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32(<64 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d1 = call <64 x float> @llvm.nvvm.wgmma.fence_operand.v64f32(<64 x float> %d)
  %dv = fmul contract <64 x float> %d1, %v
  %s1 = fadd contract <64 x float> %s, %dv
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <64 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v64f32(<64 x float> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e1 = call <64 x float> @llvm.nvvm.wgmma.fence_operand.v64f32(<64 x float> %e)
  %ev = fmul contract <64 x float> %e1, %v
  %t1 = fadd contract <64 x float> %t, %ev
  %j = add i32 %i, 1
  %again = icmp ult i32 %j, %n
  br i1 %again, label %loop, label %done
done:
  store <64 x float> %s1, ptr addrspace(1) %out
  %more = getelementptr <64 x float>, ptr addrspace(1) %out, i32 1
  store <64 x float> %t1, ptr addrspace(1) %more
  ret void
}

; Four of four registers each, beside six others: as many sets as fit, in turn. Without optimization nothing is shared.
; CHECK-LABEL:   .entry turns(
; DEFAULT:       wgmma.mma_async{{.*}} {[[D:%r[0-9]+]],
; DEFAULT-NOT:   wgmma.mma_async{{.*}} {[[D]],
; FEW:           wgmma.mma_async{{.*}} {[[D:%r[0-9]+]],
; FEW:           wgmma.mma_async{{.*}} {[[E:%r[0-9]+]],
; FEW:           wgmma.mma_async{{.*}} {[[D]],
; FEW:           wgmma.mma_async{{.*}} {[[E]],
; CHECK:         ret;
; O0-LABEL:      .entry turns(
; O0:            wgmma.mma_async{{.*}} {[[D:%r[0-9]+]],
; O0-NOT:        wgmma.mma_async{{.*}} {[[D]],
; O0:            ret;
define ptx_kernel void @turns(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store volatile <4 x float> %d1, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %e1, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  store volatile <4 x float> %f1, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %g = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %b, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %g1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %g)
  store volatile <4 x float> %g1, ptr addrspace(1) %out
  store volatile i64 %a, ptr addrspace(1) %out
  store volatile i64 %b, ptr addrspace(1) %out
  ret void
}

; Not with another shape, and not while the first one is in flight, or is needed.
; CHECK-LABEL:   .entry apart(
; CHECK:         wgmma.mma_async{{.*}} {[[D:%r[0-9]+]],
; CHECK-NOT:     wgmma.mma_async{{.*}} {[[D]],
; CHECK:         ret;
define ptx_kernel void @apart(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %d1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store volatile <4 x float> %d1, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %e)
  store volatile <4 x float> %e1, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.tf32.tf32.v4f32(<4 x float> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %f)
  store volatile <4 x float> %f1, ptr addrspace(1) %out
  ret void
}
