; What the value of a switch is computed from is a constant in its cases; see
; NVPTXSwitchValues.cpp.
; RUN: opt -S -passes=nvptx-switch-values -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s

declare void @use(i32)
declare void @use16(i16)
declare void @use64(i64)
declare void @use1(i1)
declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; The columns of a tile that have the first scale: 128 minus 0, 32, 64 or 96,
; by 8.
; CHECK-LABEL: define void @columns(
; CHECK: first:
; CHECK-NEXT: call void @use1(i1 true)
; CHECK-NEXT: %a = icmp ult i32 96, 88
; CHECK-NEXT: call void @use1(i1 false)
; CHECK-NEXT: call void @use(i32 4)
; CHECK-NEXT: call void @use(i32 32)
; CHECK: second:
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NEXT: call void @use(i32 64)
; CHECK: default:
; CHECK-NEXT: call void @use(i32 %m)
; CHECK: exit:
; CHECK-NEXT: call void @use(i32 %m)
define void @columns(i32 %x, i1 %again) {
  %d.unread = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 0, i64 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %m = and i32 %x, 96
  %left = sub nuw nsw i32 128, %m
  %n = lshr exact i32 %left, 3
  %hoisted = icmp ugt i32 %m, 40
  %from = add nsw i32 %n, -4
  %value = lshr exact i32 %from, 2
  switch i32 %value, label %default [
    i32 0, label %first
    i32 1, label %second
  ]

first:
  call void @use1(i1 %hoisted)
  %a = icmp ult i32 %m, 88
  call void @use1(i1 %a)
  call void @use(i32 %n)
  call void @use(i32 %left)
  br label %exit

second:
  br label %loop

loop:
  call void @use(i32 %m)
  br i1 %again, label %loop, label %exit

default:
  call void @use(i32 %m)
  br label %exit

exit:
  call void @use(i32 %m)
  ret void
}

; Rotated, as SimplifyCFG leaves it where it knows less; other ways that leave
; one value alone.
; CHECK-LABEL: define void @rotated(
; CHECK: case:
; CHECK-NEXT: call void @use(i32 36)
define void @rotated(i32 %x) {
  %d.unread = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 0, i64 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %from = add i32 %x, -4
  %value = call i32 @llvm.fshl.i32(i32 %from, i32 %from, i32 28)
  switch i32 %value, label %exit [ i32 2, label %case ]

case:
  call void @use(i32 %x)
  br label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @widths(
; CHECK: zext:
; CHECK-NEXT: call void @use16(i16 9)
; CHECK: sext:
; CHECK-NEXT: call void @use16(i16 -7)
; CHECK: nuw:
; CHECK-NEXT: call void @use64(i64 4294967289)
; CHECK: nsw:
; CHECK-NEXT: call void @use64(i64 -7)
define void @widths(i16 %x, i16 %y, i64 %z, i64 %w) {
  %d.unread = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 0, i64 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %a = zext i16 %x to i32
  switch i32 %a, label %next [ i32 9, label %zext ]

zext:
  call void @use16(i16 %x)
  br label %next

next:
  %b = sext i16 %y to i32
  switch i32 %b, label %next2 [ i32 -7, label %sext ]

sext:
  call void @use16(i16 %y)
  br label %next2

next2:
  %c = trunc nuw i64 %z to i32
  switch i32 %c, label %next3 [ i32 -7, label %nuw ]

nuw:
  call void @use64(i64 %z)
  br label %next3

next3:
  %d = trunc nsw i64 %w to i32
  switch i32 %d, label %exit [ i32 -7, label %nsw ]

nsw:
  call void @use64(i64 %w)
  br label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @shifts(
; CHECK: exact:
; CHECK-NEXT: call void @use(i32 -16)
; CHECK: shl:
; CHECK-NEXT: call void @use(i32 2147483646)
; CHECK: nsw:
; CHECK-NEXT: call void @use(i32 -2)
; CHECK: or:
; CHECK-NEXT: call void @use(i32 8)
; CHECK: xor:
; CHECK-NEXT: call void @use(i32 6)
define void @shifts(i32 %x, i32 %y, i32 %z, i32 %v, i32 %w) {
  %d.unread = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 0, i64 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %a = ashr exact i32 %x, 3
  switch i32 %a, label %next [ i32 -2, label %exact ]

exact:
  call void @use(i32 %x)
  br label %next

next:
  %b = shl nuw i32 %y, 1
  switch i32 %b, label %next2 [ i32 -4, label %shl ]

shl:
  call void @use(i32 %y)
  br label %next2

next2:
  %c = shl nsw i32 %z, 1
  switch i32 %c, label %next3 [ i32 -4, label %nsw ]

nsw:
  call void @use(i32 %z)
  br label %next3

next3:
  %d = or disjoint i32 %v, 1
  switch i32 %d, label %next4 [ i32 9, label %or ]

or:
  call void @use(i32 %v)
  br label %next4

next4:
  %e = xor i32 %w, 5
  switch i32 %e, label %exit [ i32 3, label %xor ]

xor:
  call void @use(i32 %w)
  br label %exit

exit:
  ret void
}

; What a minimum cuts off is a range, which comparisons may be known of: of 128
; minus 0, 32, 64 or 96, no more than 96.
; CHECK-LABEL: define void @minimum(
; CHECK: all:
; CHECK-NEXT: call void @use1(i1 true)
; CHECK-NEXT: call void @use1(i1 false)
; CHECK-NEXT: call void @use1(i1 %third)
; CHECK-NEXT: call void @use(i32 %m)
; CHECK: less:
; CHECK-NEXT: call void @use1(i1 false)
; CHECK-NEXT: call void @use1(i1 true)
; CHECK-NEXT: call void @use1(i1 false)
; CHECK-NEXT: call void @use(i32 64)
define void @minimum(i32 %x) {
  %d.unread = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 0, i64 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %m = and i32 %x, 96
  %left = sub nuw nsw i32 128, %m
  %n = call i32 @llvm.umin.i32(i32 %left, i32 96)
  %first = icmp ult i32 %m, 33
  %second = icmp ugt i32 %m, 32
  %third = icmp eq i32 %m, 0
  switch i32 %n, label %exit [
    i32 96, label %all
    i32 64, label %less
  ]

all:
  call void @use1(i1 %first)
  call void @use1(i1 %second)
  call void @use1(i1 %third)
  call void @use(i32 %m)
  br label %exit

less:
  call void @use1(i1 %first)
  call void @use1(i1 %second)
  call void @use1(i1 %third)
  call void @use(i32 %m)
  br label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @maxima(
; CHECK: umax:
; CHECK-NEXT: call void @use1(i1 true)
; CHECK-NEXT: call void @use1(i1 %a.below)
; CHECK: smax:
; CHECK-NEXT: call void @use1(i1 true)
; CHECK-NEXT: call void @use1(i1 %b.negative)
; CHECK: smin:
; CHECK-NEXT: call void @use1(i1 true)
; CHECK-NEXT: call void @use1(i1 %c.above)
define void @maxima(i32 %x, i32 %y, i32 %z) {
  %d.unread = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 0, i64 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %a = call i32 @llvm.umax.i32(i32 %x, i32 7)
  %a.known = icmp ule i32 %x, 7
  %a.below = icmp ult i32 %x, 7
  switch i32 %a, label %next [ i32 7, label %umax ]

umax:
  call void @use1(i1 %a.known)
  call void @use1(i1 %a.below)
  br label %next

next:
  %b = call i32 @llvm.smax.i32(i32 %y, i32 7)
  %b.known = icmp sle i32 %y, 7
  %b.negative = icmp slt i32 %y, 0
  switch i32 %b, label %next2 [ i32 7, label %smax ]

smax:
  call void @use1(i1 %b.known)
  call void @use1(i1 %b.negative)
  br label %next2

next2:
  %c = call i32 @llvm.smin.i32(i32 %z, i32 7)
  %c.known = icmp sge i32 %z, 7
  %c.above = icmp sgt i32 %z, 7
  switch i32 %c, label %exit [ i32 7, label %smin ]

smin:
  call void @use1(i1 %c.known)
  call void @use1(i1 %c.above)
  br label %exit

exit:
  ret void
}

; Not where several values give the same number, nor behind two cases.
; CHECK-LABEL: define void @several(
; CHECK: call void @use(i32 %x)
; CHECK: call void @use(i32 %y)
; CHECK: %either = phi i32 [ %z, %next2 ], [ %z, %next2 ]
; CHECK: call void @use(i32 %z)
; CHECK: call void @use(i32 %w)
define void @several(i32 %x, i32 %y, i32 %z, i32 %w) {
  %d.unread = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> zeroinitializer, i64 0, i64 0, i1 true, i32 1, i32 1, i1 false, i1 false)
  %a = lshr i32 %x, 3
  switch i32 %a, label %next [ i32 2, label %shift ]

shift:
  call void @use(i32 %x)
  br label %next

next:
  %b = and i32 %y, 96
  switch i32 %b, label %next2 [ i32 32, label %and ]

and:
  call void @use(i32 %y)
  br label %next2

next2:
  %c = add i32 %z, 1
  switch i32 %c, label %next3 [
    i32 2, label %two
    i32 3, label %two
  ]

two:
  %either = phi i32 [ %z, %next2 ], [ %z, %next2 ]
  call void @use(i32 %either)
  call void @use(i32 %z)
  br label %next3

next3:
  %d = shl i32 %w, 1
  switch i32 %d, label %exit [ i32 4, label %shl ]

shl:
  call void @use(i32 %w)
  br label %exit

exit:
  ret void
}

; Nor in a function without wgmma.
; CHECK-LABEL: define void @without(
; CHECK: call void @use(i32 %x)
define void @without(i32 %x) {
  %a = add i32 %x, 1
  switch i32 %a, label %exit [ i32 2, label %case ]

case:
  call void @use(i32 %x)
  br label %exit

exit:
  ret void
}
