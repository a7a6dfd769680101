; Immediates that no instruction around the matrix instructions has.
; RUN: not llc < %s -o /dev/null -mtriple=nvptx64 -mcpu=sm_100a -mattr=+ptx86 2>&1 | FileCheck %s

; CHECK: immarg value 64{{.*}} out of range [128,{{ ?}}129)
define void @discard(ptr %p) {
  call void @llvm.nvvm.discard.L2(ptr %p, i64 64)
  ret void
}
; CHECK: immarg value 256{{.*}} out of range [128,{{ ?}}129)
define void @applypriority(ptr %p) {
  call void @llvm.nvvm.applypriority.L2.evict.normal(ptr %p, i64 256)
  ret void
}
; CHECK: immarg value 1{{.*}} out of range [0,{{ ?}}1)
define void @bulk(ptr %p) {
  call void @llvm.nvvm.st.bulk(ptr %p, i64 8, i64 1)
  ret void
}
; CHECK: immarg value -1{{.*}} out of range [0,{{ ?}}2147483647)
define void @wait() {
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 -1)
  ret void
}
