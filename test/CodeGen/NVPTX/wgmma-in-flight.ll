; No instruction touches the registers of a wgmma in flight. Where values in
; flight change places no copy is needed, or the compiler waits and says so.
;
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2> %t.txt | FileCheck %s
; RUN: FileCheck %s --check-prefix=WARNING < %t.txt
; RUN: llc < %s -O1 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>/dev/null | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)

; The elements of the accumulator are rotated in each step: the copies stand
; between the wait and the fence.
; CHECK-LABEL: .entry rotated_elements(
; CHECK:       Loop Header
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       lop3.b32
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NOT:   lop3.b32
; CHECK-NOT:   wgmma
; CHECK:       bra
define ptx_kernel void @rotated_elements(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %n) {
entry:
  %first = load <4 x float>, ptr addrspace(1) %in, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi <4 x float> [ %first, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %x)
  %rotated = shufflevector <4 x float> %done, <4 x float> poison, <4 x i32> <i32 1, i32 2, i32 3, i32 0>
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %rotated, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %end = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %end, ptr addrspace(1) %out, align 4
  ret void
}

; Two accumulators change places while both are in flight: it waits.
; WARNING: warning: in function rotated_accumulators: wgmma.mma_async is waited for at once: its accumulator is copied while it could be in flight
; CHECK-LABEL: .entry rotated_accumulators(
; CHECK:       Loop Header
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       bra
define ptx_kernel void @rotated_accumulators(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %first = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %last = phi <4 x float> [ %first, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %last)
  store volatile <4 x float> %done, ptr addrspace(1) %out, align 4
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %end = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %end, ptr addrspace(1) %out, align 4
  ret void
}

; A of the first wgmma is the second one's accumulator: registers of its own,
; computed before the fence.
; CHECK-LABEL: .entry fragment_is_accumulator(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}}, {[[A0:%r[0-9]+]], [[A1:%r[0-9]+]], [[A2:%r[0-9]+]], [[A3:%r[0-9]+]]}, %rd
; CHECK-NOT:   mov
; CHECK:       wgmma.mma_async
; CHECK-NOT:   {[[A0]], [[A1]], [[A2]], [[A3]]}
; CHECK-SAME:  , 1, 1, 1, 0, 0;
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @fragment_is_accumulator(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b) {
  %c = load <4 x float>, ptr addrspace(1) %in, align 4
  %fragment = bitcast <4 x float> %c to <4 x i32>
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> zeroinitializer, <4 x i32> %fragment, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e0 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d0)
  %e1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %sum = fadd <4 x float> %e0, %e1
  store <4 x float> %sum, ptr addrspace(1) %out, align 4
  ret void
}

; A fence orders nothing in another block's registers: one more there.
; CHECK-LABEL: .entry fence_in_another_block(
; CHECK:       bra
; CHECK:       lop3.b32
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
define ptx_kernel void @fence_in_another_block(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i1 %p) {
entry:
  %c = load <4 x float>, ptr addrspace(1) %in, align 4
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br i1 %p, label %multiply, label %exit
multiply:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %done, ptr addrspace(1) %out, align 4
  br label %exit
exit:
  store volatile <4 x float> %c, ptr addrspace(1) %in, align 4
  ret void
}

; Commits and waits in inline assembly are understood: nothing is added.
; CHECK-LABEL: .entry inline_assembly(
; CHECK:       wgmma.mma_async
; CHECK-NOT:   wgmma
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @inline_assembly(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void asm sideeffect "wgmma.commit_group.sync.aligned;\0A", "~{memory}"()
  call void asm sideeffect "wgmma.wait_group.sync.aligned $0;\0A", "n,~{memory}"(i32 0)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %done, ptr addrspace(1) %out, align 4
  ret void
}

; A convergence control token changes nothing.
; CHECK-LABEL: .entry convergence_token(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @convergence_token(ptr addrspace(1) %out, i64 %a, i64 %b) convergent {
  %token = call token @llvm.experimental.convergence.entry()
  call void @llvm.nvvm.wgmma.fence.sync.aligned() [ "convergencectrl"(token %token) ]
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false) [ "convergencectrl"(token %token) ]
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned() [ "convergencectrl"(token %token) ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0) [ "convergencectrl"(token %token) ]
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %done, ptr addrspace(1) %out, align 4
  ret void
}

; What breaks the protocol gets the wait that it lacks, and a warning.
; WARNING: warning: in function never_committed: wgmma.mma_async is never committed: a return is reached without a wgmma.commit_group; it is committed and waited for at once, since its accumulator is read
; CHECK-LABEL: .entry never_committed(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @never_committed(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %done, ptr addrspace(1) %out, align 4
  ret void
}

; WARNING: warning: in function not_retired: wgmma.mma_async is waited for at once: its accumulator is read after a wgmma.wait_group that may leave it in flight
; CHECK-LABEL: .entry not_retired(
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @not_retired(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %done, ptr addrspace(1) %out, align 4
  ret void
}
; WARNING-NOT: warning:
