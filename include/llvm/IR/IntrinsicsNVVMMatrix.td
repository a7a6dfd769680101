//===- IntrinsicsNVVMMatrix.td - matrix intrinsics --------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the intrinsics of the PTX ISA's warp-level matrix instructions have in
// common, and those of them that IntrinsicsNVVM.td lacks, which includes this
// ahead of its own: mma of f64 with a rounding in its name.
//
//===----------------------------------------------------------------------===//

// Tells which of an intrinsic's operands are one matrix: after a pointer, if
// the first one is one, come the registers of each fragment in turn, and then
// whatever else it takes.
class NVVMMatrixIntrinsic<list<WMMA_REGS> fragments> {
  list<list<LLVMType>> MatrixFragments =
      !foreach(fragment, fragments, fragment.regs);
}

// mma of f64 with a rounding other than .rn, which is what the intrinsics
// without one have.
let TargetPrefix = "nvvm" in
foreach geom = ["m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"] in
  foreach rnd = ["rz", "rm", "rp"] in {
    defvar a = WMMA_REGS<geom, "a", "f64">;
    defvar b = WMMA_REGS<geom, "b", "f64">;
    defvar c = WMMA_REGS<geom, "c", "f64">;
    def int_nvvm_mma_#geom#_row_col_#rnd#_f64
        : NVVMTargetedMMA<[a, b, c, c]>, NVVMMatrixIntrinsic<[a, b, c]>,
          Intrinsic<c.regs, !listconcat(a.regs, b.regs, c.regs),
                    [IntrConvergent, IntrNoMem, IntrNoCallback]>;
  }
