//===- IntrinsicsNVVMAsyncReduction.td ---------------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The intrinsics of the PTX ISA's asynchronous reductions: cp.reduce.async.bulk
// of an array in shared memory, and red.async of a value in a register, to
// shared memory of the cluster and to global memory.
// Included by IntrinsicsNVVM.td.
//
// Which types an operation has depends on the operation and on where the result
// goes, so both are in the name. A tensor's reductions are those of its map's
// type, and part of IntrinsicsNVVM.td.
//
//===----------------------------------------------------------------------===//

// An operation in PTX's words, with the types that it has.
class NVVMReductions<string operation, list<string> types> {
  string Operation = operation;
  list<string> Types = types;
}

// In shared memory of the cluster: of cp.reduce.async.bulk and of red.async.
defvar NVVMClusterReductions = [
  NVVMReductions<"add", ["u32", "s32", "u64"]>,
  NVVMReductions<"min", ["u32", "s32"]>,
  NVVMReductions<"max", ["u32", "s32"]>,
  NVVMReductions<"inc", ["u32"]>,
  NVVMReductions<"dec", ["u32"]>,
  NVVMReductions<"and", ["b32"]>,
  NVVMReductions<"or", ["b32"]>,
  NVVMReductions<"xor", ["b32"]>,
];

// In global memory: of cp.reduce.async.bulk.
defvar NVVMGlobalReductions = [
  NVVMReductions<"add", ["u32", "s32", "u64", "f32", "f64"]>,
  NVVMReductions<"add.noftz", ["f16", "bf16"]>,
  NVVMReductions<"min", ["u32", "s32", "u64", "s64", "f16", "bf16"]>,
  NVVMReductions<"max", ["u32", "s32", "u64", "s64", "f16", "bf16"]>,
  NVVMReductions<"inc", ["u32"]>,
  NVVMReductions<"dec", ["u32"]>,
  NVVMReductions<"and", ["b32", "b64"]>,
  NVVMReductions<"or", ["b32", "b64"]>,
  NVVMReductions<"xor", ["b32", "b64"]>,
];

class NVVMAsyncReduction<string operation, string type,
                         list<LLVMType> parameters,
                         list<IntrinsicProperty> properties>
    : DefaultAttrsIntrinsic<[], parameters, properties> {
  // As in PTX, with the type: "add.noftz.f16".
  string Reduction = operation # "." # type;
}

class NVVMBulkReductionToGlobal<string operation, string type>
    : NVVMAsyncReduction<operation, type,
                         [llvm_global_ptr_ty, // dst
                          llvm_shared_ptr_ty, // src
                          llvm_i32_ty,        // size in bytes
                          llvm_i64_ty,        // cache_hint
                          llvm_i1_ty],        // flag for cache_hint
                         [IntrConvergent, IntrArgMemOnly,
                          NoCapture<ArgIndex<0>>, NoCapture<ArgIndex<1>>,
                          ReadOnly<ArgIndex<1>>, ImmArg<ArgIndex<4>>]>;

class NVVMBulkReductionToCluster<string operation, string type>
    : NVVMAsyncReduction<operation, type,
                         [llvm_shared_cluster_ptr_ty, // dst
                          llvm_shared_cluster_ptr_ty, // mbarrier, as dst is
                          llvm_shared_ptr_ty,         // src
                          llvm_i32_ty],               // size in bytes
                         [IntrConvergent, IntrArgMemOnly,
                          NoCapture<ArgIndex<0>>, NoCapture<ArgIndex<1>>,
                          NoCapture<ArgIndex<2>>, ReadOnly<ArgIndex<2>>]>;

class NVVMRegisterReductionToCluster<string operation, string type>
    : NVVMAsyncReduction<operation, type,
                         [llvm_shared_cluster_ptr_ty,  // dst
                          !if(!eq(type, "u64"), llvm_i64_ty,
                              llvm_i32_ty),            // value
                          llvm_shared_cluster_ptr_ty], // mbarrier, as dst is
                         [IntrArgMemOnly, NoCapture<ArgIndex<0>>,
                          NoCapture<ArgIndex<2>>]>;

// It is a release, and so neither nosync nor less than an access of all memory.
class NVVMRegisterReductionToGlobal<string order, string type>
    : Intrinsic<[],
                [llvm_global_ptr_ty,                       // dst
                 !if(!match(type, "64"), llvm_i64_ty,
                     llvm_i32_ty)],                        // value
                [IntrNoCallback, IntrNoFree, IntrWillReturn,
                 NoCapture<ArgIndex<0>>]> {
  // As in PTX: "mmio.release.sys".
  string Order = order;
  string Reduction = "add." # type;
}

let TargetPrefix = "nvvm" in {
foreach scope = ["gpu", "sys", "mmio.sys"] in
  foreach type = ["u32", "s32", "u64", "s64"] in
    def int_nvvm_red_async_#!subst(".", "_", scope)#_add_#type
        : NVVMRegisterReductionToGlobal<
              !if(!eq(scope, "mmio.sys"), "mmio.release.sys",
                  "release." # scope), type>;

foreach reductions = NVVMGlobalReductions in
  foreach type = reductions.Types in {
    defvar name = !subst(".", "_", reductions.Operation) # "_" # type;
    def int_nvvm_cp_reduce_async_bulk_shared_cta_to_global_#name
        : NVVMBulkReductionToGlobal<reductions.Operation, type>;
  }

foreach reductions = NVVMClusterReductions in
  foreach type = reductions.Types in {
    defvar name = reductions.Operation # "_" # type;
    def int_nvvm_cp_reduce_async_bulk_shared_cta_to_cluster_#name
        : NVVMBulkReductionToCluster<reductions.Operation, type>;
    def int_nvvm_red_async_#name
        : NVVMRegisterReductionToCluster<reductions.Operation, type>;
  }
}
