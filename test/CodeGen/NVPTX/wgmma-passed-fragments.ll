; A fragment of A that is a parameter or a result of a function gets to the registers of wgmma by hidden moves: where the
; other function has it as halves of values of 64 bits, ptxas, as of 13.0, has the lower half for both (random kernel
; 173016366, on an H200).
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx

target triple = "nvptx64-nvidia-cuda"

declare <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32>, <4 x i32>, i64, i1, i1 immarg)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; CHECK-LABEL: .func {{.*}}multiply(
; CHECK:       ld.param.v4.b32 {[[P0:%r[0-9]+]], [[P1:%r[0-9]+]], [[P2:%r[0-9]+]], [[P3:%r[0-9]+]]}, [multiply_param_1];
; CHECK-NEXT:  lop3.b32 [[A0:%r[0-9]+]], [[ZERO:%r[0-9]+]], {{[0-9]+}}, [[P0]], 0x6a;
; CHECK-NEXT:  lop3.b32 [[A1:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[P1]], 0x6a;
; CHECK-NEXT:  lop3.b32 [[A2:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[P2]], 0x6a;
; CHECK-NEXT:  lop3.b32 [[A3:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[P3]], 0x6a;
; CHECK:       wgmma.mma_async.{{.*}}, {[[A0]], [[A1]], [[A2]], [[A3]]},
define <4 x i32> @multiply(<4 x i32> %c, <4 x i32> %a, i64 %b) noinline {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %c, <4 x i32> %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret <4 x i32> %d
}

define <4 x i32> @get(ptr addrspace(1) %in) noinline {
  %bits = load <2 x i64>, ptr addrspace(1) %in, align 8
  %halves = bitcast <2 x i64> %bits to <4 x i32>
  ret <4 x i32> %halves
}

; CHECK-LABEL: .entry result(
; CHECK:       ld.param.v4.b32 {[[P0:%r[0-9]+]], [[P1:%r[0-9]+]], [[P2:%r[0-9]+]], [[P3:%r[0-9]+]]}, [retval0];
; CHECK:       lop3.b32 [[A0:%r[0-9]+]], [[ZERO:%r[0-9]+]], {{[0-9]+}}, [[P0]], 0x6a;
; CHECK-NEXT:  lop3.b32 [[A1:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[P1]], 0x6a;
; CHECK-NEXT:  lop3.b32 [[A2:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[P2]], 0x6a;
; CHECK-NEXT:  lop3.b32 [[A3:%r[0-9]+]], [[ZERO]], {{[0-9]+}}, [[P3]], 0x6a;
; CHECK:       wgmma.mma_async.{{.*}}, {[[A0]], [[A1]], [[A2]], [[A3]]},
define ptx_kernel void @result(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b) {
  %c = load <4 x i32>, ptr addrspace(1) %out
  %a = call <4 x i32> @get(ptr addrspace(1) %in)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.s8.s8.v4i32(<4 x i32> %c, <4 x i32> %a, i64 %b, i1 true, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x i32> %d, ptr addrspace(1) %out
  ret void
}
