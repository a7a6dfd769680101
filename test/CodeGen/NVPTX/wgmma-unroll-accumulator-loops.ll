; Loops that index an accumulator by their counter are unrolled, at -O1 too; others
; are left alone. See NVPTXUnrollAccumulatorLoops.cpp.
; RUN: opt -S -passes='loop(nvptx-unroll-accumulator-loops)' -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s
; RUN: opt -S -O1 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s --check-prefix=OPT
; RUN: opt -S -O2 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s --check-prefix=OPT
; RUN: opt -S -O3 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s --check-prefix=OPT
; A target without wgmma does not have the pass in its pipeline.
; RUN: opt -S -O2 -mtriple=nvptx64 -mcpu=sm_80 -mattr=+ptx80 %s | FileCheck %s --check-prefix=OTHER

declare <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare <32 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v32i32(<32 x i32>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)

; CHECK-LABEL: @extract(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[EXTRACT:![0-9]+]]
; OPT-LABEL: @extract(
; OPT-NOT: extractelement {{.*}}, i64 %
; OPT-COUNT-128: store float
; OPT-NOT: br
; OPT: ret void
; OTHER-LABEL: @extract(
; OTHER: extractelement {{.*}}, i64 %
define ptx_kernel void @extract(ptr %p, i64 %a, i64 %b) {
entry:
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = extractelement <128 x float> %d, i64 %i
  %address = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 128
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; Written, in two loops, by an index that is computed.
; CHECK-LABEL: @insert_nested(
; CHECK: br i1 %done.inner, label %outer.end, label %inner, !llvm.loop [[INNER:![0-9]+]]
; CHECK: br i1 %done, label %exit, label %outer, !llvm.loop [[OUTER:![0-9]+]]
; OPT-LABEL: @insert_nested(
; OPT-NOT: insertelement {{.*}}, i64 %
; OPT-NOT: br
; OPT: ret void
define ptx_kernel void @insert_nested(ptr %p, i64 %a, i64 %b, float %y) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %c.outer = phi <128 x float> [ poison, %entry ], [ %c.next, %outer.end ]
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %c = phi <128 x float> [ %c.outer, %outer ], [ %c.next, %inner ]
  %i.up = shl i64 %i, 2
  %j.swapped = xor i64 %j, 1
  %index = or i64 %i.up, %j.swapped
  %address = getelementptr float, ptr %p, i64 %index
  %x = load float, ptr %address
  %c.next = insertelement <128 x float> %c, float %x, i64 %index
  %j.next = add nuw nsw i64 %j, 1
  %done.inner = icmp eq i64 %j.next, 4
  br i1 %done.inner, label %outer.end, label %inner

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 32
  br i1 %done, label %exit, label %outer

exit:
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> %c.next, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <128 x float> %d, ptr %p
  ret void
}

; A local array.
; CHECK-LABEL: @array(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[ARRAY:![0-9]+]]
; OPT-LABEL: @array(
; OPT-NOT: alloca
; OPT: ret void
define ptx_kernel void @array(ptr %p, i64 %a, i64 %b) {
entry:
  %array = alloca [128 x float]
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <128 x float> %d, ptr %array
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %i.ext = zext i32 %i to i64
  %element = getelementptr inbounds [128 x float], ptr %array, i64 0, i64 %i.ext
  %x = load float, ptr %element
  %address = getelementptr float, ptr %p, i64 %i.ext
  store float %x, ptr %address
  %i.next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i.next, 128
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; A pointer that runs over an array, as that of `for (auto &Element : Array)`.
; CHECK-LABEL: @pointer(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[POINTER:![0-9]+]]
; OPT-LABEL: @pointer(
; OPT-NOT: alloca
; OPT: ret void
define ptx_kernel void @pointer(ptr %p, i64 %a, i64 %b) {
entry:
  %array = alloca [128 x float]
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <128 x float> %d, ptr %array
  %end = getelementptr inbounds i8, ptr %array, i64 512
  br label %loop

loop:
  %element = phi ptr [ %array, %entry ], [ %next, %loop ]
  %out = phi ptr [ %p, %entry ], [ %out.next, %loop ]
  %x = load float, ptr %element
  store float %x, ptr %out
  %next = getelementptr inbounds i8, ptr %element, i64 4
  %out.next = getelementptr inbounds i8, ptr %out, i64 4
  %done = icmp eq ptr %next, %end
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; An array in a class, of which this is a part.
%tile = type { float, [2 x [16 x { half, half }]] }

; CHECK-LABEL: @in_class(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[IN_CLASS:![0-9]+]]
; OPT-LABEL: @in_class(
; OPT-NOT: alloca
; OPT: ret void
define ptx_kernel void @in_class(ptr %p, i64 %a, i64 %b) {
entry:
  %tile = alloca %tile
  %d = call <32 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v32i32(<32 x i32> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %array = getelementptr inbounds %tile, ptr %tile, i64 0, i32 1
  store <32 x i32> %d, ptr %array
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %element = getelementptr inbounds %tile, ptr %tile, i64 0, i32 1, i64 1, i64 %i
  %x = load i32, ptr %element
  %address = getelementptr i32, ptr %p, i64 %i
  store i32 %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 16
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; A loop that the program's input may leave early; the other exit's count is known.
; CHECK-LABEL: @leaves_early(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[LEAVES:![0-9]+]]
; OPT-LABEL: @leaves_early(
; OPT-NOT: extractelement {{.*}}, i64 %
; OPT: ret void
define ptx_kernel void @leaves_early(ptr %p, i64 %a, i64 %b, i64 %n) {
entry:
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %store ]
  %x = extractelement <128 x float> %d, i64 %i
  %large = fcmp ogt float %x, 1.0
  br i1 %large, label %exit, label %store

store:
  %address = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 128
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; An index that is looked up in a constant table.
@table = private unnamed_addr addrspace(1) constant [4 x i64] [i64 0, i64 2, i64 1, i64 3]
@input.table = external addrspace(4) externally_initialized global [4 x i64]

; CHECK-LABEL: @looked_up(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[LOOKED_UP:![0-9]+]]
; OPT-LABEL: @looked_up(
; OPT-NOT: extractelement {{.*}}, i64 %
; OPT-NOT: br
; OPT: ret void
define ptx_kernel void @looked_up(ptr %p, i64 %a, i64 %b) {
entry:
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %column = and i64 %i, 3
  %row = and i64 %i, 124
  %entry.address = getelementptr [4 x i64], ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 0, i64 %column
  %order = load i64, ptr %entry.address
  %index = or i64 %row, %order
  %x = extractelement <128 x float> %d, i64 %index
  %address = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 128
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; In a table of the program's input it stays a variable.
; CHECK-LABEL: @looked_up_in_input(
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define ptx_kernel void @looked_up_in_input(ptr %p, i64 %a, i64 %b) {
entry:
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %entry.address = getelementptr [4 x i64], ptr addrspacecast (ptr addrspace(4) @input.table to ptr), i64 0, i64 %i
  %index = load i64, ptr %entry.address
  %x = extractelement <128 x float> %d, i64 %index
  %address = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 4
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; A variable that is declared as registers, and read by halves.
; CHECK-LABEL: @by_halves(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[BY_HALVES:![0-9]+]]
; OPT-LABEL: @by_halves(
; OPT-NOT: alloca
; OPT: ret void
define ptx_kernel void @by_halves(ptr %p, i64 %a, i64 %b) {
entry:
  %array = alloca [32 x i32]
  %d = call <32 x i32> @llvm.nvvm.wgmma.mma_async.ss.f16.f16.f16.v32i32(<32 x i32> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <32 x i32> %d, ptr %array
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %element = getelementptr inbounds half, ptr %array, i64 %i
  %x = load half, ptr %element
  %address = getelementptr half, ptr %p, i64 %i
  store half %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 64
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; Where the pointer starts is not known.
; CHECK-LABEL: @pointer_from_input(
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define ptx_kernel void @pointer_from_input(ptr %p, i64 %a, i64 %b, i64 %n) {
entry:
  %array = alloca [128 x float]
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <128 x float> %d, ptr %array
  %start = getelementptr inbounds float, ptr %array, i64 %n
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %element = phi ptr [ %start, %entry ], [ %next, %loop ]
  %x = load float, ptr %element
  %address = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %address
  %next = getelementptr inbounds i8, ptr %element, i64 4
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 8
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; The index stays a variable.
; CHECK-LABEL: @input(
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define ptx_kernel void @input(ptr %p, i64 %a, i64 %b, i64 %n) {
entry:
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %index = add i64 %i, %n
  %x = extractelement <128 x float> %d, i64 %index
  %address = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 8
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

; A loop over K that alternates between two descriptors.
; CHECK-LABEL: @buffers(
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define ptx_kernel void @buffers(ptr %p, <2 x i64> %descriptors, i64 %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <128 x float> [ zeroinitializer, %entry ], [ %d, %loop ]
  %index = and i64 %i, 1
  %a = extractelement <2 x i64> %descriptors, i64 %index
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 64
  br i1 %done, label %exit, label %loop

exit:
  store <128 x float> %d, ptr %p
  ret void
}

; The program says no.
; CHECK-LABEL: @disabled(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[DISABLED:![0-9]+]]
define ptx_kernel void @disabled(ptr %p, i64 %a, i64 %b) {
entry:
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = extractelement <128 x float> %d, i64 %i
  %address = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 128
  br i1 %done, label %exit, label %loop, !llvm.loop !0

exit:
  ret void
}

; The program asks for four at a time, which would index four variables in memory.
; CHECK-LABEL: @in_part(
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[IN_PART:![0-9]+]]
define ptx_kernel void @in_part(ptr %p, i64 %a, i64 %b) {
entry:
  %d = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> zeroinitializer, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = extractelement <128 x float> %d, i64 %i
  %address = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 128
  br i1 %done, label %exit, label %loop, !llvm.loop !2

exit:
  ret void
}

; No wgmma.
; CHECK-LABEL: @other_function(
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define ptx_kernel void @other_function(ptr %p, <128 x float> %d) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = extractelement <128 x float> %d, i64 %i
  %address = getelementptr float, ptr %p, i64 %i
  store float %x, ptr %address
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 128
  br i1 %done, label %exit, label %loop

exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.count", i32 4}

; An element that is assigned under a condition: the condition chooses an element, and no accumulator, which unrolling
; would count 128 times 128 instructions for.
; CHECK-LABEL: define void @clamp(
; CHECK:       %x = extractelement
; CHECK:       [[OLD:%.*]] = extractelement <128 x float> [[V:%.*]], i32 %i
; CHECK-NEXT:  [[NEW:%.*]] = select i1 %above, float %most, float [[OLD]]
; CHECK-NEXT:  insertelement <128 x float> [[V]], float [[NEW]], i32 %i
; CHECK-NOT:   select
; CHECK:       [[OLD2:%.*]] = extractelement <128 x float> [[V2:%.*]], i32 %i
; CHECK-NEXT:  [[NEW2:%.*]] = select i1 %above, float [[OLD2]], float %most
; CHECK-NEXT:  insertelement <128 x float> [[V2]], float [[NEW2]], i32 %i
; CHECK-NOT:   select
; CHECK:       br i1 %again, {{.*}}, !llvm.loop
; OPT-LABEL: define {{.*}} @clamp(
; OPT-NOT: br
; OPT: ret void
define void @clamp(<128 x float> %in, float %most, ptr %out) {
entry:
  %start = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> %in, i64 0, i64 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi <128 x float> [ %start, %entry ], [ %clamped, %loop ]
  %w = phi <128 x float> [ %start, %entry ], [ %kept, %loop ]
  %x = extractelement <128 x float> %v, i32 %i
  %above = fcmp ogt float %x, %most
  %set = insertelement <128 x float> %v, float %most, i32 %i
  %clamped = select i1 %above, <128 x float> %set, <128 x float> %v
  %other = insertelement <128 x float> %w, float %most, i32 %i
  %kept = select i1 %above, <128 x float> %w, <128 x float> %other
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 128
  br i1 %again, label %loop, label %exit

exit:
  store <128 x float> %clamped, ptr %out
  store <128 x float> %kept, ptr %out
  ret void
}

; An index that may be beside the accumulator: to assign an element there would make poison of all, chosen or not.
; CHECK-LABEL: define void @beside(
; CHECK:       select i1 %inside, <4 x float>
define void @beside(<4 x float> %in, float %x, i32 %n, ptr %out) {
entry:
  %start = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %in, i64 0, i64 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi <4 x float> [ %start, %entry ], [ %chosen, %loop ]
  %inside = icmp ult i32 %i, 4
  %set = insertelement <4 x float> %v, float %x, i32 %i
  %chosen = select i1 %inside, <4 x float> %set, <4 x float> %v
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <4 x float> %chosen, ptr %out
  ret void
}

; CHECK-DAG: [[EXTRACT]] = distinct !{[[EXTRACT]], [[ENABLE:![0-9]+]]}
; CHECK-DAG: [[INNER]] = distinct !{[[INNER]], [[ENABLE]]}
; CHECK-DAG: [[OUTER]] = distinct !{[[OUTER]], [[ENABLE]]}
; CHECK-DAG: [[LEAVES]] = distinct !{[[LEAVES]], [[ENABLE]]}
; CHECK-DAG: [[LOOKED_UP]] = distinct !{[[LOOKED_UP]], [[ENABLE]]}
; CHECK-DAG: [[BY_HALVES]] = distinct !{[[BY_HALVES]], [[ENABLE]]}
; CHECK-DAG: [[ARRAY]] = distinct !{[[ARRAY]], [[ENABLE]]}
; CHECK-DAG: [[POINTER]] = distinct !{[[POINTER]], [[ENABLE]]}
; CHECK-DAG: [[IN_CLASS]] = distinct !{[[IN_CLASS]], [[ENABLE]]}
; CHECK-DAG: [[IN_PART]] = distinct !{[[IN_PART]], [[ENABLE]]}
; CHECK-DAG: [[ENABLE]] = !{!"llvm.loop.unroll.enable"}
; CHECK-DAG: [[DISABLED]] = distinct !{[[DISABLED]], [[DISABLE:![0-9]+]]}
; CHECK-DAG: [[DISABLE]] = !{!"llvm.loop.unroll.disable"}
