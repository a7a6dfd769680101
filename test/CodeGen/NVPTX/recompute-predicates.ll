; Where more comparisons leave a block than GPUs have registers for predicates,
; the blocks that use them compare again: ptxas packs what has to wait into other
; registers, which takes more instructions.
; RUN: llc < %s -mtriple=nvptx64 -mcpu=sm_90 -mattr=+ptx80 -O3 -verify-machineinstrs -o %t.ptx
; RUN: FileCheck %s --input-file=%t.ptx
; RUN: %if ptxas-sm_90 && ptxas-isa-8.0 %{ %ptxas-verify -arch=sm_90 < %t.ptx %}

; CHECK-LABEL: .entry many(
; CHECK-COUNT-14: setp.gt.s32
; CHECK-NOT: setp.gt.s32
define ptx_kernel void @many(ptr addrspace(1) %p, ptr addrspace(1) %flags, i32 %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %n = load volatile i32, ptr addrspace(1) %flags
  %flag = load volatile i32, ptr addrspace(1) %flags
  %scale = icmp eq i32 %flag, 0
  br i1 %scale, label %scaled, label %plain

scaled:
  %c0 = icmp sgt i32 %n, 10
  %y0 = select i1 %c0, i32 %x, i32 0
  %m0 = mul i32 %y0, %x
  store volatile i32 %m0, ptr addrspace(1) %p
  %c1 = icmp sgt i32 %n, 20
  %y1 = select i1 %c1, i32 %x, i32 1
  %m1 = mul i32 %y1, %x
  store volatile i32 %m1, ptr addrspace(1) %p
  %c2 = icmp sgt i32 %n, 30
  %y2 = select i1 %c2, i32 %x, i32 2
  %m2 = mul i32 %y2, %x
  store volatile i32 %m2, ptr addrspace(1) %p
  %c3 = icmp sgt i32 %n, 40
  %y3 = select i1 %c3, i32 %x, i32 3
  %m3 = mul i32 %y3, %x
  store volatile i32 %m3, ptr addrspace(1) %p
  %c4 = icmp sgt i32 %n, 50
  %y4 = select i1 %c4, i32 %x, i32 4
  %m4 = mul i32 %y4, %x
  store volatile i32 %m4, ptr addrspace(1) %p
  %c5 = icmp sgt i32 %n, 60
  %y5 = select i1 %c5, i32 %x, i32 5
  %m5 = mul i32 %y5, %x
  store volatile i32 %m5, ptr addrspace(1) %p
  %c6 = icmp sgt i32 %n, 70
  %y6 = select i1 %c6, i32 %x, i32 6
  %m6 = mul i32 %y6, %x
  store volatile i32 %m6, ptr addrspace(1) %p
  br label %next

plain:
  %d0 = icmp sgt i32 %n, 10
  %z0 = select i1 %d0, i32 %x, i32 100
  store volatile i32 %z0, ptr addrspace(1) %p
  %d1 = icmp sgt i32 %n, 20
  %z1 = select i1 %d1, i32 %x, i32 101
  store volatile i32 %z1, ptr addrspace(1) %p
  %d2 = icmp sgt i32 %n, 30
  %z2 = select i1 %d2, i32 %x, i32 102
  store volatile i32 %z2, ptr addrspace(1) %p
  %d3 = icmp sgt i32 %n, 40
  %z3 = select i1 %d3, i32 %x, i32 103
  store volatile i32 %z3, ptr addrspace(1) %p
  %d4 = icmp sgt i32 %n, 50
  %z4 = select i1 %d4, i32 %x, i32 104
  store volatile i32 %z4, ptr addrspace(1) %p
  %d5 = icmp sgt i32 %n, 60
  %z5 = select i1 %d5, i32 %x, i32 105
  store volatile i32 %z5, ptr addrspace(1) %p
  %d6 = icmp sgt i32 %n, 70
  %z6 = select i1 %d6, i32 %x, i32 106
  store volatile i32 %z6, ptr addrspace(1) %p
  br label %next

next:
  %j = add i64 %i, 1
  %end = icmp eq i64 %j, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

; Six leave a register for branches.
; CHECK-LABEL: .entry few(
; CHECK-COUNT-6: setp.gt.s32
; CHECK-NOT: setp.gt.s32
define ptx_kernel void @few(ptr addrspace(1) %p, ptr addrspace(1) %flags, i32 %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %n = load volatile i32, ptr addrspace(1) %flags
  %flag = load volatile i32, ptr addrspace(1) %flags
  %scale = icmp eq i32 %flag, 0
  br i1 %scale, label %scaled, label %plain

scaled:
  %c0 = icmp sgt i32 %n, 10
  %y0 = select i1 %c0, i32 %x, i32 0
  %m0 = mul i32 %y0, %x
  store volatile i32 %m0, ptr addrspace(1) %p
  %c1 = icmp sgt i32 %n, 20
  %y1 = select i1 %c1, i32 %x, i32 1
  %m1 = mul i32 %y1, %x
  store volatile i32 %m1, ptr addrspace(1) %p
  %c2 = icmp sgt i32 %n, 30
  %y2 = select i1 %c2, i32 %x, i32 2
  %m2 = mul i32 %y2, %x
  store volatile i32 %m2, ptr addrspace(1) %p
  %c3 = icmp sgt i32 %n, 40
  %y3 = select i1 %c3, i32 %x, i32 3
  %m3 = mul i32 %y3, %x
  store volatile i32 %m3, ptr addrspace(1) %p
  %c4 = icmp sgt i32 %n, 50
  %y4 = select i1 %c4, i32 %x, i32 4
  %m4 = mul i32 %y4, %x
  store volatile i32 %m4, ptr addrspace(1) %p
  %c5 = icmp sgt i32 %n, 60
  %y5 = select i1 %c5, i32 %x, i32 5
  %m5 = mul i32 %y5, %x
  store volatile i32 %m5, ptr addrspace(1) %p
  br label %next

plain:
  %d0 = icmp sgt i32 %n, 10
  %z0 = select i1 %d0, i32 %x, i32 100
  store volatile i32 %z0, ptr addrspace(1) %p
  %d1 = icmp sgt i32 %n, 20
  %z1 = select i1 %d1, i32 %x, i32 101
  store volatile i32 %z1, ptr addrspace(1) %p
  %d2 = icmp sgt i32 %n, 30
  %z2 = select i1 %d2, i32 %x, i32 102
  store volatile i32 %z2, ptr addrspace(1) %p
  %d3 = icmp sgt i32 %n, 40
  %z3 = select i1 %d3, i32 %x, i32 103
  store volatile i32 %z3, ptr addrspace(1) %p
  %d4 = icmp sgt i32 %n, 50
  %z4 = select i1 %d4, i32 %x, i32 104
  store volatile i32 %z4, ptr addrspace(1) %p
  %d5 = icmp sgt i32 %n, 60
  %z5 = select i1 %d5, i32 %x, i32 105
  store volatile i32 %z5, ptr addrspace(1) %p
  br label %next

next:
  %j = add i64 %i, 1
  %end = icmp eq i64 %j, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}

; Not in a loop that the comparisons are not in.
; CHECK-LABEL: .entry inner_loop(
; CHECK:       Parent Loop
; CHECK-NOT:   setp.gt.s32
; CHECK:       setp.eq.b32
define ptx_kernel void @inner_loop(ptr addrspace(1) %p, ptr addrspace(1) %flags, i32 %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %n = load volatile i32, ptr addrspace(1) %flags
  %flag = load volatile i32, ptr addrspace(1) %flags
  %scale = icmp eq i32 %flag, 0
  br i1 %scale, label %scaled, label %plain

scaled:
  %k = phi i32 [ 0, %loop ], [ %k1, %scaled ]
  %c0 = icmp sgt i32 %n, 10
  %y0 = select i1 %c0, i32 %x, i32 0
  %m0 = mul i32 %y0, %x
  store volatile i32 %m0, ptr addrspace(1) %p
  %c1 = icmp sgt i32 %n, 20
  %y1 = select i1 %c1, i32 %x, i32 1
  %m1 = mul i32 %y1, %x
  store volatile i32 %m1, ptr addrspace(1) %p
  %c2 = icmp sgt i32 %n, 30
  %y2 = select i1 %c2, i32 %x, i32 2
  %m2 = mul i32 %y2, %x
  store volatile i32 %m2, ptr addrspace(1) %p
  %c3 = icmp sgt i32 %n, 40
  %y3 = select i1 %c3, i32 %x, i32 3
  %m3 = mul i32 %y3, %x
  store volatile i32 %m3, ptr addrspace(1) %p
  %c4 = icmp sgt i32 %n, 50
  %y4 = select i1 %c4, i32 %x, i32 4
  %m4 = mul i32 %y4, %x
  store volatile i32 %m4, ptr addrspace(1) %p
  %c5 = icmp sgt i32 %n, 60
  %y5 = select i1 %c5, i32 %x, i32 5
  %m5 = mul i32 %y5, %x
  store volatile i32 %m5, ptr addrspace(1) %p
  %c6 = icmp sgt i32 %n, 70
  %y6 = select i1 %c6, i32 %x, i32 6
  %m6 = mul i32 %y6, %x
  store volatile i32 %m6, ptr addrspace(1) %p
  %k1 = add i32 %k, 1
  %last = icmp eq i32 %k1, %flag
  br i1 %last, label %next, label %scaled

plain:
  %d0 = icmp sgt i32 %n, 10
  %z0 = select i1 %d0, i32 %x, i32 100
  store volatile i32 %z0, ptr addrspace(1) %p
  %d1 = icmp sgt i32 %n, 20
  %z1 = select i1 %d1, i32 %x, i32 101
  store volatile i32 %z1, ptr addrspace(1) %p
  %d2 = icmp sgt i32 %n, 30
  %z2 = select i1 %d2, i32 %x, i32 102
  store volatile i32 %z2, ptr addrspace(1) %p
  %d3 = icmp sgt i32 %n, 40
  %z3 = select i1 %d3, i32 %x, i32 103
  store volatile i32 %z3, ptr addrspace(1) %p
  %d4 = icmp sgt i32 %n, 50
  %z4 = select i1 %d4, i32 %x, i32 104
  store volatile i32 %z4, ptr addrspace(1) %p
  %d5 = icmp sgt i32 %n, 60
  %z5 = select i1 %d5, i32 %x, i32 105
  store volatile i32 %z5, ptr addrspace(1) %p
  %d6 = icmp sgt i32 %n, 70
  %z6 = select i1 %d6, i32 %x, i32 106
  store volatile i32 %z6, ptr addrspace(1) %p
  br label %next

next:
  %j = add i64 %i, 1
  %end = icmp eq i64 %j, 100
  br i1 %end, label %exit, label %loop

exit:
  ret void
}
