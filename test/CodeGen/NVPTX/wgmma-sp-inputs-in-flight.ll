; A wgmma reads the sparsity metadata and an A in registers after it was issued.
; Values that are loaded meanwhile must not get their registers.
;
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefixes=CHECK,FRAGMENT
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -O0 -verify-machineinstrs | FileCheck %s --check-prefix=O0
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WARNING
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ llc < %s -mcpu=sm_90a -mattr=+ptx82 | %ptxas-verify -arch=sm_90a %}

target triple = "nvptx64-nvidia-cuda"

; WARNING-COUNT-2: warning: in function {{[a-z_]+}}: wgmma.mma_async is waited for at once: a register that it reads is redefined while it could be in flight
; WARNING-NOT: warning:

; The metadata of the next round is loaded while this round's wgmma, and the one
; before, may be in flight: it waits for them.
;
; CHECK-LABEL: .entry metadata(
; CHECK:       wgmma.mma_async{{.*}}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[META:%r[0-9]+]], 1,
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  ld.volatile.global.b32
; CHECK-NOT:   wgmma.
; CHECK:       ret;
;
; O0-LABEL: .entry metadata(
; O0:         wgmma.mma_async
; O0-NEXT:    wgmma.commit_group.sync.aligned;
; O0:         ld.volatile.global.b32
define ptx_kernel void @metadata(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %n) {
entry:
  %first = load i32, ptr addrspace(1) %in
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %meta = phi i32 [%first, %entry], [%next, %loop]
  %acc = phi <4 x float> [zeroinitializer, %entry], [%d, %loop]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i32 %meta, i32 1, i1 true, i32 1, i32 1, i1 0, i1 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = load volatile i32, ptr addrspace(1) %in
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; The next fragment of A is loaded into registers of its own, which are copied
; after the wait, by what is no move to ptxas (NVPTXHideWGMMAMoves.cpp).
;
; FRAGMENT-LABEL: .entry fragment(
; FRAGMENT:       Loop Header
; FRAGMENT:       wgmma.mma_async{{.*}}, {[[A0:%r[0-9]+]], [[A1:%r[0-9]+]], [[A2:%r[0-9]+]], [[A3:%r[0-9]+]]},
; FRAGMENT-NEXT:  wgmma.commit_group.sync.aligned;
; FRAGMENT-NEXT:  ld.volatile.global.v4.b32
; FRAGMENT-NOT:   [[A0]]{{[^0-9]}}
; FRAGMENT:       wgmma.wait_group.sync.aligned 0;
; FRAGMENT:       bra
define ptx_kernel void @fragment(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %meta, i64 %b, i32 %n) {
entry:
  %first = load <4 x i32>, ptr addrspace(1) %in
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %a = phi <4 x i32> [%first, %entry], [%next, %loop]
  %acc = phi <4 x float> [zeroinitializer, %entry], [%d, %loop]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.rs.f32.f16.f16.v4f32(<4 x float> %acc, <4 x i32> %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %next = load volatile <4 x i32>, ptr addrspace(1) %in
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; Redefined before the group is even committed: it is committed for that.
;
; CHECK-LABEL: .entry uncommitted(
; CHECK:       wgmma.mma_async{{.*}}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[META:%r[0-9]+]], 1,
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  ld.volatile.global.b32
; CHECK-NOT:   wgmma.
; CHECK:       ret;
define ptx_kernel void @uncommitted(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %n) {
entry:
  %first = load i32, ptr addrspace(1) %in
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %meta = phi i32 [%first, %entry], [%next, %loop]
  %acc = phi <4 x float> [zeroinitializer, %entry], [%d, %loop]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i32 %meta, i32 1, i1 true, i32 1, i32 1, i1 0, i1 0)
  %next = load volatile i32, ptr addrspace(1) %in
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; Loaded after the wait: nothing is added.
;
; CHECK-LABEL: .entry waited(
; CHECK:       wgmma.mma_async{{.*}}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[META:%r[0-9]+]], 1,
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  ld.volatile.global.b32 [[META]],
; CHECK-NOT:   wgmma.wait_group
; CHECK:       ret;
define ptx_kernel void @waited(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %n) {
entry:
  %first = load i32, ptr addrspace(1) %in
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %meta = phi i32 [%first, %entry], [%next, %loop]
  %acc = phi <4 x float> [zeroinitializer, %entry], [%d, %loop]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i32 %meta, i32 1, i1 true, i32 1, i32 1, i1 0, i1 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = load volatile i32, ptr addrspace(1) %in
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit
exit:
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}
