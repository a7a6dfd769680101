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
// it. Of the one they have, only the number of parameters counts, since a
// misspelt name is corrected to that of a function which takes as many
// arguments; and that constants are converted to int.
//
//===----------------------------------------------------------------------===//

include "llvm/IR/NVVMWGMMAVariants.td"

def NVPTXWGMMA : NVPTXBuiltinFamily;

class WGMMABuiltin<string prototype, PTXFeatures ptx = PTX80>
    : NVPTXBuiltinSMAndPTX<prototype, SM_90a, ptx>,
      NVPTXIntrinsicBuiltin<NVPTXWGMMA, !substr(NAME, !size("__"))> {
  let Attributes = [NoThrow, CustomTypeChecking];
}

foreach variant = !instances<WGMMAVariant>() in {
  defvar numArgs = !add(variant.FirstFlag, variant.NumFlags);
  def variant.BuiltinName
      : WGMMABuiltin<
            "void(" # !interleave(!listsplat("int", numArgs), ", ") # ")",
            !cast<PTXFeatures>("PTX" # variant.MinPTX)>;
}

def __nvvm_wgmma_fence_operand : WGMMABuiltin<"void(int)">;
def __nvvm_wgmma_fence_sync_aligned : WGMMABuiltin<"void()">;
def __nvvm_wgmma_commit_group_sync_aligned : WGMMABuiltin<"void()">;

// The number may be anything that converts to a constant.
let Attributes = [NoThrow] in
  def __nvvm_wgmma_wait_group_sync_aligned
      : WGMMABuiltin<"void(_Constant int64_t)">;
