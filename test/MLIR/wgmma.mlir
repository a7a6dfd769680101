// wgmma from MLIR: fence, commit and wait are ops. wgmma.mma_async as an intrinsic is ours,
// so that MLIR's llvm.call_intrinsic does not know it; a call of a declared function of its
// name becomes the intrinsic in our llc, which gives it its attributes, too.
// (MLIR's nvvm.wgmma.mma_async is inline assembly, made by a pass of mlir-opt.)
// RUN: mlir-translate --mlir-to-llvmir %s -o %t.ll
// RUN: opt -S %t.ll | FileCheck %s --check-prefix=ATTR
// RUN: llc %t.ll -mtriple=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -verify-machineinstrs -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --implicit-check-not=wgmma --implicit-check-not=mov
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.ptx %}

// ATTR: declare <4 x float> @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32({{.*}}) [[ATTR:#[0-9]+]]
// ATTR: attributes [[ATTR]] = { convergent {{.*}} }

// CHECK: .func {{.*}}step(
// CHECK: ld.param.v4.b32 [[ACC:{.*}]], [step_param_0];
// CHECK: wgmma.fence.sync.aligned;
// CHECK: wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 [[ACC]], %rd{{[0-9]+}}, %rd{{[0-9]+}}, 1, 1, -1, 0, 1;
// CHECK: wgmma.commit_group.sync.aligned;
// CHECK: wgmma.wait_group.sync.aligned 0;
// CHECK: st.param.v4.b32 [func_retval0], [[ACC]];
llvm.func @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(
  vector<4xf32>, i64, i64, i1, i32, i32, i1, i1) -> vector<4xf32>

llvm.func @step(%d: vector<4xf32>, %a: i64, %b: i64) -> vector<4xf32> {
  %true = llvm.mlir.constant(true) : i1
  %false = llvm.mlir.constant(false) : i1
  %plus = llvm.mlir.constant(1 : i32) : i32
  %minus = llvm.mlir.constant(-1 : i32) : i32
  nvvm.wgmma.fence.aligned
  %r = llvm.call @llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32(%d, %a, %b, %true, %plus, %minus, %false, %true)
    : (vector<4xf32>, i64, i64, i1, i32, i32, i1, i1) -> vector<4xf32>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.return %r : vector<4xf32>
}
