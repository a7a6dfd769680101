; An element of a fragment of A that is tested for zero: from lop3.b32, which moves it, and a comparison for equality ptxas
; makes one instruction, and ends with a segmentation fault, as of 13.0 and 12.4.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.u8.u8.v4i32(<4 x i32>, <4 x i32>, i64, i1, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; CHECK-LABEL: .entry first_round(
; CHECK:       lop3.b32 [[ROUND:%r[0-9]+]],
; CHECK-NOT:   setp.{{eq|ne}}.b32 {{%p[0-9]+}}, [[ROUND]], 0;
; CHECK:       lop3.b32 [[TESTED:%r[0-9]+]], {{%r[0-9]+, [0-9]+}}, [[ROUND]], 0x6a;
; CHECK-NEXT:  setp.{{gt.u32|lt.u32}} {{%p[0-9]+}}, [[TESTED]],
; CHECK:       ret;
define ptx_kernel void @first_round(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %b, ptr addrspace(1) %flags) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %a = load <4 x i32>, ptr addrspace(1) %in, align 16
  %flag = load volatile i32, ptr addrspace(1) %flags
  %bit = and i32 %flag, 1
  %again = icmp ne i32 %bit, 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.u8.u8.v4i32(<4 x i32> zeroinitializer, <4 x i32> %a, i64 %b, i1 %again, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %is.first = icmp eq i32 %i, 0
  br i1 %is.first, label %keep, label %next

keep:
  store <4 x i32> %d, ptr addrspace(1) %out
  br label %next

next:
  %i.next = load volatile i32, ptr addrspace(1) %flags
  br i1 %again, label %loop, label %exit

exit:
  %rounds = insertelement <4 x i32> zeroinitializer, i32 %i, i64 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.u8.u8.v4i32(<4 x i32> zeroinitializer, <4 x i32> %rounds, i64 %b, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = getelementptr i8, ptr addrspace(1) %out, i64 4096
  store <4 x i32> %e, ptr addrspace(1) %f
  ret void
}

; Where an element is tested for another value, ptxas takes that for the element: one of the wgmma of random kernel 45003642
; read a register that was never written, on an H100.
; CHECK-LABEL: .entry known_element(
; CHECK:       lop3.b32 [[TESTED:%r[0-9]+]], {{%r[0-9]+, [0-9]+}}, [[ELEMENT:%r[0-9]+]], 0x6a;
; CHECK-NEXT:  setp.{{eq|ne}}.b32 {{%p[0-9]+}}, [[TESTED]], 1;
; CHECK:       wgmma.mma_async{{.*}}}, {[[ELEMENT]],
; CHECK:       ret;
define ptx_kernel void @known_element(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %b) {
entry:
  %a = load <4 x i32>, ptr addrspace(1) %in, align 16
  %element = extractelement <4 x i32> %a, i64 0
  %is.one = icmp eq i32 %element, 1
  br i1 %is.one, label %multiply, label %exit

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.u8.u8.v4i32(<4 x i32> zeroinitializer, <4 x i32> %a, i64 %b, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %d, ptr addrspace(1) %out
  br label %exit

exit:
  ret void
}

; A register that it is compared with may be zero, too.
; CHECK-LABEL: .entry known_register(
; CHECK:       lop3.b32 [[TESTED:%r[0-9]+]], {{%r[0-9]+, [0-9]+}}, [[ELEMENT:%r[0-9]+]], 0x6a;
; CHECK-NEXT:  sub.s32 [[DIFFERENCE:%r[0-9]+]], [[TESTED]], [[REGISTER:%r[0-9]+]];
; CHECK-NEXT:  setp.{{gt.u32|lt.u32}} {{%p[0-9]+}}, [[DIFFERENCE]], {{0|1}};
; CHECK:       wgmma.mma_async{{.*}}}, {[[ELEMENT]],
; CHECK:       ret;
define ptx_kernel void @known_register(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %b) {
entry:
  %a = load <4 x i32>, ptr addrspace(1) %in, align 16
  %element = extractelement <4 x i32> %a, i64 0
  %zero = call i32 asm "mov.u32 $0, 0;", "=r"()
  %isnt.zero = icmp ne i32 %element, %zero
  br i1 %isnt.zero, label %multiply, label %exit

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.u8.u8.v4i32(<4 x i32> zeroinitializer, <4 x i32> %a, i64 %b, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %d, ptr addrspace(1) %out
  br label %exit

exit:
  ret void
}
