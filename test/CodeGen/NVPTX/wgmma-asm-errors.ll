; wgmma in inline assembly that the PTX version does not have is told as that of the intrinsic.
; RUN: not llc %s -o /dev/null -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 2>&1 | FileCheck %s --match-full-lines --implicit-check-not={{.+}}
; RUN: not llc %s -o /dev/null -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 2>&1 | FileCheck %s --match-full-lines --implicit-check-not={{.+}}
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 | FileCheck %s --check-prefix=OK

target triple = "nvptx64-nvidia-cuda"

; CHECK: error: <unknown>:0:0: in function k void (i64, i64, i32): llvm.nvvm.wgmma.mma_async.sp.ss.f16.f16.f16 requires sm_90a and PTX 8.2, but the target is sm_90a with PTX 8.0
; OK: wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16 {{.*}}, 0, 0, 1, 1, 0, 0;
define ptx_kernel void @k(i64 %a, i64 %b, i32 %m) {
  %d = call { i32, i32 } asm sideeffect "wgmma.fence.sync.aligned; wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16 {$0, $1}, $2, $3, $4, 0, 0, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "=r,=r,l,l,r"(i64 %a, i64 %b, i32 %m)
  ret void
}
