; All threads of a warp must execute the same matrix instruction. Where threads
; have diverged and met again, jump threading would give each of the two paths
; an instruction of its own, as it does with an add: then half a warp executes
; either one, which is undefined.
; RUN: opt < %s -passes=jump-threading -S | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; The pass does duplicate what may be duplicated.
; CHECK-LABEL: define i32 @add(
; CHECK-COUNT-2: add i32
; CHECK: ret i32
define i32 @add(i1 %diverges, i32 %x) {
entry:
  br i1 %diverges, label %left, label %right
left:
  call void @work()
  br label %meet
right:
  br label %meet
meet:
  %fast = phi i1 [ true, %left ], [ false, %right ]
  %y = add i32 %x, 1
  br i1 %fast, label %yes, label %no
yes:
  call void @work()
  ret i32 %y
no:
  ret i32 %y
}
