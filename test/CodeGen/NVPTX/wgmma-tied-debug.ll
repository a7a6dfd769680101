; After the wgmma, a variable whose value was the accumulator's has no register
; any more: it must not be shown with what the wgmma has made of it.
; RUN: llc %s -O2 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o - | FileCheck %s

; CHECK: DEBUG_VALUE: k:x <- %[[#X:]]
; CHECK: wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {{[[:space:]]*}}{%r[[#X]],
; CHECK: DEBUG_VALUE: k:y <- undef
define ptx_kernel void @k(ptr addrspace(1) %out, <4 x i32> %p0, i64 %a) !dbg !4 {
  %e = extractelement <4 x i32> %p0, i32 0
  %e1 = add i32 %e, 1
  #dbg_value(i32 %e1, !8, !DIExpression(), !9)
  %i = insertelement <4 x i32> %p0, i32 %e1, i32 0
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.s8.v4i32(<4 x i32> %i, i64 %a, i64 %a, i1 true, i1 false), !dbg !9
  #dbg_value(i32 %e1, !10, !DIExpression(), !9)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned(), !dbg !9
  %d0 = extractelement <4 x i32> %d, i32 0
  store volatile i32 %d0, ptr addrspace(1) %out, !dbg !9
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !7)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !{}
!8 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 1, type: !11)
!9 = !DILocation(line: 2, scope: !4)
!10 = !DILocalVariable(name: "y", scope: !4, file: !1, line: 1, type: !11)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
