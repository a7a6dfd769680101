; Zeros that come through empty inline assembly, as ThunderKittens and others have it for fence_operand, are overwritten,
; too: the assembly becomes fence_operand before InstCombine has seen the wgmma for the last time. In a function that is
; called it does once that is inlined.
; RUN: opt -S -O1 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 %s | FileCheck %s
; RUN: opt -S -O3 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

define internal <4 x float> @fence(<4 x float> %x) alwaysinline {
  %x0 = extractelement <4 x float> %x, i64 0
  %x1 = extractelement <4 x float> %x, i64 1
  %x2 = extractelement <4 x float> %x, i64 2
  %x3 = extractelement <4 x float> %x, i64 3
  %y0 = call float asm sideeffect "", "=f,0,~{memory}"(float %x0)
  %y1 = call float asm sideeffect "", "=f,0,~{memory}"(float %x1)
  %y2 = call float asm sideeffect "", "=f,0,~{memory}"(float %x2)
  %y3 = call float asm sideeffect "", "=f,0,~{memory}"(float %x3)
  %z0 = insertelement <4 x float> poison, float %y0, i64 0
  %z1 = insertelement <4 x float> %z0, float %y1, i64 1
  %z2 = insertelement <4 x float> %z1, float %y2, i64 2
  %z3 = insertelement <4 x float> %z2, float %y3, i64 3
  ret <4 x float> %z3
}

; CHECK-LABEL: define ptx_kernel void @multiplies(
; CHECK:         mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false,
define ptx_kernel void @multiplies(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %zero = call <4 x float> @fence(<4 x float> zeroinitializer)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %zero, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <4 x float> @fence(<4 x float> %d)
  store <4 x float> %result, ptr addrspace(1) %out
  ret void
}

; The wgmma itself is what it is from the start: nothing of the assembly is left, and its zeros are overwritten, too.
; CHECK-LABEL: define ptx_kernel void @in_assembly(
; CHECK-NOT:     asm
; CHECK:         mma_async.ss.f32.f16.f16.v4f32(<4 x float> poison, i64 %a, i64 %b, i1 false,
; CHECK-NOT:     asm
; CHECK:         ret void
define internal { float, float, float, float } @multiply(i64 %a, i64 %b, i32 %scale) alwaysinline {
  %d = call { float, float, float, float } asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,r,0,1,2,3"(i64 %a, i64 %b, i32 %scale, float 0.0, float 0.0, float 0.0, float 0.0)
  ret { float, float, float, float } %d
}

define ptx_kernel void @in_assembly(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call { float, float, float, float } @multiply(i64 %a, i64 %b, i32 1)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d0 = extractvalue { float, float, float, float } %d, 0
  store float %d0, ptr addrspace(1) %out
  ret void
}

; Convergence tokens go on to what the assembly becomes: a function must not have calls with and without them.
; CHECK-LABEL: define ptx_kernel void @controlled(
; CHECK-NEXT:    [[T:%.*]] = {{.*}}call token @llvm.experimental.convergence.entry()
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.fence.sync.aligned() [ "convergencectrl"(token [[T]]) ]
; CHECK-NEXT:    call {{.*}} @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32({{.*}}) [ "convergencectrl"(token [[T]]) ]
; CHECK:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0) [ "convergencectrl"(token [[T]]) ]
; CHECK:         call void @convergent() #{{[0-9]+}} [ "convergencectrl"(token [[T]]) ]
declare void @convergent() convergent
declare token @llvm.experimental.convergence.entry()
define ptx_kernel void @controlled(ptr addrspace(1) %out, i64 %a, i64 %b) convergent {
  %t = call token @llvm.experimental.convergence.entry()
  %d = call { float, float, float, float } asm sideeffect "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, 0, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,l,l"(i64 %a, i64 %b) convergent [ "convergencectrl"(token %t) ]
  %d0 = extractvalue { float, float, float, float } %d, 0
  store float %d0, ptr addrspace(1) %out
  call void @convergent() convergent [ "convergencectrl"(token %t) ]
  ret void
}
