; A target that lacks the instruction: one line for each, which names the
; intrinsic, what it needs and what the target is.
; DEFINE: %{llc} = not llc %s -o /dev/null -mtriple=nvptx64
; DEFINE: %{check} = FileCheck %s --match-full-lines --implicit-check-not={{.+}}
; RUN: %{llc} -mcpu=sm_80 -mattr=+ptx70 2>&1     | %{check} -DARCH=sm_80 -DPTX=7.0 --check-prefixes=DENSE,SPARSE,MIXED
; RUN: %{llc} -O0 -mcpu=sm_80 -mattr=+ptx70 2>&1 | %{check} -DARCH=sm_80 -DPTX=7.0 --check-prefixes=DENSE,SPARSE,MIXED
; RUN: %{llc} -mcpu=sm_90 -mattr=+ptx84 2>&1     | %{check} -DARCH=sm_90 -DPTX=8.4 --check-prefixes=DENSE,SPARSE,MIXED
; RUN: %{llc} -mcpu=sm_100a -mattr=+ptx86 2>&1   | %{check} -DARCH=sm_100a -DPTX=8.6 --check-prefixes=DENSE,SPARSE,MIXED
; RUN: %{llc} -mcpu=sm_120a -mattr=+ptx87 2>&1   | %{check} -DARCH=sm_120a -DPTX=8.7 --check-prefixes=DENSE,SPARSE,MIXED

; Old PTX for the right architecture.
; RUN: %{llc} -mcpu=sm_90a -mattr=+ptx78 2>&1    | %{check} --check-prefix=NO-TARGET
; RUN: %{llc} -mcpu=sm_90a -mattr=+ptx80 2>&1    | %{check} -DARCH=sm_90a -DPTX=8.0 --check-prefixes=SPARSE,MIXED
; RUN: %{llc} -mcpu=sm_90a -mattr=+ptx81 2>&1    | %{check} -DARCH=sm_90a -DPTX=8.1 --check-prefixes=SPARSE,MIXED
; RUN: %{llc} -mcpu=sm_90a -mattr=+ptx82 2>&1    | %{check} -DARCH=sm_90a -DPTX=8.2 --check-prefixes=MIXED
; RUN: %{llc} -mcpu=sm_90a -mattr=+ptx83 2>&1    | %{check} -DARCH=sm_90a -DPTX=8.3 --check-prefixes=MIXED

; LLVM has no sm_90a before PTX 8.0, whatever the function holds.
; NO-TARGET: {{.*}}PTX version 7.8 does not support target 'sm_90a'. Minimum required PTX version is 8.0.{{.*}}

; The PTX that they need is enough.
; RUN: llc %s -o - -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx84 | FileCheck %s --check-prefix=OK
; OK-COUNT-12: wgmma.

; DENSE: error: <unknown>:0:0: in function fence void (): llvm.nvvm.wgmma.fence.sync.aligned requires sm_90a and PTX 8.0, but the target is [[ARCH]] with PTX [[PTX]]
define void @fence() {
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  ret void
}

; DENSE: error: <unknown>:0:0: in function commit void (): llvm.nvvm.wgmma.commit_group.sync.aligned requires sm_90a and PTX 8.0, but the target is [[ARCH]] with PTX [[PTX]]
define void @commit() {
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  ret void
}

; DENSE: error: <unknown>:0:0: in function wait void (): llvm.nvvm.wgmma.wait_group.sync.aligned requires sm_90a and PTX 8.0, but the target is [[ARCH]] with PTX [[PTX]]
define void @wait() {
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  ret void
}

; DENSE: error: <unknown>:0:0: in function dense_ss {{.*}}: llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16 requires sm_90a and PTX 8.0, but the target is [[ARCH]] with PTX [[PTX]]
define <20 x float> @dense_ss(<20 x float> %d, i64 %a, i64 %b, i1 %scale.d) {
  %r = call <20 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v20f32(<20 x float> %d, i64 %a, i64 %b, i1 %scale.d, i32 1, i32 1, i1 false, i1 false)
  ret <20 x float> %r
}

; DENSE: error: <unknown>:0:0: in function dense_rs {{.*}}: llvm.nvvm.wgmma.mma_async.rs.f16.e4m3.e5m2 requires sm_90a and PTX 8.0, but the target is [[ARCH]] with PTX [[PTX]]
define <10 x i32> @dense_rs(<10 x i32> %d, <4 x i32> %a, i64 %b, i1 %scale.d) {
  %r = call <10 x i32> @llvm.nvvm.wgmma.mma_async.rs.f16.e4m3.e5m2.v10i32(<10 x i32> %d, <4 x i32> %a, i64 %b, i1 %scale.d, i32 1, i32 1)
  ret <10 x i32> %r
}

