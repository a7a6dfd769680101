//===- NVPTXSwitchValues.cpp - Values that a switch tells of --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels have a copy of their loop for each value of a number, so that it is a
// constant there, as which columns of a tile get which scale:
//
//   if (N == 4) f(); else if (N == 8) f(); else ...    with I < N ? X : Y in f
//
// SimplifyCFG makes a switch of the branches, by (N - 4) >> 2, and InstCombine
// compares I with what N is computed from, (128 - M) >> 3. GVN replaces only
// the value of the switch itself in its cases, of which then nothing is left:
// each accumulator is multiplied by what a predicate selects.
//
// This pass goes back from the value of a case to what it is computed from,
// which that leaves one value, or the part of a range that min() cuts off, and
// replaces it, or comparisons with it, in what the case dominates.
//
//===----------------------------------------------------------------------===//

#include "NVPTXSwitchValues.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

#define DEBUG_TYPE "nvptx-switch-values"

STATISTIC(NumReplaced, "Number of uses that a case of a switch has a value of");

namespace {
struct KnownRange {
  Value *Variable;
  ConstantRange Range;
};
} // namespace

/// The values of X for which a minimum or maximum of X and \p Limit is in \p
/// Range, if \p Beyond are those that \p Limit replaces.
static ConstantRange unlimit(const ConstantRange &Range, const APInt &Limit,
                             const ConstantRange &Beyond) {
  return Range.contains(Limit) ? Range.unionWith(Beyond) : Range;
}

/// What \p Known is computed from alone by a minimum or maximum.
static std::optional<KnownRange> invertMinMax(const KnownRange &Known) {
  const auto *MinMax = dyn_cast<MinMaxIntrinsic>(Known.Variable);
  const APInt *Limit;
  if (!MinMax || !match(MinMax->getRHS(), m_APInt(Limit)))
    return std::nullopt;
  const auto Beyond = ConstantRange::makeExactICmpRegion(
      ICmpInst::getNonStrictPredicate(
          ICmpInst::getSwappedPredicate(MinMax->getPredicate())),
      *Limit);
  return KnownRange{MinMax->getLHS(), unlimit(Known.Range, *Limit, Beyond)};
}

/// What \p Known is computed from alone, and all values of it that may have
/// given one of that range.
static std::optional<KnownRange> invert(const KnownRange &Known) {
  const auto &[Result, Range] = Known;
  Value *X;
  const APInt *C;
  if (match(Result, m_AddLike(m_Value(X), m_APInt(C))))
    return KnownRange{X, Range.sub(*C)};
  if (match(Result, m_Sub(m_APInt(C), m_Value(X))))
    return KnownRange{X, ConstantRange(*C).sub(Range)};
  if (match(Result, m_Xor(m_Value(X), m_APInt(C))))
    return KnownRange{X, Range.binaryXor(*C)};
  if (match(Result, m_FShl(m_Value(X), m_Deferred(X), m_APInt(C))) &&
      Range.isSingleElement())
    return KnownRange{X, Range.getSingleElement()->rotr(*C)};
  if (match(Result, m_ZExtOrSExt(m_Value(X))))
    return KnownRange{X, Range.truncate(X->getType()->getIntegerBitWidth())};
  if (match(Result, m_NUWTrunc(m_Value(X))))
    return KnownRange{X, Range.zeroExtend(X->getType()->getIntegerBitWidth())};
  if (match(Result, m_NSWTrunc(m_Value(X))))
    return KnownRange{X, Range.signExtend(X->getType()->getIntegerBitWidth())};
  if (match(Result, m_Exact(m_Shr(m_Value(X), m_APInt(C)))))
    return KnownRange{X, Range.shl(*C)};
  if (match(Result, m_NUWShl(m_Value(X), m_APInt(C))))
    return KnownRange{X, Range.lshr(*C)};
  if (match(Result, m_NSWShl(m_Value(X), m_APInt(C))))
    return KnownRange{X, Range.ashr(*C)};
  return invertMinMax(Known);
}

/// Replaces what \p Known tells of, where control has come by \p Edge.
static unsigned replaceBehind(const BasicBlockEdge &Edge,
                              const KnownRange &Known, DominatorTree &DT) {
  const auto &[Variable, Range] = Known;
  LLVM_DEBUG(dbgs() << "In " << Edge.getEnd()->getName() << ", " << Range
                    << " has: " << *Variable << '\n');
  unsigned Count = 0;
  for (User *U : make_early_inc_range(Variable->users())) {
    auto *Cmp = dyn_cast<ICmpInst>(U);
    const APInt *Other;
    if (!Cmp || !match(Cmp->getOperand(1), m_APInt(Other)))
      continue;
    for (bool IsTrue : {false, true})
      if (Range.icmp(IsTrue ? Cmp->getPredicate() : Cmp->getInversePredicate(),
                     *Other))
        Count += replaceDominatedUsesWith(
            Cmp, ConstantInt::getBool(Cmp->getContext(), IsTrue), DT, Edge);
  }
  if (const APInt *Number = Range.getSingleElement())
    Count += replaceDominatedUsesWith(
        Variable, ConstantInt::get(Variable->getType(), *Number), DT, Edge);
  return Count;
}

/// Replaces what \p Known is computed from, where control has come by \p Edge.
static unsigned replaceAllBehind(const BasicBlockEdge &Edge, KnownRange Known,
                                 DominatorTree &DT) {
  unsigned Count = 0;
  while (std::optional<KnownRange> From = invert(Known)) {
    Known = *std::move(From);
    if (isa<Constant>(Known.Variable))
      break;
    Known.Range = Known.Range.intersectWith(
        computeConstantRange(Known.Variable, /*ForSigned=*/false));
    // A case that is never taken.
    if (Known.Range.isEmptySet())
      break;
    Count += replaceBehind(Edge, Known, DT);
  }
  return Count;
}

static unsigned replaceInCases(SwitchInst &Switch, DominatorTree &DT) {
  SmallDenseMap<const BasicBlock *, unsigned> NumEdges;
  for (const BasicBlock *BB : successors(&Switch))
    ++NumEdges[BB];
  unsigned Count = 0;
  for (const auto &Case : Switch.cases())
    if (NumEdges.lookup(Case.getCaseSuccessor()) == 1)
      Count += replaceAllBehind(
          {Switch.getParent(), Case.getCaseSuccessor()},
          {Switch.getCondition(), Case.getCaseValue()->getValue()}, DT);
  return Count;
}

PreservedAnalyses NVPTXSwitchValuesPass::run(Function &F,
                                             FunctionAnalysisManager &AM) {
  if (!NVPTX::usesWGMMA(F))
    return PreservedAnalyses::all();
  DominatorTree &DT = AM.getResult<DominatorTreeAnalysis>(F);
  unsigned Count = 0;
  for (BasicBlock &BB : F)
    if (auto *Switch = dyn_cast<SwitchInst>(BB.getTerminator()))
      Count += replaceInCases(*Switch, DT);
  if (!Count)
    return PreservedAnalyses::all();
  NumReplaced += Count;
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}
