//===- NVPTXPeelWGMMALoops.cpp - Peel rounds that multiply less -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   for (I = 0; I < N; ++I) {
//     scores = wgmma(scores, ...);
//     commit;
//     if (I > 0) { out = wgmma(out, weights, ...); commit; }
//     if (I > 0) wait 1; else wait 0;
//     next = weigh(scores);
//     wait 0;
//     weights = next;
//   }
//
// the first round does not multiply as the others do. Only the conditions tell
// which paths through the rounds there are: the graph has more, on which
// registers are touched in flight, and both what waits for wgmma and ptxas
// would have to wait in each round.
//
// This pass peels such rounds off, so that all rounds of the loop multiply
// alike. It runs ahead of all that rewrites the conditions of loops, and only
// where a wgmma is left in flight, or not, by such a condition: of others the
// loop would get longer for nothing. The last rounds NVPTXSplitWGMMAPaths has
// leave the loop before they differ.
//
// Nor does the first round multiply as the others do where it alone overwrites:
//
//   for (K = 0; K < 4; ++K) acc = wgmma(acc, ..., K != 0);
//   commit; wait 0; sum += acc * scale;
//
// It needs nothing of the accumulator, but seems to. Where that comes from
// another loop like this one, and has been read since, ptxas must see other
// registers (NVPTXSeparateWGMMAResults), and the last result would be copied to
// them, to be overwritten. With that round peeled, all such loops may have the
// same registers. Of short innermost loops alone, which nvcc would unroll.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXRoundConditions.h"
#include "NVPTXWGMMABlocks.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace PatternMatch;
using NVPTX::findRoundConditions;
using NVPTX::RoundCondition;
using NVPTX::Rounds;

#define DEBUG_TYPE "nvptx-peel-wgmma-loops"

STATISTIC(NumPeeled, "Number of rounds of loops peeled");

namespace {
class LoopPeeling {
public:
  LoopPeeling(Function &F, TargetLibraryInfo &TLI, AssumptionCache &AC)
      : F(F), TLI(TLI), AC(AC), DT(F), LI(DT), SE(F, TLI, AC, DT, LI),
        Steps(F) {}

  /// Peels one round of one loop, if one is worth it. Others may be then.
  bool run();

private:
  bool decidesMultiplication(const Instruction &Condition, const Loop &L) const;
  bool isWorthIt(const Loop &L);
  bool peel(Loop &L);
  void simplify(ArrayRef<BasicBlock *> Blocks);

  Function &F;
  TargetLibraryInfo &TLI;
  AssumptionCache &AC;
  DominatorTree DT;
  LoopInfo LI;
  ScalarEvolution SE;
  WGMMABlocks Steps;
};
} // namespace

/// Whether a branch of \p L by \p Condition decides whether a wgmma is left in
/// flight.
bool LoopPeeling::decidesMultiplication(const Instruction &Condition,
                                        const Loop &L) const {
  return any_of(Condition.users(), [&](const User *U) {
    const auto *Branch = dyn_cast<BranchInst>(U);
    if (!Branch || !L.contains(Branch) ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return false;
    return any_of(Branch->successors(), [&](const BasicBlock *Successor) {
      return Steps.leavesInFlight({Branch->getParent(), Successor}, DT);
    });
  });
}

/// Whether \p WGMMA starts from what one outside of \p L has computed, whatever
/// elements that has been taken apart into.
static bool startsFromOther(const IntrinsicInst &WGMMA, const Loop &L) {
  constexpr unsigned StartIdx = nvvm::WGMMAVariant::getAccumulatorIdx();
  SmallSetVector<const Value *, 16> Values;
  Values.insert(WGMMA.getArgOperand(StartIdx));
  for (unsigned Index = 0; Index != Values.size(); ++Index) {
    const auto *I = dyn_cast<Instruction>(Values[Index]);
    const auto *Call = dyn_cast_or_null<IntrinsicInst>(I);
    const bool IsWGMMA = Call && nvvm::getWGMMAVariant(Call->getIntrinsicID());
    if (IsWGMMA && !L.contains(I))
      return true;
    // Its operand is the first one of both.
    if (IsWGMMA ||
        (Call && Call->getIntrinsicID() == Intrinsic::nvvm_wgmma_fence_operand))
      Values.insert(Call->getArgOperand(StartIdx));
    else if (isa_and_nonnull<PHINode, BitCastInst, InsertElementInst,
                             ExtractElementInst>(I))
      Values.insert_range(I->operand_values());
  }
  return false;
}

/// Whether a wgmma of \p L overwrites in the first round alone, by \p Decided,
/// what another loop has left.
static bool overwritesOther(const RoundCondition &Decided, const Loop &L) {
  return !Decided.IsTrue && Decided.NumRounds == 1 &&
         any_of(Decided.Condition->users(), [&](const User *U) {
           const auto *Call = dyn_cast<IntrinsicInst>(U);
           const nvvm::WGMMAVariant *Variant =
               Call ? nvvm::getWGMMAVariant(Call->getIntrinsicID()) : nullptr;
           return Variant && L.contains(Call) &&
                  Call->getArgOperand(Variant->getScaleDIdx()) ==
                      Decided.Condition &&
                  startsFromOther(*Call, L);
         });
}

/// Whether \p L is one that is short enough to be unrolled.
static bool isShort(const Loop &L) {
  constexpr unsigned MaxInstructions = 128;
  unsigned NumInstructions = 0;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      NumInstructions +=
          !isa<PHINode, InsertElementInst, ExtractElementInst>(I);
  return L.isInnermost() && NumInstructions <= MaxInstructions;
}

/// Whether \p L is worth being peeled.
bool LoopPeeling::isWorthIt(const Loop &L) {
  return any_of(findRoundConditions(L, Rounds::First, SE),
                [&](const RoundCondition &Decided) {
                  return decidesMultiplication(
                             *cast<Instruction>(Decided.Condition), L) ||
                         (isShort(L) && overwritesOther(Decided, L));
                });
}

/// Whether the instructions of \p L may stand there once more, and are few
/// enough.
static bool mayBePeeled(const Loop &L) {
  constexpr unsigned MaxInstructions = 8192;
  unsigned NumInstructions = 0;
  for (const BasicBlock *BB : L.blocks())
    NumInstructions += BB->size();
  return NumInstructions <= MaxInstructions &&
         all_of(L.blocks(),
                [](const BasicBlock *BB) { return NVPTX::mayBeCopied(*BB); });
}

/// Makes constants of what is decided: in the round that was peeled, and, if it
/// was the only one of its kind, in the others.
static void fold(ArrayRef<RoundCondition> Conditions,
                 const ValueToValueMapTy &Copies) {
  for (const auto &[Condition, IsTrue, NumRounds] : Conditions) {
    // Null for a flag, which is constant already.
    auto *I = dyn_cast_or_null<Instruction>(Condition);
    if (!I)
      continue;
    auto *Constant = ConstantInt::getBool(I->getContext(), IsTrue);
    if (auto *Copy = dyn_cast_or_null<Instruction>(Copies.lookup(I)))
      Copy->replaceAllUsesWith(Constant);
    if (NumRounds == 1)
      I->replaceAllUsesWith(ConstantExpr::getNot(Constant));
  }
}

/// Has the wgmma of \p BB that overwrite start from nothing.
static void dropOverwritten(BasicBlock &BB) {
  for (Instruction &I : BB) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    const nvvm::WGMMAVariant *Variant =
        Call ? nvvm::getWGMMAVariant(Call->getIntrinsicID()) : nullptr;
    constexpr unsigned StartIdx = nvvm::WGMMAVariant::getAccumulatorIdx();
    if (Variant &&
        match(Call->getArgOperand(Variant->getScaleDIdx()), m_Zero()))
      Call->setArgOperand(StartIdx, PoisonValue::get(Call->getType()));
  }
}

