; In modules with wgmma no access is told from another one by its type: an
; accumulator that is an array of halves is reinterpreted as registers. See
; NVPTXDropTBAA.cpp.
; RUN: split-file %s %t
; RUN: opt -S -passes=nvptx-drop-tbaa -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %t/wgmma.ll | FileCheck %t/wgmma.ll
; RUN: opt -S -passes=nvptx-drop-tbaa -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %t/other.ll | FileCheck %t/other.ll
; RUN: opt -S -O1 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %t/wgmma.ll | FileCheck %t/wgmma.ll --check-prefix=OPT
; RUN: opt -S -O3 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %t/wgmma.ll | FileCheck %t/wgmma.ll --check-prefix=OPT
; A target without wgmma does not have the pass in its pipeline.
; RUN: opt -S -O3 -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx80 %t/wgmma.ll | FileCheck %t/wgmma.ll --check-prefix=OTHER

;--- wgmma.ll
; CHECK-LABEL: @multiply(
; CHECK: store <4 x i32> %d, ptr %array, align 16{{$}}
; CHECK: load half, ptr %element, align 2{{$}}
; CHECK-LABEL: @copy(
; CHECK: i64 8, i1 false){{$}}

; OPT-LABEL: @multiply(
; OPT: store <4 x i32> %d, ptr %array, align 16{{$}}
; OPT-NOT: !tbaa
; OTHER-LABEL: @multiply(
; OTHER: store <4 x i32> %d, ptr %array, align 16, !tbaa
declare <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v4i32(<4 x i32>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)

; Written with a variable index, the array stays in memory.
define ptx_kernel void @multiply(ptr %p, i64 %a, i64 %b, i64 %i, i64 %j) {
  %array = alloca [8 x half], align 16
  store <8 x half> zeroinitializer, ptr %array, align 16, !tbaa !0
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v4i32(<4 x i32> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %d, ptr %array, align 16, !tbaa !3
  %written = getelementptr half, ptr %array, i64 %j
  store half 1.0, ptr %written, align 2, !tbaa !0
  %element = getelementptr half, ptr %array, i64 %i
  %x = load half, ptr %element, align 2, !tbaa !0
  store half %x, ptr %p, align 2, !tbaa !0
  ret void
}

define void @copy(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false), !tbaa.struct !5
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"_Float16", !2}
!2 = !{!"char", !4}
!3 = !{!6, !6, i64 0}
!4 = !{!"C++"}
!5 = !{i64 0, i64 8, !0}
!6 = !{!"int", !2}

;--- other.ll
; CHECK-LABEL: @store(
; CHECK: store half {{0xH0000|0\.0+e\+00}}, ptr %p, align 2, !tbaa
define void @store(ptr %p) {
  store half 0xH0000, ptr %p, align 2, !tbaa !0
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"_Float16", !2}
!2 = !{!"char"}
