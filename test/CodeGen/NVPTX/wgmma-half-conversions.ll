; Where elements of a result are converted to halves and stored one by one, ptxas converts two at a time and takes that
; for an access to a wgmma in flight: 13.0 waits once more (C7517), 12.4 serializes all wgmma (C7514). Not if the program
; converts two at a time.
; RUN: opt -S -passes=nvptx-merge-halves -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s --check-prefix=IR
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32>, i64, i64, i1, i1 immarg)
declare <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)

; The lower half of the pair is the first of the two. A third has nothing to go with.
; IR-LABEL: @truncated(
; IR:       [[HI:%.*]] = freeze float %e1
; IR-NEXT:  [[LO:%.*]] = freeze float %e0
; IR-NEXT:  [[HALVES:%.*]] = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float [[HI]], float [[LO]])
; IR-NEXT:  [[FIRST:%.*]] = extractelement <2 x half> [[HALVES]], {{i[0-9]+}} 0
; IR-NEXT:  [[SECOND:%.*]] = extractelement <2 x half> [[HALVES]], {{i[0-9]+}} 1
; IR-NEXT:  store half [[FIRST]], ptr addrspace(1) %out
; IR:       store half [[SECOND]], ptr addrspace(1) %p1
; IR:       fptrunc float %e2 to half
;
; CHECK-LABEL: .entry truncated(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       cvt.rn.f16x2.f32 [[PAIR:%r[0-9]+]], [[D1]], [[D0]];
; CHECK:       mov.b32 {[[H0:%rs[0-9]+]], [[H1:%rs[0-9]+]]}, [[PAIR]];
; CHECK:       st.global.b16 [[[OUT:%rd[0-9]+]]], [[H0]];
; CHECK-NEXT:  st.global.b16 [[[OUT]]+256], [[H1]];
; CHECK:       cvt.rn.f16.f32 %rs{{[0-9]+}}, [[D2]];
; CHECK-NOT:   cvt
; CHECK:       ret;
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

; As CUDA's headers convert, with more than one step, behind fence_operand; the second is fetched where it is converted.
; IR-LABEL: @assembly(
; IR:       call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rz(
; IR:       store i16
; IR:       store i16
; IR-NOT:   asm
; IR:       ret void
;
; CHECK-LABEL: .entry assembly(
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       cvt.rz.bf16x2.f32
; CHECK:       ret;
define ptx_kernel void @assembly(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %e0 = extractelement <4 x float> %r, i32 0
  %h0 = call i16 asm "{  cvt.rz.bf16.f32 $0, $1;}\0A", "=h,f"(float %e0)
  store i16 %h0, ptr addrspace(1) %out
  %e3 = extractelement <4 x float> %r, i32 3
  %h3 = call i16 asm "cvt.rz.bf16.f32 $0, $1;", "=h,f"(float %e3)
  %p3 = getelementptr i16, ptr addrspace(1) %out, i64 128
  store i16 %h3, ptr addrspace(1) %p3
  ret void
}

; What is stored together, or converted otherwise, stays.
; IR-LABEL: @stays(
; IR-NOT:   ff2f16x2
; IR:       ret void
define ptx_kernel void @stays(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e0 = extractelement <4 x float> %d, i32 0
  %e1 = extractelement <4 x float> %d, i32 1
  %h0 = fptrunc float %e0 to half
  %h1 = fptrunc float %e1 to half
  %v0 = insertelement <2 x half> poison, half %h0, i32 0
  %v1 = insertelement <2 x half> %v0, half %h1, i32 1
  store <2 x half> %v1, ptr addrspace(1) %out
  %e2 = extractelement <4 x float> %d, i32 2
  %e3 = extractelement <4 x float> %d, i32 3
  %h2 = call i16 asm "cvt.rn.relu.f16.f32 $0, $1;", "=h,f"(float %e2)
  %p2 = getelementptr i16, ptr addrspace(1) %out, i64 128
  store i16 %h2, ptr addrspace(1) %p2
  %h3 = call i16 asm "cvt.rn.relu.f16.f32 $0, $1;", "=h,f"(float %e3)
  %p3 = getelementptr i16, ptr addrspace(1) %out, i64 256
  store i16 %h3, ptr addrspace(1) %p3
  ret void
}

; So it is with the upper halves.
; CHECK-LABEL: .entry upper(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], %r{{[0-9]+}}, %r{{[0-9]+}}},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       prmt.b32 {{%r[0-9]+}}, [[D0]], 0, 0x7732U;
; CHECK:       prmt.b32 {{%r[0-9]+}}, [[D1]], 0, 0x7732U;
; CHECK:       ret;
define ptx_kernel void @upper(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> poison, i64 %a, i64 %b, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %halves = bitcast <4 x i32> %d to <8 x i16>
  %h0 = extractelement <8 x i16> %halves, i32 1
  %h1 = extractelement <8 x i16> %halves, i32 3
  store i16 %h0, ptr addrspace(1) %out
  %p1 = getelementptr i16, ptr addrspace(1) %out, i64 128
  store i16 %h1, ptr addrspace(1) %p1
  ret void
}

; But not with both halves of a register.
; CHECK-LABEL: .entry both(
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   prmt
; CHECK:       ret;
define ptx_kernel void @both(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <2 x i32> @llvm.nvvm.wgmma.fence_operand.v2i32(<2 x i32> %d)
  %halves = bitcast <2 x i32> %r to <4 x half>
  %h0 = extractelement <4 x half> %halves, i32 0
  %h1 = extractelement <4 x half> %halves, i32 1
  store half %h0, ptr addrspace(1) %out
  %p1 = getelementptr half, ptr addrspace(1) %out, i64 128
  store half %h1, ptr addrspace(1) %p1
  ret void
}
