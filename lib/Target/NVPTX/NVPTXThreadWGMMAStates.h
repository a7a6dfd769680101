//===- NVPTXThreadWGMMAStates.h - Thread state machines ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// A loop around a switch by a variable, which each case sets, is a state
/// machine:
///
///   while (State != Done)
///     switch (State) {
///     case Issue: acc = wgmma(acc, ...); commit; State = Drain; break;
///     case Drain: wait 0; State = ++I < N ? Issue : Store; break;
///     case Store: out = acc; State = Done; break;
///     }
///
/// No way leads from Issue to Store, but in the graph there is one. This has
/// DFAJumpThreading, which is not among the default optimizations, lead from
/// case to case in functions that use wgmma.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXTHREADWGMMASTATES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXTHREADWGMMASTATES_H

#include "llvm/IR/PassManager.h"

namespace llvm {

struct NVPTXThreadWGMMAStatesPass : PassInfoMixin<NVPTXThreadWGMMAStatesPass> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM);
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXTHREADWGMMASTATES_H
