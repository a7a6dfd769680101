; Functions that have a wgmma, and those that call one, get an attribute that the inliner asks for.
; RUN: opt -S -passes=nvptx-mark-wgmma-callers -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck %s
; RUN: opt -S -O1 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck --check-prefix=PIPELINE %s
; RUN: opt -S -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 %s | FileCheck --check-prefix=NONE %s
; RUN: opt -S -O1 -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx80 %s -o - | FileCheck --check-prefix=NONE %s

target triple = "nvptx64-nvidia-cuda"

declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float>, i64, i64, i1, i32 immarg, i32 immarg, i1 immarg, i1 immarg)

; CHECK: define <4 x float> @multiplies({{.*}}) #[[#REACHES:]] {
define <4 x float> @multiplies(<4 x float> %c, i64 %a, i64 %b) noinline {
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %c, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  ret <4 x float> %d
}

; CHECK: define void @multiplies_by_asm(i64 %a, i64 %b) #[[#REACHES]] {
define void @multiplies_by_asm(i64 %a, i64 %b) noinline {
  call void asm sideeffect "{ .reg .f32 d<4>; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0,d1,d2,d3}, $0, $1, 0, 1, 1, 0, 0; }", "l,l"(i64 %a, i64 %b)
  ret void
}

; CHECK: define void @calls(i64 %a, i64 %b) #[[#REACHES]] {
define void @calls(i64 %a, i64 %b) noinline {
  call void @multiplies_by_asm(i64 %a, i64 %b)
  ret void
}

; PIPELINE: define {{.*}}void @calls_that_one({{.*}} #[[#REACHES:]] {
; CHECK: define void @calls_that_one(i64 %a, i64 %b) #[[#REACHES]] {
define void @calls_that_one(i64 %a, i64 %b) noinline {
  call void @calls(i64 %a, i64 %b)
  ret void
}

; Two that call each other.
; CHECK: define void @ping(i64 %a, i64 %b, i1 %c) #[[#REACHES]] {
define void @ping(i64 %a, i64 %b, i1 %c) noinline {
  call void @pong(i64 %a, i64 %b, i1 %c)
  ret void
}

; CHECK: define void @pong(i64 %a, i64 %b, i1 %c) #[[#REACHES]] {
define void @pong(i64 %a, i64 %b, i1 %c) noinline {
  br i1 %c, label %again, label %end

again:
  call void @ping(i64 %a, i64 %b, i1 %c)
  br label %end

end:
  call void @calls(i64 %a, i64 %b)
  ret void
}

; Who passes such a function on will have its call inlined, as CUTLASS does with its atoms.
; CHECK: define void @passes_on() #[[#REACHES]] {
define void @passes_on() noinline {
  call void @stores(ptr @calls)
  ret void
}

; What only has the address of one calls nothing.
; CHECK: define void @keeps(ptr %f) #[[#OTHER:]] {
define void @keeps(ptr %f) noinline {
  store ptr @calls, ptr %f
  ret void
}

; CHECK: define void @stores(ptr %f) #[[#OTHER]] {
define void @stores(ptr %f) noinline {
  store ptr %f, ptr null
  ret void
}

; CHECK-DAG: attributes #[[#REACHES]] = {{.*}}"nvptx-reaches-wgmma"
; CHECK-DAG: attributes #[[#OTHER]] = { noinline "target-cpu"
; PIPELINE: attributes #[[#REACHES]] = {{.*}}"nvptx-reaches-wgmma"
; NONE-NOT: nvptx-reaches-wgmma
