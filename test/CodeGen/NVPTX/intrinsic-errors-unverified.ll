; A call of an intrinsic that there is not, of another type, or with an argument
; that is not constant: one error that names it, what it needs and what it got,
; from the verifier, and from llc where nobody verifies.
;
; DEFINE: %{check} = FileCheck %s --implicit-check-not="{{LLVM ERROR|Stack dump|Cannot select}}" --implicit-check-not="{{llvm[.]nvvm[.][a-z0-9_.]+:}}"
; DEFINE: %{verify} = opt -passes=verify -disable-output
; DEFINE: %{llc} = llc -mcpu=sm_90a -mattr=+ptx82 -disable-verify -o /dev/null
; RUN: split-file %s %t
; RUN: not %{verify} %t/name.ll 2>&1 | %{check} --check-prefix=NAME
; RUN: not %{verify} %t/few.ll 2>&1 | %{check} --check-prefix=FEW
; RUN: not %{verify} %t/type.ll 2>&1 | %{check} --check-prefix=TYPE
; RUN: not %{verify} %t/accumulator.ll 2>&1 | %{check} --check-prefix=ACCUMULATOR
; RUN: not %{verify} %t/void.ll 2>&1 | %{check} --check-prefix=VOID
; RUN: not %{verify} %t/fence.ll 2>&1 | %{check} --check-prefix=FENCE
; RUN: not %{verify} %t/selector.ll 2>&1 | %{check} --check-prefix=SELECTOR
; RUN: not %{verify} %t/scale.ll 2>&1 | %{check} --check-prefix=SCALE
; RUN: not %{verify} %t/transposed.ll 2>&1 | %{check} --check-prefix=TRANSPOSED
; RUN: not %{verify} %t/wait.ll 2>&1 | %{check} --check-prefix=WAIT
; RUN: not %{verify} %t/negative.ll 2>&1 | %{check} --check-prefix=NEGATIVE
; RUN: not %{verify} %t/operand.ll 2>&1 | %{check} --check-prefix=OPERAND
;
; RUN: not %{llc} %t/name.ll 2>&1 | %{check} --check-prefix=NAME
; RUN: not %{llc} %t/few.ll 2>&1 | %{check} --check-prefix=FEW
; RUN: not %{llc} %t/type.ll 2>&1 | %{check} --check-prefix=TYPE
; RUN: not %{llc} %t/accumulator.ll 2>&1 | %{check} --check-prefix=ACCUMULATOR
; RUN: not %{llc} %t/void.ll 2>&1 | %{check} --check-prefix=VOID
; RUN: not %{llc} %t/fence.ll 2>&1 | %{check} --check-prefix=FENCE
; RUN: not %{llc} %t/selector.ll 2>&1 | %{check} --check-prefix=SELECTOR
; RUN: not %{llc} %t/scale.ll 2>&1 | %{check} --check-prefix=SCALE
; RUN: not %{llc} %t/transposed.ll 2>&1 | %{check} --check-prefix=TRANSPOSED
; RUN: not %{llc} %t/wait.ll 2>&1 | %{check} --check-prefix=WAIT
; RUN: not %{llc} %t/negative.ll 2>&1 | %{check} --check-prefix=NEGATIVE
; RUN: not %{llc} %t/operand.ll 2>&1 | %{check} --check-prefix=OPERAND
; RUN: not llc -O0 -mcpu=sm_90a -mattr=+ptx82 -disable-verify -o /dev/null %t/type.ll 2>&1 | %{check} --check-prefix=TYPE
; A target without wgmma has no pass that looks for it.
; RUN: not llc -mcpu=sm_80 -disable-verify -o /dev/null %t/name.ll 2>&1 | %{check} --check-prefix=NAME

;--- name.ll
; NAME: llvm.nvvm.wgmma.mma_async.ss.f32.f16.bf16.v8f32: there is no such intrinsic
target triple = "nvptx64-nvidia-cuda"
declare <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.bf16.v8f32(<8 x float>, i64, i64, i1, i32, i32, i1, i1)
define <8 x float> @f(<8 x float> %d, i64 %a, i64 %b) {
  %r = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.bf16.v8f32(<8 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  ret <8 x float> %r
}

;--- few.ll
; FEW: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16: must be called as <8 x float> (<8 x float>, i64, i64, i1, i32, i32, i1, i1), got <8 x float> (<8 x float>, i64)
target triple = "nvptx64-nvidia-cuda"
declare <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float>, i64)
define <8 x float> @f(<8 x float> %d, i64 %a) {
  %r = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %d, i64 %a)
  ret <8 x float> %r
}

