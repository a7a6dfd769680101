; A matrix intrinsic that the target or the PTX version lacks is one error, which
; names the intrinsic, what it needs, and the target.
; RUN: not llc < %s -o /dev/null -mtriple=nvptx64 -mcpu=sm_75 -mattr=+ptx65 2>&1 \
; RUN: | FileCheck %s --implicit-check-not='error:' --implicit-check-not='LLVM ERROR'
; RUN: not llc < %s -o /dev/null -O0 -mtriple=nvptx64 -mcpu=sm_75 -mattr=+ptx65 2>&1 \
; RUN: | FileCheck %s --implicit-check-not='error:' --implicit-check-not='LLVM ERROR'

; CHECK: error: {{.*}}in function other_sm {{.*}}: llvm.nvvm.mma.m16n8k16.row.col.f32.f32 requires sm_80 and PTX 7.0, but the target is sm_75 with PTX 6.5{{$}}
define { float, float, float, float } @other_sm(<2 x half> %a, <2 x half> %b, float %c) {
  %r = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %b, <2 x half> %b, float %c, float %c, float %c, float %c)
  ret { float, float, float, float } %r
}

; CHECK: error: {{.*}}in function without_result {{.*}}: llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16 requires sm_90 and PTX 7.8, but the target is sm_75 with PTX 6.5{{$}}
define void @without_result(ptr addrspace(3) %p, i32 %r) {
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %p, i32 %r)
  ret void
}

; PTX 6.5 has removed .satfinite of f16.
; CHECK: error: {{.*}}in function removed {{.*}}: llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16.satfinite requires a PTX version below 6.5, which removed .satfinite{{.*}} the target is sm_75 with PTX 6.5{{$}}
define { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @removed(<2 x half> %a) {
  %r = call { <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16.satfinite(<2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a, <2 x half> %a)
  ret { <2 x half>, <2 x half>, <2 x half>, <2 x half> } %r
}

define i32 @right(ptr addrspace(3) %p) {
  %r = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %p)
  ret i32 %r
}
