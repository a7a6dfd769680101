; Inline assembly with wgmma.mma_async and steps of its protocol becomes intrinsics, in all the forms in which programs
; write it: registers are what the compiler guarantees of these.
; RUN: llc %s -o %t.ptx -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 -verify-machineinstrs 2> %t.err
; RUN: FileCheck %s --input-file=%t.ptx --enable-var-scope --implicit-check-not='inline asm'
; RUN: count 0 < %t.err
; RUN: %if ptxas-sm_90a && ptxas-isa-8.4 %{ %ptxas-verify -arch=sm_90a < %t.ptx 2>&1 | FileCheck %s --check-prefix=NOTE --allow-empty %}
; NOTE-NOT: C75{{1[0-8]}}

target triple = "nvptx64-nvidia-cuda"

; Two wgmma, their group and the wait in one assembly, with comments, and results that are no floats.
; CHECK-LABEL: .entry whole_group(
; CHECK:       wgmma.fence.sync.aligned;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]}, [[A:%rd[0-9]+]], [[B:%rd[0-9]+]], 0, -1, 1, 0, 1;
; CHECK-NEXT:  wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[D0]], [[D1]], [[D2]], [[D3]]}, [[B]], [[A]], 1, 1, -1, 1, 0;
; CHECK-NEXT:  wgmma.commit_group.sync.aligned;
; CHECK-NEXT:  wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   mov
; CHECK:       st.global.v4.b32 [{{.*}}], {[[D0]], [[D1]], [[D2]], [[D3]]};
define ptx_kernel void @whole_group(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %d = call { i32, i32, i32, i32 } asm sideeffect "/* one group */ wgmma.fence.sync.aligned;\0A{\09wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16\0A\09{$0, $1,\0A\09 ${2},$3}, $4, ${5}, 0, -1, 1, 0, $6; // overwrites\0A} wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $5, $4, 1, $6, -($6), 1, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "=r,=r,=r,=r,l,l,n,~{memory}"(i64 %a, i64 %b, i32 1)
  %d0 = extractvalue { i32, i32, i32, i32 } %d, 0
  %d1 = extractvalue { i32, i32, i32, i32 } %d, 1
  %d2 = extractvalue { i32, i32, i32, i32 } %d, 2
  %d3 = extractvalue { i32, i32, i32, i32 } %d, 3
  %e0 = insertelement <4 x i32> poison, i32 %d0, i32 0
  %e1 = insertelement <4 x i32> %e0, i32 %d1, i32 1
  %e2 = insertelement <4 x i32> %e1, i32 %d2, i32 2
  %e3 = insertelement <4 x i32> %e2, i32 %d3, i32 3
  store <4 x i32> %e3, ptr addrspace(1) %out
  ret void
}

; An accumulator that stays in flight around a loop is in the same registers everywhere, with what ties it to a wait.
; CHECK-LABEL: .entry loop(
; CHECK:       $L__BB{{.*}}:
; CHECK-NOT:   mov.b32
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[D:%r[0-9]+, %r[0-9]+, %r[0-9]+, %r[0-9]+]]},
; CHECK-NOT:   mov.b32
; CHECK:       wgmma.wait_group.sync.aligned 1;
; CHECK:       bra
; CHECK:       wgmma.wait_group.sync.aligned 0;
; CHECK-NOT:   mov
; CHECK:       st.global.v4.b32 [{{.*}}], {[[D]]};
define ptx_kernel void @loop(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %j, %round ]
  %c0 = phi float [ 0.0, %entry ], [ %f0, %round ]
  %c1 = phi float [ 0.0, %entry ], [ %f1, %round ]
  %c2 = phi float [ 0.0, %entry ], [ %f2, %round ]
  %c3 = phi float [ 0.0, %entry ], [ %f3, %round ]
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %i64 = zext i32 %i to i64
  %ai = add i64 %a, %i64
  %d = call { float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $6, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,  $1,  $2,  $3}, $4, $5, p, $7, $8, $9, $10;\0A}\0A", "=f,=f,=f,=f,l,l,r,n,n,n,n,0,1,2,3"(i64 %ai, i64 %b, i32 1, i32 1, i32 1, i32 0, i32 0, float %c0, float %c1, float %c2, float %c3)
  call void asm sideeffect "wgmma.commit_group.sync.aligned;", "~{memory}"()
  %d0 = extractvalue { float, float, float, float } %d, 0
  %d1 = extractvalue { float, float, float, float } %d, 1
  %d2 = extractvalue { float, float, float, float } %d, 2
  %d3 = extractvalue { float, float, float, float } %d, 3
  %f = call { float, float, float, float } asm sideeffect "wgmma.wait_group.sync.aligned $4;", "=f,=f,=f,=f,n,0,1,2,3,~{memory}"(i32 1, float %d0, float %d1, float %d2, float %d3)
  %f0 = extractvalue { float, float, float, float } %f, 0
  %f1 = extractvalue { float, float, float, float } %f, 1
  %f2 = extractvalue { float, float, float, float } %f, 2
  %f3 = extractvalue { float, float, float, float } %f, 3
  %j = add i32 %i, 1
  %again = icmp ult i32 %j, %n
  br i1 %again, label %round, label %done
done:
  %g = call { float, float, float, float } asm sideeffect "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"(float %f0, float %f1, float %f2, float %f3)
  %g0 = extractvalue { float, float, float, float } %g, 0
  %g1 = extractvalue { float, float, float, float } %g, 1
  %g2 = extractvalue { float, float, float, float } %g, 2
  %g3 = extractvalue { float, float, float, float } %g, 3
  %h0 = insertelement <4 x float> poison, float %g0, i32 0
  %h1 = insertelement <4 x float> %h0, float %g1, i32 1
  %h2 = insertelement <4 x float> %h1, float %g2, i32 2
  %h3 = insertelement <4 x float> %h2, float %g3, i32 3
  store <4 x float> %h3, ptr addrspace(1) %out
  ret void
}

; A predicate that is set where an operand is zero.
; CHECK-LABEL: .entry equal(
; CHECK:       setp.eq.b32 [[P:%p[0-9]+]], {{%r[0-9]+}}, 0;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, {{.*}}, [[P]], 1, 1, 0, 0;
define ptx_kernel void @equal(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %s) {
  %c0 = load i32, ptr addrspace(1) %out
  %c1 = load i32, ptr addrspace(1) %out
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { i32, i32 } asm sideeffect "{ .reg .pred q, r; setp.eq.s32 r, $4, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, r, 1, 1, 0, 0; }", "=r,=r,l,l,r,0,1"(i64 %a, i64 %b, i32 %s, i32 %c0, i32 %c1)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %d0 = extractvalue { i32, i32 } %d, 0
  store volatile i32 %d0, ptr addrspace(1) %out
  %d1 = extractvalue { i32, i32 } %d, 1
  store volatile i32 %d1, ptr addrspace(1) %out
  ret void
}

; 64 bits of it.
; CHECK-LABEL: .entry long_number(
; CHECK:       setp.ne.b64 [[P:%p[0-9]+]], {{%rd[0-9]+}}, -7;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, {{.*}}, [[P]], 1, 1, 0, 0;
define ptx_kernel void @long_number(ptr addrspace(1) %out, i64 %a, i64 %b, i64 %s) {
  %c0 = load i32, ptr addrspace(1) %out
  %c1 = load i32, ptr addrspace(1) %out
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { i32, i32 } asm sideeffect "{ .reg.pred p; setp.ne.u64 p, $4, -7; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, p, 1, 1, 0, 0; }", "=r,=r,l,l,l,0,1"(i64 %a, i64 %b, i64 %s, i32 %c0, i32 %c1)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %d0 = extractvalue { i32, i32 } %d, 0
  store volatile i32 %d0, ptr addrspace(1) %out
  %d1 = extractvalue { i32, i32 } %d, 1
  store volatile i32 %d1, ptr addrspace(1) %out
  ret void
}

; An operand that is a predicate; halves.
; CHECK-LABEL: .entry predicate(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, {{.*}}, %p{{[0-9]+}}, 1, 1, 0, 0;
define ptx_kernel void @predicate(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %s) {
  %c0 = load <2 x half>, ptr addrspace(1) %out
  %c1 = load <2 x half>, ptr addrspace(1) %out
  %p = icmp slt i32 %s, 3
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { <2 x half>, <2 x half> } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, $4, 1, 1, 0, 0;", "=r,=r,l,l,b,0,1"(i64 %a, i64 %b, i1 %p, <2 x half> %c0, <2 x half> %c1)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %d0 = extractvalue { <2 x half>, <2 x half> } %d, 0
  store volatile <2 x half> %d0, ptr addrspace(1) %out
  %d1 = extractvalue { <2 x half>, <2 x half> } %d, 1
  store volatile <2 x half> %d1, ptr addrspace(1) %out
  ret void
}

; Results in another order than that of the instruction; one that is not of it stays what it was.
; CHECK-LABEL: .entry permuted(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {[[D0:%r[0-9]+]], [[D1:%r[0-9]+]], [[D2:%r[0-9]+]], [[D3:%r[0-9]+]]},
; CHECK:       st.volatile.global.b32 [{{.*}}], [[D1]];
; CHECK:       st.volatile.global.b32 [{{.*}}], {{%r[0-9]+}};
; CHECK:       st.volatile.global.b32 [{{.*}}], [[D3]];
; CHECK:       st.volatile.global.b32 [{{.*}}], [[D0]];
; CHECK:       st.volatile.global.b32 [{{.*}}], [[D2]];
define ptx_kernel void @permuted(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %c0 = load float, ptr addrspace(1) %out
  %c1 = load float, ptr addrspace(1) %out
  %c2 = load float, ptr addrspace(1) %out
  %c3 = load float, ptr addrspace(1) %out
  %c4 = load float, ptr addrspace(1) %out
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { float, float, float, float, float } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$3, $0, $4, $2}, $5, $6, 1, 1, 1, 0, 0;", "=f,=f,=f,=f,=f,l,l,0,1,2,3,4"(i64 %a, i64 %b, float %c0, float %c1, float %c2, float %c3, float %c4)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %d0 = extractvalue { float, float, float, float, float } %d, 0
  store volatile float %d0, ptr addrspace(1) %out
  %d1 = extractvalue { float, float, float, float, float } %d, 1
  store volatile float %d1, ptr addrspace(1) %out
  %d2 = extractvalue { float, float, float, float, float } %d, 2
  store volatile float %d2, ptr addrspace(1) %out
  %d3 = extractvalue { float, float, float, float, float } %d, 3
  store volatile float %d3, ptr addrspace(1) %out
  %d4 = extractvalue { float, float, float, float, float } %d, 4
  store volatile float %d4, ptr addrspace(1) %out
  ret void
}

; CUTLASS has the modifier behind the types.
; CHECK-LABEL: .entry saturates(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k32.satfinite.s32.s8.u8 {{.*}}, 1;
define ptx_kernel void @saturates(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %c0 = load i32, ptr addrspace(1) %out
  %c1 = load i32, ptr addrspace(1) %out
  %c2 = load i32, ptr addrspace(1) %out
  %c3 = load i32, ptr addrspace(1) %out
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { i32, i32, i32, i32 } asm sideeffect "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8.satfinite {$0, $1, $2, $3}, $4, $5, $6;", "=r,=r,=r,=r,l,l,n,0,1,2,3"(i64 %a, i64 %b, i32 1, i32 %c0, i32 %c1, i32 %c2, i32 %c3)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %d0 = extractvalue { i32, i32, i32, i32 } %d, 0
  store volatile i32 %d0, ptr addrspace(1) %out
  %d1 = extractvalue { i32, i32, i32, i32 } %d, 1
  store volatile i32 %d1, ptr addrspace(1) %out
  %d2 = extractvalue { i32, i32, i32, i32 } %d, 2
  store volatile i32 %d2, ptr addrspace(1) %out
  %d3 = extractvalue { i32, i32, i32, i32 } %d, 3
  store volatile i32 %d3, ptr addrspace(1) %out
  ret void
}

; Sparse, with a fragment of floats and with metadata.
; CHECK-LABEL: .entry fragment(
; CHECK:       wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 {{.*}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}, %rd{{[0-9]+}}, %r{{[0-9]+}}, 1, 1, 1, -1;
define ptx_kernel void @fragment(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %m) {
  %c0 = load float, ptr addrspace(1) %out
  %c1 = load float, ptr addrspace(1) %out
  %c2 = load float, ptr addrspace(1) %out
  %c3 = load float, ptr addrspace(1) %out
  %x = bitcast i64 %a to <2 x float>
  %x0 = extractelement <2 x float> %x, i32 0
  %x1 = extractelement <2 x float> %x, i32 1
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { float, float, float, float } asm sideeffect "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 {$0, $1, $2, $3}, {$4, $5, $4, $6}, $7, $8, $9, 1, 1, -1;", "=f,=f,=f,=f,r,r,r,l,r,n,0,1,2,3"(float %x0, float %x1, i32 %m, i64 %b, i32 %m, i32 1, float %c0, float %c1, float %c2, float %c3)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %d0 = extractvalue { float, float, float, float } %d, 0
  store volatile float %d0, ptr addrspace(1) %out
  %d1 = extractvalue { float, float, float, float } %d, 1
  store volatile float %d1, ptr addrspace(1) %out
  %d2 = extractvalue { float, float, float, float } %d, 2
  store volatile float %d2, ptr addrspace(1) %out
  %d3 = extractvalue { float, float, float, float } %d, 3
  store volatile float %d3, ptr addrspace(1) %out
  ret void
}

; Descriptors that are sums: of operands, of constants that are operands, and of others.
; CHECK-LABEL: .entry sums(
; CHECK-DAG:   ld.param.b64 [[A:%rd[0-9]+]], [sums_param_1];
; CHECK-DAG:   ld.param.b64 [[B:%rd[0-9]+]], [sums_param_2];
; CHECK-DAG:   add.s64 [[C:%rd[0-9]+]], [[A]], 34;
; CHECK-DAG:   add.s64 [[D:%rd[0-9]+]], [[B]], [[A]];
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [[C]], [[D]], 1, 1, 1, 0, 0;
define ptx_kernel void @sums(ptr addrspace(1) %out, i64 %a, i64 %b) {
  %c0 = load i32, ptr addrspace(1) %out
  %c1 = load i32, ptr addrspace(1) %out
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { i32, i32 } asm sideeffect "{ .reg .b64 x, y; .reg .u64 z; add.u64 x, $2, $4; add.s64 x, x, 2; mov.b64 z, $3; add.u64 y, z, $2; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, x, y, 1, 1, 1, 0, 0; }", "=r,=r,l,l,n,0,1"(i64 %a, i64 %b, i32 32, i32 %c0, i32 %c1)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %d0 = extractvalue { i32, i32 } %d, 0
  store volatile i32 %d0, ptr addrspace(1) %out
  %d1 = extractvalue { i32, i32 } %d, 1
  store volatile i32 %d1, ptr addrspace(1) %out
  ret void
}

; A test of a constant that says no: the results need nothing that they start from.
; CHECK-LABEL: .entry never_adds(
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, {{.*}}, 0, 1, 1, 0, 0;
define ptx_kernel void @never_adds(ptr addrspace(1) %out, i64 %a, i64 %b) {
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { i32, i32 } asm sideeffect "{ .reg .pred p; setp.eq.s32 p, $4, 1; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, $3, p, 1, 1, 0, 0; }", "=r,=r,l,l,r"(i64 %a, i64 %b, i32 0)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %d0 = extractvalue { i32, i32 } %d, 0
  store volatile i32 %d0, ptr addrspace(1) %out
  %d1 = extractvalue { i32, i32 } %d, 1
  store volatile i32 %d1, ptr addrspace(1) %out
  ret void
}

; Blocks have registers of their own, and those of the blocks around.
; CHECK-LABEL: .entry blocks(
; CHECK-DAG:   ld.param.b64 [[A:%rd[0-9]+]], [blocks_param_1];
; CHECK-DAG:   ld.param.b64 [[B:%rd[0-9]+]], [blocks_param_2];
; CHECK-DAG:   setp.ne.b32 [[P:%p[0-9]+]], [[S:%r[0-9]+]], 0;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [[A]], [[B]], [[P]], 1, 1, 0, 0;
; CHECK-DAG:   setp.ne.b32 [[Q:%p[0-9]+]], [[S]], 1;
; CHECK-DAG:   add.s64 [[C:%rd[0-9]+]], [[B]], 2;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [[A]], [[C]], [[Q]], 1, 1, 0, 0;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r{{[0-9]+}}, %r{{[0-9]+}}}, [[A]], [[B]], 1, 1, 1, 0, 0;
define ptx_kernel void @blocks(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %s) {
  %c0 = load i32, ptr addrspace(1) %out
  %c1 = load i32, ptr addrspace(1) %out
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { i32, i32 } asm sideeffect "{ .reg .b64 x, y; mov.b64 x, $2; { .reg .pred p; setp.ne.b32 p, $4, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, x, $3, p, 1, 1, 0, 0; } { .reg .pred p; .reg .b64 x; mov.b64 x, $3; setp.ne.b32 p, $4, 1; add.s64 y, x, 2; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, $2, y, p, 1, 1, 0, 0; } wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {$0, $1}, x, $3, 1, 1, 1, 0, 0; }", "=r,=r,l,l,r,0,1"(i64 %a, i64 %b, i32 %s, i32 %c0, i32 %c1)
  call void asm sideeffect "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  %d0 = extractvalue { i32, i32 } %d, 0
  store volatile i32 %d0, ptr addrspace(1) %out
  %d1 = extractvalue { i32, i32 } %d, 1
  store volatile i32 %d1, ptr addrspace(1) %out
  ret void
}

; What says whether to accumulate has fewer bits than the register in which it is tested, as CuTe's DSL and rustc have it.
; CHECK-LABEL: .entry narrow_scale(
; CHECK:       setp.ne.b32 [[BIT:%p[0-9]+]], %r{{[0-9]+}}, 7;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, [[BIT]], 1, 1, 0, 0;
; CHECK:       setp.ne.b16 [[BYTE:%p[0-9]+]], %rs{{[0-9]+}}, 0;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, [[BYTE]], 1, 1, 0, 0;
; CHECK:       wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{.*}}, 0, 1, 1, 0, 0;
define ptx_kernel void @narrow_scale(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %a, i64 %b, i32 %n, i8 %byte) {
  %bit = icmp ne i32 %n, 7
  call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()
  %d = call { float, float, float, float } asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,r,0,1,2,3"(i64 %a, i64 %b, i1 %bit, float 0.0, float 0.0, float 0.0, float 0.0)
  %e = call { float, float, float, float } asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,r,0,1,2,3"(i64 %b, i64 %a, i8 %byte, float 0.0, float 0.0, float 0.0, float 0.0)
  %f = call { float, float, float, float } asm sideeffect "{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, p, 1, 1, 0, 0; }", "=f,=f,=f,=f,l,l,r,0,1,2,3"(i64 %b, i64 %b, i1 false, float 0.0, float 0.0, float 0.0, float 0.0)
  call void asm sideeffect "wgmma.commit_group.sync.aligned;", "~{memory}"()
  call void asm sideeffect "wgmma.wait_group.sync.aligned 0;", "~{memory}"()
  store { float, float, float, float } %d, ptr addrspace(1) %out
  %out.e = getelementptr i8, ptr addrspace(1) %out, i64 16
  store { float, float, float, float } %e, ptr addrspace(1) %out.e
  %out.f = getelementptr i8, ptr addrspace(1) %out, i64 32
  store { float, float, float, float } %f, ptr addrspace(1) %out.f
  ret void
}
