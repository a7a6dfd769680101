; Where one half of a register of a result is all that is needed, ptxas takes mov.b32 {_, %h}, %r for an access to a wgmma in
; flight, also in the inline assembly of CUDA's headers: 13.0 waits once more (C7517), 12.4 serializes all wgmma (C7514). It does
; not take cvt, a shift or prmt for that. See NVPTXTakeResultHalves.cpp.
; RUN: opt %s -passes=always-inline -o %t.bc
; RUN: llc %t.bc -o %t.ptx -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; CHECK-LABEL: .entry lower(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], %r{{[0-9]+}}},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   mov.b32
; CHECK:       cvt.u16.u32 [[H:%rs[0-9]+]], [[D0]];
; CHECK-NEXT:  cvt.f32.f16 %r{{[0-9]+}}, [[H]];
; CHECK:       wgmma.mma_async
define ptx_kernel void @lower(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d0 = extractelement <2 x i32> %d, i32 0
  %f = call float asm "{.reg .f16 low,high;\0A  mov.b32 {low,high},$1;\0A  cvt.f32.f16 $0, low;}\0A", "=f,r"(i32 %d0)
  store float %f, ptr addrspace(1) %out
  call void @multiply(ptr addrspace(1) %out, i64 %a, i64 %b)
  ret void
}

; CHECK-LABEL: .entry upper(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], %r{{[0-9]+}}},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   mov.b32
; CHECK:       prmt.b32 [[S:%r[0-9]+]], [[D0]], 0, 0x7732U;
; CHECK-NEXT:  cvt.u16.u32 [[H:%rs[0-9]+]], [[S]];
; CHECK-NEXT:  cvt.f32.f16 %r{{[0-9]+}}, [[H]];
; CHECK:       wgmma.mma_async
define ptx_kernel void @upper(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d0 = extractelement <2 x i32> %d, i32 0
  %f = call float asm "{.reg .f16 low,high;\0A  mov.b32 {low,high},$1;\0A  cvt.f32.f16 $0, high;}\0A", "=f,r"(i32 %d0)
  store float %f, ptr addrspace(1) %out
  call void @multiply(ptr addrspace(1) %out, i64 %a, i64 %b)
  ret void
}

; What converts the half, shifts it.
; CHECK-LABEL: .entry both(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], %r{{[0-9]+}}},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   mov.b32
; CHECK-NOT:   prmt
; CHECK-DAG:   cvt.u16.u32 [[L:%rs[0-9]+]], [[D0]];
; CHECK-DAG:   shr.u32 [[S:%r[0-9]+]], [[D0]], 16;
; CHECK-DAG:   cvt.u16.u32 [[H:%rs[0-9]+]], [[S]];
; CHECK-DAG:   cvt.f32.f16 %r{{[0-9]+}}, [[L]];
; CHECK-DAG:   cvt.f32.f16 %r{{[0-9]+}}, [[H]];
; CHECK:       wgmma.mma_async
define ptx_kernel void @both(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %halves = bitcast <2 x i32> %d to <4 x half>
  %h0 = extractelement <4 x half> %halves, i32 0
  %h1 = extractelement <4 x half> %halves, i32 1
  %f0 = fpext half %h0 to float
  %f1 = fpext half %h1 to float
  store float %f0, ptr addrspace(1) %out
  %p1 = getelementptr float, ptr addrspace(1) %out, i64 128
  store float %f1, ptr addrspace(1) %p1
  call void @multiply(ptr addrspace(1) %out, i64 %a, i64 %b)
  ret void
}

