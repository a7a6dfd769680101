; A loop that skips rounds, inside of one that leaves an accumulator in flight for its next round: what is in flight
; comes through it as it is, and the program's own waits are all that is needed. The accumulator's zero is written
; once, ahead of the branch around the loop.
; RUN: llc -O3 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs %s -o %t.ptx 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
; RUN: FileCheck %s < %t.ptx
; RUN: %if ptxas-sm_90a %{ %ptxas-verify -arch=sm_90a %t.ptx %}

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 immarg)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; SILENT-NOT: warning

; CHECK-LABEL: .entry skips_rounds(
; CHECK:       lop3.b32 [[FIRST:%r[0-9]+]], {{.*}}, 0, 0x6a;
; CHECK:       bra [[END:\$L__BB[0-9_]+]];
; CHECK-NOT:   lop3.b32 [[FIRST]],
; CHECK:       wgmma.mma_async
; CHECK:       wgmma.commit_group
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK:       wgmma.mma_async{{.*}} {[[FIRST]],
; CHECK:       wgmma.commit_group
; CHECK-NOT:   wgmma.wait_group
; CHECK:       [[END]]:
; CHECK:       wgmma.wait_group.sync.aligned 0;
define ptx_kernel void @skips_rounds(ptr %out, i64 %a, i64 %b, i32 %first, i32 %last, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %round, label %end

round:
  %left = phi i32 [ %n, %entry ], [ %left.next, %work ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %work ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.next, %work ]
  br label %skip

skip:
  %left.skip = phi i32 [ %left, %round ], [ %left.less, %skipped ]
  %i.skip = phi i32 [ %i, %round ], [ %i.more, %skipped ]
  %wanted = icmp sge i32 %i.skip, %first
  br i1 %wanted, label %begin, label %skipped

skipped:
  %left.less = add i32 %left.skip, -1
  %i.more = add i32 %i.skip, 1
  %more = icmp sgt i32 %left.less, 0
  br i1 %more, label %skip, label %begin

begin:
  %left.now = phi i32 [ %left.skip, %skip ], [ 0, %skipped ]
  %i.now = phi i32 [ %i.skip, %skip ], [ %i.more, %skipped ]
  %none = icmp eq i32 %i.now, %last
  br i1 %none, label %end, label %work

work:
  %offset = zext i32 %i.now to i64
  %b.now = add i64 %b, %offset
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %s = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 %a, i64 %b.now, i1 false, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %place = getelementptr <4 x float>, ptr %out, i32 %i.now
  store <4 x float> %s, ptr %place
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %sum.next = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %sum, i64 %b.now, i64 %a, i1 true, i32 1, i32 1, i1 false, i1 false)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 1)
  %left.next = add i32 %left.now, -1
  %i.next = add i32 %i.now, 1
  %again = icmp sgt i32 %left.now, 1
  br i1 %again, label %round, label %end

end:
  %result = phi <4 x float> [ zeroinitializer, %entry ], [ %sum, %begin ], [ %sum.next, %work ]
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %result, ptr %out
  ret void
}
