; What a callee returns is a parameter, too, but there only after the call: unlike a
; parameter of the kernel it is not loaded at the function's start. Not asked of
; ptxas, which serializes wgmma in functions that call others.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare i32 @callee()

; CHECK-LABEL: .entry returned(
; CHECK-NOT:   lop3.b32 {{.*}}, %r{{[0-9]+}}, 0x6a;
; CHECK:       call.uni (retval0), callee
; CHECK-NEXT:  ld.param.b32 %r{{[0-9]+}}, [retval0];
; CHECK-NOT:   lop3.b32 {{.*}}, %r{{[0-9]+}}, 0x6a;
; CHECK:       ret;
define ptx_kernel void @returned(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %m = call i32 @callee()
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i32 %m, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out, align 4
  ret void
}
