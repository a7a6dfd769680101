; What an intrinsic of wgmma is selected as: one instruction for its types, its N and where A is, whose results
; are the registers of the accumulator, and whose operands are in the order of PTX.
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 -stop-after=finalize-isel -verify-machineinstrs | FileCheck %s
; RUN: llc -O0 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 -stop-after=finalize-isel -verify-machineinstrs | FileCheck %s

; A and B in shared memory, whose types may be transposed; the predicate is a register.
; CHECK-LABEL: name: ss
; CHECK: WGMMA_FENCE_SYNC_ALIGNED
; CHECK: %{{[0-9]+}}:b32, %{{[0-9]+}}:b32 = WGMMA_ss_f16_f16_f16_n8 {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, 1, -1, 0, 1
; CHECK: WGMMA_COMMIT_GROUP_SYNC_ALIGNED
; CHECK: WGMMA_WAIT_GROUP_SYNC_ALIGNED 0
define <2 x i32> @ss(<2 x i32> %d, i64 %a, i64 %b, i1 %scale.d) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %d, i64 %a, i64 %b, i1 %scale.d, i32 1, i32 -1, i1 false, i1 true)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <2 x i32> %r
}

; A in registers; integers have neither signs nor transposition.
; CHECK-LABEL: name: rs
; CHECK: = WGMMA_rs_s32_s8_u8_n8 {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, 1, 0{{$}}
; CHECK: WGMMA_COMMIT_GROUP_SYNC_ALIGNED
define <4 x i32> @rs(<4 x i32> %d, <4 x i32> %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.u8.v4i32(<4 x i32> %d, <4 x i32> %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <4 x i32> %r
}

; Sparse: metadata in a register, and the selector.
; CHECK-LABEL: name: sparse
; CHECK: = WGMMA_sp_ss_f32_bf16_bf16_n8 {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, {{(killed )?%[0-9]+}}, 1, 1, 1, 1, 0, 0
; CHECK: WGMMA_COMMIT_GROUP_SYNC_ALIGNED
define <4 x float> @sparse(<4 x float> %d, i64 %a, i64 %b, i32 %meta) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.bf16.bf16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %meta, i32 1, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <4 x float> %r
}