; Halves of two registers, in one instruction; a half of another value is taken as before.
; CHECK-LABEL: .entry together(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]]},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   cvt.u16.u32
; CHECK-DAG:   prmt.b32 %r{{[0-9]+}}, [[D0]], [[D1]], 0x5410U;
; CHECK-DAG:   prmt.b32 %r{{[0-9]+}}, [[D0]], [[D1]], 0x7632U;
; CHECK-DAG:   prmt.b32 %r{{[0-9]+}}, [[D1]], [[D1]], 0x5432U;
; CHECK-DAG:   prmt.b32 %r{{[0-9]+}}, [[D1]], [[D0]], 0x5432U;
; CHECK-DAG:   mov.b32 {_, %rs{{[0-9]+}}}, %r{{[0-9]+}};
; CHECK:       wgmma.mma_async
define ptx_kernel void @together(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d0 = extractelement <2 x i32> %d, i32 0
  %d1 = extractelement <2 x i32> %d, i32 1
  %lows = call i32 asm "{.reg .f16 alow,ahigh,blow,bhigh;\0A  mov.b32 {alow,ahigh}, $1;\0A  mov.b32 {blow,bhigh}, $2;\0A  mov.b32 $0, {alow,blow};}\0A", "=r,r,r"(i32 %d0, i32 %d1)
  store volatile i32 %lows, ptr addrspace(1) %out
  %highs = call i32 asm "{.reg .f16 alow,ahigh,blow,bhigh;\0A  mov.b32 {alow,ahigh}, $1;\0A  mov.b32 {blow,bhigh}, $2;\0A  mov.b32 $0, {ahigh,bhigh};}\0A", "=r,r,r"(i32 %d0, i32 %d1)
  store volatile i32 %highs, ptr addrspace(1) %out
  %swapped = call i32 asm "{.reg .f16 low,high;\0A  mov.b32 {low,high}, $1;\0A  mov.b32 $0, {high,low};}\0A", "=r,r"(i32 %d1)
  store volatile i32 %swapped, ptr addrspace(1) %out
  %halves = bitcast <2 x i32> %d to <4 x i16>
  %mixed = shufflevector <4 x i16> %halves, <4 x i16> poison, <2 x i32> <i32 3, i32 0>
  store volatile <2 x i16> %mixed, ptr addrspace(1) %out
  %other = load volatile i32, ptr addrspace(1) %out
  %square = mul i32 %other, %other
  %others = bitcast i32 %square to <2 x half>
  %half = extractelement <2 x half> %others, i32 1
  %float = fpext half %half to float
  store volatile float %float, ptr addrspace(1) %out
  call void @multiply(ptr addrspace(1) %out, i64 %a, i64 %b)
  ret void
}

; What is computed of lower halves alike would be computed of two at a time, and these put together ahead of the second wait
; (C7514). One by one they are taken by prmt.
; CHECK-LABEL: .entry alike(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], %r{{[0-9]+}}},
; CHECK:       wgmma.mma_async{{.*}} {[[E0:%r[0-9]+]], %r{{[0-9]+}}},
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK:       prmt.b32 [[S0:%r[0-9]+]], [[D0]], 0, 0x7710U;
; CHECK-NEXT:  cvt.u16.u32 [[H0:%rs[0-9]+]], [[S0]];
; CHECK:       mul.rn.f16 %rs{{[0-9]+}}, [[H0]], [[SCALE:%rs[0-9]+]];
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       prmt.b32 [[S1:%r[0-9]+]], [[E0]], 0, 0x7710U;
; CHECK-NEXT:  cvt.u16.u32 [[H1:%rs[0-9]+]], [[S1]];
; CHECK:       mul.rn.f16 %rs{{[0-9]+}}, [[H1]], [[SCALE]];
define ptx_kernel void @alike(ptr addrspace(1) %out, i64 %a, i64 %b, half %scale) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %e = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %d.halves = bitcast <2 x i32> %d to <4 x half>
  %d0 = extractelement <4 x half> %d.halves, i32 0
  %d.scaled = fmul half %d0, %scale
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e.halves = bitcast <2 x i32> %e to <4 x half>
  %e0 = extractelement <4 x half> %e.halves, i32 0
  %e.scaled = fmul half %e0, %scale
  store half %d.scaled, ptr addrspace(1) %out
  %next = getelementptr half, ptr addrspace(1) %out, i64 128
  store half %e.scaled, ptr addrspace(1) %next
  %rest = getelementptr i32, ptr addrspace(1) %out, i64 128
  %d1 = extractelement <2 x i32> %d, i32 1
  %e1 = extractelement <2 x i32> %e, i32 1
  %sum = xor i32 %d1, %e1
  store i32 %sum, ptr addrspace(1) %rest
  ret void
}

