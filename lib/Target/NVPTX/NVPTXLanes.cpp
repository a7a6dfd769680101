//===- NVPTXLanes.cpp - Where the halves of a register come from ----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXLanes.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::lanes;

/// How far to look for the origin of a lane. More than an accumulator has
/// registers; finite, since unreachable code may be cyclic.
static constexpr unsigned MaxSteps = 512;
/// How many `or`s deep to look.
static constexpr unsigned MaxOrDepth = 4;
/// Through how many phis to follow a half that is zero.
static constexpr unsigned MaxPhis = 16;

unsigned lanes::getBits(const Type *Ty) {
  return Ty->isIntOrIntVectorTy() || Ty->isFPOrFPVectorTy()
             ? Ty->getPrimitiveSizeInBits().getKnownMinValue()
             : 0;
}

std::optional<unsigned> lanes::getElementBits(const Type *Ty) {
  if (!isa<FixedVectorType>(Ty))
    return std::nullopt;
  unsigned Bits = getBits(Ty->getScalarType());
  if (Bits == 0 || Bits % LaneBits != 0)
    return std::nullopt;
  return Bits;
}

Lane LaneFinder::find(Value *V, unsigned Offset, unsigned OrDepth) const {
  Lane L = {V, Offset};
  for (unsigned Steps = 0; Steps != MaxSteps; ++Steps) {
    if (auto *C = dyn_cast<Constant>(L.V))
      return getConstant(C, L.Offset).value_or(L);
    std::optional<Lane> From = step(L, OrDepth);
    if (!From)
      break;
    L = *From;
  }
  return L;
}

std::optional<Lane> LaneFinder::getConstant(Constant *C,
                                            unsigned Offset) const {
  if (isa<PoisonValue>(C))
    return poison();
  if (isa<UndefValue>(C))
    return Lane{UndefValue::get(Int16), 0};
  if (C->isNullValue() && getBits(C->getType()))
    return zero();
  if (std::optional<unsigned> Bits = getElementBits(C->getType())) {
    C = C->getAggregateElement(Offset / *Bits);
    return C ? getConstant(C, Offset % *Bits) : std::nullopt;
  }
  APInt Value;
  if (auto *Int = dyn_cast<ConstantInt>(C))
    Value = Int->getValue();
  else if (auto *FP = dyn_cast<ConstantFP>(C))
    Value = FP->getValueAPF().bitcastToAPInt();
  else
    return std::nullopt;
  return Lane{ConstantInt::get(Int16, Value.extractBits(LaneBits, Offset)), 0};
}

