//===- NVPTXLowerWGMMASwitches.cpp - Switches to branches -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXLowerWGMMASwitches.h"
#include "NVPTXWGMMABlocks.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace PatternMatch;

/// Has \p To come from one edge of \p From instead of one for each case.
static void mergeEntries(BasicBlock &To, BasicBlock &From,
                         BasicBlock &NewFrom) {
  for (PHINode &Phi : To.phis()) {
    Value *V = Phi.getIncomingValueForBlock(&From);
    Phi.removeIncomingValueIf(
        [&](unsigned I) { return Phi.getIncomingBlock(I) == &From; },
        /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(V, &NewFrom);
  }
}

/// Has \p Switch ask for one successor after the other.
static void lower(SwitchInst &Switch) {
  BasicBlock *First = Switch.getParent(), *Block = First;
  BasicBlock *Default = Switch.getDefaultDest();
  MapVector<BasicBlock *, SmallVector<ConstantInt *, 2>> Values;
  for (auto &Case : Switch.cases())
    if (Case.getCaseSuccessor() != Default)
      Values[Case.getCaseSuccessor()].push_back(Case.getCaseValue());
  IRBuilder<> Builder(&Switch);
  for (auto &[Successor, OfSuccessor] : Values) {
    SmallVector<Value *, 2> Tests;
    for (ConstantInt *V : OfSuccessor)
      Tests.push_back(Builder.CreateICmpEQ(Switch.getCondition(), V));
    const bool IsLast = Successor == Values.back().first;
    BasicBlock *Else =
        IsLast ? Default
               : BasicBlock::Create(First->getContext(),
                                    First->getName() + ".case",
                                    First->getParent(), Block->getNextNode());
    Builder.CreateCondBr(Builder.CreateOr(Tests), Successor, Else);
    mergeEntries(*Successor, *First, *Block);
    if (IsLast)
      mergeEntries(*Default, *First, *Block);
    Block = Else;
    Builder.SetInsertPoint(Block, Block->end());
  }
  Switch.eraseFromParent();
}

/// Whether anything else asks for the value of \p Switch, or for its sum with a
/// constant.
static bool isAskedAgain(const SwitchInst &Switch) {
  auto IsAsked = [&Switch](const Value &V) {
    return any_of(V.users(), [&](const User *U) {
      return U != &Switch && isa<ICmpInst, SwitchInst>(U);
    });
  };
  const Value &V = *Switch.getCondition();
  return !isa<Constant>(V) &&
         (IsAsked(V) || any_of(V.users(), [&](const User *U) {
            return match(U, m_AddLike(m_Specific(&V), m_ConstantInt())) &&
                   IsAsked(*U);
          }));
}

/// Whether the first step of wgmma among \p Instructions is a wait.
template <typename Range> static bool startsByWait(Range &&Instructions) {
  auto First = find_if(Instructions, [](const Instruction &I) {
    return NVPTX::isWGMMA(I) || NVPTX::isWGMMAWait(I);
  });
  return First != Instructions.end() && NVPTX::isWGMMAWait(*First);
}

static bool leadsToWait(const SwitchInst &Switch) {
  return any_of(successors(&Switch),
                [](const BasicBlock *BB) { return startsByWait(*BB); });
}

static bool comesFromWait(const SwitchInst &Switch) {
  return any_of(predecessors(Switch.getParent()), [](const BasicBlock *BB) {
    return startsByWait(reverse(*BB));
  });
}

/// Has the last case of \p Switch be its default, if that is unreachable.
static void dropUnreachableDefault(SwitchInst &Switch) {
  if (!Switch.defaultDestUnreachable() || Switch.getNumCases() == 0)
    return;
  Switch.getDefaultDest()->removePredecessor(Switch.getParent());
  auto Last = std::prev(Switch.case_end());
  Switch.setDefaultDest(Last->getCaseSuccessor());
  Switch.removeCase(Last);
}

bool NVPTX::avoidJumpTables(Function &F) {
  bool HasSwitch = false;
  for (BasicBlock &BB : F)
    if (auto *Switch = dyn_cast<SwitchInst>(BB.getTerminator())) {
      dropUnreachableDefault(*Switch);
      HasSwitch = true;
    }
  if (HasSwitch)
    F.addFnAttr("no-jump-tables", "true");
  return HasSwitch;
}

bool NVPTX::lowerWGMMASwitches(Function &F) {
  constexpr unsigned MaxCases = 8;
  SmallVector<SwitchInst *, 4> Switches;
  for (BasicBlock &BB : F)
    if (auto *Switch = dyn_cast<SwitchInst>(BB.getTerminator());
        Switch && Switch->getNumCases() <= MaxCases &&
        (isAskedAgain(*Switch) || leadsToWait(*Switch)))
      Switches.push_back(Switch);
  if (Switches.empty())
    return false;

  DominatorTree DT(F);
  const WGMMABlocks Steps(F);
  SmallPtrSet<const Value *, 4> Deciding;
  for (const SwitchInst *Switch : Switches)
    if (leadsToWait(*Switch) || comesFromWait(*Switch) ||
        any_of(Switch->cases(), [&](const auto &Case) {
          const BasicBlock *Successor = Case.getCaseSuccessor();
          return Successor != Switch->getDefaultDest() &&
                 Successor->getUniquePredecessor() &&
                 Steps.leavesInFlight(*Successor, DT);
        }))
      Deciding.insert(Switch->getCondition());
  // Others by the same value may be what it decides.
  erase_if(Switches, [&](const SwitchInst *Switch) {
    return !Deciding.contains(Switch->getCondition()) ||
           all_of(Switch->cases(), [Switch](const auto &Case) {
             return Case.getCaseSuccessor() == Switch->getDefaultDest();
           });
  });
  for (SwitchInst *Switch : Switches)
    lower(*Switch);
  return !Switches.empty();
}
