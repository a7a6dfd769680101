; ptxas 12.4 and 13.0 take what is computed from the registers of an accumulator
; before and after a wgmma for the same, and an element that nothing reads for what it
; started from: wrong results, seen in machine code, of nvcc's PTX too, and on an H200.
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: llc < %s -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -O0 | FileCheck %s --check-prefix=O0
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

; After a read the accumulator goes on in other registers.
; CHECK-LABEL: .entry read_twice(
; CHECK:       wgmma.mma_async{{.*}} {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}
; CHECK:       wgmma.wait_group
; CHECK-DAG:   lop3.b32 [[E:%r[0-9]+]], {{.*}}, [[A]], 0x6a;
; CHECK-DAG:   lop3.b32 [[F:%r[0-9]+]], {{.*}}, [[B]], 0x6a;
; CHECK-DAG:   lop3.b32 [[G:%r[0-9]+]], {{.*}}, [[C]], 0x6a;
; CHECK-DAG:   lop3.b32 [[H:%r[0-9]+]], {{.*}}, [[D]], 0x6a;
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}} {[[E]], [[F]], [[G]], [[H]]}
;
; O0-LABEL: .entry read_twice(
; O0:       wgmma.mma_async{{.*}} {[[A:%r[0-9]+]],
; O0-NOT:   wgmma.mma_async{{.*}} {[[A]],
; O0:       ret;
;
define ptx_kernel void @read_twice(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, float %s) {
  %splat.0 = insertelement <4 x float> poison, float %s, i32 0
  %splat = shufflevector <4 x float> %splat.0, <4 x float> poison, <4 x i32> zeroinitializer
  %c = load <4 x float>, ptr addrspace(1) %in, align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %x = fmul <4 x float> %r1, %splat
  store volatile <4 x float> %x, ptr addrspace(1) %out, align 4
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %r1, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r2 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d2)
  %y = fmul <4 x float> %r2, %splat
  %to = getelementptr i8, ptr addrspace(1) %out, i64 16
  store volatile <4 x float> %y, ptr addrspace(1) %to, align 4
  ret void
}

; Also where one element is read, and the accumulator passes through another
; fence_operand, as in a loop that is unrolled.
; CHECK-LABEL: .entry read_element(
; CHECK:       wgmma.mma_async{{.*}} {[[A:%r[0-9]+]],
; CHECK:       wgmma.wait_group
; CHECK:       mul.{{(rn.)?}}f32 %r{{[0-9]+}}, [[A]],
; CHECK-DAG:   lop3.b32 [[E:%r[0-9]+]], {{.*}}, [[A]], 0x6a;
; CHECK:       wgmma.mma_async{{.*}} {[[E]],
; CHECK:       mul.{{(rn.)?}}f32 %r{{[0-9]+}}, [[E]],
define ptx_kernel void @read_element(ptr addrspace(1) %out, i64 %a, i64 %b, float %s) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %e1 = extractelement <4 x float> %r1, i32 0
  %x = fmul float %e1, %s
  store volatile float %x, ptr addrspace(1) %out, align 4
  %f1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %r1)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %f1, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r2 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d2)
  %e2 = extractelement <4 x float> %r2, i32 0
  %y = fmul float %e2, %s
  store volatile float %y, ptr addrspace(1) %out, align 4
  ret void
}

; And where what is computed of one element goes on, beside others that nothing has read. In one register ptxas
; takes both products for the same, whatever is written there between.
; CHECK-LABEL: .entry changed_in_part(
; CHECK:       wgmma.mma_async{{.*}} {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}
; CHECK:       wgmma.wait_group
; CHECK-DAG:   mul.{{(rn.)?}}f32 [[E:%r[0-9]+]], [[A]],
; CHECK-DAG:   lop3.b32 [[F:%r[0-9]+]], {{.*}}, [[B]], 0x6a;
; CHECK-DAG:   lop3.b32 [[G:%r[0-9]+]], {{.*}}, [[C]], 0x6a;
; CHECK-DAG:   lop3.b32 [[H:%r[0-9]+]], {{.*}}, [[D]], 0x6a;
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}} {[[E]], [[F]], [[G]], [[H]]}
; CHECK:       wgmma.wait_group
; CHECK-NOT:   mul.{{(rn.)?}}f32 [[E]],
; CHECK:       ret;
define ptx_kernel void @changed_in_part(ptr addrspace(1) %out, <4 x float> %c, i64 %a, i64 %b, float %s) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e1 = extractelement <4 x float> %d1, i32 0
  %x = fmul float %e1, %s
  %c2 = insertelement <4 x float> %d1, float %x, i32 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c2, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e2 = extractelement <4 x float> %d2, i32 0
  %y = fmul float %e2, %s
  %r = insertelement <4 x float> %d2, float %y, i32 0
  store <4 x float> %r, ptr addrspace(1) %out, align 4
  ret void
}

