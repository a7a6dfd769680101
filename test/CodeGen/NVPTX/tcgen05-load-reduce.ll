; tcgen05.ld.red: with and without a sign, and of floating point with what its flags
; stand for. The reduction comes after what was loaded.
; RUN: split-file %s %t
; RUN: llc < %t/loads.ll -mcpu=sm_103a -mattr=+ptx88 -verify-machineinstrs | FileCheck %t/loads.ll
; RUN: llc < %t/loads.ll -mcpu=sm_103a -mattr=+ptx88 -O0 -verify-machineinstrs | FileCheck %t/loads.ll
; RUN: llc < %t/loads.ll -mcpu=sm_110f -mattr=+ptx90 -verify-machineinstrs | FileCheck %t/loads.ll
; RUN: %if ptxas-sm_103a && ptxas-isa-8.8 %{ llc < %t/loads.ll -mcpu=sm_103a -mattr=+ptx88 | %ptxas-verify -arch=sm_103a %}

; A target that lacks it, and an operation that there is not: one error each.
; RUN: not llc < %t/loads.ll -o /dev/null -mcpu=sm_100a -mattr=+ptx90 2>&1 \
; RUN: | FileCheck %t/loads.ll --check-prefix=LACKING --implicit-check-not=error:
; RUN: not llc < %t/operation.ll -o /dev/null -mcpu=sm_103a -mattr=+ptx88 2>&1 | FileCheck %t/operation.ll

