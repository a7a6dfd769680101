; ptxas removes copies without knowing that a wgmma reads a fragment of A until it
; is waited for, and serializes all wgmma then. What would mislead it is no copy
; to its eyes: a multiple of a zero is added that it does not know.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -O0 | FileCheck %s --check-prefix=O0
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; The next A is loaded while the wgmma of this one is in flight.
; CHECK-LABEL: .entry next_fragment(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, {[[A0:%r[0-9]+]], [[A1:%r[0-9]+]], [[A2:%r[0-9]+]], [[A3:%r[0-9]+]]},
; CHECK:       ld.global.v4.b32 {[[N0:%r[0-9]+]], [[N1:%r[0-9]+]], [[N2:%r[0-9]+]], [[N3:%r[0-9]+]]}
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-DAG:   lop3.b32 [[A0]], {{.*}}, [[N0]], 0x6a;
; CHECK-DAG:   lop3.b32 [[A1]], {{.*}}, [[N1]], 0x6a;
; CHECK-DAG:   lop3.b32 [[A2]], {{.*}}, [[N2]], 0x6a;
; CHECK-DAG:   lop3.b32 [[A3]], {{.*}}, [[N3]], 0x6a;
; CHECK:       ret;
define ptx_kernel void @next_fragment(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %count) {
entry:
  %first = load <4 x i32>, ptr addrspace(1) %in, align 16
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %a = phi <4 x i32> [ %first, %entry ], [ %a.next, %loop ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %d.end, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.new = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %i.next = add i32 %i, 1
  %address = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %i.next
  %a.next = load <4 x i32>, ptr addrspace(1) %address, align 16
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.end = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d.new)
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit

exit:
  store <4 x float> %d.end, ptr addrspace(1) %out, align 4
  ret void
}

; A is the accumulator of another wgmma: f16 has the same layout in both.
; CHECK-LABEL: .entry accumulator_as_fragment(
; CHECK:       wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 {[[S0:%r[0-9]+]], [[S1:%r[0-9]+]],
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-DAG:   lop3.b32 [[P0:%r[0-9]+]], {{.*}}, [[S0]], 0x6a;
; CHECK-DAG:   lop3.b32 [[P1:%r[0-9]+]], {{.*}}, [[S1]], 0x6a;
; CHECK:       wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {{{.*}}}, {[[P0]], [[P1]],
; CHECK:       ret;
define ptx_kernel void @accumulator_as_fragment(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %c) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %s = call <8 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v8i32(<8 x i32> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %p = call <8 x i32> @llvm.nvvm.wgmma.fence_operand.v8i32(<8 x i32> %s)
  %p0 = shufflevector <8 x i32> %p, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %p1 = shufflevector <8 x i32> %p, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %o = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> zeroinitializer, <4 x i32> %p0, i64 %c, i1 false, i32 1, i32 1, i1 false)
  %c2 = add i64 %c, 32
  %o2 = call <8 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v8f32(<8 x float> %o, <4 x i32> %p1, i64 %c2, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %o2)
  store <8 x float> %r, ptr addrspace(1) %out, align 4
  ret void
}

; The value that A had goes on, on one of two ways: it is read in flight, and so copied before.
; CHECK-LABEL: .entry fragment_that_goes_on(
; CHECK:       ld.global.v4.b32 {[[B0:%r[0-9]+]],
; CHECK:       lop3.b32 [[COPY:%r[0-9]+]], {{%r[0-9]+, [0-9]+}}, [[B0]], 0x6a;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {{.*}}, {[[B0]],
; CHECK:       mov.b32 {{%r[0-9]+}}, [[COPY]];
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       ret;
define ptx_kernel void @fragment_that_goes_on(ptr addrspace(1) %out, i1 %skip, <4 x i32> %other) {
entry:
  %a = load <4 x i32>, ptr addrspace(1) %out, align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.bf16.bf16.v4f32(<4 x float> zeroinitializer, <4 x i32> %a, i64 0, i1 false, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br i1 %skip, label %end, label %then

then:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  %kept = phi <4 x i32> [ %other, %then ], [ %a, %entry ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %r, ptr addrspace(1) %out, align 4
  store <4 x i32> %kept, ptr addrspace(1) %out, align 4
  ret void
}

; An element of A comes from two branches, while the wgmma that reads A is in
; flight: ptxas would write the other value into its register, without a note. Seen
; on an H200, without optimization.
; CHECK-LABEL: .entry two_values(
; CHECK:       ld.global.v4.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, [[A3:%r[0-9]+]]},
; CHECK:       lop3.b32 [[COPY:%r[0-9]+]], {{.*}}, [[A3]], 0x6a;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, [[A3]]},
; CHECK:       lop3.b32 [[E3:%r[0-9]+]], {{.*}}, [[COPY]], 0x6a;
; CHECK:       lop3.b32 [[E3]],
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, [[E3]]},
;
; O0-LABEL: .entry two_values(
; O0:       ld.global.v4.b32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, [[A3:%r[0-9]+]]},
; O0:       lop3.b32 [[COPY:%r[0-9]+]], {{.*}}, [[A3]], 0x6a;
; O0:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, [[A3]]},
; O0:       mov.b32 [[E3:%r[0-9]+]], [[COPY]];
; O0:       mov.b32 [[E3]],
; O0:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @two_values(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %p) {
entry:
  %a = load <4 x i32>, ptr addrspace(1) %in, align 16
  %s = load volatile i32, ptr addrspace(1) %in, align 4
  %c = icmp eq i32 %s, 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> zeroinitializer, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %a3 = extractelement <4 x i32> %a, i32 3
  br i1 %c, label %then, label %join

then:
  store volatile i32 %p, ptr addrspace(1) %out, align 4
  br label %join

join:
  %e3 = phi i32 [ %a3, %entry ], [ %s, %then ]
  %e = insertelement <4 x i32> %a, i32 %e3, i32 3
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %d, <4 x i32> %e, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d2)
  store <4 x float> %r, ptr addrspace(1) %out, align 16
  ret void
}
