; On a target that lacks wgmma nothing is left to the legalizer of types, which would
; not know what to do with it: neither what goes on with such a result, nor where
; another one becomes undefined first.
; RUN: not llc < %s -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx70 -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='LLVM ERROR' --implicit-check-not='Stack dump'
; RUN: not llc < %s -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx70 -o /dev/null -O0 2>&1 | FileCheck %s --implicit-check-not='LLVM ERROR' --implicit-check-not='Stack dump'

; CHECK-COUNT-3: error: {{.*}}: llvm.nvvm.wgmma.mma_async.{{[rs]}}s.f32.bf16.bf16 requires sm_90a and PTX 8.0, but the target is sm_80 with PTX 7.0
; CHECK-NOT: mma_async
define ptx_kernel void @k(ptr addrspace(1) %out, i1 %which) {
entry:
  br label %loop

loop:
  %c = call <76 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.bf16.bf16.v76f32(<76 x float> zeroinitializer, <4 x i32> zeroinitializer, i64 0, i1 false, i32 1, i32 1, i1 false)
  %d = call <76 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.bf16.bf16.v76f32(<76 x float> zeroinitializer, i64 0, i64 0, i1 false, i32 1, i32 1, i1 false, i1 false)
  %e = call <76 x float> @llvm.nvvm.wgmma.fence_operand.v76f32(<76 x float> %c)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <76 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.bf16.bf16.v76f32(<76 x float> %e, <4 x i32> zeroinitializer, i64 0, i1 false, i32 1, i32 1, i1 false)
  %g = select i1 %which, <76 x float> %d, <76 x float> %e
  %i = bitcast <76 x float> %g to <76 x i32>
  %x = extractelement <76 x i32> %i, i64 0
  store volatile i32 %x, ptr addrspace(1) %out, align 4
  br label %loop
}
