//===- NVPTXCheckIntrinsicCalls.cpp - Errors of unverified calls ----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Front ends may leave out the verifier, as rustc does in release builds. A
// call that it would refuse gets the same error here, ahead of the passes that
// take for granted that there is none, and is removed.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/VerifierNVPTX.h"
#include "llvm/Pass.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-check-intrinsic-calls"

namespace {
struct NVPTXCheckIntrinsicCalls : FunctionPass {
  static char ID;

  NVPTXCheckIntrinsicCalls() : FunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Check Intrinsic Calls";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }

  bool runOnFunction(Function &F) override;
};
} // namespace

char NVPTXCheckIntrinsicCalls::ID = 0;

INITIALIZE_PASS(NVPTXCheckIntrinsicCalls, DEBUG_TYPE,
                "NVPTX Check Intrinsic Calls", false, false)

bool NVPTXCheckIntrinsicCalls::runOnFunction(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      continue;
    std::string Error = diagnoseNVPTXIntrinsicCall(*Call);
    if (Error.empty())
      continue;
    F.getContext().diagnose(
        DiagnosticInfoUnsupported(F, Error, Call->getDebugLoc()));
    if (!Call->getType()->isVoidTy())
      Call->replaceAllUsesWith(PoisonValue::get(Call->getType()));
    Call->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

FunctionPass *llvm::createNVPTXCheckIntrinsicCallsPass() {
  return new NVPTXCheckIntrinsicCalls();
}
