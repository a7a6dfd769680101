//===- NVPTXUnrollAccumulatorLoops.h - Loops over accumulators --*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXUNROLLACCUMULATORLOOPS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXUNROLLACCUMULATORLOOPS_H

#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace llvm {

/// Has loops unrolled whose counter indexes an accumulator of wgmma.
struct NVPTXUnrollAccumulatorLoopsPass
    : PassInfoMixin<NVPTXUnrollAccumulatorLoopsPass> {
  /// \p IgnoreDisable: also those that the front end does not want unrolled.
  explicit NVPTXUnrollAccumulatorLoopsPass(bool IgnoreDisable = false)
      : IgnoreDisable(IgnoreDisable) {}

  PreservedAnalyses run(Loop &L, LoopAnalysisManager &AM,
                        LoopStandardAnalysisResults &AR, LPMUpdater &U);

private:
  bool IgnoreDisable;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXUNROLLACCUMULATORLOOPS_H
