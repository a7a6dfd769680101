//===- IntrinsicsNVVMCachePolicy.td - createpolicy ---------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsics of createpolicy, which makes what the bulk copies and other
// instructions take as their cache_hint. Included by IntrinsicsNVVM.td.
//
// The first priority is in the name, as that of prefetch and applypriority is.
// The second one, of the accesses that do not get the first, is a flag: each
// first one goes with both of its values, so that it halves the number of
// intrinsics. It is 0 for evict_unchanged, which is PTX's default, and 1 for
// evict_first.
//
//===----------------------------------------------------------------------===//

class NVVMCachePolicy<string priority, list<LLVMType> parameters,
                      ImmArg flag>
    : DefaultAttrsIntrinsic<
          [llvm_i64_ty],
          !listconcat(parameters, [llvm_i1_ty]), // flag for the second priority
          [IntrNoMem, flag]> {
  string Priority = priority;
}

// Of the accesses a fraction, above 0 and up to 1, gets the first priority.
class NVVMFractionalCachePolicy<string priority>
    : NVVMCachePolicy<priority, [llvm_float_ty], ImmArg<ArgIndex<1>>>;

// Of the total_size bytes at an address in global memory the first primary_size
// get the first priority.
class NVVMRangeCachePolicy<string space, LLVMType pointer, string priority>
    : NVVMCachePolicy<priority,
                      [pointer,
                       llvm_i32_ty,  // primary_size
                       llvm_i32_ty], // total_size
                      ImmArg<ArgIndex<3>>> {
  string Space = space;
}

let TargetPrefix = "nvvm" in {
foreach priority = ["evict_last", "evict_normal", "evict_first",
                    "evict_unchanged"] in {
  def int_nvvm_createpolicy_fractional_L2_#priority
      : NVVMFractionalCachePolicy<priority>;
  def int_nvvm_createpolicy_range_L2_#priority
      : NVVMRangeCachePolicy<"", llvm_ptr_ty, priority>;
  def int_nvvm_createpolicy_range_global_L2_#priority
      : NVVMRangeCachePolicy<".global", llvm_global_ptr_ty, priority>;
}

// Of an access property of CUDA, cuda::access_property.
def int_nvvm_createpolicy_cvt_L2
    : DefaultAttrsIntrinsic<[llvm_i64_ty], [llvm_i64_ty], [IntrNoMem]>;
}
