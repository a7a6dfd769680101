; An element of a vector whose elements have registers of their own costs nothing: to take it, or to set it, gives the
; register another name. Nor does a fence_operand. Else a loop of four steps that has its accumulator element by element
; would seem too long to be unrolled, and inline assembly of wgmma is read as builtins with such arrays.
; RUN: opt < %s -mcpu=sm_90a -mattr=+ptx80 -passes='print<cost-model>' -cost-kind=code-size -disable-output 2>&1 | FileCheck %s --check-prefix=COST
; RUN: opt < %s -mcpu=sm_90a -mattr=+ptx80 -passes=loop-unroll-full -S | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; COST-LABEL: function 'costs'
; COST: cost of 0 for instruction: %e = extractelement <4 x float>
; COST: cost of 0 for instruction: %i = insertelement <4 x float>
; COST: cost of 0 for instruction: %w = extractelement <2 x i64>
; COST: cost of 0 for instruction: %f = call float @llvm.nvvm.wgmma.fence_operand
; A wgmma costs what puts its descriptors together, too.
; COST: cost of 8 for instruction: %d = call <4 x float> @llvm.nvvm.wgmma.mma_async
; By a variable it does, and so does half a register.
; COST: cost of {{[1-9]}} for instruction: %v = extractelement <4 x float>
; COST: cost of {{[1-9]}} for instruction: %h = insertelement <4 x half>
define void @costs(<4 x float> %x, <2 x i64> %y, <4 x half> %z, float %s, half %t, i32 %n, i64 %a, i64 %b) {
  %e = extractelement <4 x float> %x, i32 1
  %i = insertelement <4 x float> %x, float %s, i32 2
  %w = extractelement <2 x i64> %y, i32 1
  %f = call float @llvm.nvvm.wgmma.fence_operand.f32(float %s)
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %x, i64 %a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %v = extractelement <4 x float> %x, i32 %n
  %h = insertelement <4 x half> %z, half %t, i32 2
  ret void
}