; So it is where the wait has given the elements other names, and they come from two branches.
; CHECK-LABEL: .entry changed_in_part_by_name(
; CHECK:       xor.b32 [[E:%r[0-9]+]], [[A:%r[0-9]+]], [[M:%r[0-9]+]];
; CHECK-DAG:   lop3.b32 [[F:%r[0-9]+]], {{.*}}, 0x6a;
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async{{.*}} {[[E]], [[F]]}
; CHECK:       xor.b32 [[G:%r[0-9]+]], [[E]], [[M]];
; CHECK:       wgmma.mma_async{{.*}} {[[G]],
; CHECK:       ret;
define ptx_kernel void @changed_in_part_by_name(ptr addrspace(1) %out, <2 x i32> %c, i64 %a, i64 %b, i32 %m, i1 %p) {
  br i1 %p, label %first, label %second

first:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

second:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d2 = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  br label %join

join:
  %d = phi <2 x i32> [ %d1, %first ], [ %d2, %second ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <2 x i32> @llvm.nvvm.wgmma.fence_operand.v2i32(<2 x i32> %d)
  %e1 = extractelement <2 x i32> %f, i32 0
  %x = xor i32 %e1, %m
  %c3 = insertelement <2 x i32> %f, i32 %x, i32 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d3 = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c3, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f3 = call <2 x i32> @llvm.nvvm.wgmma.fence_operand.v2i32(<2 x i32> %d3)
  %e3 = extractelement <2 x i32> %f3, i32 0
  %y = xor i32 %e3, %m
  %c4 = insertelement <2 x i32> %f3, i32 %y, i32 0
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d4 = call <2 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v2i32(<2 x i32> %c4, i64 %a, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <2 x i32> %d4, ptr addrspace(1) %out, align 4
  ret void
}

; What an accumulator starts from is read under another name, while another wgmma is in flight. What ptxas makes of that
; ahead of the first wait is another patch's affair.
; CHECK-LABEL: .entry read_start(
; CHECK:       wgmma.mma_async
; CHECK:       mul.{{(rn.)?}}f32 %r{{[0-9]+}}, [[A:%r[0-9]+]],
; CHECK-NOT:   wgmma.mma_async{{.*}} {[[A]],
; CHECK:       wgmma.wait_group
; CHECK:       mul.{{(rn.)?}}f32
define ptx_kernel void @read_start(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, float %s) {
  %start = load <4 x float>, ptr addrspace(1) %in
  %p = getelementptr i8, ptr addrspace(1) %in, i64 16
  %other = load <4 x float>, ptr addrspace(1) %p
  %r0 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %start)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %e0 = extractelement <4 x float> %r0, i32 0
  %x = fmul float %e0, %s
  store volatile float %x, ptr addrspace(1) %out, align 4
  %f0 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %r0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %f0, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %e1 = extractelement <4 x float> %r1, i32 0
  %y = fmul float %e1, %s
  store volatile float %y, ptr addrspace(1) %out, align 4
  %rest = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d0)
  store volatile <4 x float> %rest, ptr addrspace(1) %out, align 4
  ret void
}

; It is read in another block than the one that has loaded it, under another name; ptxas makes one block of both, without
; the loop, which does nothing.
; CHECK-LABEL: .entry read_start_block(
; CHECK:       ld.global.v4.b32 {[[A:%r[0-9]+]],
; CHECK:       mul.{{(rn.)?}}f32 %r{{[0-9]+}}, [[A]],
; CHECK:       mov.b32 [[E:%r[0-9]+]], [[A]];
; CHECK:       wgmma.mma_async{{.*}} {[[E]],
; CHECK:       wgmma.wait_group
; CHECK:       mul.{{(rn.)?}}f32 %r{{[0-9]+}}, [[E]],
define ptx_kernel void @read_start_block(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, float %s, i32 %n) {
entry:
  %start = load <4 x float>, ptr addrspace(1) %in
  %r0 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %start)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %next

next:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %e0 = extractelement <4 x float> %r0, i32 0
  %x = fmul float %e0, %s
  store volatile float %x, ptr addrspace(1) %out, align 4
  %f0 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %r0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %f0, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %e1 = extractelement <4 x float> %r1, i32 0
  %y = fmul float %e1, %s
  store volatile float %y, ptr addrspace(1) %out, align 4
  store volatile <4 x float> %r1, ptr addrspace(1) %out, align 4
  ret void
}

; What is left of one tile is, formally, what the next one starts from: nothing is
; to be separated, as no wgmma starts from it directly.
; CHECK-LABEL: .entry next_tile(
; CHECK:       sub.rn.f32 [[D:%r[0-9]+]], [[D]],
; CHECK-NOT:   {{lop3|mov}}.b32
; CHECK:       wgmma.mma_async{{.*}} {[[D]],
; CHECK-NOT:   {{lop3|mov}}.b32
; CHECK:       ret;
define ptx_kernel void @next_tile(ptr addrspace(1) %out, i64 %a, i64 %b, float %s, i32 %n, i1 %add, i1 %which) {
entry:
  %s0 = insertelement <4 x float> poison, float %s, i64 0
  %scale = shufflevector <4 x float> %s0, <4 x float> poison, <4 x i32> zeroinitializer
  br label %tile

tile:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %start = phi <4 x float> [ zeroinitializer, %entry ], [ %y, %end ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %start, i64 %a, i64 %b, i1 %add, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  br i1 %which, label %multiply, label %subtract

multiply:
  %x1 = fmul <4 x float> %r, %scale
  br label %end

subtract:
  %x2 = fsub <4 x float> %r, %scale
  br label %end

end:
  %y = phi <4 x float> [ %x1, %multiply ], [ %x2, %subtract ]
  store volatile <4 x float> %y, ptr addrspace(1) %out
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %tile, label %exit

exit:
  ret void
}

; In a loop there is one place; ptxas must not make four of it.
; CHECK-LABEL: .entry rescaled(
; CHECK:       $L__BB[[LOOP:[0-9_]+]]:
; CHECK:       .pragma "nounroll";
; CHECK-NOT:   lop3.b32
; CHECK:       wgmma.mma_async
; CHECK:       mul.{{(rn.)?}}f32
; CHECK:       bra $L__BB[[LOOP]];
define ptx_kernel void @rescaled(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, float %s) {
entry:
  %splat.0 = insertelement <4 x float> poison, float %s, i32 0
  %splat = shufflevector <4 x float> %splat.0, <4 x float> poison, <4 x i32> zeroinitializer
  %c = load <4 x float>, ptr addrspace(1) %in, align 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <4 x float> [ %c, %entry ], [ %x, %loop ]
  %a.i = add i64 %a, %i
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a.i, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %x = fmul <4 x float> %r, %splat
  %i.next = add i64 %i, 2
  %done = icmp eq i64 %i.next, 8
  br i1 %done, label %exit, label %loop

exit:
  store <4 x float> %x, ptr addrspace(1) %out, align 4
  ret void
}

; A loop that only accumulates is as it was, also if a tile after the other does so.
; CHECK-LABEL: .entry tiles(
; CHECK:       .pragma "nounroll";
; CHECK:       $L__BB[[LOOP:[0-9_]+]]:
; CHECK-NOT:   .pragma
; CHECK-NOT:   lop3.b32
; CHECK:       wgmma.mma_async
; CHECK:       bra $L__BB[[LOOP]];
; CHECK:       ret;
define ptx_kernel void @tiles(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %k, i64 %n) {
entry:
  br label %tile

tile:
  %t = phi i64 [ 0, %entry ], [ %t.next, %store ]
  %old = phi <4 x float> [ zeroinitializer, %entry ], [ %r, %store ]
  br label %loop

loop:
  %i = phi i64 [ 0, %tile ], [ %i.next, %loop ]
  %d = phi <4 x float> [ %old, %tile ], [ %d1, %loop ]
  %more = icmp ne i64 %i, 0
  %a.i = add i64 %a, %i
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a.i, i64 %b, i1 %more, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %i.next = add i64 %i, 2
  %done = icmp eq i64 %i.next, %k
  br i1 %done, label %store, label %loop

store:
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %to = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %t
  store <4 x float> %r, ptr addrspace(1) %to, align 4
  %t.next = add i64 %t, 1
  %last = icmp eq i64 %t.next, %n
  br i1 %last, label %exit, label %tile

exit:
  ret void
}

; Elements that nothing reads start from what no other value is.
; CHECK-LABEL: .entry read_in_part(
; CHECK-DAG:   lop3.b32 {{.*}}, 1065353216, 0x6a;
; CHECK-DAG:   lop3.b32 {{.*}}, {{.*}}, {{.*}}, 0, 0x6a;
; CHECK-NOT:   lop3.b32 {{.*}}, 1065353216, 0x6a;
; CHECK:       wgmma.mma_async
; CHECK-COUNT-4: lop3.b32 {{.*}}, 1065353216, 0x6a;
; CHECK:       wgmma.mma_async
define ptx_kernel void @read_in_part(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> splat (float 1.0), i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %x = extractelement <4 x float> %r1, i32 1
  store volatile float %x, ptr addrspace(1) %out, align 4
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d2 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> splat (float 1.0), i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r2 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d2)
  %to = getelementptr i8, ptr addrspace(1) %out, i64 16
  store <4 x float> %r2, ptr addrspace(1) %to, align 4
  ret void
}

; What it starts from is read at the loop's top, and no wgmma was issued since it was computed: the accumulator keeps its
; registers. Copies of it in a loop with a latch of its own make ptxas find registers to be too few (C7511).
; CHECK-LABEL: .entry read_at_top(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:       st.global.v4.b32 {{.*}}, {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]};
; CHECK-NOT:   mov
; CHECK-NOT:   lop3
; CHECK:       wgmma.mma_async{{.*}} {[[A]], [[B]], [[C]], [[D]]},
; CHECK:       bra
define ptx_kernel void @read_at_top(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %b, i32 %n) {
entry:
  %start = load <4 x float>, ptr addrspace(1) %in
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %x = phi <4 x float> [ %start, %entry ], [ %scaled, %latch ]
  store <4 x float> %x, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x, i64 %b, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %scaled = fmul <4 x float> %f, splat (float 3.0)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i, %n
  br i1 %more, label %latch, label %done

latch:
  br label %loop

done:
  store <4 x float> %scaled, ptr addrspace(1) %out
  ret void
}

; In a loop, what a round begins with, and what it ends with: both are results, though the first round begins with a constant.
; CHECK-LABEL: .entry read_at_both_ends(
; CHECK:       $L__BB11_1:
; CHECK:       mul.{{(rn.)?}}f32 %r{{[0-9]+}}, [[A:%r[0-9]+]],
; CHECK:       lop3.b32 [[E:%r[0-9]+]], {{.*}}, [[A]], 0x6a;
; CHECK:       wgmma.mma_async{{.*}} {{[{].*}}[[E]]{{[,}]}}
; CHECK-NOT:   mul.{{(rn.)?}}f32 %r{{[0-9]+}}, [[A]],
; CHECK:       bra
define ptx_kernel void @read_at_both_ends(ptr addrspace(1) %out, i64 %a, i64 %b, float %s, i32 %n) {
entry:
  %splat.0 = insertelement <4 x float> poison, float %s, i32 0
  %splat = shufflevector <4 x float> %splat.0, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ splat (float 1.0), %entry ], [ %r, %loop ]
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %c)
  %x = fmul <4 x float> %f, %splat
  store volatile <4 x float> %x, ptr addrspace(1) %out, align 4
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %f, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %y = fmul <4 x float> %r, %splat
  store volatile <4 x float> %y, ptr addrspace(1) %out, align 4
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret void
}

; The same of one element, whose neighbours are read behind the loop only: all of them go on as copies.
; CHECK-LABEL: .entry read_element_at_both_ends(
; CHECK:       $L__BB12_1:
; CHECK:       mul.{{(rn.)?}}f32 %r{{[0-9]+}}, [[A:%r[0-9]+]],
; CHECK:       lop3.b32 [[E:%r[0-9]+]], {{.*}}, [[A]], 0x6a;
; CHECK:       wgmma.mma_async{{.*}} {{[{].*}}[[E]]{{[,}]}}
; CHECK-NOT:   mul.{{(rn.)?}}f32 %r{{[0-9]+}}, [[A]],
; CHECK:       bra
define ptx_kernel void @read_element_at_both_ends(ptr addrspace(1) %out, i64 %a, i64 %b, float %s, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <4 x float> [ splat (float 1.0), %entry ], [ %r, %loop ]
  %c.0 = extractelement <4 x float> %c, i32 0
  %x = fmul float %c.0, %s
  store volatile float %x, ptr addrspace(1) %out, align 4
  %f = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %c)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %f, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  %r.0 = extractelement <4 x float> %r, i32 0
  %y = fmul float %r.0, %s
  store volatile float %y, ptr addrspace(1) %out, align 4
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <4 x float> %r, ptr addrspace(1) %out, align 4
  ret void
}

; What an accumulator starts from is undefined, but read: no register of a wgmma stands for it.
; CHECK-LABEL: .entry read_undefined_start(
; CHECK:       wgmma.mma_async
; CHECK-NOT:   mul
; CHECK:       st.volatile.global.b32 {{.*}}, 2143289344;
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.wait_group
; CHECK:       mul.{{(rn.)?}}f32
define ptx_kernel void @read_undefined_start(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, float %s) {
  %other = load <4 x float>, ptr addrspace(1) %in
  %anything = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> poison)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %e0 = extractelement <4 x float> %anything, i32 0
  %x = fmul float %e0, %s
  store volatile float %x, ptr addrspace(1) %out, align 4
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %anything, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  %e1 = extractelement <4 x float> %r1, i32 0
  %y = fmul float %e1, %s
  store volatile float %y, ptr addrspace(1) %out, align 4
  %rest = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d0)
  store volatile <4 x float> %rest, ptr addrspace(1) %out, align 4
  ret void
}

; Nobody reads the start in flight, only the constants that it comes from: it is no copy.
; CHECK-LABEL: .entry read_early(
; CHECK:       lop3.b32 [[A:%r[0-9]+]], {{%r[0-9]+, [0-9]+}}, 1065353216, 0x6a;
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.mma_async{{.*}} {[[A]],
; CHECK:       wgmma.wait_group
define ptx_kernel void @read_early(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, float %s) {
  %other = load <4 x float>, ptr addrspace(1) %in
  %r = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>)
  store volatile <4 x float> %r, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d0 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %other, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  %k = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>)
  store volatile <4 x float> %k, ptr addrspace(1) %out
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d1 = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %r, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %r1 = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d1)
  store volatile <4 x float> %r1, ptr addrspace(1) %out, align 4
  %rest = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d0)
  store volatile <4 x float> %rest, ptr addrspace(1) %out, align 4
  ret void
}
