; ptxas loads parameters of a kernel from the constant bank again where it is short
; of registers, which may be between wgmma.fence and the wgmma. So they are hidden
; from it where a wgmma reads them from a register: once, before the loop.
;
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs -O0 | FileCheck %s --check-prefix=O0
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}
; RUN: %if ptxas-sm_90a && ptxas-isa-8.2 %{ %ptxas-verify -arch=sm_90a < %t.ptx | FileCheck %s --check-prefix=NOTES %}

; No fence had to be added either.
; NOTES-NOT: C75

; Also without optimization, whose code may be of IR that is optimized.
; O0-LABEL: .entry metadata(
; O0:       ld.param.b32 [[M:%r[0-9]+]], [metadata_param_3];
; O0:       lop3.b32 [[PINNED:%r[0-9]+]], {{.*}}, [[M]], 0x6a;
; O0:       wgmma.mma_async{{.*}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[PINNED]], 0,

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry metadata(
; CHECK:      ld.param.b32 [[M:%r[0-9]+]], [metadata_param_3];
; CHECK:      lop3.b32 [[PINNED:%r[0-9]+]], {{.*}}, [[M]], 0x6a;
; CHECK:      // %loop
; CHECK-NOT:  lop3.b32
; CHECK:      wgmma.mma_async{{.*}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[PINNED]], 0,
; CHECK:      wgmma.mma_async{{.*}}, %rd{{[0-9]+}}, %rd{{[0-9]+}}, [[PINNED]], 0,
; CHECK:      ret;
define ptx_kernel void @metadata(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %meta, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <128 x float> [ zeroinitializer, %entry ], [ %d.end, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <128 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v128f32(<128 x float> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %b1 = add i64 %b, 32
  %d2 = call <128 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v128f32(<128 x float> %d1, i64 %a, i64 %b1, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.end = call <128 x float> @llvm.nvvm.wgmma.fence_operand.v128f32(<128 x float> %d2)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  store <128 x float> %d.end, ptr addrspace(1) %out, align 4
  ret void
}

; CHECK-LABEL: .entry fragment(
; CHECK:      ld.param.v4.b32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}, [fragment_param_1];
; CHECK-DAG:  lop3.b32 {{.*}}, [[A]], 0x6a;
; CHECK-DAG:  lop3.b32 {{.*}}, [[B]], 0x6a;
; CHECK-DAG:  lop3.b32 {{.*}}, [[C]], 0x6a;
; CHECK-DAG:  lop3.b32 {{.*}}, [[D]], 0x6a;
; CHECK:      // %loop
; CHECK-NOT:  lop3.b32
; CHECK:      wgmma.mma_async
; CHECK:      ret;
define ptx_kernel void @fragment(ptr addrspace(1) %out, <4 x i32> %a, i64 %b, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <128 x float> [ zeroinitializer, %entry ], [ %d.end, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <128 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v128f32(<128 x float> %d, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  %b1 = add i64 %b, 32
  %d2 = call <128 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v128f32(<128 x float> %d1, <4 x i32> %a, i64 %b1, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.end = call <128 x float> @llvm.nvvm.wgmma.fence_operand.v128f32(<128 x float> %d2)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  store <128 x float> %d.end, ptr addrspace(1) %out, align 4
  ret void
}

; What is loaded from elsewhere, or computed, is left alone, and so is what a
; function is called with: that is in registers.
; CHECK-LABEL: .entry loaded(
; CHECK-NOT:   lop3.b32 {{.*}}, %r{{[0-9]+}}, 0x6a;
; CHECK:       ret;
define ptx_kernel void @loaded(ptr addrspace(1) %out, i64 %a, i64 %b, ptr addrspace(1) %meta, i32 %offset) {
  %m = load i32, ptr addrspace(1) %meta
  %sum = add i32 %offset, 1
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i32 %m, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d1, i64 %a, i64 %b, i32 %sum, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.end = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d2)
  store <4 x float> %d.end, ptr addrspace(1) %out, align 4
  ret void
}

; CHECK-LABEL: .func {{.*}}called(
; CHECK-NOT:   lop3.b32 {{.*}}, %r{{[0-9]+}}, 0x6a;
; CHECK:       ret;
define <4 x float> @called(<4 x float> %d, i64 %a, i64 %b, i32 %meta) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %k = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %r)
  ret <4 x float> %k
}

; An upper half goes on to be used: A is hidden as a whole.
; CHECK-LABEL: .entry halves(
; CHECK-COUNT-4: lop3.b32 {{.*}}, %r{{[0-9]+}}, 0x6a;
; CHECK:       wgmma.mma_async
; CHECK:       ret;
; O0-LABEL:    .entry halves(
; O0-COUNT-4:  lop3.b32 {{.*}}, %r{{[0-9]+}}, 0x6a;
; O0:          wgmma.mma_async
; O0:          ret;
define ptx_kernel void @halves(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b) {
  %pairs = load volatile <2 x i64>, ptr addrspace(1) %in
  %a = bitcast <2 x i64> %pairs to <4 x i32>
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %r = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> zeroinitializer, <4 x i32> %a, i64 %b, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %r)
  store <4 x float> %d, ptr addrspace(1) %out, align 16
  store <2 x i64> %pairs, ptr addrspace(1) %out, align 16
  ret void
}

; Constants of a loop are set before it: in each round they would be set while the wgmma of the last one may read them.
; CHECK-LABEL: .entry constant_fragment(
; CHECK-COUNT-4: lop3.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, {{[0-9]+}}, {{[0-9]+|%r[0-9]+}}, 0x6a;
; CHECK:       $L__BB
; CHECK:       wgmma.mma_async
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK:       bra
define ptx_kernel void @constant_fragment(ptr addrspace(1) %out, i64 %b, i32 %n, i32 %x) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  %wide = zext i32 %i to i64
  %desc = add i64 %b, %wide
  %v = insertelement <4 x i32> <i32 poison, i32 0, i32 1006648320, i32 1006648320>, i32 %x, i64 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.rs.f32.f16.f16.v4f32(<4 x float> %c, <4 x i32> %v, i64 %desc, i1 true, i32 1, i32 1, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry constant_metadata(
; CHECK:       lop3.b32 [[META:%r[0-9]+]], %r{{[0-9]+}}, {{[0-9]+}}, {{1145324612|%r[0-9]+}}, 0x6a;
; CHECK:       $L__BB
; CHECK:       wgmma.mma_async.sp{{.*}}, [[META]], 0,
; CHECK-NEXT:  wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 1;
; CHECK:       bra
define ptx_kernel void @constant_metadata(ptr addrspace(1) %out, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  %wide = zext i32 %i to i64
  %desc = add i64 %b, %wide
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %desc, i64 %b, i32 1145324612, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %f, ptr addrspace(1) %out
  ret void
}
