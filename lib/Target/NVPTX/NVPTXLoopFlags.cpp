//===- NVPTXLoopFlags.cpp - Flags in other words --------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   int Last = -1;
//   for (I = 0; I < N; ++I)
//     if (needed(I)) {
//       acc = wgmma(acc, ...);
//       commit;
//       Last = I;
//     }
//   if (Last >= 0) wait 0;
//
// what is compared is a flag: -1 says that nothing is in flight, and any other
// value that it may have says that something is. So do a counter that is zero,
// and an integer that becomes 1. Here a flag of a bit takes its place, which
// goes through the same phis and selects, and which NVPTXSplitWGMMALoops and
// others know what to do with: if each value that these may have decides the
// comparison.
//
//===----------------------------------------------------------------------===//

#include "NVPTXLoopFlags.h"
#include "NVPTXImpliedConditions.h"
#include "NVPTXWGMMABlocks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>
#include <tuple>

using namespace llvm;
using namespace PatternMatch;

#define DEBUG_TYPE "nvptx-split-wgmma-paths"

STATISTIC(NumFlags, "Number of comparisons that a flag has taken the place of");

namespace {
/// What a value goes through, and what it is compared with: the flag for it.
using Flags =
    DenseMap<std::tuple<const Value *, CmpInst::Predicate, const Value *>,
             Value *>;

/// A value that a comparison asks for, with the phis and selects that it comes
/// through, and what these may have.
class CarriedValue {
public:
  CarriedValue(const ICmpInst &Compare, const LoopInfo &LI,
               ScalarEvolution &SE);

  /// Whether each value that it may have decides the comparison, and not all of
  /// them in the same way.
  bool isFlag();

  /// Whether it goes round in a loop of which \p Steps may miss a wait.
  bool tellsOfWaits(const WGMMABlocks &Steps) const;

  /// The flag that tells the same, if it is one. Where comparisons ask the same
  /// of what others come from, they get the same \p Known ones.
  Value *makeFlag(Flags &Known) const;

private:
  std::optional<bool> decide(Value &V) const;
  std::optional<bool> decide(const ConstantRange &Range) const;
  bool isCounter() const;

  const ICmpInst &Compare;
  const APInt &With;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  SmallSetVector<Instruction *, 16> Joins;
  /// What else the value may be, and what the comparison says of that.
  MapVector<Value *, std::optional<bool>> Leaves;
};
} // namespace

static bool isJoin(const Value &V) { return isa<PHINode, SelectInst>(V); }

/// The operands that the value of \p Join comes from.
static auto getSources(Instruction &Join) {
  return drop_begin(Join.operands(), isa<SelectInst>(Join));
}

CarriedValue::CarriedValue(const ICmpInst &Compare, const LoopInfo &LI,
                           ScalarEvolution &SE)
    : Compare(Compare),
      With(cast<ConstantInt>(Compare.getOperand(1))->getValue()), LI(LI),
      SE(SE) {
  if (Value *V = Compare.getOperand(0); isJoin(*V))
    Joins.insert(cast<Instruction>(V));
  for (unsigned I = 0; I != Joins.size(); ++I)
    for (Value *Source : getSources(*Joins[I])) {
      if (Leaves.contains(Source))
        continue;
      const std::optional<bool> Answer = decide(*Source);
      if (isJoin(*Source) && !Answer)
        Joins.insert(cast<Instruction>(Source));
      else
        Leaves.insert({Source, Answer});
    }
}

bool CarriedValue::tellsOfWaits(const WGMMABlocks &Steps) const {
  return any_of(Joins, [&](const Instruction *Join) {
    return isa<PHINode>(Join) && LI.isLoopHeader(Join->getParent()) &&
           Steps.mayMissWait(*LI.getLoopFor(Join->getParent()));
  });
}

/// Whether what is not constant is always more than another one of the values,
/// and none of them is negative.
bool CarriedValue::isCounter() const {
  return all_of(make_first_range(Leaves), [&](const Value *Leaf) {
    if (const auto *Constant = dyn_cast<ConstantInt>(Leaf))
      return !Constant->isNegative();
    const APInt *Step;
    Instruction *Count;
    return match(Leaf, m_NSWAdd(m_Instruction(Count), m_APInt(Step))) &&
           Step->isStrictlyPositive() && Joins.contains(Count);
  });
}

