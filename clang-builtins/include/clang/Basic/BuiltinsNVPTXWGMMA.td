//===- BuiltinsNVPTXWGMMA.td - wgmma builtins -------------*- tablegen -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The builtins of the PTX ISA's asynchronous warpgroup-level matrix
// multiply-accumulate, one for each intrinsic. Included by BuiltinsNVPTX.td.
//
// Those of wgmma.mma_async are generic over the accumulator's vector type,
// which carries N, and take and return it by value. Their signature is that of
// the intrinsic; SemaNVPTXWGMMA.cpp checks it, since no prototype can express
// it. Of the one they have, only the number of parameters counts: a misspelt
// name is corrected to that of a function which takes as many arguments.
//
//===----------------------------------------------------------------------===//

include "llvm/IR/NVVMWGMMAVariants.td"

class WGMMABuiltin<PTXFeatures ptx, int numArgs>
    : NVPTXBuiltinSMAndPTX<
          "void(" # !interleave(!listsplat("int", numArgs), ", ") # ")", SM_90a,
          ptx> {
  let Attributes = [NoThrow, CustomTypeChecking];
}

foreach variant = !instances<WGMMAVariant>() in
  def variant.BuiltinName
      : WGMMABuiltin<!cast<PTXFeatures>("PTX" # variant.MinPTX),
                     !add(variant.FirstFlag, variant.NumFlags)>;

def __nvvm_wgmma_fence_operand : WGMMABuiltin<PTX80, 1>;

let Attributes = [NoThrow, CustomTypeChecking] in {
  def __nvvm_wgmma_fence_sync_aligned
      : NVPTXBuiltinSMAndPTX<"void()", SM_90a, PTX80>;
  def __nvvm_wgmma_commit_group_sync_aligned
      : NVPTXBuiltinSMAndPTX<"void()", SM_90a, PTX80>;
}

// The number may be anything that converts to a constant.
let Attributes = [NoThrow] in
  def __nvvm_wgmma_wait_group_sync_aligned
      : NVPTXBuiltinSMAndPTX<"void(_Constant int64_t)", SM_90a, PTX80>;
