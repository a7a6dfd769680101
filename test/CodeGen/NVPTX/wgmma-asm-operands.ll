; Results that are tied to inline assembly with nothing but steps of the protocol in it stay where they are: no wait and
; no commit is added, nothing is copied, and nothing is warned of.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs 2> %t.err
; RUN: FileCheck %s --input-file=%t.ptx --enable-var-scope
; RUN: FileCheck %s --input-file=%t.err --check-prefix=WARN --implicit-check-not=warning:
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a %t.ptx %}
; RUN: llc %s -o - -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs | FileCheck %s --check-prefix=O0

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float>, <4 x i32>, i64, i1, i32 immarg, i32 immarg, i1 immarg)
declare <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float>)
declare token @llvm.experimental.convergence.entry()

; CHECK-LABEL: .entry wait(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]},
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NOT:   {{mov|wgmma|inline asm}}
; CHECK:       st.volatile.global
; CHECK-NOT:   {{mov|wgmma|inline asm}}
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   {{mov|wgmma|inline asm}}
; CHECK:       st.global.v4.b32 [{{.*}}], {[[D0]], [[D1]], [[D2]], [[D3]]};
; O0-LABEL:    .entry wait(
; O0:          wgmma.commit_group.sync.aligned;
; O0-NOT:      {{wgmma|inline asm}}
; O0:          st.volatile.global
; O0-NOT:      {{wgmma|inline asm}}
; O0:          wgmma.wait_group.sync.aligned 0;
; O0-NOT:      {{wgmma|inline asm}}
; O0:          ret;
define ptx_kernel void @wait(ptr addrspace(1) %out, ptr addrspace(1) %work, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %w = load volatile i32, ptr addrspace(1) %work
  store volatile i32 %w, ptr addrspace(1) %work
  %d0 = extractelement <4 x float> %d, i32 0
  %d1 = extractelement <4 x float> %d, i32 1
  %d2 = extractelement <4 x float> %d, i32 2
  %d3 = extractelement <4 x float> %d, i32 3
  %e = call { float, float, float, float } asm sideeffect "// wait for regs: $0,$1,$2,$3\0A\09wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3"(float %d0, float %d1, float %d2, float %d3)
  %e0 = extractvalue { float, float, float, float } %e, 0
  %e1 = extractvalue { float, float, float, float } %e, 1
  %e2 = extractvalue { float, float, float, float } %e, 2
  %e3 = extractvalue { float, float, float, float } %e, 3
  %f0 = insertelement <4 x float> poison, float %e0, i32 0
  %f1 = insertelement <4 x float> %f0, float %e1, i32 1
  %f2 = insertelement <4 x float> %f1, float %e2, i32 2
  %f3 = insertelement <4 x float> %f2, float %e3, i32 3
  store <4 x float> %f3, ptr addrspace(1) %out
  ret void
}

; Each step has operands; the numbers of groups are operands, too.
; CHECK-LABEL: .entry all_steps(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]]},
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {[[D0]], [[D1]]},
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   {{mov|wgmma|inline asm}}
; CHECK:       st.global.v2.b32 [{{.*}}], {[[D0]], [[D1]]};
define ptx_kernel void @all_steps(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b) {
  %c = load <2 x i32>, ptr addrspace(1) %in
  %c0 = extractelement <2 x i32> %c, i32 0
  %c1 = extractelement <2 x i32> %c, i32 1
  %s = call { i32, i32 } asm sideeffect "wgmma.fence.sync.aligned;", "=r,=r,0,1"(i32 %c0, i32 %c1)
  %s0 = extractvalue { i32, i32 } %s, 0
  %s1 = extractvalue { i32, i32 } %s, 1
  %t0 = insertelement <2 x i32> poison, i32 %s0, i32 0
  %t1 = insertelement <2 x i32> %t0, i32 %s1, i32 1
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %t1, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <2 x i32> %d, i32 0
  %d1 = extractelement <2 x i32> %d, i32 1
  %e = call { i32, i32 } asm sideeffect "{ wgmma.commit_group.sync.aligned; } wgmma.fence.sync.aligned;", "=r,=r,0,1,~{memory}"(i32 %d0, i32 %d1)
  %e0 = extractvalue { i32, i32 } %e, 0
  %e1 = extractvalue { i32, i32 } %e, 1
  %f0 = insertelement <2 x i32> poison, i32 %e0, i32 0
  %f1 = insertelement <2 x i32> %f0, i32 %e1, i32 1
  %g = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %f1, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  %g0 = extractelement <2 x i32> %g, i32 0
  %g1 = extractelement <2 x i32> %g, i32 1
  %h = call { i32, i32 } asm sideeffect "wgmma.commit_group.sync.aligned;", "=&r,=r,0,1"(i32 %g0, i32 %g1)
  %h0 = extractvalue { i32, i32 } %h, 0
  %h1 = extractvalue { i32, i32 } %h, 1
  %i = call { i32, i32 } asm sideeffect "wgmma.wait_group.sync.aligned ${2:c};", "=r,=r,n,0,1"(i32 0, i32 %h0, i32 %h1)
  %i0 = extractvalue { i32, i32 } %i, 0
  %i1 = extractvalue { i32, i32 } %i, 1
  %j0 = insertelement <2 x i32> poison, i32 %i0, i32 0
  %j1 = insertelement <2 x i32> %j0, i32 %i1, i32 1
  store <2 x i32> %j1, ptr addrspace(1) %out
  ret void
}

