; Fragments of A that are halves of values of 64 bits, which are needed later: ptxas, as of 13.0, has the lower half for
; both (random kernel 29014855, on an H200). wgmma-fragment-halves-sass.test looks at the machine code.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

declare <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32>, <4 x i32>, i64, i1, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i32, i32 immarg, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; On one of two paths.
; CHECK-LABEL: .entry loaded_or_not(
; CHECK:       ld.global.v2.b64 {[[LOW:%rd[0-9]+]], [[HIGH:%rd[0-9]+]]},
; CHECK:       mov.u32 [[ZERO:%r[0-9]+]], %clock_hi;
; CHECK-NEXT:  shr.s32 [[ZERO]], [[ZERO]], 31;
; CHECK-DAG:   mov.b64 {_, [[HALF3:%r[0-9]+]]}, [[HIGH]];
; CHECK-DAG:   lop3.b32 [[A3:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[HALF3]], 0x6a;
; CHECK-DAG:   cvt.u32.u64 [[HALF2:%r[0-9]+]], [[HIGH]];
; CHECK-DAG:   lop3.b32 [[A2:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[HALF2]], 0x6a;
; CHECK-DAG:   mov.b64 {_, [[HALF1:%r[0-9]+]]}, [[LOW]];
; CHECK-DAG:   lop3.b32 [[A1:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[HALF1]], 0x6a;
; CHECK-DAG:   cvt.u32.u64 [[HALF0:%r[0-9]+]], [[LOW]];
; CHECK-DAG:   lop3.b32 [[A0:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[HALF0]], 0x6a;
; CHECK:       wgmma.mma_async.{{.*}}, {[[A0]], [[A1]], [[A2]], [[A3]]},
; CHECK:       ret;
define ptx_kernel void @loaded_or_not(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i1 %is.loaded) {
entry:
  br i1 %is.loaded, label %load, label %multiply

load:
  %bits = load <2 x i64>, ptr addrspace(1) %in
  %halves = bitcast <2 x i64> %bits to <4 x i32>
  br label %multiply

multiply:
  %a = phi <4 x i32> [ %halves, %load ], [ zeroinitializer, %entry ]
  %kept = phi <2 x i64> [ %bits, %load ], [ zeroinitializer, %entry ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> zeroinitializer, <4 x i32> %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %d, ptr addrspace(1) %out
  %next = getelementptr i8, ptr addrspace(1) %out, i64 16
  store <2 x i64> %kept, ptr addrspace(1) %next
  ret void
}

; Loaded in one round of a loop, multiplied in the next one.
; CHECK-LABEL: .entry loaded_ahead(
; CHECK:       wgmma.mma_async.{{.*}}, {[[A0:%r[0-9]+]], [[A1:%r[0-9]+]], [[A2:%r[0-9]+]], [[A3:%r[0-9]+]]},
; CHECK:       ld.volatile.global.v2.b64 {[[LOW:%rd[0-9]+]], [[HIGH:%rd[0-9]+]]},
; CHECK-DAG:   mov.b64 {_, [[HALF3:%r[0-9]+]]}, [[HIGH]];
; CHECK-DAG:   lop3.b32 [[A3]], [[ZERO:%r[0-9]+]], {{[0-9]+}}, [[HALF3]], 0x6a;
; CHECK-DAG:   cvt.u32.u64 [[HALF2:%r[0-9]+]], [[HIGH]];
; CHECK-DAG:   lop3.b32 [[A2]], [[ZERO]], {{[0-9]+}}, [[HALF2]], 0x6a;
; CHECK-DAG:   mov.b64 {_, [[HALF1:%r[0-9]+]]}, [[LOW]];
; CHECK-DAG:   lop3.b32 [[A1]], [[ZERO]], {{[0-9]+}}, [[HALF1]], 0x6a;
; CHECK-DAG:   cvt.u32.u64 [[HALF0:%r[0-9]+]], [[LOW]];
; CHECK-DAG:   lop3.b32 [[A0]], [[ZERO]], {{[0-9]+}}, [[HALF0]], 0x6a;
; CHECK:       st.global.v2.b64 [{{%rd[0-9]+}}], {[[LOW]], [[HIGH]]};
; CHECK:       mov.u32 [[ZERO]], %clock_hi;
; CHECK:       ret;
define ptx_kernel void @loaded_ahead(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %rounds) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x i32> [ zeroinitializer, %entry ], [ %d, %loop ]
  %a = phi <4 x i32> [ zeroinitializer, %entry ], [ %halves, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %c, <4 x i32> %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %from = getelementptr <2 x i64>, ptr addrspace(1) %in, i32 %i
  %bits = load volatile <2 x i64>, ptr addrspace(1) %from
  %halves = bitcast <2 x i64> %bits to <4 x i32>
  %to = getelementptr <2 x i64>, ptr addrspace(1) %out, i32 %i
  store <2 x i64> %bits, ptr addrspace(1) %to
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %rounds
  br i1 %again, label %loop, label %exit

exit:
  store <4 x i32> %d, ptr addrspace(1) %out
  ret void
}

; Metadata, of which 12.4 and 13.0 would write the register ahead of the wait (C7513).
; CHECK-LABEL: .entry metadata(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       wgmma.mma_async.sp.{{.*}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[METADATA:%r[0-9]+]], 0,
; CHECK:       ld.volatile.global.b64
; CHECK-NEXT:  add.s64 [[NEXT:%rd[0-9]+]],
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       cvt.u32.u64 [[HALF:%r[0-9]+]], [[NEXT]];
; CHECK:       lop3.b32 [[METADATA]], %r{{[0-9]+}}, {{[0-9]+}}, [[HALF]], 0x6a;
; CHECK:       bra [[LOOP]];
define ptx_kernel void @metadata(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %n) {
entry:
  %start = load i64, ptr addrspace(1) %in
  %start.half = trunc i64 %start to i32
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  %metadata = phi i32 [ %start.half, %entry ], [ %next.half, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i32 %metadata, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %address = getelementptr i64, ptr addrspace(1) %in, i32 %i
  %loaded = load volatile i64, ptr addrspace(1) %address
  %next = add i64 %loaded, %start
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next.half = trunc i64 %next to i32
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}
