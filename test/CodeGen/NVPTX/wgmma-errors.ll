; What the verifier rejects of dense wgmma, as wgmma-sp-errors.ll has it of sparse:
; a line that names the intrinsic, what it needs and what it got.
; RUN: not opt -S -passes=verify %s -o /dev/null -mtriple=nvptx64 2>&1 | FileCheck %s --implicit-check-not='llvm.nvvm{{.*}}:' --implicit-check-not='Stack dump'
; RUN: not llc %s -o /dev/null -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 2>&1 | FileCheck %s --implicit-check-not='llvm.nvvm{{.*}}:' --implicit-check-not='Stack dump'

; Every length that means no valid N, and wrong elements, for each intrinsic.
; RUN: %python %S/wgmma.py --invalid --only=dense > %t.ll
; RUN: not opt -S -passes=verify %t.ll -o /dev/null -mtriple=nvptx64 2>&1 | FileCheck %t.ll --implicit-check-not='llvm.nvvm{{.*}}:' --implicit-check-not='Stack dump'

; The accumulator.

; CHECK: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16: accumulator must be <N/2 x float> with N one of 8, 16, ..., 256, got <6 x float>
; CHECK-NEXT: call <6 x float>
define void @no_n(i64 %a, i64 %b) {
  %r = call <6 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v6f32(<6 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  ret void
}

; N = 40 exists for floating point, not for integers, nor for bits.
; CHECK: llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8: accumulator must be <N/2 x i32> with N one of 8, 16, 24, 32, 48, ..., 256, got <20 x i32>
define void @no_integer_n(i64 %a, i64 %b) {
  %r = call <20 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v20i32(<20 x i32> zeroinitializer, i64 %a, i64 %b, i1 true, i1 false)
  ret void
}

; CHECK: llvm.nvvm.wgmma.mma_async.rs.s32.b1.b1.and.popc: accumulator must be <N/2 x i32> with N one of 8, 16, 24, 32, 48, ..., 256, got <20 x i32>
define void @no_bit_n(<4 x i32> %a, i64 %b) {
  %r = call <20 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.b1.b1.and.popc.v20i32(<20 x i32> zeroinitializer, <4 x i32> %a, i64 %b, i1 true)
  ret void
}

; CHECK: llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16: accumulator must be <N/4 x i32> {{.*}}, got <32 x half>
define void @halves_not_packed(i64 %a, i64 %b) {
  %r = call <32 x half> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v32f16(<32 x half> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  ret void
}

; The immediates' values.

; CHECK: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16: scale of A must be the constant 1 or -1, got 0
define void @scale_a_0(i64 %a, i64 %b) {
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 0, i32 1, i1 false, i1 false)
  ret void
}

; CHECK: llvm.nvvm.wgmma.mma_async.rs.f32.e4m3.e5m2: scale of B must be the constant 1 or -1, got 2
define void @scale_b_2(<4 x i32> %a, i64 %b) {
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.e4m3.e5m2.v4f32(<4 x float> zeroinitializer, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 2)
  ret void
}

; Immediates that are not constant.

; CHECK: llvm.nvvm.wgmma.mma_async.ss.f32.bf16.bf16: scale of A must be the constant 1 or -1, got a value that is not constant
define void @scale_a_variable(i64 %a, i64 %b, i32 %x) {
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.bf16.bf16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 %x, i32 1, i1 false, i1 false)
  ret void
}

; CHECK: llvm.nvvm.wgmma.mma_async.ss.f32.tf32.tf32: scale of B must be the constant 1 or -1, got a value that is not constant
define void @scale_b_variable(i64 %a, i64 %b, i32 %x) {
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.tf32.tf32.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 %x)
  ret void
}

; CHECK: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16: transposition of A must be the constant 0 or 1, got a value that is not constant
define void @trans_a_variable(i64 %a, i64 %b, i1 %x) {
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 %x, i1 false)
  ret void
}

; CHECK: llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16: transposition of B must be the constant 0 or 1, got a value that is not constant
define void @trans_b_variable(<4 x i32> %a, i64 %b, i1 %x) {
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> zeroinitializer, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 %x)
  ret void
}

; CHECK: llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8: satfinite flag must be the constant 0 or 1, got a value that is not constant
define void @satfinite_variable(<4 x i32> %a, i64 %b, i1 %x) {
  %r = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> zeroinitializer, <4 x i32> %a, i64 %b, i1 true, i1 %x)
  ret void
}
