//===- NVPTXDropTBAA.h - Accesses by types that say nothing -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// See NVPTXDropTBAA.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXDROPTBAA_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXDROPTBAA_H

#include "llvm/IR/PassManager.h"

namespace llvm {

/// Has no access in a module with wgmma be told from another one by its type.
struct NVPTXDropTBAAPass : PassInfoMixin<NVPTXDropTBAAPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM);
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXDROPTBAA_H
