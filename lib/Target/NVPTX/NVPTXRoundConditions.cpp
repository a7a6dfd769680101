//===- NVPTXRoundConditions.cpp - What is known of a loop's rounds --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXRoundConditions.h"
#include "NVPTXImpliedConditions.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <optional>

using namespace llvm;
using NVPTX::MaxRoundsDecided;
using NVPTX::RoundCondition;
using NVPTX::Rounds;

namespace {
class ConditionFinder {
public:
  ConditionFinder(const Loop &L, Rounds Which, ScalarEvolution &SE)
      : L(L), SE(SE), Guards(ScalarEvolution::LoopGuards::collect(&L, SE)) {
    if (Which == Rounds::Last)
      LastRound = SE.getBackedgeTakenCount(&L);
  }

  SmallVector<RoundCondition, 4> find();

private:
  std::optional<RoundCondition> decide(Instruction &I);
  std::optional<RoundCondition> decideCompare(ICmpInst &Compare);
  std::optional<RoundCondition> decideFlag(Instruction &I);
  std::optional<bool> evaluate(CmpPredicate Predicate,
                               const SCEVAddRecExpr &Counter, const SCEV *Bound,
                               unsigned Round);
  bool isMonotonic(const SCEVAddRecExpr &Counter, CmpPredicate Predicate);

  const Loop &L;
  ScalarEvolution &SE;
  /// Its number, counted from 0, if the last rounds are meant.
  const SCEV *LastRound = nullptr;
  ScalarEvolution::LoopGuards Guards;
};
} // namespace

SmallVector<RoundCondition, 4> ConditionFinder::find() {
  SmallVector<RoundCondition, 4> Found;
  if (!L.getLoopPredecessor() ||
      (LastRound && isa<SCEVCouldNotCompute>(LastRound)))
    return Found;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (std::optional<RoundCondition> Decided = decide(I))
        Found.push_back(*Decided);
  return Found;
}

std::optional<RoundCondition> ConditionFinder::decide(Instruction &I) {
  if (!I.getType()->isIntegerTy(1))
    return std::nullopt;
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    if (std::optional<RoundCondition> Decided = decideCompare(*Compare))
      return Decided;
  return LastRound ? std::nullopt : decideFlag(I);
}

/// Whether \p Left, which is \p Right and a constant, compares like that with
/// it, if the sum does not wrap.
static std::optional<bool> compareByDifference(CmpPredicate Predicate,
                                               const SCEV *Left,
                                               const SCEV *Right,
                                               ScalarEvolution &SE) {
  std::optional<APInt> Difference = SE.computeConstantDifference(Left, Right);
  if (!Difference || !ICmpInst::isRelational(Predicate))
    return std::nullopt;
  const bool IsSigned = ICmpInst::isSigned(Predicate);
  const APInt Zero = APInt::getZero(Difference->getBitWidth());
  // Of what is unsigned, the difference is a step up, or one down.
  const bool IsDown = Difference->isNegative();
  auto Wraps = [&](const APInt &From) {
    bool Overflow = false;
    if (IsSigned)
      (void)From.sadd_ov(*Difference, Overflow);
    else if (IsDown)
      (void)From.usub_ov(-*Difference, Overflow);
    else
      (void)From.uadd_ov(*Difference, Overflow);
    return Overflow;
  };
  if (Wraps(IsSigned ? SE.getSignedRangeMin(Right)
                     : SE.getUnsignedRangeMin(Right)) ||
      Wraps(IsSigned ? SE.getSignedRangeMax(Right)
                     : SE.getUnsignedRangeMax(Right)))
    return std::nullopt;
  return ICmpInst::compare(*Difference, Zero,
                           ICmpInst::getSignedPredicate(Predicate));
}

/// Whether \p Counter compares like that with \p Bound in a round, counted from
/// the first one on, or back from the last one.
std::optional<bool> ConditionFinder::evaluate(CmpPredicate Predicate,
                                              const SCEVAddRecExpr &Counter,
                                              const SCEV *Bound,
                                              unsigned Round) {
  const SCEV *Number =
      LastRound ? SE.getMinusSCEV(LastRound,
                                  SE.getConstant(LastRound->getType(), Round))
                : SE.getConstant(Counter.getType(), Round);
  const SCEV *Left =
      SE.applyLoopGuards(Counter.evaluateAtIteration(Number, SE), Guards);
  const SCEV *Right = SE.applyLoopGuards(Bound, Guards);
  if (std::optional<bool> Known =
          compareByDifference(Predicate, Left, Right, SE))
    return Known;
  if (!NVPTX::haveOneLatch(L.getParentLoop()))
    return std::nullopt;
  return SE.evaluatePredicateAt(Predicate, Left, Right,
                                L.getLoopPredecessor()->getTerminator());
}

/// Whether what \p Predicate says of \p Counter and what does not change can
/// change but once in the rounds of its loop.
bool ConditionFinder::isMonotonic(const SCEVAddRecExpr &Counter,
                                  CmpPredicate Predicate) {
  if (SE.getMonotonicPredicateType(&Counter, Predicate))
    return true;
  // As numbers without a sign it counts as it does with one.
  return (Counter.hasNoUnsignedWrap() || Counter.hasNoSignedWrap()) &&
         SE.isKnownNonNegative(&Counter) &&
         SE.isKnownPositive(Counter.getStepRecurrence(SE));
}

/// \p Compare, if it compares what counts the rounds, without wrapping, with
/// what is the same in all of them.
std::optional<RoundCondition>
ConditionFinder::decideCompare(ICmpInst &Compare) {
  if (!SE.isSCEVable(Compare.getOperand(0)->getType()))
    return std::nullopt;
  CmpPredicate Predicate = Compare.getCmpPredicate();
  const SCEV *Left = SE.getSCEV(Compare.getOperand(0));
  const SCEV *Bound = SE.getSCEV(Compare.getOperand(1));
  if (SE.isLoopInvariant(Left, &L)) {
    std::swap(Left, Bound);
    Predicate = ICmpInst::getSwappedCmpPredicate(Predicate);
  }
  const auto *Counter = dyn_cast<SCEVAddRecExpr>(Left);
  if (!Counter || Counter->getLoop() != &L || !Counter->isAffine() ||
      !SE.isLoopInvariant(Bound, &L))
    return std::nullopt;

  std::optional<bool> IsTrue = evaluate(Predicate, *Counter, Bound, 0);
  if (!IsTrue)
    return std::nullopt;
  if (ICmpInst::isEquality(Predicate)) {
    // It counts to what it has been equal to once.
    bool IsEqual = *IsTrue == (Predicate == ICmpInst::ICMP_EQ);
    if (!IsEqual || !Counter->hasNoSelfWrap() ||
        !SE.isKnownNonZero(Counter->getStepRecurrence(SE)))
      return std::nullopt;
    return RoundCondition{&Compare, *IsTrue, 1};
  }
  if (!isMonotonic(*Counter, Predicate))
    return std::nullopt;
  for (unsigned Round = 1; Round <= MaxRoundsDecided; ++Round) {
    std::optional<bool> IsTrueThen =
        evaluate(Predicate, *Counter, Bound, Round);
    if (!IsTrueThen)
      return std::nullopt;
    if (*IsTrueThen != *IsTrue)
      return RoundCondition{&Compare, *IsTrue, Round};
  }
  return std::nullopt;
}

/// The flag that \p I is, or the comparison of one, if each round leaves it the
/// same constant, and another one comes into the loop.
std::optional<RoundCondition> ConditionFinder::decideFlag(Instruction &I) {
  auto *Compare = dyn_cast<ICmpInst>(&I);
  auto *Flag = dyn_cast<PHINode>(Compare ? Compare->getOperand(0) : &I);
  if (!Flag || Flag->getParent() != L.getHeader() || !L.getLoopLatch())
    return std::nullopt;
  auto GetValue = [&](BasicBlock *From) -> ConstantInt * {
    Value *V = Flag->getIncomingValueForBlock(From);
    if (Compare && isa<Constant>(V))
      V = simplifyICmpInst(Compare->getCmpPredicate(), V,
                           Compare->getOperand(1), I.getDataLayout());
    return dyn_cast_or_null<ConstantInt>(V);
  };
  ConstantInt *First = GetValue(L.getLoopPredecessor());
  ConstantInt *Rest = GetValue(L.getLoopLatch());
  if (!First || !Rest || First == Rest)
    return std::nullopt;
  return RoundCondition{&I, First->isOne(), 1};
}

SmallVector<RoundCondition, 4>
NVPTX::findRoundConditions(const Loop &L, Rounds Which, ScalarEvolution &SE) {
  return ConditionFinder(L, Which, SE).find();
}
