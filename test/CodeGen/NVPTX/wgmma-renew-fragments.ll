; A fragment of A of which a loop writes three elements: ptxas, as of 13.0, has the inner loop use the register of the
; fourth, and does not load it again (random kernel 32017715, on an H200). wgmma-renew-fragments-sass.test looks at the
; machine code.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32>, <4 x i32>, i64, i1, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: .entry written_in_part(
; CHECK:       ld.global.b32 [[LOADED:%r[0-9]+]],
; CHECK:       [[OUTER:\$L__BB[0-9_]+]]:
; CHECK:       lop3.b32 [[COPY:%r[0-9]+]], {{%r[0-9]+}}, {{[0-9]+}}, [[LOADED]], 0x6a;
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.{{.*}}, {{{%r[0-9]+}}, [[COPY]], {{%r[0-9]+}}, {{%r[0-9]+}}},
; CHECK:       bar.sync
; CHECK:       ld.volatile.global.v4.b32 {[[B0:%r[0-9]+]],
; CHECK:       wgmma.mma_async.{{.*}}, {[[B0]],
; CHECK:       bra [[OUTER]];
; CHECK:       ret;
define ptx_kernel void @written_in_part(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %rounds) {
entry:
  %element = getelementptr i8, ptr addrspace(1) %in, i64 400
  %loaded = load i32, ptr addrspace(1) %element
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = phi <4 x i32> [ zeroinitializer, %entry ], [ %e, %latch ]
  %x = add i32 %i, 5
  %y = add i32 %i, 7
  %z = add i32 %i, 8
  %a0 = insertelement <4 x i32> poison, i32 %x, i32 0
  %a1 = insertelement <4 x i32> %a0, i32 %loaded, i32 1
  %a2 = insertelement <4 x i32> %a1, i32 %y, i32 2
  %a3 = insertelement <4 x i32> %a2, i32 %z, i32 3
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %c, <4 x i32> %a3, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %f = phi <4 x i32> [ %d, %outer ], [ %e, %inner ]
  %from = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %j
  %g = load volatile <4 x i32>, ptr addrspace(1) %from
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %e = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %f, <4 x i32> %g, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %j.next = add i32 %j, 1
  %more = icmp ult i32 %j.next, %rounds
  br i1 %more, label %inner, label %latch

latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %rounds
  br i1 %again, label %outer, label %exit

exit:
  store <4 x i32> %e, ptr addrspace(1) %out
  ret void
}