/// What the comparison says of \p V, if that is always the same.
std::optional<bool> CarriedValue::decide(Value &V) const {
  if (const auto *Constant = dyn_cast<ConstantInt>(&V))
    return ICmpInst::compare(Constant->getValue(), With,
                             Compare.getPredicate());
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || !NVPTX::haveOneLatch(LI.getLoopFor(I->getParent())))
    return std::nullopt;
  return SE.evaluatePredicate(Compare.getPredicate(), SE.getSCEV(&V),
                              SE.getConstant(With));
}

/// The same of all that is in \p Range.
std::optional<bool> CarriedValue::decide(const ConstantRange &Range) const {
  if (Range.icmp(Compare.getPredicate(), With))
    return true;
  if (Range.icmp(Compare.getInversePredicate(), With))
    return false;
  return std::nullopt;
}

bool CarriedValue::isFlag() {
  const unsigned Width = With.getBitWidth();
  std::optional<bool> OfCounts;
  if (isCounter())
    OfCounts = decide({APInt(Width, 1), APInt::getSignedMinValue(Width)});
  bool MayBe[] = {false, false};
  for (auto &[Leaf, Answer] : Leaves) {
    if (!Answer)
      Answer = OfCounts;
    if (!Answer)
      return false;
    MayBe[*Answer] = true;
  }
  return MayBe[false] && MayBe[true];
}

Value *CarriedValue::makeFlag(Flags &Known) const {
  auto GetFlag = [&](const Value *V) -> Value *& {
    return Known[{V, Compare.getPredicate(), Compare.getOperand(1)}];
  };
  Type *Bit = Compare.getType();
  for (auto [Leaf, Answer] : Leaves)
    GetFlag(Leaf) = ConstantInt::getBool(Bit, *Answer);
  SmallVector<Instruction *, 16> New;
  for (Instruction *Join : Joins) {
    Value *&Flag = GetFlag(Join);
    if (Flag)
      continue;
    Flag = Join->clone();
    Flag->mutateType(Bit);
    Flag->setName("flag");
    cast<Instruction>(Flag)->insertBefore(Join->getIterator());
    New.push_back(cast<Instruction>(Flag));
  }
  for (Instruction *Flag : New)
    for (Use &Source : getSources(*Flag))
      Source.set(GetFlag(Source));
  return GetFlag(Compare.getOperand(0));
}

bool NVPTX::makeLoopFlags(Function &F, TargetLibraryInfo &TLI,
                          AssumptionCache &AC) {
  DominatorTree DT(F);
  const WGMMABlocks Steps(F);
  SmallVector<ICmpInst *, 4> Compares;
  for (Instruction &I : instructions(F))
    if (auto *Compare = dyn_cast<ICmpInst>(&I);
        Compare && Compare->getType()->isIntegerTy() &&
        isa<ConstantInt>(Compare->getOperand(1)) &&
        isJoin(*Compare->getOperand(0)) && Steps.decidesSteps(*Compare, DT))
      Compares.push_back(Compare);
  LoopInfo LI(DT);
  ScalarEvolution SE(F, TLI, AC, DT, LI);
  Flags Known;
  bool Changed = false;
  for (ICmpInst *Compare : Compares) {
    CarriedValue Carried(*Compare, LI, SE);
    if (!Carried.isFlag() || !Carried.tellsOfWaits(Steps))
      continue;
    LLVM_DEBUG(dbgs() << "A flag for " << *Compare << '\n');
    Compare->replaceAllUsesWith(Carried.makeFlag(Known));
    auto *Old = dyn_cast<PHINode>(Compare->getOperand(0));
    Compare->eraseFromParent();
    if (Old)
      RecursivelyDeleteDeadPHINode(Old, &TLI);
    ++NumFlags;
    Changed = true;
  }
  return Changed;
}
