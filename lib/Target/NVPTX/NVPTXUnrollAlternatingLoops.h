//===- NVPTXUnrollAlternatingLoops.h - Loops of several slots ---*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXUNROLLALTERNATINGLOOPS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXUNROLLALTERNATINGLOOPS_H

#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace llvm {

/// Unrolls loops with wgmma whose rounds take turns at the parts of a local
/// array, by as many rounds as there are turns.
struct NVPTXUnrollAlternatingLoopsPass
    : PassInfoMixin<NVPTXUnrollAlternatingLoopsPass> {
  /// \p IgnoreDisable: also those that the front end does not want unrolled.
  explicit NVPTXUnrollAlternatingLoopsPass(bool IgnoreDisable = false)
      : IgnoreDisable(IgnoreDisable) {}

  PreservedAnalyses run(Loop &L, LoopAnalysisManager &AM,
                        LoopStandardAnalysisResults &AR, LPMUpdater &U);

private:
  bool IgnoreDisable;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXUNROLLALTERNATINGLOOPS_H
