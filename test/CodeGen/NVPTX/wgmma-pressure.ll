; Of 255 registers of a thread ptxas has 231 for accumulators. A kernel that needs more of them where it issues wgmma gets
; a warning at the wgmma where it needs most: ptxas serializes all of its wgmma (C7511, C7512) and spills.
; RUN: split-file %s %t
; RUN: llc < %t/many.ll -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t/many.ptx 2>&1 | FileCheck %s --implicit-check-not=warning:
; RUN: llc < %t/many.ll -mcpu=sm_90a -mattr=+ptx80 -O0 -o /dev/null 2>&1 | FileCheck %s --check-prefix=O0 --allow-empty
; RUN: llc < %t/few.ll -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t/few.ptx 2>&1 | FileCheck %s --check-prefix=FEW --allow-empty
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t/few.ptx %}

; A kernel that leaves a thread fewer registers has fewer for accumulators: as ptxas 13.0 compiles, or fails to.
; RUN: llc < %t/bounds.ll -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOUNDS --implicit-check-not=warning:
; RUN: llc < %t/more.ll -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o /dev/null 2>&1 | FileCheck %s --check-prefix=FEW --allow-empty
; RUN: llc < %t/within.ll -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t/within.ptx 2>&1 | FileCheck %s --check-prefix=FEW --allow-empty
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t/within.ptx %}

; BOUNDS-DAG: warning: {{.*}}in function threads: accumulators in 104 registers are live at once, of 102 that ptxas has for them, as the kernel allows a thread 128: it keeps some in local memory and waits for each wgmma of the function, or fails
; BOUNDS-DAG: warning: {{.*}}in function blocks: accumulators in 104 registers are live at once, of 102 that ptxas has for them, as the kernel allows a thread 128:
; BOUNDS-DAG: warning: {{.*}}in function required: accumulators in 104 registers are live at once, of 102 that ptxas has for them, as the kernel allows a thread 128:
; BOUNDS-DAG: warning: {{.*}}in function part_of_a_warp: accumulators in 104 registers are live at once, of 102 that ptxas has for them, as the kernel allows a thread 128:
; BOUNDS-DAG: warning: {{.*}}in function maxnreg: accumulators in 104 registers are live at once, of 103 that ptxas has for them, as the kernel allows a thread 129:

; CHECK-DAG: warning: many.cu:3:7: in function in_flight: accumulators in 232 registers are live at once, of 231 that ptxas has for them: it keeps some in local memory and waits for each wgmma of the function
; CHECK-DAG: warning: {{.*}}in function idle: accumulators in 232 registers are live at once, of 231 that ptxas has for them
; CHECK-DAG: warning: {{.*}}in function in_part: accumulators in 232 registers are live at once, of 231 that ptxas has for them
; O0-NOT: that ptxas has for them
; FEW-NOT: warning:

;--- many.ll
target triple = "nvptx64-nvidia-cuda"

; Two accumulators of m64n232.
define ptx_kernel void @in_flight(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) !dbg !4 {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <116 x float> [ zeroinitializer, %entry ], [ %c.next, %loop ]
  %d = phi <116 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned(), !dbg !5
  %c.sum = call <116 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v116f32(<116 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false), !dbg !6
  %d.sum = call <116 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v116f32(<116 x float> %d, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false), !dbg !7
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned(), !dbg !5
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0), !dbg !5
  %c.next = call <116 x float> @llvm.nvvm.wgmma.fence_operand.v116f32(<116 x float> %c.sum), !dbg !5
  %d.next = call <116 x float> @llvm.nvvm.wgmma.fence_operand.v116f32(<116 x float> %d.sum), !dbg !5
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <116 x float> %c.next, ptr addrspace(1) %out, align 16
  %out.2 = getelementptr i8, ptr addrspace(1) %out, i64 65536
  store <116 x float> %d.next, ptr addrspace(1) %out.2, align 16
  ret void
}