std::optional<Lane> LaneFinder::step(Lane L, unsigned OrDepth) const {
  auto *I = dyn_cast<Instruction>(L.V);
  if (!I)
    return std::nullopt;
  switch (I->getOpcode()) {
  case Instruction::BitCast:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
    return stepCast(cast<CastInst>(*I), L.Offset);
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return stepShift(cast<BinaryOperator>(*I), L.Offset);
  case Instruction::And:
    return stepAnd(cast<BinaryOperator>(*I), L.Offset);
  case Instruction::Or:
    return stepOr(cast<BinaryOperator>(*I), L.Offset, OrDepth);
  case Instruction::Call: {
    auto *II = dyn_cast<IntrinsicInst>(I);
    if (!II || (II->getIntrinsicID() != Intrinsic::fshl &&
                II->getIntrinsicID() != Intrinsic::fshr))
      return std::nullopt;
    return stepFunnelShift(*II, L.Offset);
  }
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return stepVector(*I, L.Offset);
  case Instruction::ExtractValue: {
    auto *Extract = cast<ExtractValueInst>(I);
    Value *Inserted = FindInsertedValue(Extract->getAggregateOperand(),
                                        Extract->getIndices());
    if (!Inserted || Inserted == I)
      return std::nullopt;
    return Lane{Inserted, L.Offset};
  }
  case Instruction::PHI:
    // Those of LCSSA form in particular.
    if (Value *Same = cast<PHINode>(I)->hasConstantValue())
      return Lane{Same, L.Offset};
    return std::nullopt;
  case Instruction::Freeze:
    if (isGuaranteedNotToBeUndefOrPoison(I->getOperand(0)))
      return Lane{I->getOperand(0), L.Offset};
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<Lane> LaneFinder::stepCast(CastInst &Cast,
                                         unsigned Offset) const {
  Value *From = Cast.getOperand(0);
  unsigned FromBits = getBits(From->getType());
  if (isa<BitCastInst>(Cast))
    return FromBits ? std::optional<Lane>({From, Offset}) : std::nullopt;
  if (Cast.getType()->isVectorTy())
    return std::nullopt;
  if (Offset + LaneBits <= FromBits)
    return Lane{From, Offset};
  if (isa<ZExtInst>(Cast) && Offset >= FromBits)
    return zero();
  return std::nullopt;
}

std::optional<Lane> LaneFinder::stepShift(BinaryOperator &Shift,
                                          unsigned Offset) const {
  auto *Amount = dyn_cast<ConstantInt>(Shift.getOperand(1));
  unsigned Bits = getBits(Shift.getType());
  if (!Amount || Shift.getType()->isVectorTy() || Amount->getValue().uge(Bits))
    return std::nullopt;
  unsigned By = Amount->getZExtValue();
  Value *From = Shift.getOperand(0);
  if (Shift.getOpcode() == Instruction::Shl) {
    if (Offset + LaneBits <= By)
      return zero();
    if (By % LaneBits != 0)
      return std::nullopt;
    return Lane{From, Offset - By};
  }
  if (Shift.getOpcode() == Instruction::LShr && Offset + By >= Bits)
    return zero();
  if (By % LaneBits != 0 || Offset + By + LaneBits > Bits)
    return std::nullopt;
  return Lane{From, Offset + By};
}

std::optional<Lane> LaneFinder::stepAnd(BinaryOperator &And,
                                        unsigned Offset) const {
  auto *Mask = dyn_cast<ConstantInt>(And.getOperand(1));
  if (!Mask || And.getType()->isVectorTy())
    return std::nullopt;
  APInt Bits = Mask->getValue().extractBits(LaneBits, Offset);
  if (Bits.isZero())
    return zero();
  if (!Bits.isAllOnes())
    return std::nullopt;
  return Lane{And.getOperand(0), Offset};
}

std::optional<Lane> LaneFinder::stepOr(BinaryOperator &Or, unsigned Offset,
                                       unsigned OrDepth) const {
  if (OrDepth == MaxOrDepth)
    return std::nullopt;
  Lane L = find(Or.getOperand(0), Offset, OrDepth + 1);
  Lane R = find(Or.getOperand(1), Offset, OrDepth + 1);
  if (isZero(L, OrDepth + 1))
    return R;
  if (isZero(R, OrDepth + 1))
    return L;
  return joinPieces(Or, Offset);
}

/// Those bits of \p P that \p Mask has, too, an integer as wide as \p P.V.
static uint16_t getBitsIn(const LaneFinder::Piece &P, const APInt &Mask) {
  uint16_t Bits = 0;
  for (unsigned I = 0; I != LaneBits; ++I) {
    int Bit = P.Start + int(I);
    if (Bit >= 0 && Bit < int(Mask.getBitWidth()) && Mask[Bit])
      Bits |= 1u << I;
  }
  return P.Mask & Bits;
}

/// Where \p P comes from if an instruction moves or masks the bits of an
/// integer.
static std::optional<LaneFinder::Piece> stepPiece(LaneFinder::Piece P) {
  using namespace PatternMatch;
  Value *From;
  const APInt *C;
  unsigned Bits = getBits(P.V->getType());
  APInt Mask = APInt::getAllOnes(Bits);
  if (match(P.V, m_Shl(m_Value(From), m_APInt(C))) && C->ult(Bits))
    P.Start -= C->getZExtValue();
  else if (match(P.V, m_LShr(m_Value(From), m_APInt(C))) && C->ult(Bits))
    P.Start += C->getZExtValue();
  else if (match(P.V, m_And(m_Value(From), m_APInt(C))))
    Mask = *C;
  else if (!match(P.V,
                  m_CombineOr(m_ZExt(m_Value(From)), m_Trunc(m_Value(From)))))
    return std::nullopt;
  else
    Mask = APInt::getAllOnes(getBits(From->getType()));
  return LaneFinder::Piece{From, P.Start, getBitsIn(P, Mask)};
}

LaneFinder::Piece LaneFinder::findPiece(Piece P, unsigned OrDepth) const {
  for (unsigned Steps = 0; Steps != MaxSteps && P.Mask; ++Steps) {
    std::optional<Piece> From = stepPiece(P);
    if (!From)
      break;
    P = *From;
  }
  auto *Or = dyn_cast<BinaryOperator>(P.V);
  if (!P.Mask || OrDepth == MaxOrDepth || !Or ||
      Or->getOpcode() != Instruction::Or)
    return P;
  Piece L = findPiece({Or->getOperand(0), P.Start, P.Mask}, OrDepth + 1);
  Piece R = findPiece({Or->getOperand(1), P.Start, P.Mask}, OrDepth + 1);
  if (!L.Mask || !R.Mask)
    return L.Mask ? L : R;
  if (L.V != R.V || L.Start != R.Start)
    return P;
  return {L.V, L.Start, static_cast<uint16_t>(L.Mask | R.Mask)};
}

std::optional<Lane> LaneFinder::joinPieces(BinaryOperator &Or,
                                           unsigned Offset) const {
  if (!Or.getType()->isIntegerTy())
    return std::nullopt;
  Piece P = findPiece({&Or, int(Offset), UINT16_MAX}, 0);
  if (P.V == &Or || P.Mask != UINT16_MAX || P.Start % int(LaneBits) != 0)
    return std::nullopt;
  return Lane{P.V, unsigned(P.Start)};
}

/// Whether \p L is zero, or a phi of zeros: a half that was masked where it was
/// defined.
bool LaneFinder::isZero(Lane L, unsigned OrDepth) const {
  SmallVector<Lane, 8> Worklist = {L};
  SmallDenseSet<std::pair<Value *, unsigned>> Seen;
  while (!Worklist.empty()) {
    L = Worklist.pop_back_val();
    if (L.isConstant()) {
      if (!L.isZero())
        return false;
      continue;
    }
    auto *Phi = dyn_cast<PHINode>(L.V);
    if (!Phi || Seen.size() == MaxPhis)
      return false;
    if (Seen.insert(L.getKey()).second)
      for (Value *Incoming : Phi->incoming_values())
        Worklist.push_back(find(Incoming, L.Offset, OrDepth));
  }
  return true;
}

/// fshl(A, B, By) is the upper half of A:B << By, fshr the lower of A:B >> By.
std::optional<Lane> LaneFinder::stepFunnelShift(IntrinsicInst &Shift,
                                                unsigned Offset) const {
  auto *Amount = dyn_cast<ConstantInt>(Shift.getArgOperand(2));
  unsigned Bits = getBits(Shift.getType());
  if (!Amount || Shift.getType()->isVectorTy())
    return std::nullopt;
  unsigned By = Amount->getValue().urem(Bits);
  if (By % LaneBits != 0)
    return std::nullopt;
  unsigned Start = Shift.getIntrinsicID() == Intrinsic::fshl ? Bits - By : By;
  unsigned Bit = Start + Offset;
  if (Bit < Bits)
    return Lane{Shift.getArgOperand(1), Bit};
  return Lane{Shift.getArgOperand(0), Bit - Bits};
}

std::optional<Lane> LaneFinder::stepVector(Instruction &I,
                                           unsigned Offset) const {
  std::optional<unsigned> Bits = getElementBits(I.getOperand(0)->getType());
  if (!Bits)
    return std::nullopt;
  auto *Vector = cast<FixedVectorType>(I.getOperand(0)->getType());
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    int From = Shuffle->getMaskValue(Offset / *Bits);
    if (From < 0)
      return poison();
    unsigned Elements = Vector->getNumElements();
    return Lane{Shuffle->getOperand(From / Elements),
                From % Elements * *Bits + Offset % *Bits};
  }
  unsigned IndexOperand = isa<ExtractElementInst>(I) ? 1 : 2;
  auto *Index = dyn_cast<ConstantInt>(I.getOperand(IndexOperand));
  if (!Index || Index->getValue().uge(Vector->getNumElements()))
    return std::nullopt;
  unsigned Start = Index->getZExtValue() * *Bits;
  if (isa<ExtractElementInst>(I))
    return Lane{I.getOperand(0), Start + Offset};
  if (Offset >= Start && Offset < Start + *Bits)
    return Lane{I.getOperand(1), Offset - Start};
  return Lane{I.getOperand(0), Offset};
}
