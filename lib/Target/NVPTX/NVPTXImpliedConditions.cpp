//===- NVPTXImpliedConditions.cpp - What a branch tells -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXImpliedConditions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace PatternMatch;

bool NVPTX::haveOneLatch(const Loop *L) {
  for (; L; L = L->getParentLoop())
    if (!L->getLoopLatch())
      return false;
  return true;
}

bool NVPTX::mayBeThreaded(const BasicBlock &BB) {
  constexpr unsigned MaxInstructions = 8;
  unsigned NumInstructions = 0;
  for (const Instruction &I : BB) {
    if (isa<PHINode>(I) || I.isDebugOrPseudoInst() || I.isTerminator())
      continue;
    const auto *Call = dyn_cast<CallBase>(&I);
    if (++NumInstructions > MaxInstructions || I.mayHaveSideEffects() ||
        I.getType()->isTokenTy() ||
        (Call && (Call->isConvergent() || Call->cannotDuplicate())))
      return false;
  }
  return true;
}

bool NVPTX::visitParts(
    const Value &Condition, bool IsTrue,
    function_ref<bool(const Value &Condition, bool IsTrue)> Visit) {
  if (Visit(Condition, IsTrue))
    return true;
  const Value *Left, *Right;
  return (IsTrue
              ? match(&Condition, m_LogicalAnd(m_Value(Left), m_Value(Right)))
              : match(&Condition,
                      m_LogicalOr(m_Value(Left), m_Value(Right)))) &&
         (visitParts(*Left, IsTrue, Visit) ||
          visitParts(*Right, IsTrue, Visit));
}

void NVPTX::visitKnownConditions(
    const BasicBlockEdge &Edge, const DominatorTree &DT,
    function_ref<bool(const Value &Condition, bool IsTrue)> Visit) {
  const BasicBlock *From = Edge.getStart();
  for (const DomTreeNode *Node = DT.getNode(From); Node;
       Node = Node->getIDom()) {
    const BasicBlock *BB = Node->getBlock();
    const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    for (unsigned Side : {0, 1}) {
      const BasicBlockEdge Way(BB, Branch->getSuccessor(Side));
      const bool HasTaken =
          BB == From ? Way.getEnd() == Edge.getEnd() : DT.dominates(Way, From);
      if (HasTaken && visitParts(*Branch->getCondition(), Side == 0, Visit))
        return;
    }
  }
}

/// \p V as what it adds a constant to, and that constant, if the sum does not
/// wrap.
static std::pair<const Value *, APInt> splitSum(const Value *V, bool IsSigned) {
  Value *Base;
  const APInt *Addend;
  if (IsSigned ? match(V, m_NSWAddLike(m_Value(Base), m_APInt(Addend)))
               : match(V, m_NUWAddLike(m_Value(Base), m_APInt(Addend))))
    return {Base, *Addend};
  return {V, APInt::getZero(V->getType()->getScalarSizeInBits())};
}

std::optional<bool> NVPTX::isImpliedByBits(const Value &Known, bool IsTrue,
                                           const Value &Condition,
                                           const DataLayout &DL) {
  CondContext Context(const_cast<Value *>(&Known));
  Context.Invert = !IsTrue;
  findValuesAffectedByCondition(
      Context.Cond, /*IsAssume=*/false,
      [&](Value *V) { Context.AffectedValues.insert(V); });
  const SimplifyQuery Query = SimplifyQuery(DL).getWithCondContext(Context);
  const auto *Compare = dyn_cast<ICmpInst>(&Condition);
  if (Compare && Compare->getOperand(0)->getType()->isIntegerTy())
    return ICmpInst::compare(computeKnownBits(Compare->getOperand(0), Query),
                             computeKnownBits(Compare->getOperand(1), Query),
                             Compare->getPredicate());
  if (!isa<TruncInst>(Condition))
    return std::nullopt;
  const KnownBits Bit = computeKnownBits(&Condition, Query);
  return Bit.isConstant() ? std::optional(Bit.getConstant().isOne())
                          : std::nullopt;
}

