//===- NVPTXStripConvergenceTokens.cpp - Tokens that PTX has no use for ---===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convergence control tokens tell the optimizer which threads execute a
// convergent operation together. PTX has nothing that they could become, and
// all instructions that need several threads are convergent without them, too.
//
// Instruction selection keeps a token within its block only: in a block after
// the one that defines it, a loop's body for instance, the machine verifier
// fails. Therefore this pass drops the bundles and the intrinsics ahead of
// selection, at all levels of optimization.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Pass.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-strip-convergence-tokens"

/// Replaces \p Call by one without a token.
static void dropToken(CallBase &Call) {
  CallBase *Plain = CallBase::removeOperandBundle(
      &Call, LLVMContext::OB_convergencectrl, Call.getIterator());
  Plain->copyMetadata(Call);
  Plain->takeName(&Call);
  Call.replaceAllUsesWith(Plain);
  Call.eraseFromParent();
}

static bool stripConvergenceTokens(Function &F) {
  SmallVector<CallBase *, 16> Users;
  SmallVector<Instruction *, 4> Tokens;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    if (isa<ConvergenceControlInst>(Call))
      Tokens.push_back(Call);
    else if (Call->getOperandBundle(LLVMContext::OB_convergencectrl))
      Users.push_back(Call);
  }
  for (CallBase *Call : Users)
    dropToken(*Call);
  // What is left are tokens made of tokens.
  for (Instruction *Token : Tokens)
    Token->dropAllReferences();
  for (Instruction *Token : Tokens)
    Token->eraseFromParent();
  return !Tokens.empty();
}

namespace {
class NVPTXStripConvergenceTokensLegacyPass : public FunctionPass {
public:
  static char ID;

  NVPTXStripConvergenceTokensLegacyPass() : FunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Strip Convergence Tokens";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }

  bool runOnFunction(Function &F) override { return stripConvergenceTokens(F); }
};
} // namespace

char NVPTXStripConvergenceTokensLegacyPass::ID = 0;

INITIALIZE_PASS(NVPTXStripConvergenceTokensLegacyPass, DEBUG_TYPE,
                "NVPTX Strip Convergence Tokens", false, false)

FunctionPass *llvm::createNVPTXStripConvergenceTokensPass() {
  return new NVPTXStripConvergenceTokensLegacyPass();
}

PreservedAnalyses
NVPTXStripConvergenceTokensPass::run(Function &F, FunctionAnalysisManager &) {
  if (!stripConvergenceTokens(F))
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
