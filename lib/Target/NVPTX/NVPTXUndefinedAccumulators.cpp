//===- NVPTXUndefinedAccumulators.cpp - Accumulators without a value ------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   for (each tile) {
//     accumulator acc;
//     for (K = 0; K != N; ++K) acc = wgmma(acc, ..., /*scale_d=*/K != 0);
//     store(acc);
//   }
//
// acc has no value where a tile begins. What makes a register of a variable
// ignores where its lifetime starts, and has it keep what the last tile has
// left. So the accumulators of several shapes are all live in all tiles, and
// need more registers than there are; and nothing can have acc start from 0,
// which ptxas may need it to.
//
// Where the lifetime of a variable that may be an accumulator starts, it is
// given the result of llvm.nvvm.wgmma.undefined, about which nobody knows
// anything. (A store of poison is removed.) After all that makes registers of
// variables, poison takes its place.
//
//===----------------------------------------------------------------------===//

#include "NVPTXUndefinedAccumulators.h"
#include "NVPTX.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-undefined-accumulators"

/// What smaller ones cost is not worth the while, and no larger one is kept in
/// the registers of a thread.
static constexpr unsigned MinBytes = 64, MaxBytes = 1024;

/// Whether a variable of type \p Ty may be, or have, an accumulator.
static bool mayHaveAccumulator(const Type *Ty) {
  if (const auto *Struct = dyn_cast<StructType>(Ty))
    return any_of(Struct->elements(), mayHaveAccumulator);
  if (const auto *Array = dyn_cast<ArrayType>(Ty))
    return mayHaveAccumulator(Array->getElementType());
  const Type *Scalar = Ty->getScalarType();
  return !isa<ScalableVectorType>(Ty) &&
         (Scalar->isFloatTy() || Scalar->isHalfTy() || Scalar->isIntegerTy(32));
}

/// The variable whose lifetime \p I starts, if it may be an accumulator; or
/// null.
static AllocaInst *getStarted(Instruction &I, const DataLayout &DL) {
  auto *Start = dyn_cast<LifetimeIntrinsic>(&I);
  if (!Start || Start->getIntrinsicID() != Intrinsic::lifetime_start)
    return nullptr;
  auto *Variable =
      dyn_cast<AllocaInst>(Start->getArgOperand(Start->arg_size() - 1));
  if (!Variable || Variable->isArrayAllocation() ||
      !mayHaveAccumulator(Variable->getAllocatedType()))
    return nullptr;
  uint64_t Size = DL.getTypeAllocSize(Variable->getAllocatedType());
  return Size >= MinBytes && Size <= MaxBytes ? Variable : nullptr;
}

PreservedAnalyses NVPTXStartAccumulatorsPass::run(Module &M,
                                                  ModuleAnalysisManager &) {
  if (none_of(M, NVPTX::usesWGMMA))
    return PreservedAnalyses::all();
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (AllocaInst *Variable = getStarted(I, M.getDataLayout())) {
        IRBuilder<> Builder(I.getNextNode());
        Builder.CreateStore(
            Builder.CreateIntrinsic(Variable->getAllocatedType(),
                                    Intrinsic::nvvm_wgmma_undefined, {}),
            Variable);
        Changed = true;
      }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

/// Puts poison in the place of \p Undefined, and removes what that makes
/// pointless.
static void forget(IntrinsicInst &Undefined) {
  SmallVector<Instruction *, 8> Worklist = {&Undefined};
  while (!Worklist.empty()) {
    Instruction *I = Worklist.pop_back_val();
    for (User *U : make_early_inc_range(I->users())) {
      auto *UserI = cast<Instruction>(U);
      if (isa<ExtractValueInst, ExtractElementInst>(UserI))
        Worklist.push_back(UserI);
      else if (auto *Store = dyn_cast<StoreInst>(UserI);
               Store && Store->getValueOperand() == I && Store->isSimple())
        Store->eraseFromParent();
    }
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->eraseFromParent();
  }
}

static bool forgetAll(Function &F) {
  SmallVector<IntrinsicInst *, 8> Values;
  for (Instruction &I : instructions(F))
    if (auto *II = dyn_cast<IntrinsicInst>(&I))
      if (II->getIntrinsicID() == Intrinsic::nvvm_wgmma_undefined)
        Values.push_back(II);
  for (IntrinsicInst *Undefined : Values)
    forget(*Undefined);
  return !Values.empty();
}

PreservedAnalyses NVPTXForgetAccumulatorsPass::run(Function &F,
                                                   FunctionAnalysisManager &) {
  if (!forgetAll(F))
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

namespace {
/// The same for a pipeline that has ended before that.
class NVPTXForgetAccumulatorsLegacyPass : public FunctionPass {
public:
  static char ID;

  NVPTXForgetAccumulatorsLegacyPass() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Forget Accumulators"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }

  bool runOnFunction(Function &F) override { return forgetAll(F); }
};
} // namespace

char NVPTXForgetAccumulatorsLegacyPass::ID = 0;

INITIALIZE_PASS(NVPTXForgetAccumulatorsLegacyPass, DEBUG_TYPE,
                "NVPTX Forget Accumulators", false, false)

FunctionPass *llvm::createNVPTXForgetAccumulatorsPass() {
  return new NVPTXForgetAccumulatorsLegacyPass();
}
