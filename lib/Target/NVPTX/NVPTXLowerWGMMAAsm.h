//===- NVPTXLowerWGMMAAsm.h - Intrinsics for wgmma assembly -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// See NVPTXLowerWGMMAAsm.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXLOWERWGMMAASM_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXLOWERWGMMAASM_H

#include "llvm/IR/PassManager.h"

namespace llvm {

/// Makes intrinsics of inline assembly that has only wgmma and its steps in it.
struct NVPTXLowerWGMMAAsmPass : PassInfoMixin<NVPTXLowerWGMMAAsmPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM);
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXLOWERWGMMAASM_H
