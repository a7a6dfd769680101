//===- IntrinsicsNVVMAsyncStore.td - st.async --------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsic of st.async to shared memory of the cluster, as LLVM has it
// from version 23 on. Included by IntrinsicsNVVM.td.
//
//===----------------------------------------------------------------------===//

// What is stored is an i32, an i64, <2 x i32>, <4 x i32> or <2 x i64>.
let TargetPrefix = "nvvm" in
def int_nvvm_st_async
    : DefaultAttrsIntrinsic<[],
                            [llvm_shared_cluster_ptr_ty,  // dst
                             llvm_anyint_ty,              // value
                             llvm_shared_cluster_ptr_ty], // mbarrier
                            [WriteOnly<ArgIndex<0>>, IntrArgMemOnly]>;
