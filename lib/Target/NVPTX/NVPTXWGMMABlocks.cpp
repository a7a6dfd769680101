//===- NVPTXWGMMABlocks.cpp - Blocks with steps of wgmma in IR ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMABlocks.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace PatternMatch;

WGMMABlocks::WGMMABlocks(const Function &F) {
  for (const BasicBlock &BB : F) {
    bool HasWGMMA = false, HasWait = false, IsInFlight = false;
    for (const Instruction &I : BB) {
      if (NVPTX::isWGMMA(I))
        HasWGMMA = IsInFlight = true;
      HasWait |= NVPTX::isWGMMAWait(I);
      if (NVPTX::isWGMMAWaitForAll(I)) {
        IsInFlight = false;
        WaitForAll.insert(&BB);
      }
    }
    if (HasWGMMA)
      WithWGMMA.push_back(&BB);
    if (HasWait)
      WithWait.push_back(&BB);
    if (IsInFlight)
      InFlightAtEnd.push_back(&BB);
  }
}

/// Whether \p Way alone leads to any of \p Blocks.
template <typename RangeT>
static bool leadsToAny(const BasicBlockEdge &Way, const RangeT &Blocks,
                       const DominatorTree &DT) {
  return any_of(Blocks,
                [&](const BasicBlock *BB) { return DT.dominates(Way, BB); });
}

bool WGMMABlocks::leadsToWGMMA(const BasicBlockEdge &Way,
                               const DominatorTree &DT) const {
  return leadsToAny(Way, WithWGMMA, DT);
}

bool WGMMABlocks::leadsToWGMMAOrWait(const BasicBlockEdge &Way,
                                     const DominatorTree &DT) const {
  return leadsToWGMMA(Way, DT) || leadsToAny(Way, WithWait, DT);
}

bool WGMMABlocks::leadsToWaitForAll(const BasicBlockEdge &Way,
                                    const DominatorTree &DT) const {
  return leadsToAny(Way, WaitForAll, DT);
}

bool WGMMABlocks::decidesSteps(const BranchInst &Branch,
                               const DominatorTree &DT) const {
  return any_of(Branch.successors(), [&](const BasicBlock *Successor) {
    return leadsToWGMMAOrWait({Branch.getParent(), Successor}, DT);
  });
}

bool WGMMABlocks::decidesSteps(const Value &Condition,
                               const DominatorTree &DT) const {
  SmallVector<const Value *, 4> Worklist = {&Condition};
  SmallPtrSet<const Value *, 4> Seen;
  while (!Worklist.empty())
    for (const User *U : Worklist.pop_back_val()->users()) {
      const auto *I = cast<Instruction>(U);
      if (const auto *Branch = dyn_cast<BranchInst>(I);
          Branch && decidesSteps(*Branch, DT))
        return true;
      if ((match(I, m_Not(m_Value())) || match(I, m_LogicalAnd()) ||
           match(I, m_LogicalOr()) || isa<PHINode>(I)) &&
          Seen.insert(I).second)
        Worklist.push_back(I);
    }
  return false;
}

bool WGMMABlocks::leavesInFlight(
    function_ref<bool(const BasicBlock &)> IsReachedAlone) const {
  SmallSetVector<const BasicBlock *, 8> InFlight;
  for (const BasicBlock *BB : InFlightAtEnd)
    if (IsReachedAlone(*BB))
      InFlight.insert(BB);
  for (unsigned I = 0; I != InFlight.size(); ++I)
    for (const BasicBlock *Successor : successors(InFlight[I])) {
      if (!IsReachedAlone(*Successor))
        return true;
      if (!WaitForAll.contains(Successor))
        InFlight.insert(Successor);
    }
  return false;
}

bool WGMMABlocks::leavesInFlight(const BasicBlockEdge &Way,
                                 const DominatorTree &DT) const {
  return leavesInFlight(
      [&](const BasicBlock &BB) { return DT.dominates(Way, &BB); });
}

bool WGMMABlocks::leavesInFlight(const BasicBlock &Start,
                                 const DominatorTree &DT) const {
  return leavesInFlight(
      [&](const BasicBlock &BB) { return DT.dominates(&Start, &BB); });
}

/// What wgmma have in common that may accumulate in the same registers in
/// flight: K, and M, N and the type of the accumulator. Nothing is known of one
/// in inline assembly.
using Shape = std::pair<unsigned, const Type *>;
static Shape getShape(const Instruction &WGMMA) {
  const auto *Call = dyn_cast<IntrinsicInst>(&WGMMA);
  const nvvm::WGMMAVariant *Variant =
      Call ? nvvm::getWGMMAVariant(Call->getIntrinsicID()) : nullptr;
  return Variant ? Shape(Variant->K, Call->getType()) : Shape();
}

NVPTX::InstructionSet NVPTX::findReads(const InstructionSet &WGMMAs) {
  InstructionSet Reads;
  SmallSetVector<std::pair<const Instruction *, Shape>, 16> Results;
  for (const Instruction *WGMMA : WGMMAs)
    Results.insert({WGMMA, getShape(*WGMMA)});
  for (unsigned I = 0; I != Results.size(); ++I) {
    const auto [Result, OfResult] = Results[I];
    for (const User *U : Result->users()) {
      const auto *User = cast<Instruction>(U);
      if (passesOn(*User))
        Results.insert({User, OfResult});
      else if (!NVPTX::isWGMMA(*User) || getShape(*User) != OfResult)
        Reads.insert(User);
    }
  }
  return Reads;
}

/// What reads the results of the wgmma in \p L.
static NVPTX::InstructionSet findReads(const Loop &L) {
  NVPTX::InstructionSet Results;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (NVPTX::isWGMMA(I))
        Results.insert(&I);
  return NVPTX::findReads(Results);
}

bool WGMMABlocks::mayMissWait(const Loop &L) const {
  SmallSetVector<const BasicBlock *, 16> Reached;
  for (const BasicBlock *BB : InFlightAtEnd)
    if (L.contains(BB))
      Reached.insert_range(successors(BB));
  for (unsigned I = 0; I != Reached.size(); ++I)
    if (!WaitForAll.contains(Reached[I]))
      Reached.insert_range(successors(Reached[I]));
  return any_of(Reached,
                [&](const BasicBlock *BB) {
                  return isa<ReturnInst>(BB->getTerminator()) &&
                         !WaitForAll.contains(BB);
                }) ||
         any_of(findReads(L), [&](const Instruction *Read) {
           const BasicBlock *BB = Read->getParent();
           return Reached.contains(BB) &&
                  none_of(make_range(BB->begin(), Read->getIterator()),
                          NVPTX::isWGMMAWaitForAll);
         });
}

bool NVPTX::mayBeCopied(const BasicBlock &BB) {
  return !BB.hasAddressTaken() && none_of(BB, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return I.getType()->isTokenTy() || isa<CallBrInst, IndirectBrInst>(I) ||
           (Call && Call->cannotDuplicate());
  });
}

void NVPTX::removeDeadBlocks(Function &F) {
  removeUnreachableBlocks(F);
  for (BasicBlock &BB : make_early_inc_range(F))
    MergeBlockIntoPredecessor(&BB);
}