; So are those that are compared.
; CHECK-LABEL: .entry compared(
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK:       prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0, 0x7710U;
; CHECK:       setp.gt.f16
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       prmt.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 0, 0x7710U;
; CHECK:       setp.gt.f16
define ptx_kernel void @compared(ptr addrspace(1) %out, i64 %a, i64 %b, half %scale) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %e = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %d.halves = bitcast <2 x i32> %d to <4 x half>
  %d0 = extractelement <4 x half> %d.halves, i32 0
  %d.greater = fcmp ogt half %d0, %scale
  %d.scaled = select i1 %d.greater, half %d0, half %scale
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e.halves = bitcast <2 x i32> %e to <4 x half>
  %e0 = extractelement <4 x half> %e.halves, i32 0
  %e.greater = fcmp ogt half %e0, %scale
  %e.scaled = select i1 %e.greater, half %e0, half %scale
  store half %d.scaled, ptr addrspace(1) %out
  %next = getelementptr half, ptr addrspace(1) %out, i64 128
  store half %e.scaled, ptr addrspace(1) %next
  %rest = getelementptr i32, ptr addrspace(1) %out, i64 128
  %d1 = extractelement <2 x i32> %d, i32 1
  %e1 = extractelement <2 x i32> %e, i32 1
  %sum = xor i32 %d1, %e1
  store i32 %sum, ptr addrspace(1) %rest
  ret void
}

; One alone is not.
; CHECK-LABEL: .entry alone(
; CHECK-NOT:   prmt
; CHECK:       mul.rn.f16
; CHECK-NOT:   prmt
; CHECK:       ret;
define ptx_kernel void @alone(ptr addrspace(1) %out, i64 %a, i64 %b, half %scale) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.halves = bitcast <2 x i32> %d to <4 x half>
  %d0 = extractelement <4 x half> %d.halves, i32 0
  %d.scaled = fmul half %d0, %scale
  store half %d.scaled, ptr addrspace(1) %out
  ret void
}

; Assembly that does anything else is left as it is, and no half of what it would have is computed.
; CHECK-LABEL: .entry unknown(
; CHECK:       wgmma.mma_async{{.*}} {[[D0:%r[0-9]+]], %r{{[0-9]+}}},
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   cvt.u16.u32
; CHECK:       mov.b32 {low,high}, [[D0]];
; CHECK-NEXT:  cvt.rni.f16.f16 low, low;
; CHECK-NOT:   cvt.u16.u32
; CHECK:       ret;
define ptx_kernel void @unknown(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d0 = extractelement <2 x i32> %d, i32 0
  %r = call i32 asm "{.reg .f16 low,high;\0A  mov.b32 {low,high}, $1;\0A  cvt.rni.f16.f16 low, low;\0A  mov.b32 $0, {low,high};}\0A", "=r,r"(i32 %d0)
  store i32 %r, ptr addrspace(1) %out
  ret void
}

; Nor is one that clobbers memory replaced.
; CHECK-LABEL: .entry clobbers(
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK:       mov.b32 {low,high},
; CHECK:       ret;
define ptx_kernel void @clobbers(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d0 = extractelement <2 x i32> %d, i32 0
  %f = call float asm "{.reg .f16 low,high;\0A  mov.b32 {low,high},$1;\0A  cvt.f32.f16 $0, high;}\0A", "=f,r,~{memory}"(i32 %d0)
  store float %f, ptr addrspace(1) %out
  ret void
}

define internal void @multiply(ptr addrspace(1) %out, i64 %a, i64 %b) alwaysinline {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <2 x i32> %d, ptr addrspace(1) %out
  ret void
}
