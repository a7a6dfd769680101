//===- NVPTXThreadWGMMAStates.cpp - Thread state machines -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXThreadWGMMAStates.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/Transforms/Scalar/DFAJumpThreading.h"

using namespace llvm;

PreservedAnalyses NVPTXThreadWGMMAStatesPass::run(Function &F,
                                                  FunctionAnalysisManager &AM) {
  if (!NVPTX::usesWGMMA(F))
    return PreservedAnalyses::all();
  return DFAJumpThreadingPass().run(F, AM);
}
