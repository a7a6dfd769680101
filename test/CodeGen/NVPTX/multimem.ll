; multimem, at the lowest target and PTX version: operands and their places, values of
; several registers, order, and addresses with a number. kernel.py has each operation,
; type, order and scope.
; RUN: split-file %s %t
; RUN: llc < %t/hopper.ll -mcpu=sm_90 -mattr=+ptx82 -verify-machineinstrs | FileCheck %t/hopper.ll
; RUN: %if ptxas-sm_90 && ptxas-isa-8.2 %{ llc < %t/hopper.ll -mcpu=sm_90 -mattr=+ptx82 | %ptxas-verify -arch=sm_90 %}
; RUN: llc < %t/hopper.ll -mcpu=sm_90 -mattr=+ptx82 -O0 -verify-machineinstrs -o %t/hopper.ptx
; RUN: %if ptxas-sm_90 && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90 < %t/hopper.ptx %}
; RUN: llc < %t/bytes.ll -mcpu=sm_100a -mattr=+ptx86 -verify-machineinstrs | FileCheck %t/bytes.ll
; RUN: %if ptxas-sm_100a && ptxas-isa-8.6 %{ llc < %t/bytes.ll -mcpu=sm_100a -mattr=+ptx86 | %ptxas-verify -arch=sm_100a %}
; RUN: opt < %t/order.ll -passes='default<O2>' -S | FileCheck %t/order.ll
; RUN: not llc < %t/hopper.ll -o /dev/null -mcpu=sm_90 -mattr=+ptx81 2>&1 \
; RUN: | FileCheck %t/hopper.ll --check-prefix=OLD --implicit-check-not=error:
; RUN: not llc < %t/bytes.ll -o /dev/null -mcpu=sm_100 -mattr=+ptx90 2>&1 \
; RUN: | FileCheck %t/bytes.ll --check-prefix=LACKING --implicit-check-not=error:

;--- hopper.ll
target triple = "nvptx64-nvidia-cuda"

