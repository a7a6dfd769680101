//===- NVPTXHalfPairs.cpp - The halves of a register in pairs -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXHalfPairs.h"
#include "NVPTXHalfOperations.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace llvm::lanes;

/// Whether a phi or a select of this type has to be taken apart into registers:
/// vectors of halves, but for those of two, become single halves when their
/// type is legalized.
static bool isSplitByLegalization(const Type *Ty) {
  const auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector && Vector->getScalarSizeInBits() == LaneBits &&
         Vector->getNumElements() != 2;
}

bool lanes::isWGMMALane(Lane L) {
  return getBits(L.V->getType()) >= 2 * LaneBits && NVPTX::isWGMMARegister(L.V);
}

bool lanes::isOfResults(const Pair &P) {
  return all_of(ArrayRef{P.Lo, P.Hi}, [](Lane L) {
    return getBits(L.V->getType()->getScalarType()) == 2 * LaneBits &&
           NVPTX::getProduct(L.V);
  });
}

PairGraph::PairGraph(const Function &F, const DominatorTree &DT,
                     const LaneFinder &Finder)
    : DT(DT), Finder(Finder), MaxPairs(1000 + F.getInstructionCount()) {}

Pair *PairGraph::get(Lane Lo, Lane Hi) {
  Pair *Result = lookup(Lo, Hi);
  while (!Worklist.empty())
    addOperands(*Worklist.pop_back_val());
  return Result;
}

Pair *PairGraph::lookup(Lane Lo, Lane Hi) {
  Pair *&P = Known[{Lo.getKey(), Hi.getKey()}];
  if (P)
    return P;
  P = &Pairs.emplace_back();
  P->Lo = Lo;
  P->Hi = Hi;
  // The same halves may be paired in different ways; this keeps it linear.
  if (Pairs.size() > MaxPairs)
    return P;
  classify(*P);
  Worklist.push_back(P);
  return P;
}

void PairGraph::classify(Pair &P) {
  if (P.Lo.isConstant() && P.Hi.isConstant())
    P.Kind = PairKind::Constant;
  else if (isRegister(P))
    P.Kind = PairKind::Register;
  else if (isPhi(P))
    P.Kind = PairKind::Phi;
  else if (isSelect(P))
    P.Kind = PairKind::Select;
  else if (isFreeze(P))
    P.Kind = PairKind::Freeze;
  else if (isOperation(P))
    P.Kind = PairKind::Operation;
  if (P.Anchor && !P.Lo.isConstant() && !P.Hi.isConstant())
    Partners.try_emplace(P.Lo.getKey(), P.Hi);
}

std::optional<Lane> PairGraph::getPartner(Lane Lo) const {
  if (auto It = Partners.find(Lo.getKey()); It != Partners.end())
    return It->second;
  if (isWGMMALane(Lo) && Lo.Offset % (2 * LaneBits) == 0)
    return Lane{Lo.V, Lo.Offset + LaneBits};
  return std::nullopt;
}

/// An undefined half may be whatever is in the register.
bool PairGraph::isRegister(const Pair &P) const {
  if (P.Lo.isConstant() ? !P.Lo.isUndef() : P.Lo.Offset % (2 * LaneBits) != 0)
    return false;
  if (P.Hi.isConstant() ? !P.Hi.isUndef()
                        : P.Hi.Offset % (2 * LaneBits) != LaneBits)
    return false;
  if (!P.Lo.isConstant() && !P.Hi.isConstant() &&
      (P.Lo.V != P.Hi.V || P.Lo.Offset + LaneBits != P.Hi.Offset))
    return false;
  const Value *V = P.Lo.isConstant() ? P.Hi.V : P.Lo.V;
  if (isa<PHINode, SelectInst, FreezeInst>(V) &&
      isSplitByLegalization(V->getType()))
    return false;
  unsigned Bits = getBits(V->getType());
  return Bits != 0 && Bits % (2 * LaneBits) == 0;
}

/// Whether \p L is the same on all ways into \p Block.
bool PairGraph::isAvailableIn(Lane L, const BasicBlock *Block) const {
  auto *I = dyn_cast<Instruction>(L.V);
  return !I || DT.dominates(I, Block);
}

bool PairGraph::isPhi(Pair &P) const {
  auto *Lo = dyn_cast<PHINode>(P.Lo.V), *Hi = dyn_cast<PHINode>(P.Hi.V);
  if (Lo && ((Hi && Hi->getParent() == Lo->getParent()) ||
             isAvailableIn(P.Hi, Lo->getParent())))
    P.Anchor = Lo;
  else if (Hi && isAvailableIn(P.Lo, Hi->getParent()))
    P.Anchor = Hi;
  return P.Anchor && DT.isReachableFromEntry(P.Anchor->getParent());
}

bool PairGraph::isSelect(Pair &P) const {
  auto *Lo = dyn_cast<SelectInst>(P.Lo.V), *Hi = dyn_cast<SelectInst>(P.Hi.V);
  if (!Lo || !Hi || Lo->getCondition() != Hi->getCondition() ||
      !Lo->getCondition()->getType()->isIntegerTy() ||
      !DT.isReachableFromEntry(Lo->getParent()))
    return false;
  P.Anchor = DT.dominates(Lo, Hi) ? Hi : Lo;
  return true;
}

