; All threads of a warpgroup execute a wgmma and its steps together: of branches by threadIdx.x and constants that part one
; there is a warning. Of a block's last warpgroup the last threads may not exist; and of other conditions nothing is known.
; RUN: llc < %s -o /dev/null -mcpu=sm_90a -mattr=+ptx80 2> %t.err
; RUN: FileCheck %s --implicit-check-not=warning: < %t.err
; RUN: llc < %s -O0 -o /dev/null -mcpu=sm_90a -mattr=+ptx80 2> %t.err
; RUN: FileCheck %s --implicit-check-not=warning: < %t.err

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.elect.sync(i32)

; CHECK: warning: in function one_thread: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 0{{$}}
define ptx_kernel void @one_thread(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %t, 0
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; CHECK: warning: in function one_warp: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 0 to 31{{$}}
define ptx_kernel void @one_warp(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 32
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; CHECK: warning: in function all_but_one_warp: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 32 to 127{{$}}
define ptx_kernel void @all_but_one_warp(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ugt i32 %t, 31
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; The number of a warp, the same for all of its threads.
; CHECK: warning: in function second_warp: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 32 to 63{{$}}
define ptx_kernel void @second_warp(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 5
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %w, i32 0, i32 31)
  %c = icmp eq i32 %s, 1
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; CHECK: warning: in function first_lanes: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 0, 32, 64, ...{{$}}
define ptx_kernel void @first_lanes(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %l = and i32 %t, 31
  %c = icmp eq i32 %l, 0
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; CHECK: warning: in function lane: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 0 to 15, 32 to 47, 64 to 79, ...{{$}}
define ptx_kernel void @lane(i64 %a, i64 %b) {
  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %c = icmp ult i32 %l, 16
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; One thread of each warp, whichever it is: the first one stands for it.
; CHECK: warning: in function elected: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 0, 32, 64, ...{{$}}
define ptx_kernel void @elected(i64 %a, i64 %b) {
  %e = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %c = extractvalue { i32, i1 } %e, 1
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; CHECK: warning: in function from_160: all 128 threads of a warpgroup execute wgmma together; of threads 128 to 255 only these come here: 160 to 255{{$}}
define ptx_kernel void @from_160(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ugt i32 %t, 159
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; Each of the conditions holds, also beside one of which nothing is known.
; CHECK: warning: in function both: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 0, 2, 4, ...{{$}}
define ptx_kernel void @both(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = icmp ult i32 %t, 128
  %o = and i32 %t, 1
  %e = icmp eq i32 %o, 0
  %p = icmp ne i64 %a, 0
  %fe = select i1 %f, i1 %e, i1 false
  %c = and i1 %fe, %p
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; CHECK: warning: in function of_several: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 32 to 63{{$}}
define ptx_kernel void @of_several(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = udiv i32 %t, 32
  switch i32 %w, label %end [
    i32 0, label %load
    i32 1, label %multiply
  ]

load:
  br label %end

multiply:
call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; CHECK: warning: in function returned_before: all 128 threads of a warpgroup execute wgmma together; of threads 0 to 127 only these come here: 0 to 63{{$}}
define ptx_kernel void @returned_before(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp uge i32 %t, 64
  br i1 %c, label %end, label %multiply

multiply:
call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; Two branches, one after the other.
; CHECK: warning: in function one_by_one: all 128 threads of a warpgroup execute wgmma together; of threads 128 to 255 only these come here: 192 to 255{{$}}
define ptx_kernel void @one_by_one(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = icmp ult i32 %t, 256
  br i1 %f, label %first, label %end

first:
  %l = icmp ugt i32 %t, 191
  br i1 %l, label %multiply, label %end

multiply:
call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; None of the others is told.

define ptx_kernel void @one_warpgroup(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 128
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

define ptx_kernel void @second_warpgroup(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 7
  %c = icmp eq i32 %w, 1
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

define ptx_kernel void @consumers(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 5
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %w, i32 0, i32 31)
  %c = icmp ugt i32 %s, 3
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; The block may have 128 threads, for which this holds.
define ptx_kernel void @all_of_160(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 160
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

define ptx_kernel void @required(i64 %a, i64 %b) "nvvm.reqntid"="256" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 300
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; All threads have a threadIdx.x below 32, in a block of 32 times 4.
define ptx_kernel void @two_dimensions(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %n = mul i32 %y, 32
  %i = add i32 %t, %n
  %x = icmp ult i32 %t, 32
  %z = icmp ult i32 %i, 128
  %c = and i1 %x, %z
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

define ptx_kernel void @two_dimensions_required(i64 %a, i64 %b) "nvvm.reqntid"="32,4,1" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 32
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

define ptx_kernel void @parameter(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = trunc i64 %a to i32
  %c = icmp ult i32 %t, %n
  br i1 %c, label %multiply, label %end

multiply:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %end

end:
  ret void
}

; All come together again.
define ptx_kernel void @met_again(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 32
  br i1 %c, label %load, label %multiply

load:
  br label %multiply

multiply:
call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret void
}

; What a loop counts with is not known.
define ptx_kernel void @in_each_round(i64 %a, i64 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:
  %i = phi i32 [ %t, %0 ], [ %next, %multiply ]
  %c = icmp ult i32 %i, 512
  br i1 %c, label %multiply, label %end

multiply:
call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add i32 %i, 128
  br label %loop

end:
  ret void
}
