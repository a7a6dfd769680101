; A large value that is loaded and then only stored is copied in a loop, where
; the store is: not if something is written between the two, as that may be
; what was loaded. It is as much of a value as an accumulator is at -O0.
; RUN: opt -S -mtriple=nvptx64-nvidia-cuda -nvptx-lower-aggr-copies < %s | FileCheck %s
; RUN: %if ptxas-sm_90a && ptxas-isa-8.0 %{ llc -O0 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs < %s | %ptxas-verify -arch=sm_90a %}

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define void @copy(
; CHECK-NOT: load <32 x i32>
; CHECK: static-memcpy-expansion-main-body:
; CHECK: ret void
define void @copy(ptr noalias %from, ptr noalias %to) {
  %value = load <32 x i32>, ptr %from
  %address = getelementptr <32 x i32>, ptr %to, i64 1
  store <32 x i32> %value, ptr %address
  ret void
}

; CHECK-LABEL: define void @two_copies(
; CHECK-NEXT: %a = load <32 x i32>, ptr %from
; CHECK-NEXT: store <32 x i32> zeroinitializer, ptr %from
; CHECK-NEXT: store <32 x i32> %a, ptr %from
; CHECK-NEXT: ret void
define void @two_copies(ptr %from) {
  %a = load <32 x i32>, ptr %from
  store <32 x i32> zeroinitializer, ptr %from
  store <32 x i32> %a, ptr %from
  ret void
}

; CHECK-LABEL: define void @barrier(
; CHECK: %value = load [64 x i32], ptr %from
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: store [64 x i32] %value, ptr %to
define void @barrier(ptr %from, ptr %to) {
  %value = load [64 x i32], ptr %from
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store [64 x i32] %value, ptr %to
  ret void
}

; On the other path, or in the next turn of a loop, something else may write.
; CHECK-LABEL: define void @other_block(
; CHECK: %value = load <32 x i32>, ptr %from
; CHECK: store <32 x i32> %value, ptr %to
define void @other_block(ptr %from, ptr %to, i1 %write) {
entry:
  %value = load <32 x i32>, ptr %from
  br i1 %write, label %then, label %end

then:
  store i32 0, ptr %from
  br label %end

end:
  store <32 x i32> %value, ptr %to
  ret void
}

; The first copy writes what the second one would read.
; CHECK-LABEL: define void @swap(
; CHECK: %b = load <32 x i32>, ptr %q
; CHECK: {{^(static-memcpy-expansion-main-body|memmove_fwd_loop)}}:
; CHECK: store <32 x i32> %b, ptr %p
define void @swap(ptr %p, ptr %q) {
  %a = load <32 x i32>, ptr %p
  %b = load <32 x i32>, ptr %q
  store <32 x i32> %a, ptr %q
  store <32 x i32> %b, ptr %p
  ret void
}