bool PairGraph::isFreeze(Pair &P) {
  auto *Lo = dyn_cast<FreezeInst>(P.Lo.V), *Hi = dyn_cast<FreezeInst>(P.Hi.V);
  if (!Lo || !Hi || Lo == Hi || Lo->getParent() != Hi->getParent() ||
      getBits(Lo->getType()) != LaneBits ||
      getBits(Hi->getType()) != LaneBits ||
      !DT.isReachableFromEntry(Lo->getParent()))
    return false;
  FreezeInst *First = Lo->comesBefore(Hi) ? Lo : Hi;
  FreezeInst *Last = First == Lo ? Hi : Lo;
  // The merged freeze stands at the last and replaces both.
  for (const Use &U : First->uses())
    if (!DT.dominates(Last, U))
      return false;
  if (Frozen.contains(Lo) || Frozen.contains(Hi))
    return false;
  Frozen.insert({Lo, Hi});
  P.Anchor = Last;
  return true;
}

bool PairGraph::isOperation(Pair &P) const {
  auto *Lo = dyn_cast<Instruction>(P.Lo.V), *Hi = dyn_cast<Instruction>(P.Hi.V);
  if (!Lo || !Hi || Lo == Hi || Lo->getParent() != Hi->getParent())
    return false;
  std::optional<HalfOperation> LoOp = HalfOperation::get(*Lo),
                               HiOp = HalfOperation::get(*Hi);
  if (!LoOp || !HiOp || !LoOp->matches(*HiOp) ||
      !DT.isReachableFromEntry(Lo->getParent()))
    return false;
  P.Anchor = Lo->comesBefore(Hi) ? Hi : Lo;
  return true;
}

void PairGraph::addOperand(Pair &P, Lane Lo, Lane Hi) {
  Pair *Operand = lookup(Lo, Hi);
  P.Operands.push_back(Operand);
  Operand->Users.push_back(&P);
}

/// Whether both lanes are one value, or the halves of one.
bool PairGraph::isOneValue(Lane Lo, Lane Hi) const {
  Pair P;
  P.Lo = Lo;
  P.Hi = Hi;
  return Lo == Hi || (Lo.isConstant() && Hi.isConstant()) || isRegister(P);
}

void PairGraph::addOperationOperands(Pair &P) {
  auto Lo = HalfOperation::get(*cast<Instruction>(P.Lo.V)),
       Hi = HalfOperation::get(*cast<Instruction>(P.Hi.V));
  auto Find = [this](Value *V) { return Finder.find(V, 0); };
  SmallVector<Lane, 3> LoLanes(map_range(Lo->operands(), Find)),
      HiLanes(map_range(Hi->operands(), Find));
  // x * s of the one half may be s * x of the other one.
  auto CountWhere = [&](unsigned First) {
    return isOneValue(LoLanes[0], HiLanes[First]) +
           isOneValue(LoLanes[1], HiLanes[1 - First]);
  };
  if (Lo->isCommutative() && CountWhere(1) > CountWhere(0))
    std::swap(HiLanes[0], HiLanes[1]);
  for (auto [LoLane, HiLane] : zip_equal(LoLanes, HiLanes))
    addOperand(P, LoLane, HiLane);
}

void PairGraph::addOperands(Pair &P) {
  switch (P.Kind) {
  case PairKind::Phi: {
    const BasicBlock *Block = P.Anchor->getParent();
    for (BasicBlock *Pred : cast<PHINode>(P.Anchor)->blocks()) {
      auto Incoming = [&](Lane L) {
        auto *Phi = dyn_cast<PHINode>(L.V);
        if (!Phi || Phi->getParent() != Block)
          return L;
        return Finder.find(Phi->getIncomingValueForBlock(Pred), L.Offset);
      };
      addOperand(P, Incoming(P.Lo), Incoming(P.Hi));
    }
    break;
  }
  case PairKind::Select: {
    auto *Lo = cast<SelectInst>(P.Lo.V), *Hi = cast<SelectInst>(P.Hi.V);
    addOperand(P, Finder.find(Lo->getTrueValue(), P.Lo.Offset),
               Finder.find(Hi->getTrueValue(), P.Hi.Offset));
    addOperand(P, Finder.find(Lo->getFalseValue(), P.Lo.Offset),
               Finder.find(Hi->getFalseValue(), P.Hi.Offset));
    break;
  }
  case PairKind::Freeze:
    addOperand(P, Finder.find(cast<FreezeInst>(P.Lo.V)->getOperand(0), 0),
               Finder.find(cast<FreezeInst>(P.Hi.V)->getOperand(0), 0));
    break;
  case PairKind::Operation:
    addOperationOperands(P);
    break;
  default:
    break;
  }
}

void PairGraph::propagate() {
  auto Spread = [&](PairKind Kind, bool Pair::*Flag) {
    SmallVector<Pair *, 32> ToSpread;
    auto Set = [&](Pair &P) {
      if (!(P.*Flag))
        ToSpread.push_back(&P);
      P.*Flag = true;
    };
    for (Pair &P : Pairs)
      if (P.Kind == Kind)
        Set(P);
    while (!ToSpread.empty())
      for (Pair *User : ToSpread.pop_back_val()->Users)
        if (Flag == &Pair::LeadsToRegister || User->Kind != PairKind::Operation)
          Set(*User);
  };
  Spread(PairKind::Register, &Pair::LeadsToRegister);
  Spread(PairKind::Pack, &Pair::LeadsToPack);
}
