//===- NVPTXSplitWGMMALoops.cpp - A copy of a loop for each flag ----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   bool InFlight = false;
//   for (...) {
//     if (needed(...)) {
//       if (InFlight) wait 0;
//       acc = wgmma(acc, ...);
//       commit;
//       InFlight = true;
//     }
//   }
//   if (InFlight) wait 0;
//
// a flag tells what earlier rounds have left in flight. The graph has paths on
// which it tells something else, so that the wgmma seems never to be waited
// for. Here such a loop gets a copy for each value of the flag, and a round
// that changes it goes on in the other copy. In either of them the flag is
// constant, and the branches by it are gone. Not if only wgmma and what comes
// after another wait for all read the results, and the function returns after
// one: then the paths that are never taken do no harm. NVPTXLoopFlags makes a
// flag of what else tells the same.
//
// The steps of wgmma are for all threads of a warp, and so must the flag be:
// what changes it is decided by branches of which one way alone leads to a
// wgmma or to a wait, which no threads can part at.
//
//===----------------------------------------------------------------------===//

#include "NVPTXSplitWGMMALoops.h"
#include "NVPTXWGMMABlocks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-split-wgmma-paths"

STATISTIC(NumLoops, "Number of loops with a copy for each value of a flag");

namespace {
class LoopSplitting {
public:
  LoopSplitting(Function &F, TargetLibraryInfo &TLI, AssumptionCache &AC)
      : F(F), AC(AC), DT(F), PDT(F), LI(DT), SE(F, TLI, AC, DT, LI), Steps(F) {}

  bool run(unsigned &Budget);

private:
  bool isForAllThreads(const BranchInst &Branch) const;
  bool isForAllThreads(const PHINode &Phi) const;
  bool isForAllThreads(Value &V, const BasicBlock &From, const PHINode &Flag,
                       const Loop &L,
                       SmallPtrSetImpl<const Value *> &Seen) const;
  bool isFlag(PHINode &Phi, const Loop &L) const;
  void split(Loop &L, PHINode &Flag);

  Function &F;
  AssumptionCache &AC;
  DominatorTree DT;
  PostDominatorTree PDT;
  LoopInfo LI;
  ScalarEvolution SE;
  WGMMABlocks Steps;
};
} // namespace

/// Whether all threads of a warp go the same way at \p Branch: one way alone
/// leads to a step of wgmma.
bool LoopSplitting::isForAllThreads(const BranchInst &Branch) const {
  return Steps.decidesSteps(Branch, DT);
}

/// Whether all threads come from the same block to that of \p Phi: they go the
/// same way at each branch that decides about that.
bool LoopSplitting::isForAllThreads(const PHINode &Phi) const {
  const BasicBlock *Join = Phi.getParent();
  const DomTreeNode *Head = DT.getNode(Join)->getIDom();
  // Whoever comes to a loop with one exit leaves it there, sooner or later.
  auto IsOnlyExit = [&](const BasicBlock &BB) {
    const Loop *Inner = LI.getLoopFor(&BB);
    return Inner && !Inner->contains(Join) && Inner->getExitingBlock() == &BB;
  };
  return all_of(Phi.blocks(), [&](const BasicBlock *From) {
    const BasicBlock *After = nullptr;
    for (const DomTreeNode *Node = DT.getNode(From); Node;
         Node = Node == Head ? nullptr : Node->getIDom()) {
      const BasicBlock *BB = Node->getBlock();
      const bool Decides = BB->getTerminator()->getNumSuccessors() > 1 &&
                           !(After && PDT.dominates(After, BB)) &&
                           !IsOnlyExit(*BB);
      const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
      if (Decides && !(Branch && isForAllThreads(*Branch)))
        return false;
      After = BB;
    }
    return true;
  });
}

/// Whether \p V, which comes from \p From on into what a round of \p L makes of
/// \p Flag, is the same for all threads of a warp if \p Flag is.
bool LoopSplitting::isForAllThreads(
    Value &V, const BasicBlock &From, const PHINode &Flag, const Loop &L,
    SmallPtrSetImpl<const Value *> &Seen) const {
  if (isa<Constant>(V) || &V == &Flag || !Seen.insert(&V).second)
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !L.contains(I))
    return false;
  // The condition of such a branch, which all have come through.
  if (any_of(I->users(), [&](const User *U) {
        const auto *Branch = dyn_cast<BranchInst>(U);
        return Branch && L.contains(Branch) &&
               DT.dominates(Branch->getParent(), &From) &&
               isForAllThreads(*Branch);
      }))
    return true;
  if (const auto *Phi = dyn_cast<PHINode>(I))
    return !LI.isLoopHeader(Phi->getParent()) && isForAllThreads(*Phi) &&
           all_of(Phi->incoming_values(), [&](const Use &U) {
             return isForAllThreads(*U, *Phi->getIncomingBlock(U), Flag, L,
                                    Seen);
           });
  return (isa<SelectInst>(I) || I->isBitwiseLogicOp()) &&
         all_of(I->operands(), [&](const Use &U) {
           return isForAllThreads(*U, From, Flag, L, Seen);
         });
}