; A wait may leave what is tied to it in flight.
; CHECK-LABEL: .entry left_in_flight(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]]},
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {[[E0:%r[0-9]+]], [[E1:%r[0-9]+]]},
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   {{mov|wgmma|inline asm}}
; CHECK:       st.volatile.global.v2.b32 [{{.*}}], {[[D0]], [[D1]]};
; CHECK-NOT:   {{mov|wgmma|inline asm}}
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   {{mov|wgmma|inline asm}}
; CHECK:       st.volatile.global.v2.b32 [{{.*}}], {[[E0]], [[E1]]};
define ptx_kernel void @left_in_flight(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %e = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> zeroinitializer, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %d0 = extractelement <2 x i32> %d, i32 0
  %d1 = extractelement <2 x i32> %d, i32 1
  %e0 = extractelement <2 x i32> %e, i32 0
  %e1 = extractelement <2 x i32> %e, i32 1
  %f = call { i32, i32, i32, i32 } asm sideeffect "wgmma.wait_group.sync.aligned $4;", "=r,=r,=r,=r,n,0,1,2,3,~{memory}"(i64 1, i32 %d0, i32 %d1, i32 %e0, i32 %e1)
  %f0 = extractvalue { i32, i32, i32, i32 } %f, 0
  %f1 = extractvalue { i32, i32, i32, i32 } %f, 1
  %g0 = insertelement <2 x i32> poison, i32 %f0, i32 0
  %g1 = insertelement <2 x i32> %g0, i32 %f1, i32 1
  store volatile <2 x i32> %g1, ptr addrspace(1) %out
  %f2 = extractvalue { i32, i32, i32, i32 } %f, 2
  %f3 = extractvalue { i32, i32, i32, i32 } %f, 3
  %h2 = bitcast i32 %f2 to <2 x half>
  %h3 = bitcast i32 %f3 to <2 x half>
  %i = call { <2 x half>, <2 x half>, i64, half } asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=r,=r,=l,=h,0,1,2,3,~{memory}"(<2 x half> %h2, <2 x half> %h3, i64 %a, half 0.0)
  %i0 = extractvalue { <2 x half>, <2 x half>, i64, half } %i, 0
  %i1 = extractvalue { <2 x half>, <2 x half>, i64, half } %i, 1
  %j0 = bitcast <2 x half> %i0 to i32
  %j1 = bitcast <2 x half> %i1 to i32
  %k0 = insertelement <2 x i32> poison, i32 %j0, i32 0
  %k1 = insertelement <2 x i32> %k0, i32 %j1, i32 1
  store volatile <2 x i32> %k1, ptr addrspace(1) %out
  ret void
}