;--- type.ll
; TYPE: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16: must be called as <8 x float> (<8 x float>, i64, i64, i1, i32, i32, i1, i1), got <8 x float> (<8 x float>, i32, i64, i1, i32, i32, i1, i1)
target triple = "nvptx64-nvidia-cuda"
declare <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float>, i32, i64, i1, i32, i32, i1, i1)
define <8 x float> @f(<8 x float> %d, i32 %a, i64 %b) {
  %r = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %d, i32 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  ret <8 x float> %r
}

;--- accumulator.ll
; ACCUMULATOR: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16: accumulator must be <N/2 x float> with N one of 8, 16, ..., 256, got { float, float }
target triple = "nvptx64-nvidia-cuda"
declare { float, float } @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.sl_f32f32s({ float, float }, i64, i64, i1, i32, i32, i1, i1)
define { float, float } @f({ float, float } %d, i64 %a, i64 %b) {
  %r = call { float, float } @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.sl_f32f32s({ float, float } %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  ret { float, float } %r
}

;--- void.ll
; VOID: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16: accumulator must be <N/2 x float> with N one of 8, 16, ..., 256, got void
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float>, i64)
define void @f(<8 x float> %d, i64 %a) {
  call void @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %d, i64 %a)
  ret void
}

;--- fence.ll
; FENCE: llvm.nvvm.wgmma.fence.sync.aligned: must be called as void (), got void (i32)
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.wgmma.fence.sync.aligned(i32)
define void @f(i32 %a) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned(i32 %a)
  ret void
}

;--- selector.ll
; SELECTOR: llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16: sparsity selector must be the constant 0 or 1, got a value that is not constant
target triple = "nvptx64-nvidia-cuda"
declare <8 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v8f32(<8 x float>, i64, i64, i32, i32, i1, i32, i32, i1, i1)
define <8 x float> @f(<8 x float> %d, i64 %a, i32 %n) {
  %r = call <8 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v8f32(<8 x float> %d, i64 %a, i64 %a, i32 %n, i32 %n, i1 true, i32 1, i32 1, i1 false, i1 false)
  ret <8 x float> %r
}

;--- scale.ll
; SCALE: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16: scale of A must be the constant 1 or -1, got a value that is not constant
target triple = "nvptx64-nvidia-cuda"
@g = external addrspace(3) global i32
declare <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float>, i64, i64, i1, i32, i32, i1, i1)
define <8 x float> @f(<8 x float> %d, i64 %a) {
  %r = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %d, i64 %a, i64 %a, i1 true, i32 ptrtoint (ptr addrspace(3) @g to i32), i32 1, i1 false, i1 false)
  ret <8 x float> %r
}

;--- transposed.ll
; TRANSPOSED: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16: transposition of A must be the constant 0 or 1, got a value that is not constant
target triple = "nvptx64-nvidia-cuda"
declare <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float>, i64, i64, i1, i32, i32, i1, i1)
define <8 x float> @f(<8 x float> %d, i64 %a, i1 %t) {
  %r = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %d, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 %t, i1 false)
  ret <8 x float> %r
}

;--- wait.ll
; WAIT: llvm.nvvm.wgmma.wait_group.sync.aligned: argument 1 must be a constant, got a value that is not constant
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
define void @f(i64 %n) {
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 %n)
  ret void
}

;--- operand.ll
; OPERAND: llvm.nvvm.wgmma.fence_operand: operand must be float, i32 or a vector of one of them, got i64
target triple = "nvptx64-nvidia-cuda"
declare i64 @llvm.nvvm.wgmma.fence_operand.i64(i64)
define i64 @f(i64 %n) {
  %r = call i64 @llvm.nvvm.wgmma.fence_operand.i64(i64 %n)
  ret i64 %r
}

;--- negative.ll
; NEGATIVE: llvm.nvvm.wgmma.wait_group.sync.aligned: number of pending groups must not be negative, got -1
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
define void @f() {
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 -1)
  ret void
}
