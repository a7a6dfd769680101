; The accumulator is updated in place. Where its old value is needed again, or
; shared, it must be copied first, and nowhere else.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx --check-prefixes=CHECK,OPT --enable-var-scope
; RUN: llc -O0 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --enable-var-scope
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

; One value for all: four registers all the same, and the value survives.
; CHECK-LABEL: .entry splat(
; CHECK:       ld.param.b32 [[X:%r[0-9]+]], [splat_param_1];
; OPT-DAG:     lop3.b32 [[D0:%r[0-9]+]], {{.*}}, [[X]], 0x6a;
; OPT-DAG:     lop3.b32 [[D1:%r[0-9]+]], {{.*}}, [[X]], 0x6a;
; OPT-DAG:     lop3.b32 [[D2:%r[0-9]+]], {{.*}}, [[X]], 0x6a;
; OPT-DAG:     lop3.b32 [[D3:%r[0-9]+]], {{.*}}, [[X]], 0x6a;
; OPT-NOT:     mov
; OPT:         wgmma.mma_async.sp{{.*}} {[[D0]], [[D1]], [[D2]], [[D3]]}, %rd
; OPT-NOT:     mov
; OPT:         wgmma.wait_group.sync.aligned 0;
; OPT-NOT:     mov
; OPT-DAG:     add{{.*}} {{%r[0-9]+}}, [[D0]], [[X]];
; OPT-DAG:     add{{.*}} {{%r[0-9]+}}, [[D1]], [[X]];
; OPT-DAG:     add{{.*}} {{%r[0-9]+}}, [[D2]], [[X]];
; OPT-DAG:     add{{.*}} {{%r[0-9]+}}, [[D3]], [[X]];
; CHECK:       ret;
define ptx_kernel void @splat(ptr addrspace(1) %out, float %x, i64 %a, i64 %b, i32 %meta) {
  %v = insertelement <4 x float> poison, float %x, i32 0
  %d = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> zeroinitializer
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %s = fadd <4 x float> %r, %d
  store <4 x float> %s, ptr addrspace(1) %out, align 4
  ret void
}

; Two instructions start from one accumulator: one of them works on a copy.
; CHECK-LABEL: .entry twice(
; OPT:         ld.param.v4.b32 {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]}, [twice_param_1];
; OPT-DAG:     lop3.b32 [[C0:%r[0-9]+]], {{.*}}, [[D0]], 0x6a;
; OPT-DAG:     lop3.b32 [[C1:%r[0-9]+]], {{.*}}, [[D1]], 0x6a;
; OPT-DAG:     lop3.b32 [[C2:%r[0-9]+]], {{.*}}, [[D2]], 0x6a;
; OPT-DAG:     lop3.b32 [[C3:%r[0-9]+]], {{.*}}, [[D3]], 0x6a;
; OPT-NOT:     mov
; OPT-DAG:     wgmma.mma_async.sp{{.*}} {[[D0]], [[D1]], [[D2]], [[D3]]}, %rd
; OPT-DAG:     wgmma.mma_async.sp{{.*}} {[[C0]], [[C1]], [[C2]], [[C3]]}, %rd
; OPT-NOT:     mov
; OPT-DAG:     add{{.*}}[[C0]]{{[,;]}}
; OPT-DAG:     add{{.*}}[[C1]]{{[,;]}}
; OPT-DAG:     add{{.*}}[[C2]]{{[,;]}}
; OPT-DAG:     add{{.*}}[[C3]]{{[,;]}}
; CHECK:       ret;
define ptx_kernel void @twice(ptr addrspace(1) %out, <4 x float> %d, i64 %a, i64 %b, i32 %meta) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %q = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %b, i64 %a, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %s = fadd <4 x float> %r, %q
  store <4 x float> %s, ptr addrspace(1) %out, align 4
  ret void
}

; More than 16 operands cannot be tied by LLVM's own means: the last of 128.
; CHECK-LABEL: .entry last_of_128(
; CHECK:       wgmma.mma_async.sp{{.*}} {%r{{[0-9]+}},{{.*}}, [[LAST:%r[0-9]+]]}, %rd
; OPT-NOT:     mov
; OPT:         wgmma.mma_async.sp{{.*}} {%r{{[0-9]+}},{{.*}}, [[LAST]]}, %rd
; OPT-NOT:     mov
; OPT:         st.global.b32 {{.*}}, [[LAST]];
; CHECK:       ret;
define ptx_kernel void @last_of_128(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %meta, i32 %meta2) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v128f32(<128 x float> poison, i64 %a, i64 %b, i32 %meta, i32 0, i1 false, i32 1, i32 1, i1 false, i1 false)
  %e = call <128 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v128f32(<128 x float> %d, i64 %a, i64 %b, i32 %meta2, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = extractelement <128 x float> %e, i32 127
  store float %r, ptr addrspace(1) %out
  ret void
}
