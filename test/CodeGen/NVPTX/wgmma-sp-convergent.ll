; All threads of a warpgroup must execute a wgmma together: optimizations may not
; put it under a condition, take it out of one, duplicate or merge it.
; RUN: opt -O3 -unroll-runtime=false -S %s -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 | FileCheck %s --check-prefix=IR
; RUN: opt -S %s -mtriple=nvptx64 -passes='function(sink,early-cse<memssa>,gvn,instcombine,simplifycfg<hoist-common-insts;sink-common-insts;speculate-blocks>,jump-threading,loop-mssa(licm,simple-loop-unswitch<nontrivial>),dce)' \
; RUN: | FileCheck %s --check-prefix=IR
; RUN: opt -O3 -unroll-runtime=false %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 \
; RUN: | llc -O3 -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx82 -verify-machineinstrs | FileCheck %s --check-prefix=PTX

; The result is used under a condition: the instruction stays above it.
; IR-LABEL: @sink(
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR:         br i1 %c
; IR-NOT:     wgmma.mma_async
; IR:       }
; PTX-LABEL: .entry sink(
; PTX-NOT:   bra
; PTX:       wgmma.mma_async.sp
; PTX:       bra
; PTX-NOT:   wgmma
; PTX:       ret;
define ptx_kernel void @sink(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %meta, i1 %c) {
entry:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  br i1 %c, label %then, label %exit
then:
  store <4 x float> %d, ptr addrspace(1) %out
  br label %exit
exit:
  ret void
}

; It is executed under a condition: it stays below.
; IR-LABEL: @hoist(
; IR-NOT:     wgmma.mma_async
; IR:         br i1 %c
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR:       }
; PTX-LABEL: .entry hoist(
; PTX-NOT:   wgmma
; PTX:       bra
; PTX:       wgmma.mma_async.sp
; PTX:       ret;
define ptx_kernel void @hoist(ptr addrspace(1) %out, <4 x float> %init, i64 %a, i64 %b, i32 %meta, i1 %c) {
entry:
  br i1 %c, label %then, label %exit
then:
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %exit
exit:
  %r = phi <4 x float> [ %init, %entry ], [ %d, %then ]
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; Both ways execute one of their own, with a barrier after the first one's: they
; are not sunk into the common successor.
; IR-LABEL: @merge(
; IR:         br i1 %c
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR:       {{^exit}}
; IR-NOT:     wgmma.mma_async
; IR:       }
; PTX-LABEL: .entry merge(
; PTX:       bra
; PTX:       wgmma.mma_async.sp
; PTX:       wgmma.mma_async.sp
; PTX:       ret;
define ptx_kernel void @merge(ptr addrspace(1) %out, <4 x float> %init, i64 %a, i64 %b, i64 %b2, i32 %meta, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %exit
else:
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b2, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  br label %exit
exit:
  %r = phi <4 x float> [ %d, %then ], [ %e, %else ]
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; Jump threading would copy the block with the instruction into both ways.
; IR-LABEL: @duplicate(
; IR-COUNT-1: call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR-NOT:     wgmma.mma_async
; IR:       }
; PTX-LABEL: .entry duplicate(
; PTX-COUNT-1: wgmma.mma_async.sp
; PTX-NOT:   wgmma.mma_async
; PTX:       ret;
define ptx_kernel void @duplicate(ptr addrspace(1) %out, <4 x float> %init, i64 %a, i64 %b, i32 %meta, i1 %c) {
entry:
  br i1 %c, label %then, label %middle
then:
  store volatile i32 1, ptr addrspace(1) %out
  br label %middle
middle:
  %known = phi i1 [ true, %then ], [ false, %entry ]
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  br i1 %known, label %more, label %exit
more:
  store volatile <4 x float> %d, ptr addrspace(1) %out
  br label %exit
exit:
  store volatile i32 2, ptr addrspace(1) %out
  ret void
}

; Unswitching would give the loop a copy for each value of the condition.
; IR-LABEL: @unswitch(
; IR-COUNT-1: call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR-NOT:     wgmma.mma_async
; IR:       }
define ptx_kernel void @unswitch(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %meta, i1 %c, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %d = phi <4 x float> [ zeroinitializer, %entry ], [ %d.next, %latch ]
  %d.next = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  br i1 %c, label %then, label %latch
then:
  store volatile i32 %i, ptr addrspace(1) %out
  br label %latch
latch:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  store <4 x float> %d.next, ptr addrspace(1) %out
  ret void
}

; Nothing in the loop changes its operands; it is executed each time all the same.
; IR-LABEL: @invariant(
; IR:       {{^loop}}
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR:         br i1
; PTX-LABEL: .entry invariant(
; PTX:       Loop Header
; PTX:       wgmma.mma_async.sp
; PTX:       bra
define ptx_kernel void @invariant(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Two alike are two: between them, another thread may have changed what they read.
; IR-LABEL: @alike(
; IR-COUNT-2: call <4 x float> @llvm.nvvm.wgmma.mma_async.sp
; IR:       }
; PTX-LABEL: .entry alike(
; PTX-COUNT-2: wgmma.mma_async.sp
; PTX:       ret;
define ptx_kernel void @alike(ptr addrspace(1) %out, <4 x float> %init, i64 %a, i64 %b, i32 %meta) {
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %r = fadd <4 x float> %d, %e
  store <4 x float> %r, ptr addrspace(1) %out
  ret void
}

; Nobody uses the result; the instruction is still part of its group.
; IR-LABEL: @unused(
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss
; IR:         call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.rs
; IR:         call <4 x i32> @llvm.nvvm.wgmma.fence_operand
; IR:       }
; PTX-LABEL: .entry unused(
; PTX:       wgmma.mma_async.sp{{.*}} {{[{]%r[0-9]+(, %r[0-9]+){3}[}]}}, %rd
; PTX:       wgmma.mma_async.sp{{.*}} {{[{]%r[0-9]+(, %r[0-9]+){3}[}]}}, {%r
; PTX:       ret;
define ptx_kernel void @unused(<4 x float> %init, i64 %a, <4 x i32> %frag, i64 %b, i32 %meta) {
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v4f32(<4 x float> %init, i64 %a, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %e = call <4 x float> @llvm.nvvm.wgmma.mma_async.sp.rs.f32.f16.f16.v4f32(<4 x float> %init, <4 x i32> %frag, i64 %b, i32 %meta, i32 0, i1 true, i32 1, i32 1, i1 false)
  %f = call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> %frag)
  ret void
}
