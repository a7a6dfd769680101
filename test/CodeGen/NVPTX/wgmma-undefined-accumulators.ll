; An accumulator that is declared in a loop has no value where its lifetime starts: it does not keep that of the last round, and starts
; from 0. No variable that is too small or too large, or is no accumulator, is touched; and no module without wgmma.
; RUN: split-file %s %t
; RUN: opt %t/tiles.ll -S -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -passes=nvptx-start-accumulators | FileCheck %s --check-prefix=START
; RUN: opt %t/none.ll -S -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -passes=nvptx-start-accumulators | FileCheck %s --check-prefix=NONE
; RUN: opt %t/forget.ll -S -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -passes=nvptx-forget-accumulators | FileCheck %s --check-prefix=FORGET
; RUN: opt %t/tiles.ll -S -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -O3 -disable-loop-unrolling -o %t/tiles-opt.ll
; RUN: FileCheck %s --check-prefix=OPT --input-file=%t/tiles-opt.ll
; RUN: llc %t/tiles-opt.ll -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; RUN: llc %t/forget.ll -o - -mtriple=nvptx64 -mcpu=sm_80 | FileCheck %s --check-prefix=LLC
; NOTE-NOT: C75{{1[0-8]}}

;--- tiles.ll
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <16 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v16f32(<16 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

; START-LABEL: define ptx_kernel void @tiles(
; START:       call void @llvm.lifetime.start.p0(ptr %acc)
; START-NEXT:  [[VALUE:%.+]] = call <16 x float> @llvm.nvvm.wgmma.undefined.v16f32()
; START-NEXT:  store <16 x float> [[VALUE]], ptr %acc
; START:       call void @llvm.lifetime.start.p0(ptr %small)
; START-NEXT:  call void @llvm.lifetime.start.p0(ptr %addresses)
; START-NEXT:  call void @llvm.lifetime.start.p0(ptr %large)
; START-NEXT:  br label

; OPT-LABEL: define ptx_kernel void @tiles(
; OPT-NOT:   wgmma.undefined
; OPT:       phi <16 x float> [ poison, %tile ], [ %{{.*}}, %round ]
; OPT-NOT:   phi <16 x float>
; OPT-NOT:   wgmma.undefined
; OPT:       ret void

; The zeros are in the loop of the tiles.
; CHECK-LABEL:      .entry tiles(
; CHECK:            // %tile
; CHECK-COUNT-16:   lop3.b32
; CHECK:            // %round
; CHECK:            wgmma.mma_async
define ptx_kernel void @tiles(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %tiles, i32 %n) {
entry:
  %acc = alloca <16 x float>
  %small = alloca [8 x float]
  %addresses = alloca [16 x i64]
  %large = alloca [257 x float]
  br label %tile

tile:
  %t = phi i32 [ 0, %entry ], [ %t.next, %end ]
  call void @llvm.lifetime.start.p0(ptr %acc)
  call void @llvm.lifetime.start.p0(ptr %small)
  call void @llvm.lifetime.start.p0(ptr %addresses)
  call void @llvm.lifetime.start.p0(ptr %large)
  br label %round

round:
  %i = phi i32 [ 0, %tile ], [ %next, %round ]
  %more = icmp ne i32 %i, 0
  %c = load <16 x float>, ptr %acc
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call <16 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v16f32(<16 x float> %c, i64 %a, i64 %b, i1 %more, i32 1, i32 1, i1 false, i1 false)
  store <16 x float> %d, ptr %acc
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %end, label %round

end:
  %result = load <16 x float>, ptr %acc
  %place = getelementptr <16 x float>, ptr addrspace(1) %out, i32 %t
  store <16 x float> %result, ptr addrspace(1) %place
  call void @llvm.lifetime.end.p0(ptr %acc)
  %t.next = add i32 %t, 1
  %done = icmp eq i32 %t.next, %tiles
  br i1 %done, label %exit, label %tile

exit:
  ret void
}

;--- none.ll
; NONE-NOT: wgmma.undefined
declare void @llvm.lifetime.start.p0(ptr)
define ptx_kernel void @none() {
  %v = alloca [32 x float]
  call void @llvm.lifetime.start.p0(ptr %v)
  ret void
}

;--- forget.ll
; FORGET-LABEL: define <2 x float> @forget(
; FORGET-NEXT:  store volatile [2 x float] poison, ptr %q
; FORGET-NEXT:  ret <2 x float> poison
; What is forgotten as late as this has no value, either.
; LLC-LABEL: .func (.param .align 8 .b8 func_retval0[8]) forget(
; LLC-NOT:   wgmma
define <2 x float> @forget(ptr %p, ptr %q) {
  %u = call [2 x float] @llvm.nvvm.wgmma.undefined.a2f32()
  store [2 x float] %u, ptr %p
  store volatile [2 x float] %u, ptr %q
  %e = extractvalue [2 x float] %u, 0
  store float %e, ptr %p
  %v = call <2 x float> @llvm.nvvm.wgmma.undefined.v2f32()
  ret <2 x float> %v
}