; What is returned is stored again: four registers, in their order.
; CHECK-LABEL: pairs(
; CHECK:      ld.param.b64 [[ADDR:%rd[0-9]+]], [pairs_param_0];
; CHECK-NEXT: multimem.ld_reduce.acquire.sys.global.add.acc::f32.v4.f16x2 {{[{]}}[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}, {{\[}}[[ADDR]]];
; CHECK-NEXT: multimem.st.release.cluster.global.v4.f16x2 {{\[}}[[ADDR]]+16], {{[{]}}[[A]], [[B]], [[C]], [[D]]};
; CHECK-NEXT: ret;
; OLD: error: {{.*}}in function pairs {{.*}}: llvm.nvvm.multimem.ld_reduce.add.acc.f32.v4.f16x2 requires sm_90 and PTX 8.2, but the target is sm_90 with PTX 8.1{{$}}
define void @pairs(ptr addrspace(1) %addr) {
  %sum = call <8 x half> @llvm.nvvm.multimem.ld_reduce.add.acc.f32.v4.f16x2(ptr addrspace(1) %addr, i32 1, i32 3)
  %next = getelementptr i8, ptr addrspace(1) %addr, i64 16
  call void @llvm.nvvm.multimem.st.v4.f16x2(ptr addrspace(1) %next, <8 x half> %sum, i32 1, i32 1)
  ret void
}

; A register for each element, though a value of two is legal in one.
; CHECK-LABEL: elements(
; CHECK:      ld.param.b64 [[ADDR:%rd[0-9]+]], [elements_param_0];
; CHECK-NEXT: multimem.ld_reduce.global.max.v2.bf16 {{[{]}}[[A:%rs[0-9]+]], [[B:%rs[0-9]+]]}, {{\[}}[[ADDR]]+-4];
; CHECK-NEXT: multimem.red.relaxed.gpu.global.add.v2.bf16 {{\[}}[[ADDR]]], {{[{]}}[[B]], [[A]]};
; CHECK-NEXT: ret;
define void @elements(ptr addrspace(1) %addr) {
  %before = getelementptr i8, ptr addrspace(1) %addr, i64 -4
  %max = call <2 x bfloat> @llvm.nvvm.multimem.ld_reduce.weak.max.v2.bf16(ptr addrspace(1) %before)
  %swapped = shufflevector <2 x bfloat> %max, <2 x bfloat> poison, <2 x i32> <i32 1, i32 0>
  call void @llvm.nvvm.multimem.red.add.v2.bf16(ptr addrspace(1) %addr, <2 x bfloat> %swapped, i32 0, i32 2)
  ret void
}

; An offset that is too large for the instruction is added.
; CHECK-LABEL: far(
; CHECK:      ld.param.b64 [[ADDR:%rd[0-9]+]], [far_param_0];
; CHECK-NEXT: add.s64 [[FAR:%rd[0-9]+]], [[ADDR]], 4294967296;
; CHECK-NEXT: ld.param.b64 [[VALUE:%rd[0-9]+]], [far_param_1];
; CHECK-NEXT: multimem.st.global.b64 {{\[}}[[FAR]]], [[VALUE]];
; CHECK-NEXT: multimem.red.release.cta.global.add.f64 {{\[}}[[FAR]]], [[VALUE]];
; CHECK-NEXT: ret;
define void @far(ptr addrspace(1) %addr, i64 %value) {
  %far = getelementptr i8, ptr addrspace(1) %addr, i64 4294967296
  call void @llvm.nvvm.multimem.st.weak.b64(ptr addrspace(1) %far, i64 %value)
  %number = bitcast i64 %value to double
  call void @llvm.nvvm.multimem.red.add.f64(ptr addrspace(1) %far, double %number, i32 1, i32 0)
  ret void
}

;--- bytes.ll
target triple = "nvptx64-nvidia-cuda"

; Four elements of 8 bits are in one register.
; CHECK-LABEL: bytes(
; CHECK:      ld.param.b64 [[ADDR:%rd[0-9]+]], [bytes_param_0];
; CHECK-NEXT: {
; CHECK-NEXT: .reg .b8 %multimem0, %multimem1, %multimem2, %multimem3, %multimem4, %multimem5, %multimem6, %multimem7;
; CHECK-NEXT: multimem.ld_reduce.relaxed.cta.global.add.acc::f16.v8.e4m3 {%multimem0, %multimem1, %multimem2, %multimem3, %multimem4, %multimem5, %multimem6, %multimem7}, {{\[}}[[ADDR]]];
; CHECK-NEXT: mov.b32 [[A:%r[0-9]+]], {%multimem0, %multimem1, %multimem2, %multimem3};
; CHECK-NEXT: mov.b32 [[B:%r[0-9]+]], {%multimem4, %multimem5, %multimem6, %multimem7};
; CHECK-NEXT: }
; CHECK-NEXT: {
; CHECK-NEXT: .reg .b8 %multimem0, %multimem1, %multimem2, %multimem3, %multimem4, %multimem5, %multimem6, %multimem7;
; CHECK-NEXT: mov.b32 {%multimem0, %multimem1, %multimem2, %multimem3}, [[A]];
; CHECK-NEXT: mov.b32 {%multimem4, %multimem5, %multimem6, %multimem7}, [[B]];
; CHECK-NEXT: multimem.st.global.v8.e5m2 {{\[}}[[ADDR]]], {%multimem0, %multimem1, %multimem2, %multimem3, %multimem4, %multimem5, %multimem6, %multimem7};
; CHECK-NEXT: }
; CHECK-NEXT: ret;
; LACKING-DAG: error: {{.*}}in function bytes {{.*}}: llvm.nvvm.multimem.ld_reduce.add.acc.f16.v8.e4m3 requires sm_100a or sm_101a and PTX 8.6, or sm_120a and PTX 8.7, or sm_121a and PTX 8.8, or sm_100f or sm_101f and PTX 8.8, or sm_110a and PTX 9.0, or sm_110f and PTX 9.0, but the target is sm_100 with PTX 9.0{{$}}
; LACKING-DAG: error: {{.*}}in function bytes {{.*}}: llvm.nvvm.multimem.st.weak.v8.e5m2 requires
define void @bytes(ptr addrspace(1) %addr) {
  %sum = call <8 x i8> @llvm.nvvm.multimem.ld_reduce.add.acc.f16.v8.e4m3(ptr addrspace(1) %addr, i32 0, i32 0)
  call void @llvm.nvvm.multimem.st.weak.v8.e5m2(ptr addrspace(1) %addr, <8 x i8> %sum)
  ret void
}

;--- order.ll
target triple = "nvptx64-nvidia-cuda"

; A load that acquires is not removed, and no other load moves above it.
; CHECK-LABEL: @acquire(
; CHECK-NEXT:  %flag = {{.*}}call i32 @llvm.nvvm.multimem.ld_reduce.add.u32(
; CHECK-NEXT:  %second = load i32, ptr addrspace(1) %data
; CHECK-NEXT:  ret i32 %second
define i32 @acquire(ptr addrspace(1) %flags, ptr addrspace(1) %data) {
  %first = load i32, ptr addrspace(1) %data
  %flag = call i32 @llvm.nvvm.multimem.ld_reduce.add.u32(ptr addrspace(1) %flags, i32 1, i32 3)
  %second = load i32, ptr addrspace(1) %data
  ret i32 %second
}

; A weak one whose result is not used is.
; CHECK-LABEL: @unused(
; CHECK-NEXT:  ret void
define void @unused(ptr addrspace(1) %addr) {
  %sum = call i32 @llvm.nvvm.multimem.ld_reduce.weak.add.u32(ptr addrspace(1) %addr)
  ret void
}

; What a store writes may be what another pointer reads.
; CHECK-LABEL: @store(
; CHECK:       call void @llvm.nvvm.multimem.st.weak.f32(
; CHECK-NEXT:  %read = load float, ptr addrspace(1) %other
; CHECK-NEXT:  ret float %read
define float @store(ptr addrspace(1) noalias %addr, ptr addrspace(1) %other, float %value) {
  %before = load float, ptr addrspace(1) %other
  call void @llvm.nvvm.multimem.st.weak.f32(ptr addrspace(1) %addr, float %value)
  %read = load float, ptr addrspace(1) %other
  ret float %read
}
