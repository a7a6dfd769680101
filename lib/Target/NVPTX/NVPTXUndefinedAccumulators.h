//===- NVPTXUndefinedAccumulators.h - Accumulators without value *- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXUNDEFINEDACCUMULATORS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXUNDEFINEDACCUMULATORS_H

#include "llvm/IR/PassManager.h"

namespace llvm {

/// Has local variables that may be accumulators lose their value where their
/// lifetime starts, in a module with wgmma.
struct NVPTXStartAccumulatorsPass : PassInfoMixin<NVPTXStartAccumulatorsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM);
};

/// Makes poison of the values that NVPTXStartAccumulatorsPass has given them.
struct NVPTXForgetAccumulatorsPass
    : PassInfoMixin<NVPTXForgetAccumulatorsPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXUNDEFINEDACCUMULATORS_H
