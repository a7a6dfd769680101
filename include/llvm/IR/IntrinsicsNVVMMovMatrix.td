//===- IntrinsicsNVVMMovMatrix.td - movmatrix --------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsic of movmatrix, which LLVM has from version 23 on. Included by
// IntrinsicsNVVM.td.
//
//===----------------------------------------------------------------------===//

// movmatrix.sync.aligned.m8n8.trans.b16: transposes an 8x8 matrix of 16-bit
// elements, two of one row in each thread's register. PTX ISA 7.8, sm_75.
let TargetPrefix = "nvvm" in
def int_nvvm_movmatrix_sync_aligned_m8n8_trans_b16
    : NVVMTargeted<NVVMTarget<75, 78>>, NVVMMatrixIntrinsic<[]>,
      Intrinsic<[llvm_i32_ty], [llvm_i32_ty],
                [IntrConvergent, IntrNoMem, IntrNoCallback]>;
