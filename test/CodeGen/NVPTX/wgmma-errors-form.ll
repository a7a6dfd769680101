; Declarations of another form, operands that are none, a negative wait: one error
; each, and no crash, also where nobody verifies.
;
; RUN: split-file %s %t
; RUN: not opt -passes=verify -disable-output %t/arity.ll 2>&1 | FileCheck %s --check-prefix=ARITY
; RUN: not opt -passes=verify -disable-output %t/operand.ll 2>&1 | FileCheck %s --check-prefix=OPERAND
; RUN: not llc -mcpu=sm_90a -mattr=+ptx82 -disable-verify -o /dev/null %t/operand.ll 2>&1 | FileCheck %s --check-prefix=OPERAND
; RUN: not opt -passes=verify -disable-output %t/wait.ll 2>&1 | FileCheck %s --check-prefix=WAIT

;--- arity.ll
; ARITY-NOT: {{Stack dump|PLEASE submit}}
; ARITY:     {{Callsite was not defined with variable arguments!|intrinsic has incorrect number of args. Expected 10, but got 1}}
declare <8 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v8f32(<8 x float>)
define <8 x float> @f(<8 x float> %a) {
  %r = call <8 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v8f32(<8 x float> %a)
  ret <8 x float> %r
}

;--- operand.ll
; OPERAND-NOT: {{Stack dump|LLVM ERROR}}
; OPERAND:     llvm.nvvm.wgmma.fence_operand: operand must be float, i32 or a vector of one of them, got <4 x half>
target triple = "nvptx64-nvidia-cuda"
declare <4 x half> @llvm.nvvm.wgmma.fence_operand.v4f16(<4 x half>)
define <4 x half> @f(<4 x half> %a) {
  %r = call <4 x half> @llvm.nvvm.wgmma.fence_operand.v4f16(<4 x half> %a)
  ret <4 x half> %r
}

;--- wait.ll
; WAIT: llvm.nvvm.wgmma.wait_group.sync.aligned: number of pending groups must not be negative, got -1
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
define void @f() {
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 -1)
  ret void
}
