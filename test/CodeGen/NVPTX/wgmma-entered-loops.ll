; Small programs whose wgmma ptxas, as of 13.0, serialized: each is from a random program.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 -verify-machineinstrs 2>%t.err
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: count 0 < %t.err
; RUN: %if ptxas-sm_90a && ptxas-isa-8.4 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

; A wgmma is in flight when a loop begins that goes on with it and waits in each round. What is read behind the loop seems to be in flight (C7514, C7517)
; without a wait for nothing.
; CHECK-LABEL: .entry read_behind_loop(
; CHECK:       wgmma.commit_group
; CHECK-NOT:   wgmma.wait_group
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       ld.volatile
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  st.global
define ptx_kernel void @read_behind_loop(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %m, i32 %n) {
entry:
  %start = load <4 x i32>, ptr addrspace(1) %in, align 4
  %meta.at = getelementptr i8, ptr addrspace(1) %in, i64 16
  %meta = load i32, ptr addrspace(1) %meta.at, align 4
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %first = call <4 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.s32.s8.u8.v4i32(<4 x i32> undef, i64 %a, i64 %b, i32 %meta, i32 0, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %fragment = phi <4 x i32> [ %start, %entry ], [ %fragment.next, %next ]
  %c = phi <4 x i32> [ %first, %entry ], [ %d, %next ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.sp.rs.s32.s8.u8.v4i32(<4 x i32> %c, <4 x i32> %fragment, i64 %b, i32 %meta, i32 0, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %is.second = icmp eq i32 %i, 1
  br i1 %is.second, label %second, label %next

second:
  %loaded.at = getelementptr i8, ptr addrspace(1) %in, i64 32
  %loaded = load volatile <4 x i32>, ptr addrspace(1) %loaded.at, align 16
  br label %next

next:
  %fragment.next = phi <4 x i32> [ %loaded, %second ], [ %fragment, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %sum = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %d)
  store <4 x i32> %sum, ptr addrspace(1) %out, align 4
  %last.at = getelementptr i8, ptr addrspace(1) %out, i64 16
  store volatile <4 x i32> %fragment.next, ptr addrspace(1) %last.at, align 4
  ret void
}
