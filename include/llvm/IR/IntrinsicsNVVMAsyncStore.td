//===- IntrinsicsNVVMAsyncStore.td - st.async --------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsics of st.async to shared memory of the cluster and to global
// memory, as LLVM has them from version 23 on. Included by IntrinsicsNVVM.td.
//
//===----------------------------------------------------------------------===//

// A store to global memory is a release, and so neither nosync nor less than an
// access of all memory. What is stored is an i8, i16, i32 or i64.
class NVVMAsyncStoreToGlobal<list<LLVMType> flags,
                             list<IntrinsicProperty> flagProperties>
    : Intrinsic<[], !listconcat([llvm_global_ptr_ty, // dst
                                 llvm_anyint_ty],    // value
                                flags),
                !listconcat([IntrNoCallback, IntrNoFree, IntrWillReturn,
                             WriteOnly<ArgIndex<0>>],
                            flagProperties)>;

let TargetPrefix = "nvvm" in {
// What is stored is an i32, an i64, <2 x i32>, <4 x i32> or <2 x i64>.
def int_nvvm_st_async
    : DefaultAttrsIntrinsic<[],
                            [llvm_shared_cluster_ptr_ty,  // dst
                             llvm_anyint_ty,              // value
                             llvm_shared_cluster_ptr_ty], // mbarrier
                            [WriteOnly<ArgIndex<0>>, IntrArgMemOnly]>;

// The flag says that dst is a multimem address.
foreach scope = ["gpu", "sys"] in
  def int_nvvm_st_async_#scope
      : NVVMAsyncStoreToGlobal<[llvm_i1_ty], [ImmArg<ArgIndex<2>>]>;

def int_nvvm_st_async_mmio_sys : NVVMAsyncStoreToGlobal<[], []>;
}
