//===- IntrinsicsNVVMTensormapCopy.td ----------------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsics of tensormap.cp_fenceproxy: a warp copies a tensor map that
// was changed in shared memory to global memory, and releases it to the
// tensormap proxy. Included by IntrinsicsNVVM.td.
//
//===----------------------------------------------------------------------===//

class NVVMTensormapCopy<string scope>
    : Intrinsic<[],
                [llvm_global_ptr_ty, // dst, aligned to 128 bytes
                 llvm_shared_ptr_ty, // src, aligned to 128 bytes
                 llvm_i32_ty],       // size in bytes, which can only be 128
                [IntrConvergent, IntrNoCallback, NoCapture<ArgIndex<0>>,
                 NoCapture<ArgIndex<1>>, ReadOnly<ArgIndex<1>>,
                 ImmArg<ArgIndex<2>>, Range<ArgIndex<2>, 128, 129>],
                "llvm.nvvm.tensormap.cp_fenceproxy.global.shared.cta." #
                    "tensormap_generic.release." # scope # ".sync.aligned"> {
  string Scope = scope;
}

let TargetPrefix = "nvvm" in
foreach scope = ["cta", "cluster", "gpu", "sys"] in {
  defvar name = "global_shared_cta_tensormap_generic_release_" # scope;
  def int_nvvm_tensormap_cp_fenceproxy_#name#_sync_aligned
      : NVVMTensormapCopy<scope>;
}