/// Folds what has become constant in \p Blocks, which no other pass would do
/// any more.
void LoopPeeling::simplify(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *BB : Blocks) {
    dropOverwritten(*BB);
    SimplifyInstructionsInBlock(BB, &TLI);
    ConstantFoldTerminator(BB, /*DeleteDeadConditions=*/true, &TLI);
  }
  NVPTX::removeDeadBlocks(F);
}

/// Peels the first round of \p L, if that is worth it.
bool LoopPeeling::peel(Loop &L) {
  if (!isWorthIt(L) || !mayBePeeled(L))
    return false;
  simplifyLoop(&L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
  formLCSSARecursively(L, DT, &LI, &SE);
  if (!canPeel(&L))
    return false;

  LLVM_DEBUG(dbgs() << "Peeling the first round of " << L << '\n');
  SmallVector<RoundCondition, 4> Conditions =
      findRoundConditions(L, Rounds::First, SE);
  ValueToValueMapTy Copies;
  peelLoop(&L, /*PeelCount=*/1, /*PeelLast=*/false, &LI, &SE, DT, &AC,
           /*PreserveLCSSA=*/true, Copies);
  ++NumPeeled;
  fold(Conditions, Copies);

  SmallVector<BasicBlock *, 16> Blocks(L.blocks());
  for (BasicBlock *BB : L.blocks())
    if (Value *Copy = Copies.lookup(BB))
      Blocks.push_back(cast<BasicBlock>(Copy));
  simplify(Blocks);
  return true;
}

bool LoopPeeling::run() {
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops))
    if (peel(*L))
      return true;
  return false;
}

namespace {
class NVPTXPeelWGMMALoops : public FunctionPass {
public:
  static char ID;

  NVPTXPeelWGMMALoops() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Peel WGMMA Loops"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<AssumptionCacheTracker>();
    AU.addRequired<TargetLibraryInfoWrapperPass>();
  }

  bool runOnFunction(Function &F) override;
};
} // namespace

char NVPTXPeelWGMMALoops::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXPeelWGMMALoops, DEBUG_TYPE, "NVPTX Peel WGMMA Loops",
                      false, false)
INITIALIZE_PASS_DEPENDENCY(AssumptionCacheTracker)
INITIALIZE_PASS_DEPENDENCY(TargetLibraryInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXPeelWGMMALoops, DEBUG_TYPE, "NVPTX Peel WGMMA Loops",
                    false, false)

bool NVPTXPeelWGMMALoops::runOnFunction(Function &F) {
  if (skipFunction(F) || !NVPTX::usesWGMMA(F))
    return false;
  auto &TLI = getAnalysis<TargetLibraryInfoWrapperPass>().getTLI(F);
  auto &AC = getAnalysis<AssumptionCacheTracker>().getAssumptionCache(F);
  constexpr unsigned MaxPeeled = 4 * NVPTX::MaxRoundsDecided;
  unsigned Peeled = 0;
  while (Peeled != MaxPeeled && LoopPeeling(F, TLI, AC).run())
    ++Peeled;
  return Peeled != 0;
}

FunctionPass *llvm::createNVPTXPeelWGMMALoopsPass() {
  return new NVPTXPeelWGMMALoops();
}