; All results as a whole, and one alone.
; CHECK-LABEL: .func {{.*}} whole(
; CHECK-NOT:   inline asm
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   inline asm
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK-NOT:   inline asm
; CHECK:       ret;
define { float, float } @whole(float %x, float %y) {
  %z = call float asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,0"(float %x)
  %r = call { float, float } asm sideeffect "wgmma.wait_group.sync.aligned 1;", "=f,=f,0,1"(float %z, float %y)
  ret { float, float } %r
}

; CHECK-LABEL: .entry convergence_token(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @convergence_token(ptr addrspace(1) %out, i64 %a, i64 %b) convergent {
  %token = call token @llvm.experimental.convergence.entry()
  call void asm sideeffect "wgmma.fence.sync.aligned;", ""() #0 [ "convergencectrl"(token %token) ]
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false) [ "convergencectrl"(token %token) ]
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", ""() #0 [ "convergencectrl"(token %token) ]
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; A result that nothing is tied to has no value that the text would tell: the assembly stays. Its text touches nothing.
; CHECK-LABEL: .entry not_tied(
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK-NOT:   wgmma
; CHECK:       // begin inline asm
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @not_tied(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %x = call float asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f"()
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store volatile <4 x float> %e, ptr addrspace(1) %out
  store volatile float %x, ptr addrspace(1) %out
  ret void
}

; A wait beside other text counts, with its number as an operand; it stays, too.
; CHECK-LABEL: .entry beside_others(
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK-NOT:   wgmma
; CHECK:       // begin inline asm
; CHECK-NEXT:  nanosleep.u32 1; wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   wgmma
; CHECK:       ret;
define ptx_kernel void @beside_others(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void asm sideeffect "nanosleep.u32 1; wgmma.wait_group.sync.aligned ${0:c};", "n"(i32 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; What a fence is in beside other text may be written after it.
; CHECK-LABEL: .entry written_after_fence(
; CHECK:       // begin inline asm
; CHECK-NEXT:  wgmma.fence.sync.aligned; mov.b32
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async
define ptx_kernel void @written_after_fence(ptr addrspace(1) %out, <4 x i32> %a, i64 %b) {
  %a0 = extractelement <4 x i32> %a, i32 0
  %x = call i32 asm sideeffect "wgmma.fence.sync.aligned; mov.b32 $0, $1;", "=r,r"(i32 %a0)
  %y = insertelement <4 x i32> %a, i32 %x, i32 0
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> zeroinitializer, <4 x i32> %y, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

; Only some threads may wait: the result is not there.
; WARN: warning: in function predicated: wgmma.mma_async is waited for at once:
; CHECK-LABEL: .entry predicated(
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       // begin inline asm
; CHECK-NEXT:  @%p{{[0-9]+}} wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @predicated(ptr addrspace(1) %out, i64 %a, i64 %b, i1 %p) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %d0 = extractelement <4 x float> %d, i32 0
  %e0 = call float asm sideeffect "@$1 wgmma.wait_group.sync.aligned 0;", "=f,b,0"(i1 %p, float %d0)
  store float %e0, ptr addrspace(1) %out
  ret void
}

; A modifier that prints something else than the number: how many are waited for is not known.
; WARN: warning: in function modifier: wgmma.mma_async is waited for at once: its accumulator is read before a wgmma.wait_group retires it
; CHECK-LABEL: .entry modifier(
; CHECK:       wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       // begin inline asm
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @modifier(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void asm sideeffect "wgmma.wait_group.sync.aligned ${0:n};", "n"(i32 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %e, ptr addrspace(1) %out
  ret void
}

attributes #0 = { convergent }