;--- loads.ll
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: with_sign(
; CHECK:      ld.param{{(::func)?}}.b32 [[ADDR:%r[0-9]+]], [with_sign_param_0];
; CHECK:      tcgen05.ld.red.sync.aligned.32x32b.x2.max.s32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [[MAX:%r[0-9]+]], {{\[}}[[ADDR]]];
; CHECK:      st.param{{(::func)?}}.b32 [func_retval0], [[MAX]];
; LACKING: error: {{.*}}in function with_sign {{.*}}: llvm.nvvm.tcgen05.ld.red.32x32b.x2.s32 requires sm_101f or sm_103f and PTX 8.8, or sm_110f and PTX 9.0, but the target is sm_100a with PTX 9.0{{$}}
define i32 @with_sign(ptr addrspace(6) %addr) {
  %both = call { <2 x i32>, i32 } @llvm.nvvm.tcgen05.ld.red.32x32b.x2.s32(ptr addrspace(6) %addr, i32 1)
  %max = extractvalue { <2 x i32>, i32 } %both, 1
  ret i32 %max
}

; CHECK-LABEL: without_sign(
; CHECK:      ld.param{{(::func)?}}.b32 [[ADDR:%r[0-9]+]], [without_sign_param_0];
; CHECK:      tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [[MIN:%r[0-9]+]], {{\[}}[[ADDR]]];
; CHECK:      st.param{{(::func)?}}.b32 [func_retval0], [[MIN]];
; LACKING: error: {{.*}}in function without_sign {{.*}}: llvm.nvvm.tcgen05.ld.red.32x32b.x2.i32 requires {{.*}}, but the target is sm_100a with PTX 9.0{{$}}
define i32 @without_sign(ptr addrspace(6) %addr) {
  %both = call { <2 x i32>, i32 } @llvm.nvvm.tcgen05.ld.red.32x32b.x2.i32(ptr addrspace(6) %addr, i32 0)
  %min = extractvalue { <2 x i32>, i32 } %both, 1
  ret i32 %min
}

; CHECK-LABEL: reduced(
; CHECK:      ld.param{{(::func)?}}.b32 [[ADDR:%r[0-9]+]], [reduced_param_0];
; CHECK:      tcgen05.ld.red.sync.aligned.16x32bx2.x4.max.abs.NaN.f32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, [[MAX:%r[0-9]+]], {{\[}}[[ADDR]]], 16;
; CHECK:      st.param{{(::func)?}}.b32 [func_retval0], [[MAX]];
; LACKING: error: {{.*}}in function reduced {{.*}}: llvm.nvvm.tcgen05.ld.red.16x32bx2.x4.f32 requires {{.*}}, but the target is sm_100a with PTX 9.0{{$}}
define float @reduced(ptr addrspace(6) %addr) {
  %both = call { <4 x float>, float } @llvm.nvvm.tcgen05.ld.red.16x32bx2.x4.f32(ptr addrspace(6) %addr, i64 16, i32 1, i1 true, i1 true)
  %max = extractvalue { <4 x float>, float } %both, 1
  ret float %max
}

; CHECK-LABEL: loaded(
; CHECK:      ld.param{{(::func)?}}.b32 [[ADDR:%r[0-9]+]], [loaded_param_0];
; CHECK:      tcgen05.ld.red.sync.aligned.16x32bx2.x4.min.NaN.f32 {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, [[LAST:%r[0-9]+]]}, %r{{[0-9]+}}, {{\[}}[[ADDR]]], 0;
; CHECK:      st.param{{(::func)?}}.b32 [func_retval0], [[LAST]];
; LACKING: error: {{.*}}in function loaded {{.*}}: llvm.nvvm.tcgen05.ld.red.16x32bx2.x4.f32 requires
define float @loaded(ptr addrspace(6) %addr) {
  %both = call { <4 x float>, float } @llvm.nvvm.tcgen05.ld.red.16x32bx2.x4.f32(ptr addrspace(6) %addr, i64 0, i32 0, i1 false, i1 true)
  %all = extractvalue { <4 x float>, float } %both, 0
  %last = extractelement <4 x float> %all, i64 3
  ret float %last
}

; Nobody needs what it returns, yet it stays, as tcgen05.ld does; and in its order.
; CHECK-LABEL: unused(
; CHECK:      tcgen05.ld.red.sync.aligned.32x32b.x8.min.abs.f32 {{.*}}, {{\[}}[[ADDR:%r[0-9]+]]];
; CHECK-NEXT: tcgen05.wait::ld.sync.aligned;
; CHECK-NEXT: tcgen05.ld.red.sync.aligned.32x32b.x8.max.s32 {{.*}}, {{\[}}[[ADDR]]];
; CHECK-NEXT: ret;
; LACKING-DAG: error: {{.*}}in function unused {{.*}}: llvm.nvvm.tcgen05.ld.red.32x32b.x8.f32 requires
; LACKING-DAG: error: {{.*}}in function unused {{.*}}: llvm.nvvm.tcgen05.ld.red.32x32b.x8.s32 requires
define void @unused(ptr addrspace(6) %addr) {
  %a = call { <8 x float>, float } @llvm.nvvm.tcgen05.ld.red.32x32b.x8.f32(ptr addrspace(6) %addr, i32 0, i1 true, i1 false)
  call void @llvm.nvvm.tcgen05.wait.ld()
  %b = call { <8 x i32>, i32 } @llvm.nvvm.tcgen05.ld.red.32x32b.x8.s32(ptr addrspace(6) %addr, i32 1)
  ret void
}

;--- operation.ll
; CHECK: immarg value 2{{.*}} out of range [0,{{ ?}}2)
define void @third(ptr addrspace(6) %addr) {
  %both = call { <2 x float>, float } @llvm.nvvm.tcgen05.ld.red.32x32b.x2.f32(ptr addrspace(6) %addr, i32 2, i1 false, i1 false)
  ret void
}
; CHECK: immarg value -1{{.*}} out of range [0,{{ ?}}2)
define void @negative(ptr addrspace(6) %addr) {
  %both = call { <4 x i32>, i32 } @llvm.nvvm.tcgen05.ld.red.16x32bx2.x4.s32(ptr addrspace(6) %addr, i64 2, i32 -1)
  ret void
}
; CHECK: immarg value 3{{.*}} out of range [0,{{ ?}}2)
define void @of_23(ptr addrspace(6) %addr) {
  %both = call { <4 x i32>, i32 } @llvm.nvvm.tcgen05.ld.red.16x32bx2.x4.i32(ptr addrspace(6) %addr, i64 2, i32 3)
  ret void
}