; DENSE: error: <unknown>:0:0: in function dense_bits {{.*}}: llvm.nvvm.wgmma.mma_async.ss.s32.b1.b1.and.popc requires sm_90a and PTX 8.0, but the target is [[ARCH]] with PTX [[PTX]]
define <24 x i32> @dense_bits(<24 x i32> %d, i64 %a, i64 %b, i1 %scale.d) {
  %r = call <24 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.b1.b1.and.popc.v24i32(<24 x i32> %d, i64 %a, i64 %b, i1 %scale.d)
  ret <24 x i32> %r
}

; SPARSE: error: <unknown>:0:0: in function ss {{.*}}: llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16 requires sm_90a and PTX 8.2, but the target is [[ARCH]] with PTX [[PTX]]
define <20 x float> @ss(<20 x float> %d, i64 %a, i64 %b, i32 %meta, i1 %scale.d) {
  %r = call <20 x float> @llvm.nvvm.wgmma.mma_async.sp.ss.f32.f16.f16.v20f32(<20 x float> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 %scale.d, i32 1, i32 1, i1 false, i1 false)
  ret <20 x float> %r
}

; SPARSE: error: <unknown>:0:0: in function rs {{.*}}: llvm.nvvm.wgmma.mma_async.sp.rs.s32.s8.s8 requires sm_90a and PTX 8.2, but the target is [[ARCH]] with PTX [[PTX]]
define <24 x i32> @rs(<24 x i32> %d, <4 x i32> %a, i64 %b, i32 %meta, i1 %scale.d) {
  %r = call <24 x i32> @llvm.nvvm.wgmma.mma_async.sp.rs.s32.s8.s8.v24i32(<24 x i32> %d, <4 x i32> %a, i64 %b, i32 %meta, i32 0, i1 %scale.d, i1 true)
  ret <24 x i32> %r
}

; MIXED: error: <unknown>:0:0: in function mixed {{.*}}: llvm.nvvm.wgmma.mma_async.sp.ss.s32.s8.u8 requires sm_90a and PTX 8.4, but the target is [[ARCH]] with PTX [[PTX]]
define <4 x i32> @mixed(<4 x i32> %d, i64 %a, i64 %b, i32 %meta, i1 %scale.d) {
  %r = call <4 x i32> @llvm.nvvm.wgmma.mma_async.sp.ss.s32.s8.u8.v4i32(<4 x i32> %d, i64 %a, i64 %b, i32 %meta, i32 0, i1 %scale.d, i1 false)
  ret <4 x i32> %r
}

; MIXED: error: <unknown>:0:0: in function mixed_rs {{.*}}: llvm.nvvm.wgmma.mma_async.sp.rs.s32.u8.s8 requires sm_90a and PTX 8.4, but the target is [[ARCH]] with PTX [[PTX]]
define <128 x i32> @mixed_rs(<128 x i32> %d, <4 x i32> %a, i64 %b, i32 %meta, i1 %scale.d) {
  %r = call <128 x i32> @llvm.nvvm.wgmma.mma_async.sp.rs.s32.u8.s8.v128i32(<128 x i32> %d, <4 x i32> %a, i64 %b, i32 %meta, i32 0, i1 %scale.d, i1 false)
  ret <128 x i32> %r
}

; MIXED: error: <unknown>:0:0: in function dense_mixed {{.*}}: llvm.nvvm.wgmma.mma_async.ss.s32.s8.u8 requires sm_90a and PTX 8.4, but the target is [[ARCH]] with PTX [[PTX]]
define <4 x i32> @dense_mixed(<4 x i32> %d, i64 %a, i64 %b, i1 %scale.d) {
  %r = call <4 x i32> @llvm.nvvm.wgmma.mma_async.ss.s32.s8.u8.v4i32(<4 x i32> %d, i64 %a, i64 %b, i1 %scale.d, i1 false)
  ret <4 x i32> %r
}

; MIXED: error: <unknown>:0:0: in function dense_mixed_rs {{.*}}: llvm.nvvm.wgmma.mma_async.rs.s32.u8.s8 requires sm_90a and PTX 8.4, but the target is [[ARCH]] with PTX [[PTX]]
define <128 x i32> @dense_mixed_rs(<128 x i32> %d, <4 x i32> %a, i64 %b, i1 %scale.d) {
  %r = call <128 x i32> @llvm.nvvm.wgmma.mma_async.rs.s32.u8.s8.v128i32(<128 x i32> %d, <4 x i32> %a, i64 %b, i1 %scale.d, i1 false)
  ret <128 x i32> %r
}