/// Whether \p Phi is constant ahead of \p L, and later tells all threads of a
/// warp about steps of wgmma. What only the first round has is peeled.
bool LoopSplitting::isFlag(PHINode &Phi, const Loop &L) const {
  const BasicBlock *Preheader = L.getLoopPredecessor(),
                   *Latch = L.getLoopLatch();
  if (!Phi.getType()->isIntegerTy(1) || !Preheader || !Latch ||
      !isa<BranchInst, SwitchInst>(Preheader->getTerminator()) ||
      !isa<ConstantInt>(Phi.getIncomingValueForBlock(Preheader)))
    return false;
  Value *Next = Phi.getIncomingValueForBlock(Latch);
  SmallPtrSet<const Value *, 4> Seen;
  return !isa<Constant>(Next) && Next != &Phi && Steps.decidesSteps(Phi, DT) &&
         isForAllThreads(*Next, *Latch, Phi, L, Seen);
}

/// Folds the branch of \p BB, and what conditions it computes, if the flag has
/// made these constant. Nothing else: an accumulator that a copy has not begun
/// with yet would be a constant there, which ptxas takes for written where the
/// copies meet.
static void foldBranch(BasicBlock &BB) {
  const SimplifyQuery Query(BB.getDataLayout());
  // A phi may be all that reads what comes after it.
  SmallVector<WeakTrackingVH, 8> Dead;
  for (Instruction &I : BB)
    if (I.getType()->isIntegerTy(1))
      if (Value *Known = simplifyInstruction(&I, Query)) {
        I.replaceAllUsesWith(Known);
        Dead.push_back(&I);
      }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  ConstantFoldTerminator(&BB, /*DeleteDeadConditions=*/true);
}

void LoopSplitting::split(Loop &L, PHINode &Flag) {
  LLVM_DEBUG(dbgs() << "Splitting by " << Flag << " the loop " << L << '\n');
  ++NumLoops;
  BasicBlock *Header = L.getHeader(), *Preheader = L.getLoopPreheader();
  MDNode *LoopID = L.getLoopID();
  BasicBlock *Next = SplitEdge(L.getLoopLatch(), Header, &DT, &LI);

  // All that is used outside is used by phis of the exits.
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 16> Blocks(L.blocks()), Clones;
  for (BasicBlock *BB : Blocks) {
    BasicBlock *Clone = CloneBasicBlock(BB, Copies, ".flag", &F);
    Copies[BB] = Clone;
    Clones.push_back(Clone);
  }
  remapInstructionsInBlocks(Clones, Copies);
  auto GetCopy = [&](Value *V) -> Value * {
    Value *Copy = Copies.lookup(V);
    return Copy ? Copy : V;
  };
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned I = 0, E = Phi.getNumIncomingValues(); I != E; ++I)
        if (L.contains(Phi.getIncomingBlock(I)))
          Phi.addIncoming(GetCopy(Phi.getIncomingValue(I)),
                          cast<BasicBlock>(Copies[Phi.getIncomingBlock(I)]));

  // The copy begins where a round has changed the flag, and so does the loop.
  auto *NextCopy = cast<BasicBlock>(Copies[Next]);
  auto *HeaderCopy = cast<BasicBlock>(Copies[Header]);
  auto *FlagCopy = cast<PHINode>(Copies[&Flag]);
  for (PHINode &Phi : Header->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Next);
    auto *Copy = cast<PHINode>(Copies[&Phi]);
    const int Way = Copy->getBasicBlockIndex(Preheader);
    Copy->setIncomingBlock(Way, Next);
    Copy->setIncomingValue(Way, V);
    Phi.addIncoming(Copy->getIncomingValueForBlock(NextCopy), NextCopy);
  }
  auto *First = cast<ConstantInt>(Flag.getIncomingValueForBlock(Preheader));
  BasicBlock *IfTrue = First->isOne() ? Header : HeaderCopy;
  BasicBlock *IfFalse = First->isOne() ? HeaderCopy : Header;
  for (PHINode *Phi : {&Flag, FlagCopy}) {
    BasicBlock *End = Phi == &Flag ? Next : NextCopy;
    Instruction *Old = End->getTerminator();
    auto *Branch =
        BranchInst::Create(IfTrue, IfFalse, Phi->getIncomingValueForBlock(End),
                           Old->getIterator());
    Branch->setDebugLoc(Old->getDebugLoc());
    Branch->setMetadata(LLVMContext::MD_loop, LoopID);
    Old->eraseFromParent();
  }
  FlagCopy->replaceAllUsesWith(
      ConstantInt::getBool(F.getContext(), !First->isOne()));
  Flag.replaceAllUsesWith(First);

  append_range(Blocks, Clones);
  for (BasicBlock *BB : Blocks)
    foldBranch(*BB);
  NVPTX::removeDeadBlocks(F);
}

bool LoopSplitting::run(unsigned &Budget) {
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops))
    for (PHINode &Phi : L->getHeader()->phis()) {
      if (!isFlag(Phi, *L) || !Steps.mayMissWait(*L) ||
          !all_of(L->blocks(),
                  [](const BasicBlock *BB) { return NVPTX::mayBeCopied(*BB); }))
        continue;
      unsigned Size = 0;
      for (const BasicBlock *BB : L->blocks())
        Size += BB->size();
      if (Size > Budget)
        continue;
      simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
      formLCSSARecursively(*L, DT, &LI, &SE);
      assert(L->isLoopSimplifyForm() && "no edge of it is indirect");
      Budget -= Size;
      split(*L, Phi);
      return true;
    }
  return false;
}

bool NVPTX::splitWGMMALoop(Function &F, TargetLibraryInfo &TLI,
                           AssumptionCache &AC, unsigned &Budget) {
  return LoopSplitting(F, TLI, AC).run(Budget);
}
