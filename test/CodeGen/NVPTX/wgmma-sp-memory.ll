; wgmma reads shared memory through descriptors, and goes on to read it until the
; wait. Accesses to memory stay on their side of fence, wgmma, commit, wait and of
; barriers, and none is lost.
; RUN: opt -O3 -S %s -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 | FileCheck %s --check-prefix=IR
; RUN: opt -S %s -mtriple=nvptx64 -passes='function(early-cse<memssa>,gvn,memcpyopt,dse,instcombine,loop-mssa(licm),sink,adce)' | FileCheck %s --check-prefix=IR
; RUN: llc -O3 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefix=PTX
; RUN: llc -O0 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefix=PTX
; RUN: opt -O3 %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 \
; RUN: | llc -O3 -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefix=PTX

; Each step stays where it is: data to shared memory, barrier, wgmma, and only
; after the wait the next data over the old.
; IR-LABEL: @steps(
; IR-NEXT:    store i32 %x, ptr addrspace(3) %smem
; IR-NEXT:    call void @llvm.nvvm.barrier
; IR-NEXT:    call void @llvm.nvvm.wgmma.fence.sync.aligned()
; IR-NEXT:    call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR-NEXT:    call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    store i32 %y, ptr addrspace(3) %smem
; IR-NEXT:    ret void
; PTX-LABEL: .entry steps(
; PTX:        st.shared.b32
; PTX:        bar{{(rier)?}}.
; PTX:        wgmma.fence.sync.aligned;
; PTX:        wgmma.mma_async.sp
; PTX:        wgmma.commit_group.sync.aligned;
; PTX:        wgmma.wait_group.sync.aligned 0;
; PTX:        st.shared.b32
; PTX:        ret;
define ptx_kernel void @steps(ptr addrspace(3) %smem, i32 %x, i32 %y, <4 x float> %init, i64 %a, i64 %b, i32 %meta) {
  store i32 %x, ptr addrspace(3) %smem
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store i32 %y, ptr addrspace(3) %smem
  ret void
}

; A wgmma alone reads what is stored before it: no store before it is dead, and
; none after it comes earlier.
; IR-LABEL: @overwritten(
; IR-NEXT:    store i32 %x, ptr addrspace(3) %smem
; IR-NEXT:    call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss
; IR-NEXT:    store i32 %y, ptr addrspace(3) %smem
; IR-NEXT:    call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.rs
; IR-NEXT:    store i32 %z, ptr addrspace(3) %smem
; IR-NEXT:    ret void
; PTX-LABEL: .entry overwritten(
; PTX:        st.shared.b32
; PTX:        wgmma.mma_async.sp
; PTX:        st.shared.b32
; PTX:        wgmma.mma_async.sp
; PTX:        st.shared.b32
; PTX:        ret;
define ptx_kernel void @overwritten(ptr addrspace(3) %smem, i32 %x, i32 %y, i32 %z, <4 x float> %init, i64 %a, <4 x i32> %frag, i64 %b, i32 %meta) {
  store i32 %x, ptr addrspace(3) %smem
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  store i32 %y, ptr addrspace(3) %smem
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.rs.f32.f16.f16.v4f32(<4 x float> %d, <4 x i32> %frag, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false)
  store i32 %z, ptr addrspace(3) %smem
  ret void
}

; Through a generic pointer, too: it may point to shared memory.
; IR-LABEL: @generic(
; IR:         store i32 %x, ptr %p
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR:         store i32 %y, ptr %p
; PTX-LABEL: .func generic(
; PTX:        st.b32
; PTX:        wgmma.mma_async.sp
; PTX:        st.b32
; PTX:        ret;
define void @generic(ptr %p, i32 %x, i32 %y, <4 x float> %init, i64 %a, i64 %b, i32 %meta) {
  store i32 %x, ptr %p
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  store i32 %y, ptr %p
  ret void
}

; A load after the wait is not satisfied by one before it, nor moved up.
; IR-LABEL: @reload(
; IR:         load i32, ptr addrspace(3) %smem
; IR-NEXT:    call void @llvm.nvvm.wgmma.fence.sync.aligned()
; IR:         call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; IR-NEXT:    load i32, ptr addrspace(3) %smem
; PTX-LABEL: .entry reload(
; PTX:        ld.shared.b32
; PTX:        wgmma.fence.sync.aligned;
; PTX:        wgmma.mma_async.sp
; PTX:        wgmma.wait_group.sync.aligned 0;
; PTX:        ld.shared.b32
; PTX:        ret;
define ptx_kernel void @reload(ptr addrspace(1) %out, ptr addrspace(3) %smem, <4 x float> %init, i64 %a, i64 %b, i32 %meta) {
  %x = load i32, ptr addrspace(3) %smem
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %y = load i32, ptr addrspace(3) %smem
  %s = add i32 %x, %y
  store i32 %s, ptr addrspace(1) %out
  ret void
}

; The order of the asynchronous instructions among each other, with nothing else
; that would hold them.
; IR-LABEL: @among_each_other(
; IR-NEXT:    call void @llvm.nvvm.wgmma.fence.sync.aligned()
; IR-NEXT:    %d = {{.*}}call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR-NEXT:    %e = {{.*}}call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR-NEXT:    call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
; IR-NEXT:    call void @llvm.nvvm.wgmma.fence.sync.aligned()
; IR-NEXT:    %f = {{.*}}call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR-NEXT:    call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
; IR-NEXT:    %d.done = {{.*}}call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
; IR-NEXT:    store <4 x float> %d.done
; IR-NEXT:    call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
; PTX-LABEL: .entry among_each_other(
; PTX:        wgmma.fence.sync.aligned;
; PTX:        wgmma.mma_async.sp
; PTX:        wgmma.mma_async.sp
; PTX:        wgmma.commit_group.sync.aligned;
; PTX:        wgmma.fence.sync.aligned;
; PTX:        wgmma.mma_async.sp
; PTX:        wgmma.commit_group.sync.aligned;
; PTX:        wgmma.wait_group.sync.aligned 1;
; PTX:        st.global
; PTX:        wgmma.wait_group.sync.aligned 0;
; PTX:        ret;
define ptx_kernel void @among_each_other(ptr addrspace(1) %out, <4 x float> %x, <4 x float> %y, <4 x float> %z, i64 %a, i64 %b, i32 %meta) {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %x, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %y, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %f = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %z, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %d.done = call <4 x float> @llvm.nvvm.wgmma.fence_operand.v4f32(<4 x float> %d)
  store <4 x float> %d.done, ptr addrspace(1) %out, align 16
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret void
}

; A store of a loop's own is not kept back for after the loop, nor a load taken
; out before it: wgmma stands in between.
; IR-LABEL: @in_loop(
; IR:       {{^loop}}
; IR:         load i32, ptr addrspace(3) %smem
; IR:         store i32 %{{.*}}, ptr addrspace(3) %smem
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR:         br i1
; PTX-LABEL: .entry in_loop(
; PTX:       Loop Header
; PTX:         ld.shared.b32
; PTX:         st.shared.b32
; PTX:         wgmma.mma_async.sp
; PTX:         bra
define ptx_kernel void @in_loop(ptr addrspace(3) %smem, <4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %x = load i32, ptr addrspace(3) %smem
  %y = add i32 %x, %i
  store i32 %y, ptr addrspace(3) %smem
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A tile that only wgmma reads, by the address in a descriptor, is read.
; IR-LABEL: @tile_of_its_own(
; IR:         store i32 %x, ptr addrspace(3) @tile
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; PTX-LABEL: .entry tile_of_its_own(
; PTX:        st.shared.b32
; PTX:        wgmma.mma_async.sp
; PTX:        ret;
@tile = internal addrspace(3) global [1024 x i32] undef, align 128
define ptx_kernel void @tile_of_its_own(i32 %x, <4 x float> %init, i64 %b, i32 %meta) {
  store i32 %x, ptr addrspace(3) @tile
  %address = ptrtoint ptr addrspace(3) @tile to i64
  %field = lshr i64 %address, 4
  %a = or i64 %field, 562949953421312
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  ret void
}
