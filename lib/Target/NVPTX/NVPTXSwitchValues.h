//===- NVPTXSwitchValues.h - Values that a switch tells of ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXSWITCHVALUES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXSWITCHVALUES_H

#include "llvm/IR/PassManager.h"

namespace llvm {

/// Has what the value of a switch is computed from be a constant in its cases,
/// in functions with wgmma.
struct NVPTXSwitchValuesPass : PassInfoMixin<NVPTXSwitchValuesPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM);
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXSWITCHVALUES_H
