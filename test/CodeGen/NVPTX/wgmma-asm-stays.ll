; Inline assembly with wgmma.mma_async stays as it is where its text does not say what it does, or where PTX has no such
; instruction: that is for ptxas to tell.
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 | FileCheck %s
; RUN: llc %s -o - -O0 -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 | FileCheck %s
; On other targets all of it does.
; RUN: llc %S/wgmma-asm-forms.ll -o - -mtriple=nvptx64 -mcpu=sm_100a -mattr=+ptx86 | FileCheck %s --check-prefix=OTHER
; OTHER-COUNT-9: wgmma.mma_async.s

target triple = "nvptx64-nvidia-cuda"

; It has a predicate itself.
; CHECK-LABEL: .entry predicated(
; CHECK:       begin inline asm
; CHECK-NEXT:  @q wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @predicated(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "@q wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; A predicate that the text does not define.
; CHECK-LABEL: .entry undefined(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @undefined(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, q, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; Another comparison.
; CHECK-LABEL: .entry less(
; CHECK:       begin inline asm
; CHECK-NEXT:  { .reg .pred p; setp.lt.s32 p,
define ptx_kernel void @less(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "{ .reg .pred p; setp.lt.s32 p, $4, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, p, 1, 1, 0, 0; }", "=r,=r,l,l,r,0,1"(i64 %a, i64 %b, i32 %c, i32 %c, i32 %c)
  ret void
}

; Something else beside.
; CHECK-LABEL: .entry others(
; CHECK:       begin inline asm
; CHECK-NEXT:  nanosleep.u32 1; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @others(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "nanosleep.u32 1; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; A label.
; CHECK-LABEL: .entry labels(
; CHECK:       begin inline asm
; CHECK-NEXT:  L: wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @labels(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "L: wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; Registers of its own, if they are no sums of operands, or of other ones than 64 bits.
; CHECK-LABEL: .entry registers(
; CHECK:       begin inline asm
; CHECK-NEXT:  .reg .b64 d; xor.b64 d,
; CHECK:       begin inline asm
; CHECK-NEXT:  .reg .b64 e; cvt.u64.u32 e,
; CHECK:       begin inline asm
; CHECK-NEXT:  { .reg .b64 f; add.u32 f,
; CHECK:       begin inline asm
; CHECK-NEXT:  { .reg .b64 f; add.u64 f,
define ptx_kernel void @registers(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect ".reg .b64 d; xor.b64 d, $2, 2; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, d, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  %e = call { i32, i32 } asm sideeffect ".reg .b64 e; cvt.u64.u32 e, 5; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, e, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  %f = call { i32, i32 } asm sideeffect "{ .reg .b64 f; add.u32 f, $2, 2; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, f, $3, 1, 1, 1, 0, 0; }", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  %g = call { i32, i32 } asm sideeffect "{ .reg .b64 f; add.u64 f, $2, g; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, f, $3, 1, 1, 1, 0, 0; }", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; Too few registers for its N.
; CHECK-LABEL: .entry length(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {
define ptx_kernel void @length(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; A register twice.
; CHECK-LABEL: .entry twice(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @twice(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $0}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; Another K.
; CHECK-LABEL: .entry k(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k32.f16.f16.f16 {
define ptx_kernel void @k(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k32.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; Types that it does not exist for.
; CHECK-LABEL: .entry types(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {
define ptx_kernel void @types(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; A modifier that it does not exist with.
; CHECK-LABEL: .entry modifiers(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.satfinite.f16.f16.f16 {
define ptx_kernel void @modifiers(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.satfinite.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; An immediate that it does not have.
; CHECK-LABEL: .entry immediates(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @immediates(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 2, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; One too few of them.
; CHECK-LABEL: .entry too_few(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @too_few(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; One too many.
; CHECK-LABEL: .entry too_many(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @too_many(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; One that is no constant.
; CHECK-LABEL: .entry variable(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @variable(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, $4;", "=r,=r,l,l,r,0,1"(i64 %a, i64 %b, i32 1, i32 %c, i32 %c)
  ret void
}

; An accumulator without a value, which is added to.
; CHECK-LABEL: .entry untied(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @untied(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l"(i64 %a, i64 %b)
  ret void
}

; A result that nothing writes.
; CHECK-LABEL: .entry unwritten(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @unwritten(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $3, $4, 1, 1, 1, 0, 0;", "=r,=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; An input by its own number, which is tied to a result.
; CHECK-LABEL: .entry tied_number(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @tied_number(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$4, $5}, $2, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; A result in memory.
; CHECK-LABEL: .entry indirect(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @indirect(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $3, $4, 1, 1, 1, 0, 0;", "=r,=r,=*m,l,l,0,1"(ptr elementtype(i32) %p, i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}

; A descriptor of 32 bits.
; CHECK-LABEL: .entry descriptor(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
define ptx_kernel void @descriptor(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $4, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,r,0,1"(i64 %a, i64 %b, i32 %c, i32 %c, i32 %c)
  ret void
}

; A comparison of more bits than there are.
; CHECK-LABEL: .entry wide(
; CHECK:       begin inline asm
; CHECK-NEXT:  { .reg .pred p; setp.ne.b64 p,
define ptx_kernel void @wide(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "{ .reg .pred p; setp.ne.b64 p, $4, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, p, 1, 1, 0, 0; }", "=r,=r,l,l,r,0,1"(i64 %a, i64 %b, i32 %c, i32 %c, i32 %c)
  ret void
}

; Results that nothing is tied to, and a test of a constant that says yes: it adds to what is in them.
; CHECK-LABEL: .entry adds(
; CHECK:       begin inline asm
; CHECK-NEXT:  { .reg .pred p; setp.eq.s32 p,
define ptx_kernel void @adds(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "{ .reg .pred p; setp.eq.s32 p, $4, 1; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, p, 1, 1, 0, 0; }", "=r,=r,l,l,r"(i64 %a, i64 %b, i32 1)
  ret void
}

; What an operand gets after all: nothing but a wgmma gives it that.
; CHECK-LABEL: .entry counts_up(
; CHECK:       begin inline asm
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {
; CHECK:       begin inline asm
; CHECK-NEXT:  {{[{]}} .reg .b64 d; mov.b64 d,
define ptx_kernel void @counts_up(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32, i64 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, 1, 1, 1, 0, 0; add.s64 $2, $2, 2;", "=r,=r,=l,l,0,1,2"(i64 %b, i32 %c, i32 %c, i64 %a)
  %e = call { i32, i32, i64 } asm sideeffect "{ .reg .b64 d; mov.b64 d, $2; add.s64 d, d, 2; mov.b64 $2, d; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, d, $3, 1, 1, 1, 0, 0; }", "=r,=r,=l,l,0,1,2"(i64 %b, i32 %c, i32 %c, i64 %a)
  ret void
}

; Names that a block declares twice, or that nothing declares, here or any more, and sums without end.
; CHECK-LABEL: .entry names(
; CHECK:       begin inline asm
; CHECK-NEXT:  {{[{]}} .reg .b64 d; mov.b64 d,
; CHECK:       begin inline asm
; CHECK-NEXT:  add.s64 d,
; CHECK:       begin inline asm
; CHECK-NEXT:  {{[{] [{]}} .reg .b64 d;
; CHECK:       begin inline asm
; CHECK-NEXT:  {{[{]}} .reg .b64 d; add.s64 d,
define ptx_kernel void @names(i64 %a, i64 %b, i32 %c, ptr %p) {
  %d = call { i32, i32 } asm sideeffect "{ .reg .b64 d; mov.b64 d, $2; .reg .b64 d; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, d, $3, 1, 1, 1, 0, 0; }", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  %e = call { i32, i32 } asm sideeffect "add.s64 d, $2, 2; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, d, $3, 1, 1, 1, 0, 0;", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  %g = call { i32, i32 } asm sideeffect "{ { .reg .b64 d; mov.b64 d, $2; } wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, d, $3, 1, 1, 1, 0, 0; }", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  %f = call { i32, i32 } asm sideeffect "{ .reg .b64 d; add.s64 d, $2, $2; add.s64 d, d, d; add.s64 d, d, d; add.s64 d, d, d; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, d, $3, 1, 1, 1, 0, 0; }", "=r,=r,l,l,0,1"(i64 %a, i64 %b, i32 %c, i32 %c)
  ret void
}
; LLVM extends what has fewer bits than a register, and does not say how: only whether it is 0 is known.
; CHECK-LABEL: .entry narrow(
; CHECK:       begin inline asm
; CHECK-NEXT:  { .reg .pred p; setp.eq.s32 p,
define ptx_kernel void @narrow(i64 %a, i64 %b, i32 %c, i1 %s) {
  %d = call { i32, i32 } asm sideeffect "{ .reg .pred p; setp.eq.s32 p, $4, 1; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, p, 1, 1, 0, 0; }", "=r,=r,l,l,r,0,1"(i64 %a, i64 %b, i1 %s, i32 %c, i32 %c)
  ret void
}
