; SROA and LICM leave each element of an accumulator twice if it is an array in memory until a late loop is unrolled:
; phis of a loop and of a join in it that say of each other alone that they agree with others. One of each stays, and
; nothing reads what is in flight.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -stop-after=nvptx-split-wgmma-paths | FileCheck %s --check-prefix=IR
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARNING --allow-empty
; RUN: FileCheck %s --input-file %t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; WARNING-NOT: warning:

; IR-LABEL: define ptx_kernel void @twice(
; IR:       round:
; IR-COUNT-4: phi float
; IR-NOT:   phi float
; IR:       join:
; IR-COUNT-4: phi float
; IR-NOT:   phi float
; IR:       ret void

; CHECK-LABEL: .entry twice(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group
; CHECK-NOT:   mov.b32
; CHECK:       ret;
define ptx_kernel void @twice(ptr addrspace(1) %out, ptr addrspace(1) %list, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %r0 = phi float [ 0.0, %entry ], [ %j0, %join ]
  %r1 = phi float [ 0.0, %entry ], [ %j1, %join ]
  %r2 = phi float [ 0.0, %entry ], [ %j2, %join ]
  %r3 = phi float [ 1.0, %entry ], [ %j3, %join ]
  %s0 = phi float [ 0.0, %entry ], [ %k0, %join ]
  %s1 = phi float [ 0.0, %entry ], [ %k1, %join ]
  ; Its predecessors in another order.
  %s2 = phi float [ %k2, %join ], [ 0.0, %entry ]
  %s3 = phi float [ 1.0, %entry ], [ %k3, %join ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %place = getelementptr i32, ptr addrspace(1) %list, i32 %i
  %wanted = load i32, ptr addrspace(1) %place
  %is_wanted = icmp ne i32 %wanted, 0
  br i1 %is_wanted, label %multiply, label %join

multiply:
  %v0 = insertelement <4 x float> poison, float %r0, i32 0
  %v1 = insertelement <4 x float> %v0, float %r1, i32 1
  %v2 = insertelement <4 x float> %v1, float %r2, i32 2
  %v3 = insertelement <4 x float> %v2, float %r3, i32 3
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %v3, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <4 x float> %d, i32 0
  %d1 = extractelement <4 x float> %d, i32 1
  %d2 = extractelement <4 x float> %d, i32 2
  %d3 = extractelement <4 x float> %d, i32 3
  br label %join

join:
  %j0 = phi float [ %r0, %round ], [ %d0, %multiply ]
  %j1 = phi float [ %r1, %round ], [ %d1, %multiply ]
  %j2 = phi float [ %r2, %round ], [ %d2, %multiply ]
  %j3 = phi float [ %r3, %round ], [ %d3, %multiply ]
  %k0 = phi float [ %s0, %round ], [ %d0, %multiply ]
  %k1 = phi float [ %s1, %round ], [ %d1, %multiply ]
  %k2 = phi float [ %s2, %round ], [ %d2, %multiply ]
  %k3 = phi float [ %s3, %round ], [ %d3, %multiply ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %round, label %exit

exit:
  %p1 = getelementptr i8, ptr addrspace(1) %out, i64 512
  %p2 = getelementptr i8, ptr addrspace(1) %out, i64 1024
  %p3 = getelementptr i8, ptr addrspace(1) %out, i64 1536
  store float %k0, ptr addrspace(1) %out
  store float %k1, ptr addrspace(1) %p1
  store float %k2, ptr addrspace(1) %p2
  store float %k3, ptr addrspace(1) %p3
  ret void
}

; Two accumulators, one multiplied with in each branch; the wait in either has a fence_operand of all that is in memory,
; as inline assembly that clobbers memory leaves it. What goes past a branch goes through one of them. Fence_operands that
; start two elements from one value stay two.
;
; IR-LABEL: define ptx_kernel void @branches(
; IR:       round:
; IR-COUNT-2: phi float
; IR-NOT:   phi float
; IR:       left:
; IR-COUNT-2: call float @llvm.nvvm.wgmma.fence_operand
; IR-NOT:   fence_operand
; IR:       right:
; IR-COUNT-2: call float @llvm.nvvm.wgmma.fence_operand
; IR-NOT:   fence_operand
; IR:       join:
; IR-COUNT-2: phi float
; IR-NOT:   phi float
; IR:       exit:
define ptx_kernel void @branches(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n, i1 %go_left, float %x) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %r = phi float [ 0.0, %entry ], [ %r.join, %join ]
  %s = phi float [ 0.0, %entry ], [ %s.join, %join ]
  %q = phi float [ 1.0, %entry ], [ %q.join, %join ]
  br i1 %go_left, label %left, label %right

left:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r.left = call float @llvm.nvvm.wgmma.fence_operand.f32(float %r)
  %s.left = call float @llvm.nvvm.wgmma.fence_operand.f32(float %s)
  %q.left = call float @llvm.nvvm.wgmma.fence_operand.f32(float %q)
  br label %join

right:
  %r.right = call float @llvm.nvvm.wgmma.fence_operand.f32(float %q)
  %s.right = call float @llvm.nvvm.wgmma.fence_operand.f32(float %q)
  br label %join

join:
  %r.join = phi float [ %r.left, %left ], [ %r.right, %right ]
  %s.join = phi float [ %s.left, %left ], [ %s.right, %right ]
  %q.join = phi float [ %q.left, %left ], [ %x, %right ]
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %round, label %exit

exit:
  store volatile float %r.join, ptr addrspace(1) %out
  store volatile float %s.join, ptr addrspace(1) %out
  store volatile float %q.join, ptr addrspace(1) %out
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; What begins with another value, or gets another one in one place only, stays.
;
; IR-LABEL: define ptx_kernel void @differ(
; IR:       round:
; IR-COUNT-3: phi float
; IR:       join:
; IR-COUNT-3: phi float
; IR:       exit:
; IR-NEXT:    store volatile float %j0
; IR-NEXT:    store volatile float %k0
; IR-NEXT:    store volatile float %l0
define ptx_kernel void @differ(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n, i1 %wanted, float %x) {
entry:
  br label %round

round:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %r0 = phi float [ 0.0, %entry ], [ %j0, %join ]
  %s0 = phi float [ 1.0, %entry ], [ %k0, %join ]
  %t0 = phi float [ 0.0, %entry ], [ %l0, %join ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %wanted, label %multiply, label %join

multiply:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %d0 = extractelement <4 x float> %e, i32 0
  br label %join

join:
  %j0 = phi float [ %r0, %round ], [ %d0, %multiply ]
  %k0 = phi float [ %s0, %round ], [ %d0, %multiply ]
  %l0 = phi float [ %t0, %round ], [ %x, %multiply ]
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %round, label %exit

exit:
  store volatile float %j0, ptr addrspace(1) %out
  store volatile float %k0, ptr addrspace(1) %out
  store volatile float %l0, ptr addrspace(1) %out
  ret void
}
