//===- NVPTXPromoteAccumulatorArrays.h - Arrays into vectors ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// See NVPTXPromoteAccumulatorArrays.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXPROMOTEACCUMULATORARRAYS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXPROMOTEACCUMULATORARRAYS_H

#include "llvm/IR/PassManager.h"

namespace llvm {

/// Makes a vector of each local array with accumulators of wgmma in it that is
/// read, but not written, with a variable index.
struct NVPTXPromoteAccumulatorArraysPass
    : PassInfoMixin<NVPTXPromoteAccumulatorArraysPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM);
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXPROMOTEACCUMULATORARRAYS_H
