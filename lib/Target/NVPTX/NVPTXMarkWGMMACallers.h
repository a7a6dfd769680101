//===- NVPTXMarkWGMMACallers.h - Which functions get to a wgmma -*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// See NVPTXMarkWGMMACallers.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXMARKWGMMACALLERS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXMARKWGMMACALLERS_H

#include "llvm/IR/PassManager.h"

namespace llvm {

/// Gives each function that has a wgmma, or calls one that does, an attribute.
struct NVPTXMarkWGMMACallersPass : PassInfoMixin<NVPTXMarkWGMMACallersPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM);
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXMARKWGMMACALLERS_H
