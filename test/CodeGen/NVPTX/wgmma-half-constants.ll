; What CUDA's headers make of constants in inline assembly is known where an accumulator starts from
; it: a wgmma that adds to zero overwrites. See NVPTXHalfAsm.cpp.
; RUN: opt -S -O1 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 %s | FileCheck %s
; RUN: llc %s -o - -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefix=PTX
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ llc %s -o %t.ptx -mcpu=sm_90a -mattr=+ptx82 && %ptxas-verify -arch=sm_90a %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; __float2half(0.f) and __float2half2_rn(0.f).
; CHECK-LABEL: define <2 x i32> @zeros(
; CHECK-NOT: asm
; CHECK: mma_async.ss.f16.f16.f16.v2i32(<2 x i32> poison, i64 %a, i64 %b, i1 false,
define <2 x i32> @zeros(i64 %a, i64 %b) {
  %h = call i16 asm "{  cvt.rn.f16.f32 $0, $1;}\0A", "=h,f"(float 0.0)
  %w = zext i16 %h to i32
  %up = shl i32 %w, 16
  %r0 = or i32 %up, %w
  %r1 = call i32 asm "{.reg .f16 low;\0A  cvt.rn.f16.f32 low, $1;\0A  mov.b32 $0, {low,low};}\0A", "=r,f"(float 0.0)
  %c0 = insertelement <2 x i32> poison, i32 %r0, i32 0
  %c = insertelement <2 x i32> %c0, i32 %r1, i32 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <2 x i32> %d
}

; 1 + 2^-11 is a tie, and rounds to 1; 1 + 3 * 2^-11 rounds to 1 + 2^-9; 2^-25 is a tie, too, and
; rounds to 0, and 2^-24 is the smallest half; 65520 rounds to infinity.
; CHECK-LABEL: define <2 x i32> @rounded(
; CHECK-NOT: asm
; CHECK-DAG: store i32 1006779392, ptr %p
; CHECK-DAG: store i32 65536, ptr
; CHECK-DAG: store i32 2080407552, ptr
; CHECK: ret
define <2 x i32> @rounded(<2 x i32> %c, i64 %a, i64 %b, ptr %p) {
  %ties = call i32 asm "{ cvt.rn.f16x2.f32 $0, $2, $1; }\0A", "=r,f,f"(float 0x3FF0020000000000, float 0x3FF0060000000000)
  %small = call i32 asm "{.reg .f16 low,high;\0A  cvt.rn.f16.f32 low, $1;\0A  cvt.rn.f16.f32 high, $2;\0A  mov.b32 $0, {low,high};}\0A", "=r,f,f"(float 0x3E60000000000000, float 0x3E70000000000000)
  %large = call i32 asm "{ cvt.rn.f16x2.f32 $0, $2, $1; }\0A", "=r,f,f"(float -0.0, float 65520.0)
  store i32 %ties, ptr %p
  %p1 = getelementptr i32, ptr %p, i64 1
  store i32 %small, ptr %p1
  %p2 = getelementptr i32, ptr %p, i64 2
  store i32 %large, ptr %p2
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <2 x i32> %d
}

; What is not known: no constant, no number, another rounding, an effect, and another instruction beside.
; CHECK-LABEL: define <2 x i32> @stays(
; CHECK-COUNT-5: asm
; PTX-LABEL: ) stays(
; PTX: cvt.rn.f16.f32
; PTX: cvt.rn.f16.f32
; PTX: cvt.rz.f16.f32
; PTX: cvt.rn.f16.f32
; PTX: cvt.rn.f16.f32
define <2 x i32> @stays(<2 x i32> %c, i64 %a, i64 %b, float %x, ptr %p) {
  %h0 = call i16 asm "cvt.rn.f16.f32 $0, $1;", "=h,f"(float %x)
  store volatile i16 %h0, ptr %p
  %h1 = call i16 asm "cvt.rn.f16.f32 $0, $1;", "=h,f"(float 0x7FF8000000000000)
  store volatile i16 %h1, ptr %p
  %h2 = call i16 asm "cvt.rz.f16.f32 $0, $1;", "=h,f"(float 1.0)
  store volatile i16 %h2, ptr %p
  %h3 = call i16 asm sideeffect "cvt.rn.f16.f32 $0, $1;", "=h,f,~{memory}"(float 1.0)
  store volatile i16 %h3, ptr %p
  %h4 = call i16 asm "{ .reg .f16 x; cvt.rn.f16.f32 x, $1; neg.f16 $0, x; }", "=h,f"(float 1.0)
  store volatile i16 %h4, ptr %p
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <2 x i32> %d
}
