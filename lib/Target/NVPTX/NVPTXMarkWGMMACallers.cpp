//===- NVPTXMarkWGMMACallers.cpp - Which functions get to a wgmma ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inliner asks at each call whether its caller multiplies: then a variable
// that the call gets the address of may be an accumulator. To look through the
// caller each time takes minutes where templates have thousands of small
// functions inlined into one. This pass looks through each function once, at
// the start of the pipeline, and leaves an attribute, which no inlining takes
// away. A function that calls a marked one is marked, too: it will multiply
// once that is inlined. So is one that passes it on, as CUTLASS does with the
// functions of its atoms.
//
//===----------------------------------------------------------------------===//

#include "NVPTXMarkWGMMACallers.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

PreservedAnalyses NVPTXMarkWGMMACallersPass::run(Module &M,
                                                 ModuleAnalysisManager &) {
  SmallVector<Function *, 8> Worklist;
  for (Function &F : M)
    if (NVPTX::usesWGMMA(F))
      Worklist.push_back(&F);
  while (!Worklist.empty()) {
    Function *F = Worklist.pop_back_val();
    if (NVPTX::reachesWGMMA(*F))
      continue;
    F->addFnAttr(NVPTX::ReachesWGMMA);
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        Worklist.push_back(Call->getCaller());
  }
  return PreservedAnalyses::all();
}