; CHECK-LABEL: define ptx_kernel void @steps(
; CHECK-COUNT-4: call <32 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT: call <32 x float> @llvm.nvvm.wgmma.mma_async
; CHECK: ret void
define ptx_kernel void @steps(ptr addrspace(1) %out, i64 %a, i64 %b) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br label %step

step:
  %k = phi i64 [ 0, %entry ], [ %k.next, %step ]
  %e0 = phi float [ 0.0, %entry ], [ %d0, %step ]
  %e1 = phi float [ 0.0, %entry ], [ %d1, %step ]
  %e2 = phi float [ 0.0, %entry ], [ %d2, %step ]
  %e3 = phi float [ 0.0, %entry ], [ %d3, %step ]
  %e4 = phi float [ 0.0, %entry ], [ %d4, %step ]
  %e5 = phi float [ 0.0, %entry ], [ %d5, %step ]
  %e6 = phi float [ 0.0, %entry ], [ %d6, %step ]
  %e7 = phi float [ 0.0, %entry ], [ %d7, %step ]
  %e8 = phi float [ 0.0, %entry ], [ %d8, %step ]
  %e9 = phi float [ 0.0, %entry ], [ %d9, %step ]
  %e10 = phi float [ 0.0, %entry ], [ %d10, %step ]
  %e11 = phi float [ 0.0, %entry ], [ %d11, %step ]
  %e12 = phi float [ 0.0, %entry ], [ %d12, %step ]
  %e13 = phi float [ 0.0, %entry ], [ %d13, %step ]
  %e14 = phi float [ 0.0, %entry ], [ %d14, %step ]
  %e15 = phi float [ 0.0, %entry ], [ %d15, %step ]
  %e16 = phi float [ 0.0, %entry ], [ %d16, %step ]
  %e17 = phi float [ 0.0, %entry ], [ %d17, %step ]
  %e18 = phi float [ 0.0, %entry ], [ %d18, %step ]
  %e19 = phi float [ 0.0, %entry ], [ %d19, %step ]
  %e20 = phi float [ 0.0, %entry ], [ %d20, %step ]
  %e21 = phi float [ 0.0, %entry ], [ %d21, %step ]
  %e22 = phi float [ 0.0, %entry ], [ %d22, %step ]
  %e23 = phi float [ 0.0, %entry ], [ %d23, %step ]
  %e24 = phi float [ 0.0, %entry ], [ %d24, %step ]
  %e25 = phi float [ 0.0, %entry ], [ %d25, %step ]
  %e26 = phi float [ 0.0, %entry ], [ %d26, %step ]
  %e27 = phi float [ 0.0, %entry ], [ %d27, %step ]
  %e28 = phi float [ 0.0, %entry ], [ %d28, %step ]
  %e29 = phi float [ 0.0, %entry ], [ %d29, %step ]
  %e30 = phi float [ 0.0, %entry ], [ %d30, %step ]
  %e31 = phi float [ 0.0, %entry ], [ %d31, %step ]
  %step.a = add i64 %a, %k
  %step.b = add i64 %b, %k
  %v0 = insertelement <32 x float> poison, float %e0, i32 0
  %v1 = insertelement <32 x float> %v0, float %e1, i32 1
  %v2 = insertelement <32 x float> %v1, float %e2, i32 2
  %v3 = insertelement <32 x float> %v2, float %e3, i32 3
  %v4 = insertelement <32 x float> %v3, float %e4, i32 4
  %v5 = insertelement <32 x float> %v4, float %e5, i32 5
  %v6 = insertelement <32 x float> %v5, float %e6, i32 6
  %v7 = insertelement <32 x float> %v6, float %e7, i32 7
  %v8 = insertelement <32 x float> %v7, float %e8, i32 8
  %v9 = insertelement <32 x float> %v8, float %e9, i32 9
  %v10 = insertelement <32 x float> %v9, float %e10, i32 10
  %v11 = insertelement <32 x float> %v10, float %e11, i32 11
  %v12 = insertelement <32 x float> %v11, float %e12, i32 12
  %v13 = insertelement <32 x float> %v12, float %e13, i32 13
  %v14 = insertelement <32 x float> %v13, float %e14, i32 14
  %v15 = insertelement <32 x float> %v14, float %e15, i32 15
  %v16 = insertelement <32 x float> %v15, float %e16, i32 16
  %v17 = insertelement <32 x float> %v16, float %e17, i32 17
  %v18 = insertelement <32 x float> %v17, float %e18, i32 18
  %v19 = insertelement <32 x float> %v18, float %e19, i32 19
  %v20 = insertelement <32 x float> %v19, float %e20, i32 20
  %v21 = insertelement <32 x float> %v20, float %e21, i32 21
  %v22 = insertelement <32 x float> %v21, float %e22, i32 22
  %v23 = insertelement <32 x float> %v22, float %e23, i32 23
  %v24 = insertelement <32 x float> %v23, float %e24, i32 24
  %v25 = insertelement <32 x float> %v24, float %e25, i32 25
  %v26 = insertelement <32 x float> %v25, float %e26, i32 26
  %v27 = insertelement <32 x float> %v26, float %e27, i32 27
  %v28 = insertelement <32 x float> %v27, float %e28, i32 28
  %v29 = insertelement <32 x float> %v28, float %e29, i32 29
  %v30 = insertelement <32 x float> %v29, float %e30, i32 30
  %v31 = insertelement <32 x float> %v30, float %e31, i32 31
  %d = call <32 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v32f32(<32 x float> %v31, i64 %step.a, i64 %step.b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %d0 = extractelement <32 x float> %d, i32 0
  %d1 = extractelement <32 x float> %d, i32 1
  %d2 = extractelement <32 x float> %d, i32 2
  %d3 = extractelement <32 x float> %d, i32 3
  %d4 = extractelement <32 x float> %d, i32 4
  %d5 = extractelement <32 x float> %d, i32 5
  %d6 = extractelement <32 x float> %d, i32 6
  %d7 = extractelement <32 x float> %d, i32 7
  %d8 = extractelement <32 x float> %d, i32 8
  %d9 = extractelement <32 x float> %d, i32 9
  %d10 = extractelement <32 x float> %d, i32 10
  %d11 = extractelement <32 x float> %d, i32 11
  %d12 = extractelement <32 x float> %d, i32 12
  %d13 = extractelement <32 x float> %d, i32 13
  %d14 = extractelement <32 x float> %d, i32 14
  %d15 = extractelement <32 x float> %d, i32 15
  %d16 = extractelement <32 x float> %d, i32 16
  %d17 = extractelement <32 x float> %d, i32 17
  %d18 = extractelement <32 x float> %d, i32 18
  %d19 = extractelement <32 x float> %d, i32 19
  %d20 = extractelement <32 x float> %d, i32 20
  %d21 = extractelement <32 x float> %d, i32 21
  %d22 = extractelement <32 x float> %d, i32 22
  %d23 = extractelement <32 x float> %d, i32 23
  %d24 = extractelement <32 x float> %d, i32 24
  %d25 = extractelement <32 x float> %d, i32 25
  %d26 = extractelement <32 x float> %d, i32 26
  %d27 = extractelement <32 x float> %d, i32 27
  %d28 = extractelement <32 x float> %d, i32 28
  %d29 = extractelement <32 x float> %d, i32 29
  %d30 = extractelement <32 x float> %d, i32 30
  %d31 = extractelement <32 x float> %d, i32 31
  %k.next = add nuw nsw i64 %k, 2
  %done = icmp eq i64 %k.next, 8
  br i1 %done, label %exit, label %step

exit:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %o0 = getelementptr float, ptr addrspace(1) %out, i32 0
  store float %d0, ptr addrspace(1) %o0
  %o1 = getelementptr float, ptr addrspace(1) %out, i32 1
  store float %d1, ptr addrspace(1) %o1
  %o2 = getelementptr float, ptr addrspace(1) %out, i32 2
  store float %d2, ptr addrspace(1) %o2
  %o3 = getelementptr float, ptr addrspace(1) %out, i32 3
  store float %d3, ptr addrspace(1) %o3
  %o4 = getelementptr float, ptr addrspace(1) %out, i32 4
  store float %d4, ptr addrspace(1) %o4
  %o5 = getelementptr float, ptr addrspace(1) %out, i32 5
  store float %d5, ptr addrspace(1) %o5
  %o6 = getelementptr float, ptr addrspace(1) %out, i32 6
  store float %d6, ptr addrspace(1) %o6
  %o7 = getelementptr float, ptr addrspace(1) %out, i32 7
  store float %d7, ptr addrspace(1) %o7
  %o8 = getelementptr float, ptr addrspace(1) %out, i32 8
  store float %d8, ptr addrspace(1) %o8
  %o9 = getelementptr float, ptr addrspace(1) %out, i32 9
  store float %d9, ptr addrspace(1) %o9
  %o10 = getelementptr float, ptr addrspace(1) %out, i32 10
  store float %d10, ptr addrspace(1) %o10
  %o11 = getelementptr float, ptr addrspace(1) %out, i32 11
  store float %d11, ptr addrspace(1) %o11
  %o12 = getelementptr float, ptr addrspace(1) %out, i32 12
  store float %d12, ptr addrspace(1) %o12
  %o13 = getelementptr float, ptr addrspace(1) %out, i32 13
  store float %d13, ptr addrspace(1) %o13
  %o14 = getelementptr float, ptr addrspace(1) %out, i32 14
  store float %d14, ptr addrspace(1) %o14
  %o15 = getelementptr float, ptr addrspace(1) %out, i32 15
  store float %d15, ptr addrspace(1) %o15
  %o16 = getelementptr float, ptr addrspace(1) %out, i32 16
  store float %d16, ptr addrspace(1) %o16
  %o17 = getelementptr float, ptr addrspace(1) %out, i32 17
  store float %d17, ptr addrspace(1) %o17
  %o18 = getelementptr float, ptr addrspace(1) %out, i32 18
  store float %d18, ptr addrspace(1) %o18
  %o19 = getelementptr float, ptr addrspace(1) %out, i32 19
  store float %d19, ptr addrspace(1) %o19
  %o20 = getelementptr float, ptr addrspace(1) %out, i32 20
  store float %d20, ptr addrspace(1) %o20
  %o21 = getelementptr float, ptr addrspace(1) %out, i32 21
  store float %d21, ptr addrspace(1) %o21
  %o22 = getelementptr float, ptr addrspace(1) %out, i32 22
  store float %d22, ptr addrspace(1) %o22
  %o23 = getelementptr float, ptr addrspace(1) %out, i32 23
  store float %d23, ptr addrspace(1) %o23
  %o24 = getelementptr float, ptr addrspace(1) %out, i32 24
  store float %d24, ptr addrspace(1) %o24
  %o25 = getelementptr float, ptr addrspace(1) %out, i32 25
  store float %d25, ptr addrspace(1) %o25
  %o26 = getelementptr float, ptr addrspace(1) %out, i32 26
  store float %d26, ptr addrspace(1) %o26
  %o27 = getelementptr float, ptr addrspace(1) %out, i32 27
  store float %d27, ptr addrspace(1) %o27
  %o28 = getelementptr float, ptr addrspace(1) %out, i32 28
  store float %d28, ptr addrspace(1) %o28
  %o29 = getelementptr float, ptr addrspace(1) %out, i32 29
  store float %d29, ptr addrspace(1) %o29
  %o30 = getelementptr float, ptr addrspace(1) %out, i32 30
  store float %d30, ptr addrspace(1) %o30
  %o31 = getelementptr float, ptr addrspace(1) %out, i32 31
  store float %d31, ptr addrspace(1) %o31
  ret void
}

; A loop of 16 rounds stays one.
; CHECK-LABEL: define ptx_kernel void @rounds(
; CHECK:     call <4 x float> @llvm.nvvm.wgmma.mma_async
; CHECK-NOT: call <4 x float> @llvm.nvvm.wgmma.mma_async
; CHECK:     ret void
define ptx_kernel void @rounds(ptr addrspace(1) %out, i64 %a, i64 %b) {
entry:
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  br label %round

round:
  %k = phi i64 [ 0, %entry ], [ %k.next, %round ]
  %acc = phi <4 x float> [ zeroinitializer, %entry ], [ %d, %round ]
  %round.a = add i64 %a, %k
  %d = call <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(<4 x float> %acc, i64 %round.a, i64 %b, i1 true, i32 1, i32 1, i1 false, i1 false)
  %k.next = add nuw nsw i64 %k, 2
  %done = icmp eq i64 %k.next, 32
  br i1 %done, label %exit, label %round

exit:
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  store <4 x float> %d, ptr addrspace(1) %out
  ret void
}
