//===- NVPTXHalfBuilder.cpp - Registers made of pairs of halves -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXHalfBuilder.h"
#include "NVPTXHalfOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace llvm::lanes;

Value *lanes::extractHalf(Value *Register, unsigned Index, Type *Ty,
                          IRBuilderBase &Builder) {
  unsigned Halves = getBits(Register->getType()) / LaneBits;
  // A vector, of two bytes, say, is no element of another one.
  Type *Element = Ty->isVectorTy() ? Builder.getInt16Ty() : Ty;
  Value *Half = Builder.CreateExtractElement(
      Builder.CreateBitCast(Register, FixedVectorType::get(Element, Halves)),
      Index);
  return Builder.CreateBitCast(Half, Ty);
}

/// Whether \p P is to be made of its operands' values, which has not been done.
static bool isToBeBuilt(const Pair &P) {
  return P.LeadsToRegister && !P.Merged &&
         is_contained({PairKind::Select, PairKind::Freeze, PairKind::Operation},
                      P.Kind);
}

Value *PairBuilder::build(Pair &P, Instruction *Point) {
  // Operands first. A chain of them may be long.
  SmallVector<Pair *, 8> Worklist = {&P};
  while (!Worklist.empty()) {
    Pair &Next = *Worklist.back();
    if (!isToBeBuilt(Next)) {
      Worklist.pop_back();
      continue;
    }
    size_t Size = Worklist.size();
    copy_if(Next.Operands, std::back_inserter(Worklist),
            [](const Pair *Operand) { return isToBeBuilt(*Operand); });
    if (Worklist.size() == Size)
      buildMerged(Next);
  }
  return getValue(P, Point);
}

/// The value of \p P, of which all is built that it is made of.
Value *PairBuilder::getValue(Pair &P, Instruction *Point) {
  IRBuilder<> Builder(Point);
  if (P.Kind == PairKind::Constant)
    return buildConstant(P);
  // Halves that nothing has packed yet stay as they are.
  if (!P.LeadsToRegister)
    return buildPack(P, Builder);
  if (P.Kind == PairKind::Register)
    return buildRegister(P.Lo.isConstant() ? P.Hi : P.Lo, Builder);
  if (!P.Merged) {
    assert(P.Kind == PairKind::Phi && "a pack does not lead to a register");
    P.Merged = PHINode::Create(Int32, P.Operands.size(), "halves",
                               P.Anchor->getIterator());
    P.Merged->setDebugLoc(P.Anchor->getDebugLoc());
    Phis.push_back(&P);
  }
  return P.Merged;
}

void PairBuilder::buildMerged(Pair &P) {
  SmallVector<Value *, 3> Values;
  for (Pair *Operand : P.Operands)
    Values.push_back(getValue(*Operand, P.Anchor));
  IRBuilder<> Builder(P.Anchor);
  if (P.Kind == PairKind::Operation) {
    auto Lo = HalfOperation::get(*cast<Instruction>(P.Lo.V)),
         Hi = HalfOperation::get(*cast<Instruction>(P.Hi.V));
    P.Merged = cast<Instruction>(Lo->build(*Hi, Values, Builder));
    Operations.push_back(&P);
    return;
  }
  if (P.Kind == PairKind::Select) {
    P.Merged = SelectInst::Create(P.Anchor->getOperand(0), Values[0], Values[1],
                                  "halves");
  } else {
    P.Merged = new FreezeInst(Values[0], "halves");
    Freezes.push_back(&P);
  }
  Builder.Insert(P.Merged, "halves");
}

Value *PairBuilder::buildConstant(const Pair &P) const {
  if (isa<PoisonValue>(P.Lo.V) && isa<PoisonValue>(P.Hi.V))
    return PoisonValue::get(Int32);
  if (P.Lo.isUndef() && P.Hi.isUndef())
    return UndefValue::get(Int32);
  auto GetBits = [](Lane L) {
    auto *C = dyn_cast<ConstantInt>(L.V);
    return C ? C->getZExtValue() : 0;
  };
  return ConstantInt::get(Int32, GetBits(P.Hi) << LaneBits | GetBits(P.Lo));
}

