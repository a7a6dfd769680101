; Accumulators that are in memory, or put together element by element, as in
; unoptimized code: loaded and stored as instructions can, with nothing between.
; The legalizer, which halves a vector again and again, takes longer than all else
; for 128 elements, and made 64-bit integers of the ten that one of N=40 has.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs -O0 | FileCheck %s
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefix=O2
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ llc < %s -mcpu=sm_90a -mattr=+ptx82 -O0 | %ptxas-verify -arch=sm_90a %}
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ llc < %s -mcpu=sm_90a -mattr=+ptx82 | %ptxas-verify -arch=sm_90a %}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry memory(
; CHECK:      ld.v2.b32 {[[I:%r[0-9]+]], [[J:%r[0-9]+]]}, [[[P:%rd[0-9]+]]+32];
; CHECK-NEXT: ld.v4.b32 {[[E:%r[0-9]+]], [[F:%r[0-9]+]], [[G:%r[0-9]+]], [[H:%r[0-9]+]]}, [[[P]]+16];
; CHECK-NEXT: ld.v4.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}, [[[P]]];
; CHECK:      lop3.b32 [[A1:%r[0-9]+]], {{.*}}, [[A]], 0x6a;
; CHECK-NEXT: lop3.b32 [[B1:%r[0-9]+]], {{.*}}, [[B]], 0x6a;
; CHECK-NEXT: lop3.b32 [[C1:%r[0-9]+]], {{.*}}, [[C]], 0x6a;
; CHECK-NEXT: lop3.b32 [[D1:%r[0-9]+]], {{.*}}, [[D]], 0x6a;
; CHECK-NEXT: lop3.b32 [[E1:%r[0-9]+]], {{.*}}, [[E]], 0x6a;
; CHECK-NEXT: lop3.b32 [[F1:%r[0-9]+]], {{.*}}, [[F]], 0x6a;
; CHECK-NEXT: lop3.b32 [[G1:%r[0-9]+]], {{.*}}, [[G]], 0x6a;
; CHECK-NEXT: lop3.b32 [[H1:%r[0-9]+]], {{.*}}, [[H]], 0x6a;
; CHECK-NEXT: lop3.b32 [[I1:%r[0-9]+]], {{.*}}, [[I]], 0x6a;
; CHECK-NEXT: lop3.b32 [[J1:%r[0-9]+]], {{.*}}, [[J]], 0x6a;
; CHECK-NEXT: wgmma.fence
; CHECK-NEXT: wgmma.mma_async.sp.sync.aligned.m64n40k32.f16.f16.f16 {[[A1]], [[B1]], [[C1]], [[D1]], [[E1]], [[F1]], [[G1]], [[H1]], [[I1]], [[J1]]},
; CHECK-NEXT: wgmma.commit_group
; CHECK-NEXT: wgmma.wait_group
; CHECK-NEXT: st.v2.b32 [[[P]]+32], {[[I1]], [[J1]]};
; CHECK-NEXT: st.v4.b32 [[[P]]+16], {[[E1]], [[F1]], [[G1]], [[H1]]};
; CHECK-NEXT: st.v4.b32 [[[P]]], {[[A1]], [[B1]], [[C1]], [[D1]]};
; CHECK-NEXT: ret;
; O2-LABEL: .entry memory(
; O2:      ld.global.v2.b32 {[[I:%r[0-9]+]], [[J:%r[0-9]+]]}, [[[P:%rd[0-9]+]]+32];
; O2-NEXT: ld.global.v4.b32 {[[E:%r[0-9]+]], [[F:%r[0-9]+]], [[G:%r[0-9]+]], [[H:%r[0-9]+]]}, [[[P]]+16];
; O2-NEXT: ld.global.v4.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}, [[[P]]];
; O2-NOT:  {{shl|or|mov}}.b
; O2:      wgmma.mma_async.sp.sync.aligned.m64n40k32.f16.f16.f16 {[[A]], [[B]], [[C]], [[D]], [[E]], [[F]], [[G]], [[H]], [[I]], [[J]]},
; O2-NOT:  {{shl|or|mov}}.b
; O2:      st.global.v4.b32 [[[P]]], {[[A]], [[B]], [[C]], [[D]]};
define ptx_kernel void @memory(ptr %p, i64 %a, i64 %b, i32 %e) {
  %c = load <10 x i32>, ptr %p, align 64
  %d = call <10 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.f16.f16.f16.v10i32(<10 x i32> %c, i64 %a, i64 %b, i32 %e, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  store <10 x i32> %d, ptr %p, align 64
  ret void
}

; No access is wider than its alignment.
; CHECK-LABEL: .entry alignment(
; CHECK:      ld.v2.b32 {{.*}}+8];
; CHECK-NEXT: ld.v2.b32
; CHECK:      wgmma.wait_group
; CHECK-NEXT: st.b32 {{.*}}+12]
; CHECK-NEXT: st.b32 {{.*}}+8]
; CHECK-NEXT: st.b32 {{.*}}+4]
; CHECK-NEXT: st.b32
; CHECK-NEXT: ret;
define ptx_kernel void @alignment(ptr %p, i64 %a, i64 %b, i32 %e) {
  %c = load <4 x i32>, ptr %p, align 8
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.f16.f16.f16.v4i32(<4 x i32> %c, i64 %a, i64 %b, i32 %e, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  store <4 x i32> %d, ptr %p, align 4
  ret void
}

; The last of the values that are inserted at a place counts, and what is not
; replaced stays.
; CHECK-LABEL: .entry inserted(
; CHECK-DAG:  ld.param.b32 [[X:%r[0-9]+]], [inserted_param_0];
; CHECK-DAG:  ld.param.b32 [[Y:%r[0-9]+]], [inserted_param_1];
; CHECK-DAG:  ld.v4.b32 {{{%r[0-9]+}}, {{%r[0-9]+}}, [[Z:%r[0-9]+]], [[W:%r[0-9]+]]}, [%rd{{[0-9]+}}];
; CHECK:      lop3.b32 [[A:%r[0-9]+]], {{.*}}, [[X]], 0x6a;
; CHECK-NEXT: lop3.b32 [[B:%r[0-9]+]], {{.*}}, [[Y]], 0x6a;
; CHECK-NEXT: lop3.b32 [[C:%r[0-9]+]], {{.*}}, [[Z]], 0x6a;
; CHECK-NEXT: lop3.b32 [[D:%r[0-9]+]], {{.*}}, [[W]], 0x6a;
; CHECK:      wgmma.mma_async.sp.sync.aligned.m64n16k32.f16.f16.f16 {[[A]], [[B]], [[C]], [[D]]},
define ptx_kernel void @inserted(i32 %x, i32 %y, i64 %a, i64 %b, i32 %e, ptr %p) {
  %all = load <4 x i32>, ptr %p
  %1 = insertelement <4 x i32> %all, i32 %x, i32 0
  %2 = insertelement <4 x i32> %1, i32 %x, i32 1
  %3 = insertelement <4 x i32> %2, i32 %y, i32 1
  %d = call <4 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.f16.f16.f16.v4i32(<4 x i32> %3, i64 %a, i64 %b, i32 %e, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  store <4 x i32> %d, ptr %p
  ret void
}

; fence_operand, a volatile access, which stays whole, and other uses.
; CHECK-LABEL: .entry uses(
; CHECK:      ld.volatile.v4.b32
; CHECK:      st.v4.b32 [[[Q:%rd[0-9]+]]], {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]};
; CHECK-NEXT: st.volatile.v4.b32 [[[Q]]], {[[A]], [[B]], [[C]], [[D]]};
; CHECK-NEXT: st.b32 [[[P:%rd[0-9]+]]], [[D]];
; CHECK-NEXT: st.v4.b32 [[[P]]], {[[A]], [[B]], [[C]], [[D]]};
; CHECK-NEXT: ret;
define ptx_kernel void @uses(ptr %p, ptr %q) {
  %c = load volatile <4 x float>, ptr %p
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %c)
  store <4 x float> %f, ptr %q
  store volatile <4 x float> %f, ptr %q
  %x = extractelement <4 x float> %f, i32 3
  store float %x, ptr %p
  store <4 x float> %f, ptr %p
  ret void
}
