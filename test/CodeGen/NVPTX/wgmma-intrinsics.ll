; The signatures of wgmma.mma_async and wgmma.fence_operand, and their attributes: a
; call of the former is convergent and may access any memory.
; RUN: opt -S -passes=verify %s | FileCheck %s

; CHECK: declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg) #[[ATTRIBUTES:[0-9]+]]
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
; CHECK: declare <66 x i32> @llvm.nvvm.wgmma.mma_async.sp.rs.f16.e4m3.e5m2.v66i32(<66 x i32>, <4 x i32>, i64, i32, i32 immarg range(i32 0, 1), i1, i32 immarg, i32 immarg) #[[ATTRIBUTES]]
declare <66 x i32> @llvm.nvvm.wgmma.mma_async.sp.rs.f16.e4m3.e5m2.v66i32(<66 x i32>, <4 x i32>, i64, i32, i32, i1, i32, i32)
; CHECK: declare <8 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.u8.v8i32(<8 x i32>, <4 x i32>, i64, i1, i1 immarg) #[[ATTRIBUTES]]
declare <8 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.u8.v8i32(<8 x i32>, <4 x i32>, i64, i1, i1)
; CHECK: declare <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32>) #[[OPERAND:[0-9]+]]
declare <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32>)
; CHECK: attributes #[[ATTRIBUTES]] = { convergent nocallback nofree nounwind willreturn }
; CHECK: attributes #[[OPERAND]] = { nocallback nofree nounwind willreturn memory(inaccessiblemem: readwrite) }