std::optional<bool> NVPTX::isImpliedBySum(const Value &Known, bool IsTrue,
                                          const Value &Condition) {
  const auto *Mine = dyn_cast<ICmpInst>(&Known);
  const auto *Its = dyn_cast<ICmpInst>(&Condition);
  if (!Mine || !Its || !Mine->isRelational() || !Its->isRelational() ||
      Mine->isSigned() != Its->isSigned() ||
      Mine->getOperand(1) != Its->getOperand(1) ||
      !Mine->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  const bool IsSigned = Mine->isSigned();
  auto [MyBase, MyAddend] = splitSum(Mine->getOperand(0), IsSigned);
  auto [ItsBase, ItsAddend] = splitSum(Its->getOperand(0), IsSigned);
  if (MyBase != ItsBase)
    return std::nullopt;

  // In numbers so wide that nothing wraps.
  const unsigned Width = MyAddend.getBitWidth(), Wide = Width + 3;
  auto Extend = [&](const APInt &Number) {
    return IsSigned ? Number.sext(Wide) : Number.zext(Wide);
  };
  const APInt Limit = APInt::getOneBitSet(Wide, Width);
  const APInt Zero = APInt::getZero(Wide);
  auto GetPredicate = [](CmpInst::Predicate Predicate) {
    return ICmpInst::getSignedPredicate(Predicate);
  };
  ConstantRange Difference =
      ConstantRange::makeExactICmpRegion(
          GetPredicate(IsTrue ? Mine->getPredicate()
                              : Mine->getInversePredicate()),
          Zero)
          .intersectWith(ConstantRange(-Limit, Limit))
          .add(ConstantRange(Extend(ItsAddend) - Extend(MyAddend)));
  if (Difference.icmp(GetPredicate(Its->getPredicate()), Zero))
    return true;
  if (Difference.icmp(GetPredicate(Its->getInversePredicate()), Zero))
    return false;
  return std::nullopt;
}

/// Whether \p V is never negative: what it is made of is not, as long as the
/// phis among it are not.
static bool isNeverNegative(const Value &V, const DataLayout &DL) {
  SmallSetVector<const Value *, 8> Parts;
  Parts.insert(&V);
  constexpr unsigned MaxParts = 32;
  for (unsigned I = 0; I != Parts.size(); ++I) {
    const Value *Left, *Right;
    if (Parts.size() > MaxParts)
      return false;
    if (const auto *Phi = dyn_cast<PHINode>(Parts[I])) {
      Parts.insert_range(Phi->incoming_values());
    } else if (isKnownNonNegative(Parts[I], DL)) {
      continue;
    } else if (match(Parts[I],
                     m_Select(m_Value(), m_Value(Left), m_Value(Right))) ||
               match(Parts[I], m_NSWAddLike(m_Value(Left), m_Value(Right)))) {
      Parts.insert(Left);
      Parts.insert(Right);
    } else {
      return false;
    }
  }
  return true;
}

std::optional<bool> NVPTX::decideByCounting(CmpPredicate Predicate,
                                            const Value &V, const APInt &Limit,
                                            const DataLayout &DL) {
  auto [Base, Addend] = splitSum(&V, /*IsSigned=*/true);
  if (!V.getType()->isIntegerTy() || Addend.isNegative() ||
      !isNeverNegative(*Base, DL))
    return std::nullopt;
  const auto Range = ConstantRange::getNonEmpty(
      Addend, APInt::getSignedMinValue(Limit.getBitWidth()));
  if (Range.icmp(Predicate, Limit))
    return true;
  if (Range.icmp(CmpInst::getInversePredicate(Predicate), Limit))
    return false;
  return std::nullopt;
}

/// The value that \p Condition, if it compares one, or its sum with a constant,
/// with constants, asks about, and of which values it is true.
static std::optional<std::pair<const Value *, ConstantRange>>
getAsked(const Value &Condition) {
  const Value *Left, *Right;
  if (match(&Condition, m_LogicalOr(m_Value(Left), m_Value(Right)))) {
    auto First = getAsked(*Left), Second = getAsked(*Right);
    if (!First || !Second || First->first != Second->first)
      return std::nullopt;
    auto Either = First->second.exactUnionWith(Second->second);
    return Either ? std::optional(std::pair(First->first, *Either))
                  : std::nullopt;
  }
  CmpPredicate Predicate;
  Value *V;
  const APInt *Limit, *Addend;
  if (!match(&Condition, m_ICmp(Predicate, m_Value(V), m_APInt(Limit))) ||
      !V->getType()->isIntegerTy())
    return std::nullopt;
  ConstantRange Range = ConstantRange::makeExactICmpRegion(Predicate, *Limit);
  Value *Base;
  if (match(V, m_AddLike(m_Value(Base), m_APInt(Addend))))
    return std::pair(Base, Range.subtract(*Addend));
  return std::pair(V, Range);
}

void NVPTX::KnownRanges::add(const Value &V, const ConstantRange &Range) {
  auto It = Ranges
                .try_emplace(
                    &V, Left{ConstantRange::getFull(Range.getBitWidth()), {}})
                .first;
  // A range has no room for more than one hole.
  if (const APInt *Missing = Range.getSingleMissingElement())
    It->second.Excluded.push_back(*Missing);
  else
    It->second.Range = It->second.Range.intersectWith(Range);
}

bool NVPTX::KnownRanges::Left::mayBeIn(const ConstantRange &Asked) const {
  const ConstantRange Both = Range.intersectWith(Asked);
  if (Both.isFullSet() || Both.isSizeLargerThan(Excluded.size()))
    return true;
  for (APInt V = Both.getLower(), E = Both.getUpper(); V != E; ++V)
    if (!is_contained(Excluded, V))
      return true;
  return false;
}

void NVPTX::KnownRanges::add(const Value &Condition, bool IsTrue) {
  add(Condition, ConstantRange(APInt(1, IsTrue)));
  // A bool that was in memory: 0 or 1.
  const Value *InMemory;
  if (match(&Condition, m_NUWTrunc(m_Value(InMemory))))
    add(*InMemory, ConstantRange(APInt(
                       InMemory->getType()->getScalarSizeInBits(), IsTrue)));
  if (auto Known = getAsked(Condition))
    add(*Known->first, IsTrue ? Known->second : Known->second.inverse());
}

NVPTX::KnownRanges::KnownRanges(const BasicBlockEdge &Edge,
                                const DominatorTree &DT) {
  visitKnownConditions(Edge, DT, [this](const Value &Condition, bool IsTrue) {
    add(Condition, IsTrue);
    return false;
  });
}

std::optional<bool>
NVPTX::KnownRanges::decide(const Value &V, const ConstantRange &Asked) const {
  auto It = Ranges.find(&V);
  const Left Known = It == Ranges.end() ? Left{getRange(V), {}} : It->second;
  if (!Known.mayBeIn(Asked.inverse()))
    return true;
  if (!Known.mayBeIn(Asked))
    return false;
  return std::nullopt;
}

/// The range of \p V, which may be computed of two values.
ConstantRange NVPTX::KnownRanges::getRange(const Value &V,
                                           unsigned Depth) const {
  if (const auto *C = dyn_cast<ConstantInt>(&V))
    return C->getValue();
  constexpr unsigned MaxDepth = 3;
  auto Range = ConstantRange::getFull(V.getType()->getScalarSizeInBits());
  if (const auto *Op = dyn_cast<BinaryOperator>(&V); Op && Depth != MaxDepth) {
    const ConstantRange Left = getRange(*Op->getOperand(0), Depth + 1);
    const ConstantRange Right = getRange(*Op->getOperand(1), Depth + 1);
    const auto *Sum = dyn_cast<OverflowingBinaryOperator>(Op);
    Range = Sum ? Left.overflowingBinaryOp(Op->getOpcode(), Right,
                                           Sum->getNoWrapKind())
                : Left.binaryOp(Op->getOpcode(), Right);
  }
  if (auto It = Ranges.find(&V); It != Ranges.end())
    Range = Range.intersectWith(It->second.Range);
  return Range;
}

APInt NVPTX::KnownRanges::getSignedMin(const Value &V) const {
  APInt Min = getRange(V).getSignedMin();
  if (auto It = Ranges.find(&V); It != Ranges.end())
    while (is_contained(It->second.Excluded, Min) && !Min.isMaxSignedValue())
      ++Min;
  return Min;
}

/// Whether \p Condition is that a value is one of several, and it is for all
/// that the value may be.
bool NVPTX::KnownRanges::isOneOf(const Value &Condition) const {
  const Value *Base = nullptr;
  SmallVector<ConstantRange, 4> Asked;
  SmallVector<const Value *, 4> Worklist = {&Condition};
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val(), *Left, *Right;
    if (auto Range = getAsked(*V); Range && (!Base || Base == Range->first)) {
      Base = Range->first;
      Asked.push_back(Range->second);
    } else if (match(V, m_LogicalOr(m_Value(Left), m_Value(Right)))) {
      Worklist.append({Left, Right});
    } else {
      return false;
    }
  }
  constexpr unsigned MaxValues = 16;
  auto It = Ranges.find(Base);
  if (It == Ranges.end() || It->second.Range.isFullSet() ||
      It->second.Range.isSizeLargerThan(MaxValues))
    return false;
  for (APInt V = It->second.Range.getLower(), E = It->second.Range.getUpper();
       V != E; ++V)
    if (!is_contained(It->second.Excluded, V) &&
        none_of(Asked,
                [&V](const ConstantRange &Range) { return Range.contains(V); }))
      return false;
  return true;
}