; One is in flight, and the other one idle: it needs its registers, too.
define ptx_kernel void @idle(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <116 x float> [ zeroinitializer, %entry ], [ %c.next, %loop ]
  %d = phi <116 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c.sum = call <116 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v116f32(<116 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %c.next = call <116 x float> @llvm.nvvm.wgmma.fence_operand.v116f32(<116 x float> %c.sum)
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <116 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v116f32(<116 x float> %d, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <116 x float> @llvm.nvvm.wgmma.fence_operand.v116f32(<116 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <116 x float> %c.next, ptr addrspace(1) %out, align 16
  %out.2 = getelementptr i8, ptr addrspace(1) %out, i64 65536
  store <116 x float> %d.next, ptr addrspace(1) %out.2, align 16
  ret void
}

; Of the first one an element is needed, but it writes all of its registers while both are in flight.
define ptx_kernel void @in_part(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %c = load <116 x float>, ptr addrspace(1) %out, align 16
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c.sum = call <116 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v116f32(<116 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d.sum = call <116 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v116f32(<116 x float> poison, i64 %b, i64 %a, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %c.done = call <116 x float> @llvm.nvvm.wgmma.fence_operand.v116f32(<116 x float> %c.sum)
  %d.done = call <116 x float> @llvm.nvvm.wgmma.fence_operand.v116f32(<116 x float> %d.sum)
  %first = extractelement <116 x float> %c.done, i32 0
  store float %first, ptr addrspace(1) %out
  %out.2 = getelementptr i8, ptr addrspace(1) %out, i64 65536
  store <116 x float> %d.done, ptr addrspace(1) %out.2, align 16
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: NoDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "many.cu", directory: "/")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "in_flight", file: !2, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, column: 1, scope: !4)
!6 = !DILocation(line: 3, column: 5, scope: !4)
!7 = !DILocation(line: 3, column: 7, scope: !4)

;--- few.ll
target triple = "nvptx64-nvidia-cuda"

; Two of m64n224.
define ptx_kernel void @fits(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <112 x float> [ zeroinitializer, %entry ], [ %c.next, %loop ]
  %d = phi <112 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c.sum = call <112 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v112f32(<112 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d.sum = call <112 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v112f32(<112 x float> %d, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %c.next = call <112 x float> @llvm.nvvm.wgmma.fence_operand.v112f32(<112 x float> %c.sum)
  %d.next = call <112 x float> @llvm.nvvm.wgmma.fence_operand.v112f32(<112 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <112 x float> %c.next, ptr addrspace(1) %out, align 16
  %out.2 = getelementptr i8, ptr addrspace(1) %out, i64 65536
  store <112 x float> %d.next, ptr addrspace(1) %out.2, align 16
  ret void
}

; Nothing needs what the second one sums up: ptxas leaves it out.
define ptx_kernel void @unneeded(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = phi <116 x float> [ zeroinitializer, %entry ], [ %c.next, %loop ]
  %d = phi <116 x float> [ zeroinitializer, %entry ], [ %d.sum, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c.sum = call <116 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v116f32(<116 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d.sum = call <116 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v116f32(<116 x float> %d, i64 %b, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %c.next = call <116 x float> @llvm.nvvm.wgmma.fence_operand.v116f32(<116 x float> %c.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <116 x float> %c.next, ptr addrspace(1) %out, align 16
  ret void
}

; Tiles of two shapes in a loop around both, which LLVM carries the values of through: what each tile starts from it
; overwrites, so that nothing is live from one to the next.
define ptx_kernel void @overwritten(ptr addrspace(1) %out, ptr addrspace(1) %shapes, i64 %a, i64 %b, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %c.last = phi <128 x float> [ poison, %entry ], [ %c.phi, %next ]
  %d.last = phi <112 x float> [ poison, %entry ], [ %d.phi, %next ]
  %shape.addr = getelementptr i32, ptr addrspace(1) %shapes, i32 %i
  %shape = load i32, ptr addrspace(1) %shape.addr
  %is.large = icmp eq i32 %shape, 0
  br i1 %is.large, label %large, label %small

large:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %c = call <128 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v128f32(<128 x float> %c.last, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %c.done = call <128 x float> @llvm.nvvm.wgmma.fence_operand.v128f32(<128 x float> %c)
  store <128 x float> %c.done, ptr addrspace(1) %out, align 16
  br label %next

small:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <112 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v112f32(<112 x float> %d.last, i64 %a, i64 %b, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.done = call <112 x float> @llvm.nvvm.wgmma.fence_operand.v112f32(<112 x float> %d)
  store <112 x float> %d.done, ptr addrspace(1) %out, align 16
  br label %next

next:
  %c.phi = phi <128 x float> [ %c.done, %large ], [ %c.last, %small ]
  %d.phi = phi <112 x float> [ %d.last, %large ], [ %d.done, %small ]
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret void
}

;--- bounds.ll
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @threads(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxntid"="512" {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <104 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <104 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v104f32(<104 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <104 x float> @llvm.nvvm.wgmma.fence_operand.v104f32(<104 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <104 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}

define ptx_kernel void @blocks(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxntid"="16,16" "nvvm.minctasm"="2" {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <104 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <104 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v104f32(<104 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <104 x float> @llvm.nvvm.wgmma.fence_operand.v104f32(<104 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <104 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}

define ptx_kernel void @required(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.reqntid"="128,4,1" "nvvm.maxntid"="256" {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <104 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <104 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v104f32(<104 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <104 x float> @llvm.nvvm.wgmma.fence_operand.v104f32(<104 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <104 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}

define ptx_kernel void @maxnreg(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxnreg"="129" {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <104 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <104 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v104f32(<104 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <104 x float> @llvm.nvvm.wgmma.fence_operand.v104f32(<104 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <104 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}

; A quarter of an SM has four of the thirteen warps.
define ptx_kernel void @part_of_a_warp(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxntid"="385" {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <104 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <104 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v104f32(<104 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <104 x float> @llvm.nvvm.wgmma.fence_operand.v104f32(<104 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <104 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}

;--- within.ll
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @in_bounds(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxntid"="512" {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <100 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <100 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v100f32(<100 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <100 x float> @llvm.nvvm.wgmma.fence_operand.v100f32(<100 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <100 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}

; Blocks of any size may be launched.
define ptx_kernel void @no_threads(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.minctasm"="2" {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <104 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <104 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v104f32(<104 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <104 x float> @llvm.nvvm.wgmma.fence_operand.v104f32(<104 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <104 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}

; More blocks than an SM has room for.
define ptx_kernel void @too_many_blocks(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxntid"="256" "nvvm.minctasm"="9" {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <104 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <104 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v104f32(<104 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <104 x float> @llvm.nvvm.wgmma.fence_operand.v104f32(<104 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <104 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}

;--- more.ll
target triple = "nvptx64-nvidia-cuda"

; With setmaxnreg warps may get more registers than they are launched with.
define ptx_kernel void @more(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxntid"="512" "nvvm.minctasm"="1" {
entry:
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 160)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <104 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <104 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v104f32(<104 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <104 x float> @llvm.nvvm.wgmma.fence_operand.v104f32(<104 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <104 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}

define ptx_kernel void @more_asm(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) "nvvm.maxntid"="512" "nvvm.minctasm"="1" {
entry:
  call void asm sideeffect "setmaxnreg.inc.sync.aligned.u32 $0;", "n"(i32 160)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = phi <104 x float> [ zeroinitializer, %entry ], [ %d.next, %loop ]
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d.sum = call <104 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v104f32(<104 x float> %d, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %d.next = call <104 x float> @llvm.nvvm.wgmma.fence_operand.v104f32(<104 x float> %d.sum)
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  store <104 x float> %d.next, ptr addrspace(1) %out, align 16
  ret void
}
