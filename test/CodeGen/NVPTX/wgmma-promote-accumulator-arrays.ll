; A local array with an accumulator in it, read with a variable index, becomes a
; vector. See NVPTXPromoteAccumulatorArrays.cpp.
; RUN: opt -S -passes=nvptx-promote-accumulator-arrays -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s
; RUN: opt -S -O1 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s --check-prefix=OPT
; RUN: opt -S -O3 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s --check-prefix=OPT
; A target without wgmma does not have the pass in its pipeline.
; RUN: opt -S -O3 -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx80 %s | FileCheck %s --check-prefix=OTHER
; RUN: opt -O3 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | llc -O3 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARNING
; RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a %t.ptx %}

; In the loop nothing is stored; after it, the vector is, once.
; CHECK-LABEL: @loop(
; CHECK-NOT: alloca
; CHECK: phi <8 x float>
; CHECK-NOT: store
; CHECK: done:
; CHECK: %[[#INDEX:]] = add i64 0, %{{.*}}
; CHECK-NEXT: %value = extractelement <8 x float> %{{.*}}, i64 %[[#INDEX]]
; OPT-LABEL: @loop(
; OPT-NOT: alloca
; OPT: extractelement <8 x float> %{{.*}}, i64 %index
; OTHER-LABEL: @loop(
; OTHER: alloca
; PTX-LABEL: .entry loop(
; PTX: wgmma.fence.sync.aligned;
; PTX-NOT: st.local
; PTX: wgmma.wait_group.sync.aligned 0;
; PTX-NOT: st.local
; PTX: bra
define ptx_kernel void @loop(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %rounds, i64 %index) {
entry:
  %d = alloca [8 x float], align 16
  call void @llvm.lifetime.start.p0(ptr %d)
  call void @llvm.memset.p0.i64(ptr align 16 %d, i8 0, i64 32, i1 false)
  br label %loop

loop:
  %round = phi i32 [ 0, %entry ], [ %next, %loop ]
  %c.lo = load <4 x float>, ptr %d, align 16
  %hi = getelementptr inbounds i8, ptr %d, i64 16
  %c.hi = load <4 x float>, ptr %hi, align 16
  %c = shufflevector <4 x float> %c.lo, <4 x float> %c.hi, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %product = call <8 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v8f32(<8 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <8 x float> @llvm.nvvm.wgmma.fence_operand.v8f32(<8 x float> %product)
  %r0 = extractelement <8 x float> %result, i64 0
  store float %r0, ptr %d, align 16
  %r1 = extractelement <8 x float> %result, i64 1
  %d1 = getelementptr inbounds float, ptr %d, i64 1
  store float %r1, ptr %d1, align 4
  %r2 = extractelement <8 x float> %result, i64 2
  %d2 = getelementptr inbounds float, ptr %d, i64 2
  store float %r2, ptr %d2, align 8
  %r3 = extractelement <8 x float> %result, i64 3
  %d3 = getelementptr inbounds float, ptr %d, i64 3
  store float %r3, ptr %d3, align 4
  %r.hi = shufflevector <8 x float> %result, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %r.hi, ptr %hi, align 16
  %next = add i32 %round, 1
  %more = icmp slt i32 %next, %rounds
  br i1 %more, label %loop, label %done

done:
  %element = getelementptr inbounds [8 x float], ptr %d, i64 0, i64 %index
  %value = load float, ptr %element, align 4
  store float %value, ptr addrspace(1) %out, align 4
  call void @llvm.lifetime.end.p0(ptr %d)
  ret void
}

; A part of a register, and two at once; an index that is a sum.
; CHECK-LABEL: @parts(
; CHECK-NOT: alloca
; CHECK: %[[HALF:.*]] = extractelement <4 x i32> %{{.*}}, i64 %[[#]]
; CHECK: lshr i32 %[[HALF]]
; CHECK: bitcast i16 %{{.*}} to half
; CHECK: extractelement <4 x i32>
; CHECK: extractelement <4 x i32>
; CHECK: bitcast <2 x i32> %{{.*}} to i64
define ptx_kernel void @parts(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %i, i64 %j) {
  %d = alloca [4 x i32], align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %product = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v4i32(<4 x i32> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %product)
  store <4 x i32> %result, ptr %d, align 16
  %row = getelementptr inbounds [4 x half], ptr %d, i64 %i
  %element = getelementptr inbounds half, ptr %row, i64 %j
  %value = load half, ptr %element, align 2
  store half %value, ptr addrspace(1) %out, align 4
  %pair = load i64, ptr %row, align 8
  %out8 = getelementptr i8, ptr addrspace(1) %out, i64 8
  store i64 %pair, ptr addrspace(1) %out8, align 4
  ret void
}

; Halves, each stored by itself.
; CHECK-LABEL: @halves(
; CHECK-NOT: alloca
; CHECK: %value = extractelement <8 x half> %{{.*}}, i64 %{{.*}}
; OPT-LABEL: @halves(
; OPT: bitcast <4 x i32> %{{.*}} to <8 x half>
; OPT-NEXT: extractelement <8 x half> %{{.*}}, i64 %i
define ptx_kernel void @halves(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %i) {
  %d = alloca [8 x half], align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %product = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v4i32(<4 x i32> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %product)
  %halves = bitcast <4 x i32> %result to <8 x half>
  %h0 = extractelement <8 x half> %halves, i64 0
  store half %h0, ptr %d, align 16
  %h1 = extractelement <8 x half> %halves, i64 1
  %d1 = getelementptr inbounds half, ptr %d, i64 1
  store half %h1, ptr %d1, align 2
  %h2 = extractelement <8 x half> %halves, i64 2
  %d2 = getelementptr inbounds half, ptr %d, i64 2
  store half %h2, ptr %d2, align 4
  %h3 = extractelement <8 x half> %halves, i64 3
  %d3 = getelementptr inbounds half, ptr %d, i64 3
  store half %h3, ptr %d3, align 2
  %h4 = extractelement <8 x half> %halves, i64 4
  %d4 = getelementptr inbounds half, ptr %d, i64 4
  store half %h4, ptr %d4, align 8
  %h5 = extractelement <8 x half> %halves, i64 5
  %d5 = getelementptr inbounds half, ptr %d, i64 5
  store half %h5, ptr %d5, align 2
  %h6 = extractelement <8 x half> %halves, i64 6
  %d6 = getelementptr inbounds half, ptr %d, i64 6
  store half %h6, ptr %d6, align 4
  %h7 = extractelement <8 x half> %halves, i64 7
  %d7 = getelementptr inbounds half, ptr %d, i64 7
  store half %h7, ptr %d7, align 2
  %element = getelementptr inbounds half, ptr %d, i64 %i
  %value = load half, ptr %element, align 2
  store half %value, ptr addrspace(1) %out, align 4
  ret void
}

; Written with a variable index, or passed on: the array stays.
; CHECK-LABEL: @written(
; CHECK: alloca
; CHECK-LABEL: @passed_on(
; CHECK: alloca
; CHECK-LABEL: @volatile(
; CHECK: alloca
; WARNING: warning: in function written: an array with registers of wgmma in it is indexed by a variable and kept in local memory
define ptx_kernel void @written(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %i) {
  %d = alloca [4 x float], align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %product = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %product)
  store <4 x float> %result, ptr %d, align 16
  %element = getelementptr inbounds float, ptr %d, i64 %i
  store float 1.0, ptr %element, align 4
  %value = load <4 x float>, ptr %d, align 16
  store <4 x float> %value, ptr addrspace(1) %out, align 4
  ret void
}

define ptx_kernel void @passed_on(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %i) {
  %d = alloca [4 x float], align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %product = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %product)
  store <4 x float> %result, ptr %d, align 16
  %element = getelementptr inbounds float, ptr %d, i64 %i
  %value = load float, ptr %element, align 4
  store float %value, ptr addrspace(1) %out, align 4
  %address = ptrtoint ptr %d to i64
  %out8 = getelementptr i8, ptr addrspace(1) %out, i64 8
  store i64 %address, ptr addrspace(1) %out8, align 8
  ret void
}

define ptx_kernel void @volatile(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %i) {
  %d = alloca [4 x float], align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %product = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %result = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %product)
  store <4 x float> %result, ptr %d, align 16
  %element = getelementptr inbounds float, ptr %d, i64 %i
  %value = load volatile float, ptr %element, align 4
  store float %value, ptr addrspace(1) %out, align 4
  ret void
}
