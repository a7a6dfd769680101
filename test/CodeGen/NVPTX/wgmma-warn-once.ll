; What a loop did wrong is told once, also where the loop has been unrolled: of the
; wgmma that one commit would close, for the last one; and once for its place in
; the source, without a place, once for each function.
; RUN: llc < %s -o /dev/null -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2>&1 | FileCheck %s --implicit-check-not=warning:

; CHECK: warning: a.cu:3:3: in function placed: wgmma.mma_async is never committed
define ptx_kernel void @placed(i64 %a, i64 %b) !dbg !3 {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %1 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.b1.b1.and.popc.v4i32(<4 x i32> zeroinitializer, i64 %a, i64 %b, i1 false), !dbg !5
  %2 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.b1.b1.and.popc.v4i32(<4 x i32> %1, i64 %a, i64 %b, i1 true), !dbg !5
  %3 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.b1.b1.and.popc.v4i32(<4 x i32> %2, i64 %a, i64 %b, i1 true), !dbg !6
  ret void
}

; CHECK: warning: in function unplaced: wgmma.mma_async is never committed
define ptx_kernel void @unplaced(i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %1 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.b1.b1.and.popc.v4i32(<4 x i32> zeroinitializer, i64 %a, i64 %b, i1 false)
  %2 = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.b1.b1.and.popc.v4i32(<4 x i32> %1, i64 %a, i64 %b, i1 true)
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: NoDebug)
!1 = !DIFile(filename: "a.cu", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "placed", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 2, column: 3, scope: !3)
!6 = !DILocation(line: 3, column: 3, scope: !3)
