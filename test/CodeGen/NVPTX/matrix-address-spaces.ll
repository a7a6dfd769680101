; A generic pointer that provably points to shared or global memory makes the
; matrix instructions access that memory, as it does with loads and stores.
; RUN: opt < %s -S -mtriple=nvptx64-nvidia-cuda -passes=infer-address-spaces | FileCheck %s --check-prefix=IR
; RUN: opt < %s -mtriple=nvptx64-nvidia-cuda -passes=infer-address-spaces -o - \
; RUN: | llc -mcpu=sm_90 -mattr=+ptx78 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --check-prefix=PTX --input-file %t.ptx
; RUN: %if ptxas-sm_90 && ptxas-isa-7.8 %{ %ptxas-verify -arch=sm_90 < %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x half] poison, align 128

; IR-LABEL: @wmma_shared(
; IR: call {{.*}} @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p3(ptr addrspace(3) {{.*}}, i32 16)
; IR: call void @llvm.nvvm.wmma.m16n16k16.store.d.row.f32.p3(ptr addrspace(3)
; PTX-LABEL: wmma_shared(
; PTX: wmma.load.a.sync.aligned.row.m16n16k16.shared.f16
; PTX: wmma.store.d.sync.aligned.row.m16n16k16.shared.f32
define void @wmma_shared(float %x, i64 %offset) {
  %generic = addrspacecast ptr addrspace(3) @tile to ptr
  %p = getelementptr half, ptr %generic, i64 %offset
  %a = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr %p, i32 16)
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.f32.p0(ptr %generic, float %x, float %x, float %x, float %x, float %x, float %x, float %x, float %x)
  %r = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %a, 0
  store volatile <2 x half> %r, ptr %p
  ret void
}

; IR-LABEL: @wmma_global(
; IR: call {{.*}} @llvm.nvvm.wmma.m16n16k16.load.c.col.f32.p1(ptr addrspace(1)
; IR: call void @llvm.nvvm.wmma.m16n16k16.store.d.col.stride.f32.p1(ptr addrspace(1) {{.*}}, i32 %stride)
; PTX-LABEL: wmma_global(
; PTX: wmma.load.c.sync.aligned.col.m16n16k16.global.f32
; PTX: wmma.store.d.sync.aligned.col.m16n16k16.global.f32
define void @wmma_global(ptr addrspace(1) %to, i32 %stride) {
  %p = addrspacecast ptr addrspace(1) %to to ptr
  %c = call { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.load.c.col.f32.p0(ptr %p)
  %x = extractvalue { float, float, float, float, float, float, float, float } %c, 0
  call void @llvm.nvvm.wmma.m16n16k16.store.d.col.stride.f32.p0(ptr %p, float %x, float %x, float %x, float %x, float %x, float %x, float %x, float %x, i32 %stride)
  ret void
}

; IR-LABEL: @matrix_shared(
; IR: call {{.*}} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3)
; IR: call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3)
; PTX-LABEL: matrix_shared(
; PTX: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
; PTX: stmatrix.sync.aligned.m8n8.x1.shared.b16
define void @matrix_shared(i64 %offset) {
  %p = getelementptr half, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %offset
  %m = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p0(ptr %p)
  %x = extractvalue { i32, i32 } %m, 1
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p0(ptr %p, i32 %x)
  ret void
}

; What is global or unknown stays as it is where the instruction cannot say it.
; IR-LABEL: @unknown(
; IR: call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0(ptr %p)
; IR: call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0(ptr %q)
; PTX-LABEL: unknown(
; PTX: ldmatrix.sync.aligned.m8n8.x1.b16
; PTX: ldmatrix.sync.aligned.m8n8.x1.b16
define i32 @unknown(ptr %p, ptr addrspace(1) %g) {
  %m = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0(ptr %p)
  %q = addrspacecast ptr addrspace(1) %g to ptr
  %n = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p0(ptr %q)
  %r = xor i32 %m, %n
  ret i32 %r
}