/// The register that \p L is a half of.
Value *PairBuilder::buildRegister(Lane L, IRBuilderBase &Builder) const {
  unsigned Index = L.Offset / (2 * LaneBits);
  Type *Ty = L.V->getType();
  unsigned Registers = getBits(Ty) / (2 * LaneBits);
  if (Registers == 1)
    return Builder.CreateBitCast(L.V, Int32);
  // Elements are extracted before they are reinterpreted: no pass takes the
  // accumulator apart for the sake of a bit cast then.
  if (getElementBits(Ty) == 2 * LaneBits)
    return Builder.CreateBitCast(Builder.CreateExtractElement(L.V, Index),
                                 Int32);
  return Builder.CreateExtractElement(
      Builder.CreateBitCast(L.V, FixedVectorType::get(Int32, Registers)),
      Index);
}

Value *PairBuilder::buildLane(Lane L, IRBuilderBase &Builder) const {
  if (L.isUndef())
    return ConstantInt::get(Int16, 0);
  if (L.isConstant())
    return L.V;
  Value *V = L.V;
  unsigned Offset = L.Offset;
  if (std::optional<unsigned> Bits = getElementBits(V->getType())) {
    V = Builder.CreateExtractElement(V, Offset / *Bits);
    Offset %= *Bits;
  }
  V = Builder.CreateBitCast(V, Builder.getIntNTy(getBits(V->getType())));
  if (Offset != 0)
    V = Builder.CreateLShr(V, Offset);
  V = Builder.CreateTrunc(V, Int16);
  return isGuaranteedNotToBeUndefOrPoison(V) ? V : Builder.CreateFreeze(V);
}

/// The selector of prmt.b32 that takes \p Lo from the first register, and \p Hi
/// from the second one.
static unsigned getSelector(Lane Lo, Lane Hi) {
  auto IsUpper = [](Lane L) { return L.Offset % (2 * LaneBits) != 0; };
  return (IsUpper(Hi) ? 0x7600 : 0x5400) | (IsUpper(Lo) ? 0x32 : 0x10);
}

Value *PairBuilder::buildPermutation(const Pair &P,
                                     IRBuilderBase &Builder) const {
  // Poison would spread to the other half.
  auto GetWhole = [&](Lane L) {
    return Builder.CreateFreeze(buildRegister(L, Builder));
  };
  Value *Operands[] = {GetWhole(P.Lo), GetWhole(P.Hi),
                       Builder.getInt32(getSelector(P.Lo, P.Hi))};
  return Builder.CreateIntrinsic(Intrinsic::nvvm_prmt, {}, Operands, nullptr,
                                 "halves");
}

Value *PairBuilder::buildPack(const Pair &P, IRBuilderBase &Builder) const {
  if (isOfResults(P))
    return buildPermutation(P, Builder);
  Value *Halves = PoisonValue::get(FixedVectorType::get(Int16, 2));
  Halves = Builder.CreateInsertElement(Halves, buildLane(P.Lo, Builder),
                                       uint64_t(0));
  Halves = Builder.CreateInsertElement(Halves, buildLane(P.Hi, Builder),
                                       uint64_t(1));
  return Builder.CreateBitCast(Halves, Int32);
}

void PairBuilder::addIncoming(Pair &P) {
  auto *Merged = cast<PHINode>(P.Merged);
  for (auto [Operand, Pred] :
       zip_equal(P.Operands, cast<PHINode>(P.Anchor)->blocks())) {
    // Several edges from one block have the same value.
    int Known = Merged->getBasicBlockIndex(Pred);
    Merged->addIncoming(Known >= 0 ? Merged->getIncomingValue(Known)
                                   : build(*Operand, Pred->getTerminator()),
                        Pred);
  }
}

void PairBuilder::finish() {
  // Phis lead to more phis.
  for (size_t I = 0; I != Phis.size(); ++I)
    addIncoming(*Phis[I]);
  for (Pair *P : Freezes) {
    IRBuilder<> Builder(P->Anchor);
    for (auto [L, Index] : {std::pair(P->Lo, 0u), std::pair(P->Hi, 1u)})
      L.V->replaceAllUsesWith(
          extractHalf(P->Merged, Index, L.V->getType(), Builder));
  }
}