std::optional<bool> NVPTX::KnownRanges::decide(const Value &Condition) const {
  const Value *Left, *Right;
  if (match(&Condition, m_Not(m_Value(Left)))) {
    std::optional<bool> Known = decide(*Left);
    return Known ? std::optional(!*Known) : std::nullopt;
  }
  const bool IsAnd =
      match(&Condition, m_LogicalAnd(m_Value(Left), m_Value(Right)));
  if (IsAnd || match(&Condition, m_LogicalOr(m_Value(Left), m_Value(Right)))) {
    std::optional<bool> First = decide(*Left), Second = decide(*Right);
    if (First == !IsAnd || Second == !IsAnd)
      return !IsAnd;
    if (First && Second)
      return IsAnd;
    return !IsAnd && isOneOf(Condition) ? std::optional(true) : std::nullopt;
  }
  std::optional<bool> Known = decide(Condition, ConstantRange(APInt(1, true)));
  if (auto Asked = getAsked(Condition); Asked && !Known)
    Known = decide(*Asked->first, Asked->second);
  return Known;
}

/// What is computed ahead of \p L of two values, and compared for a branch of
/// each round: that is no poison, or the program would be undefined.
static SmallSetVector<BinaryOperator *, 4> findBounds(const Loop &L,
                                                      const DominatorTree &DT) {
  SmallSetVector<BinaryOperator *, 4> Bounds;
  const BasicBlock *Latch = L.getLoopLatch();
  if (!Latch)
    return Bounds;
  for (const BasicBlock *BB : L.blocks()) {
    const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch || !Branch->isConditional() || !DT.dominates(BB, Latch))
      continue;
    if (const auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition()))
      for (Value *V : Compare->operands())
        if (auto *Bound = dyn_cast<BinaryOperator>(V);
            Bound && Bound->getType()->isIntegerTy() &&
            L.isLoopInvariant(Bound))
          Bounds.insert(Bound);
  }
  return Bounds;
}

bool NVPTX::assumeLoopBounds(Function &F, AssumptionCache &AC) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    BasicBlock *Entry = L->getLoopPredecessor(), *Header = L->getHeader();
    const auto Bounds = findBounds(*L, DT);
    if (!Entry || Bounds.empty())
      continue;
    const KnownRanges Known({Entry, Header}, DT);
    for (BinaryOperator *Bound : Bounds) {
      const APInt Min = Known.getSignedMin(*Bound);
      if (!Min.isStrictlyPositive())
        continue;
      if (!Entry->getSingleSuccessor())
        Entry = SplitEdge(Entry, Header, &DT, &LI);
      IRBuilder<> Builder(Entry->getTerminator());
      Value *IsPositive =
          Builder.CreateICmpSGE(Bound, ConstantInt::get(Bound->getType(), Min));
      AC.registerAssumption(
          cast<AssumeInst>(Builder.CreateAssumption(IsPositive)));
      Changed = true;
    }
  }
  return Changed;
}
