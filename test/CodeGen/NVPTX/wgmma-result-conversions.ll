; Where elements of a result are converted to halves one by one, ptxas makes one conversion of two and takes that for an
; access to a wgmma in flight: 13.0 waits once more (C7517), 12.4 serializes all wgmma (C7514). Not if the program
; converts two at a time.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; The lower half of the pair is the first of the two. A third has nothing to go with.
; CHECK-LABEL: .entry truncated(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  cvt.rn.f16x2.f32 [[PAIR:%r[0-9]+]], [[D1]], [[D0]];
; CHECK-NEXT:  mov.b32 {[[H0:%rs[0-9]+]], [[H1:%rs[0-9]+]]}, [[PAIR]];
; CHECK-NEXT:  st.global.b16 [[[OUT:%rd[0-9]+]]], [[H0]];
; CHECK-NEXT:  st.global.b16 [[[OUT]]+256], [[H1]];
; CHECK-NEXT:  cvt.rn.f16x2.f32 [[TWICE:%r[0-9]+]], [[D2]], [[D2]];
; CHECK-NEXT:  shr.u32 [[UPPER:%r[0-9]+]], [[TWICE]], 16;
; CHECK-NEXT:  cvt.u16.u32 [[H2:%rs[0-9]+]], [[UPPER]];
; CHECK-NEXT:  st.global.b16 [[[OUT]]+512], [[H2]];
; CHECK-NEXT:  ret;
define ptx_kernel void @truncated(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e0 = extractelement <4 x float> %d, i32 0
  %e1 = extractelement <4 x float> %d, i32 1
  %e2 = extractelement <4 x float> %d, i32 2
  %h0 = fptrunc float %e0 to half
  store half %h0, ptr addrspace(1) %out
  %h1 = fptrunc float %e1 to half
  %p1 = getelementptr half, ptr addrspace(1) %out, i64 128
  store half %h1, ptr addrspace(1) %p1
  %h2 = fptrunc float %e2 to half
  %p2 = getelementptr half, ptr addrspace(1) %out, i64 256
  store half %h2, ptr addrspace(1) %p2
  ret void
}

; As CUDA's headers convert, and users who make it volatile. What rounds otherwise does not go with it.
; CHECK-LABEL: .entry assembly(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   cvt.{{r[nz].b?f16.f32}}
; CHECK:       cvt.rz.bf16x2.f32 %r{{[0-9]+}}, [[D3]], [[D0]];
; CHECK-NOT:   cvt.{{r[nz].b?f16.f32}}
; CHECK:       cvt.rn.bf16x2.f32 %r{{[0-9]+}}, [[D2]], [[D1]];
; CHECK-NOT:   cvt.{{r[nz].b?f16.f32}}
; CHECK:       cvt.rn.f16x2.f32 %r{{[0-9]+}}, [[D2]], [[D1]];
; CHECK-NOT:   cvt.{{r[nz].b?f16.f32}}
; CHECK:       ret;
define ptx_kernel void @assembly(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %e0 = extractelement <4 x float> %r, i32 0
  %e1 = extractelement <4 x float> %r, i32 1
  %e2 = extractelement <4 x float> %r, i32 2
  %e3 = extractelement <4 x float> %r, i32 3
  %h0 = call i16 asm "{  cvt.rz.bf16.f32 $0, $1;}\0A", "=h,f"(float %e0)
  store i16 %h0, ptr addrspace(1) %out
  %h1 = call i16 asm sideeffect "cvt.rn.bf16.f32 $0, $1;", "=h,f"(float %e1)
  %p1 = getelementptr i16, ptr addrspace(1) %out, i64 128
  store i16 %h1, ptr addrspace(1) %p1
  %g1 = call i16 asm "cvt.rn.f16.f32 $0, $1;", "=h,f"(float %e1)
  %q1 = getelementptr i16, ptr addrspace(1) %out, i64 1024
  store i16 %g1, ptr addrspace(1) %q1
  %h2 = call i16 asm "cvt.rn.bf16.f32 $0, $1;", "=h,f"(float %e2)
  %p2 = getelementptr i16, ptr addrspace(1) %out, i64 256
  store i16 %h2, ptr addrspace(1) %p2
  %g2 = call i16 asm "{ cvt.rn.f16.f32 $0, $1; }", "=h,f"(float %e2)
  %q2 = getelementptr i16, ptr addrspace(1) %out, i64 2048
  store i16 %g2, ptr addrspace(1) %q2
  %h3 = call i16 asm "cvt.rz.bf16.f32 $0, $1;", "=h,f"(float %e3)
  %p3 = getelementptr i16, ptr addrspace(1) %out, i64 512
  store i16 %h3, ptr addrspace(1) %p3
  ret void
}

; Elements of two results, and one with another value, which was there before.
; CHECK-LABEL: .entry others(
; CHECK:       ld.global.b32 [[OTHER:%r[0-9]+]],
; CHECK:       wgmma.mma_async{{.*}} {[[C0:%r[0-9]+]],
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]],
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       cvt.rn.f16x2.f32 %r{{[0-9]+}}, [[D0]], [[C0]];
; CHECK:       cvt.rn.f16x2.f32 %r{{[0-9]+}}, [[OTHER]], [[D1]];
; CHECK-NOT:   cvt.rn
; CHECK:       ret;
define ptx_kernel void @others(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b) {
  %other = load float, ptr addrspace(1) %in
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %c0 = extractelement <4 x float> %c, i32 0
  %d0 = extractelement <4 x float> %d, i32 0
  %d1 = extractelement <4 x float> %d, i32 1
  %h0 = fptrunc float %c0 to half
  store half %h0, ptr addrspace(1) %out
  %h1 = fptrunc float %d0 to half
  %p1 = getelementptr half, ptr addrspace(1) %out, i64 128
  store half %h1, ptr addrspace(1) %p1
  %h2 = fptrunc float %d1 to half
  %p2 = getelementptr half, ptr addrspace(1) %out, i64 256
  store half %h2, ptr addrspace(1) %p2
  %h3 = fptrunc float %other to half
  %p3 = getelementptr half, ptr addrspace(1) %out, i64 512
  store half %h3, ptr addrspace(1) %p3
  ret void
}

; With what is not there yet none is converted, be it loaded or in flight. Two values that are no results stay apart.
; CHECK-LABEL: .entry too_early(
; CHECK:       wgmma.mma_async{{.*}} {[[C0:%r[0-9]+]],
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]],
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK-NEXT:  cvt.rn.f16x2.f32 %r{{[0-9]+}}, [[C0]], [[C0]];
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NEXT:  cvt.rn.f16x2.f32 %r{{[0-9]+}}, [[D0]], [[D0]];
; CHECK:       ld.volatile.global.b32 [[FIRST:%r[0-9]+]],
; CHECK-NEXT:  cvt.rn.f16.f32 %rs{{[0-9]+}}, [[FIRST]];
; CHECK:       ld.volatile.global.b32 [[SECOND:%r[0-9]+]],
; CHECK-NEXT:  cvt.rn.f16.f32 %rs{{[0-9]+}}, [[SECOND]];
; CHECK-NOT:   cvt.rn
; CHECK:       ret;
define ptx_kernel void @too_early(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %c0 = extractelement <4 x float> %c, i32 0
  %h0 = fptrunc float %c0 to half
  store volatile half %h0, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d0 = extractelement <4 x float> %d, i32 0
  %h1 = fptrunc float %d0 to half
  store volatile half %h1, ptr addrspace(1) %out
  %first = load volatile float, ptr addrspace(1) %in
  %h2 = fptrunc float %first to half
  store volatile half %h2, ptr addrspace(1) %out
  %second = load volatile float, ptr addrspace(1) %in
  %h3 = fptrunc float %second to half
  store volatile half %h3, ptr addrspace(1) %out
  ret void
}

; Two values that are no results stay apart, where both are there.
; CHECK-LABEL: .entry no_results(
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       cvt.rn.f16.f32
; CHECK:       cvt.rn.f16.f32
; CHECK-NOT:   cvt.rn
; CHECK:       ret;
define ptx_kernel void @no_results(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b) {
  %first = load volatile float, ptr addrspace(1) %in
  %second = load volatile float, ptr addrspace(1) %in
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %h0 = fptrunc float %first to half
  store volatile half %h0, ptr addrspace(1) %out
  %h1 = fptrunc float %second to half
  store volatile half %h1, ptr addrspace(1) %out
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}

; Behind a loop, two are one, as ptxas would have it, and a third stays.
; CHECK-LABEL: .entry behind_loop(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]],
; CHECK:       bra
; CHECK:       cvt.rn.f16x2.f32 %r{{[0-9]+}}, [[D1]], [[D0]];
; CHECK:       cvt.rn.f16.f32 %rs{{[0-9]+}}, [[D2]];
; CHECK:       ret;
define ptx_kernel void @behind_loop(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %e0 = extractelement <4 x float> %d, i32 0
  %e1 = extractelement <4 x float> %d, i32 1
  %e2 = extractelement <4 x float> %d, i32 2
  %h0 = fptrunc float %e0 to half
  store volatile half %h0, ptr addrspace(1) %out
  %h1 = fptrunc float %e1 to half
  store volatile half %h1, ptr addrspace(1) %out
  %h2 = fptrunc float %e2 to half
  store volatile half %h2, ptr addrspace(1) %out
  ret void
}

; What converts two at a time, or otherwise, stays, and so does assembly that clobbers memory.
; CHECK-LABEL: .entry stays(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       cvt.rn.f16x2.f32 [[PAIR:%r[0-9]+]], [[D1]], [[D0]];
; CHECK-NEXT:  st.global.b32 [%rd{{[0-9]+}}], [[PAIR]];
; CHECK:       cvt.rn.f16x2.f32 [[ASM:%r[0-9]+]], [[D3]], [[D2]];
; CHECK:       cvt.rn.relu.f16.f32 %rs{{[0-9]+}}, [[D2]];
; CHECK:       cvt.rn.relu.f16.f32 %rs{{[0-9]+}}, [[D3]];
; CHECK:       cvt.rn.f16.f32 %rs{{[0-9]+}}, [[D3]];
; CHECK-NOT:   cvt
; CHECK:       ret;
define ptx_kernel void @stays(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e0 = extractelement <4 x float> %d, i32 0
  %e1 = extractelement <4 x float> %d, i32 1
  %e2 = extractelement <4 x float> %d, i32 2
  %e3 = extractelement <4 x float> %d, i32 3
  %h0 = fptrunc float %e0 to half
  %h1 = fptrunc float %e1 to half
  %v0 = insertelement <2 x half> poison, half %h0, i32 0
  %v1 = insertelement <2 x half> %v0, half %h1, i32 1
  store <2 x half> %v1, ptr addrspace(1) %out
  %pair = call i32 asm "cvt.rn.f16x2.f32 $0, $2, $1;", "=r,f,f"(float %e2, float %e3)
  %p1 = getelementptr i16, ptr addrspace(1) %out, i64 64
  store i32 %pair, ptr addrspace(1) %p1
  %h2 = call i16 asm "cvt.rn.relu.f16.f32 $0, $1;", "=h,f"(float %e2)
  %p2 = getelementptr i16, ptr addrspace(1) %out, i64 128
  store i16 %h2, ptr addrspace(1) %p2
  %h3 = call i16 asm "cvt.rn.relu.f16.f32 $0, $1;", "=h,f"(float %e3)
  %p3 = getelementptr i16, ptr addrspace(1) %out, i64 256
  store i16 %h3, ptr addrspace(1) %p3
  %h4 = call i16 asm sideeffect "cvt.rn.f16.f32 $0, $1;", "=h,f,~{memory}"(float %e3)
  %p4 = getelementptr i16, ptr addrspace(1) %out, i64 512
  store i16 %h4, ptr addrspace(1) %p4
  ret void
}
