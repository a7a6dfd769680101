; Offsets that are computed alike on all ways to a block are computed there, beside wgmma: not one register each, but one
; address and constants.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx -print-after=nvptx-compute-merged-offsets 2>&1 | FileCheck %s
; RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32, i32, i1, i1)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)

; What GVN makes of this, where it has the offsets of a matrix that is loaded if beta is not zero:
;
;   d[i] = beta != 0 ? beta * c[tid + 128 * i] : 0; wgmma(d, ...); c[tid + 128 * i] = d[i];
;
; CHECK-LABEL: define ptx_kernel void @beta(
; CHECK:       multiply:
; CHECK-NEXT:    %d0 = phi float
; CHECK-NEXT:    %d1 = phi float
; CHECK-NEXT:    [[INDEX:%.*]] = add nuw i32 %tid, 128
; CHECK-NEXT:    %offset = zext nneg i32 [[INDEX]] to i64
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.fence.sync.aligned()
; CHECK:         getelementptr float, ptr addrspace(1) %c, i64 %offset
;
; PTX-LABEL: .entry beta(
; PTX:         ld.global.b32 %r{{[0-9]+}}, [[[ADDRESS:%rd[0-9]+]]+512];
; PTX:         wgmma.mma_async
; PTX:         st.global.b32 [[[ADDRESS]]+512], %r{{[0-9]+}};
define ptx_kernel void @beta(ptr addrspace(1) %c, i64 %a, i64 %b, float %beta) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %loads = fcmp une float %beta, 0.0
  br i1 %loads, label %load, label %zero

load:
  %c0 = load float, ptr addrspace(1) %c
  %scaled0 = fmul float %c0, %beta
  %index.load = add nuw nsw i32 %tid, 128
  %offset.load = zext nneg i32 %index.load to i64
  %at = getelementptr float, ptr addrspace(1) %c, i64 %offset.load
  %c1 = load float, ptr addrspace(1) %at
  %scaled1 = fmul float %c1, %beta
  br label %multiply

zero:
  %index.zero = add nuw i32 %tid, 128
  %offset.zero = zext nneg i32 %index.zero to i64
  br label %multiply

multiply:
  %d0 = phi float [ %scaled0, %load ], [ 0.0, %zero ]
  %d1 = phi float [ %scaled1, %load ], [ 0.0, %zero ]
  %offset = phi i64 [ %offset.load, %load ], [ %offset.zero, %zero ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %v0 = insertelement <4 x float> zeroinitializer, float %d0, i32 0
  %v1 = insertelement <4 x float> %v0, float %d1, i32 1
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %v1, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r0 = extractelement <4 x float> %d, i32 0
  %r1 = extractelement <4 x float> %d, i32 1
  store float %r0, ptr addrspace(1) %c
  %again = getelementptr float, ptr addrspace(1) %c, i64 %offset
  store float %r1, ptr addrspace(1) %again
  ret void
}

; Four offsets are computed from the thread's number on one way, and from another number on the other: of that there is
; one phi. One that starts from numbers of its own stays as it is, and so does what a division tells.
;
; CHECK-LABEL: define ptx_kernel void @starts(
; CHECK:       multiply:
; CHECK-NEXT:    [[START:%.*]] = phi i32 [ %tid, %first ], [ %further, %second ]
; CHECK-NEXT:    %x = phi i32 [ %x.first, %first ], [ %x.second, %second ]
; CHECK-NEXT:    %q = phi i32 [ %q.first, %first ], [ %q.second, %second ]
; CHECK-NEXT:    %o0 = add i32 [[START]], 128
; CHECK-NEXT:    %o1 = add i32 [[START]], 256
; CHECK-NEXT:    %o2 = add i32 [[START]], 384
; CHECK-NEXT:    %o3 = add i32 [[START]], 512
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.fence.sync.aligned()
define ptx_kernel void @starts(ptr addrspace(1) %c, i64 %a, i64 %b, i32 %k, i32 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %further = xor i32 %k, %tid
  %is.first = icmp eq i32 %k, 0
  br i1 %is.first, label %first, label %second

first:
  %o0.first = add nuw i32 %tid, 128
  %o1.first = add nuw i32 %tid, 256
  %o2.first = add nuw i32 %tid, 384
  %o3.first = add nuw i32 %tid, 512
  %x.first = add i32 %k, 7
  %q.first = udiv i32 %k, %m
  br label %multiply

second:
  %o0.second = add nsw i32 %further, 128
  %o1.second = add nsw i32 %further, 256
  %o2.second = add nsw i32 %further, 384
  %o3.second = add nsw i32 %further, 512
  %x.second = add i32 %m, 7
  %q.second = udiv i32 %k, %m
  br label %multiply

multiply:
  %o0 = phi i32 [ %o0.first, %first ], [ %o0.second, %second ]
  %o1 = phi i32 [ %o1.first, %first ], [ %o1.second, %second ]
  %o2 = phi i32 [ %o2.first, %first ], [ %o2.second, %second ]
  %o3 = phi i32 [ %o3.first, %first ], [ %o3.second, %second ]
  %x = phi i32 [ %x.first, %first ], [ %x.second, %second ]
  %q = phi i32 [ %q.first, %first ], [ %q.second, %second ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %c
  store volatile i32 %o0, ptr addrspace(1) %c
  store volatile i32 %o1, ptr addrspace(1) %c
  store volatile i32 %o2, ptr addrspace(1) %c
  store volatile i32 %o3, ptr addrspace(1) %c
  store volatile i32 %x, ptr addrspace(1) %c
  store volatile i32 %q, ptr addrspace(1) %c
  ret void
}

; Fields of a structure are told by constants: four addresses that differ in the field have no phi of that.
;
; CHECK-LABEL: define ptx_kernel void @fields(
; CHECK:       multiply:
; CHECK-NEXT:    %at0 = phi ptr addrspace(1) [ %at0.first, %first ], [ %at0.second, %second ]
; CHECK-NEXT:    %at1 = phi ptr addrspace(1) [ %at1.first, %first ], [ %at1.second, %second ]
; CHECK-NEXT:    %at2 = phi ptr addrspace(1) [ %at2.first, %first ], [ %at2.second, %second ]
; CHECK-NEXT:    %at3 = phi ptr addrspace(1) [ %at3.first, %first ], [ %at3.second, %second ]
; CHECK-NEXT:    call void @llvm.nvvm.wgmma.fence.sync.aligned()
define ptx_kernel void @fields(ptr addrspace(1) %c, i64 %a, i64 %b, i32 %k) {
entry:
  %is.first = icmp eq i32 %k, 0
  br i1 %is.first, label %first, label %second

first:
  %at0.first = getelementptr {float, float, i64}, ptr addrspace(1) %c, i64 0, i32 0
  %at1.first = getelementptr {float, float, i64}, ptr addrspace(1) %c, i64 1, i32 0
  %at2.first = getelementptr {float, float, i64}, ptr addrspace(1) %c, i64 2, i32 0
  %at3.first = getelementptr {float, float, i64}, ptr addrspace(1) %c, i64 3, i32 0
  br label %multiply

second:
  %at0.second = getelementptr {float, float, i64}, ptr addrspace(1) %c, i64 0, i32 1
  %at1.second = getelementptr {float, float, i64}, ptr addrspace(1) %c, i64 1, i32 1
  %at2.second = getelementptr {float, float, i64}, ptr addrspace(1) %c, i64 2, i32 1
  %at3.second = getelementptr {float, float, i64}, ptr addrspace(1) %c, i64 3, i32 1
  br label %multiply

multiply:
  %at0 = phi ptr addrspace(1) [ %at0.first, %first ], [ %at0.second, %second ]
  %at1 = phi ptr addrspace(1) [ %at1.first, %first ], [ %at1.second, %second ]
  %at2 = phi ptr addrspace(1) [ %at2.first, %first ], [ %at2.second, %second ]
  %at3 = phi ptr addrspace(1) [ %at3.first, %first ], [ %at3.second, %second ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d0 = extractelement <4 x float> %d, i32 0
  store float %d0, ptr addrspace(1) %at0
  store float %d0, ptr addrspace(1) %at1
  store float %d0, ptr addrspace(1) %at2
  store float %d0, ptr addrspace(1) %at3
  ret void
}

; What a loop goes on with is one value after the other, computed alike or not; and one that two ways bring is one.
;
; CHECK-LABEL: define ptx_kernel void @round(
; CHECK:       loop:
; CHECK-NEXT:    %at = phi i32 [ %start, %entry ], [ %next, %loop ], [ %next, %loop ]
; CHECK:       end:
; CHECK-NEXT:    %last = add i32 %tid, 64
; CHECK-NEXT:    store i32 %last
define ptx_kernel void @round(ptr addrspace(1) %c, i64 %a, i64 %b, i32 %k) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = add i32 %tid, 128
  br label %loop

loop:
  %at = phi i32 [ %start, %entry ], [ %next, %loop ], [ %next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store volatile <4 x float> %d, ptr addrspace(1) %c
  store volatile i32 %at, ptr addrspace(1) %c
  %next = add i32 %tid, 128
  %one = add i32 %tid, 64
  switch i32 %k, label %loop [ i32 0, label %other
                               i32 1, label %end
                               i32 2, label %end
                               i32 3, label %loop ]

other:
  %two = add i32 %tid, 64
  br label %end

end:
  %last = phi i32 [ %one, %loop ], [ %one, %loop ], [ %two, %other ]
  store i32 %last, ptr addrspace(1) %c
  ret void
}

; Where there is no wgmma, nothing is done.
;
; CHECK-LABEL: define i32 @no_wgmma(
; CHECK:         phi i32
define i32 @no_wgmma(i32 %k, i1 %is.first) {
  br i1 %is.first, label %first, label %second

first:
  %x = add i32 %k, 1
  br label %end

second:
  %y = add i32 %k, 1
  br label %end

end:
  %z = phi i32 [ %x, %first ], [ %y, %second ]
  ret i32 %z
}
