//===- NVPTXFoldWGMMABranches.cpp - No way that is never taken ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a loop that has but one round,
//
//   for (int I = 0; I < 1; ++I) { if (I == 1) break; acc = wgmma(acc, ...); }
//
// the test at the end is only found to be constant by what runs late, the one
// in the middle after that; nothing folds that one any more, and a branch by a
// constant predicate gets into the PTX:
//
//     mov.pred %p1, -1;
//     @%p1 bra $L__BB0_2;
//     ...                     // here %r9 is not what it is below
//   $L__BB0_2:
//     add.s32 %r62, %r9, %r28; st.global.b32 [%rd1], %r62;
//     wgmma... {%r9, ...}
//   $L__BB0_3:
//     add.s32 %r65, %r9, %r28; st.global.b32 [%rd1+64], %r65;
//
// ptxas, as of 13.0, folds it when it has numbered the values already, and
// stores the first sum for the second one, though a wgmma has written %r9.
//
// This pass folds such branches in functions with wgmma, and all that becomes
// constant by that, just ahead of instruction selection: later than all that
// makes new ones.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/CodeGen/StackProtector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-fold-wgmma-branches"

STATISTIC(NumFolded, "Number of constant branches folded ahead of selection");

/// Puts constants where all that an instruction of \p F computes from is one.
static bool propagateConstants(Function &F) {
  bool Changed = false;
  SmallSetVector<Instruction *, 32> Worklist;
  for (Instruction &I : instructions(F))
    Worklist.insert(&I);
  while (!Worklist.empty()) {
    Instruction *I = Worklist.pop_back_val();
    if (I->use_empty())
      continue;
    Constant *Known = ConstantFoldInstruction(I, F.getDataLayout());
    if (!Known)
      continue;
    for (User *U : I->users())
      Worklist.insert(cast<Instruction>(U));
    I->replaceAllUsesWith(Known);
    if (isInstructionTriviallyDead(I))
      I->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

/// Folds the branches of \p F that are constant.
static bool foldConstantBranches(Function &F) {
  bool Changed = false;
  for (BasicBlock &BB : F)
    if (isa<BranchInst>(BB.getTerminator()) &&
        ConstantFoldTerminator(&BB, /*DeleteDeadConditions=*/true)) {
      ++NumFolded;
      Changed = true;
    }
  if (Changed)
    removeUnreachableBlocks(F);
  return Changed;
}

static bool foldBranches(Function &F) {
  if (!NVPTX::usesWGMMA(F))
    return false;
  bool Changed = propagateConstants(F);
  while (foldConstantBranches(F)) {
    propagateConstants(F);
    Changed = true;
  }
  return Changed;
}

namespace {
class NVPTXFoldWGMMABranchesLegacyPass : public FunctionPass {
public:
  static char ID;

  NVPTXFoldWGMMABranchesLegacyPass() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Fold WGMMA Branches"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    // What comes before instruction selection must not take it back.
    AU.addPreserved<StackProtector>();
  }

  bool runOnFunction(Function &F) override { return foldBranches(F); }
};
} // namespace

char NVPTXFoldWGMMABranchesLegacyPass::ID = 0;

INITIALIZE_PASS(NVPTXFoldWGMMABranchesLegacyPass, DEBUG_TYPE,
                "NVPTX Fold WGMMA Branches", false, false)

FunctionPass *llvm::createNVPTXFoldWGMMABranchesPass() {
  return new NVPTXFoldWGMMABranchesLegacyPass();
}

PreservedAnalyses NVPTXFoldWGMMABranchesPass::run(Function &F,
                                                  FunctionAnalysisManager &) {
  return foldBranches(F) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
