//===- IntrinsicsNVVMTcgen05LoadReduce.td ------------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsics of tcgen05.ld.red that LLVM has from version 23 on: those of
// integers without a sign and of floating point. Included by IntrinsicsNVVM.td,
// after IntrinsicsNVVMTcgen05LoadReduceSigned.td, which has the class.
//
//   { <n x i32>, i32 } @llvm.nvvm.tcgen05.ld.red.<shape>.x<n>.i32(
//       ptr addrspace(6) %addr, [i64 immarg %offset,] i32 immarg %operation)
//   { <n x float>, float } @llvm.nvvm.tcgen05.ld.red.<shape>.x<n>.f32(
//       ptr addrspace(6) %addr, [i64 immarg %offset,] i32 immarg %operation,
//       i1 immarg %abs, i1 immarg %nan)
//
//===----------------------------------------------------------------------===//

let TargetPrefix = "nvvm" in
foreach shape = NVVMTcgen05LoadReduceShapes in
  foreach size = NVVMTcgen05LoadReduceSizes in
    foreach type = ["i32", "f32"] in
      def int_nvvm_tcgen05_ld_red_#shape#_x#size#_#type
          : NVVMTcgen05LoadReduce<
                NVVMTcgen05LoadReduceName<shape, size, type>>;
