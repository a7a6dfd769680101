//===- NVPTXHalfConversions.cpp - Results that become halves --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of
//
//   d = wgmma(...); commit; wait 0;
//   for (i = 0; i != 4; ++i) out[...] = (half)d[i];
//
// ptxas converts two elements at a time, into the register of one of them, and
// takes that for an access to a wgmma in flight: 13.0 adds a second wait
// (C7517), 12.4 serializes all wgmma of the kernel (C7514). It does not where
// the program converts two at a time, for the same number of instructions. Nor
// does it where a loop has multiplied, unless it unrolls that.
//
//===----------------------------------------------------------------------===//

#include "NVPTXHalfConversions.h"
#include "NVPTXHalfAsm.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <tuple>
#include <utility>

using namespace llvm;
using namespace llvm::lanes;

#define DEBUG_TYPE "nvptx-merge-halves"

STATISTIC(NumConversions, "Number of pairs of results converted to halves");

/// What converts two floats as \p I converts one.
static Intrinsic::ID getPackedConversion(const Instruction &I) {
  if (isa<FPTruncInst>(I) && I.getOperand(0)->getType()->isFloatTy()) {
    if (I.getType()->isHalfTy())
      return Intrinsic::nvvm_ff2f16x2_rn;
    if (I.getType()->isBFloatTy())
      return Intrinsic::nvvm_ff2bf16x2_rn;
  }
  const auto *Call = dyn_cast<CallInst>(&I);
  const auto *Asm =
      Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  return Asm ? getPackedConversion(*Asm) : Intrinsic::not_intrinsic;
}

/// Whether \p V, a half, is stored by itself, by a store or by assembly.
static bool isStored(const Value &V) {
  return any_of(V.users(), [&](const User *U) {
    if (isa<BitCastInst>(U))
      return isStored(*U);
    if (const auto *Call = dyn_cast<CallInst>(U))
      return Call->isInlineAsm();
    return isa<StoreInst>(U);
  });
}

namespace {
class ConversionPairs {
public:
  ConversionPairs(Function &F, const DominatorTree &DT) : F(F), DT(DT) {}

  bool run();

private:
  /// Conversions that may be one: of the same kind, of elements of the same
  /// result, with no step of wgmma between them.
  using Key = std::tuple<Intrinsic::ID, const Instruction *, unsigned>;
  using Group = SmallVector<Instruction *, 32>;

  MapVector<Key, Group> collect() const;

  bool isAvailable(const Value *V, const Instruction &At) const;
  Value *getAt(Value *V, Instruction &At) const;
  void convert(Intrinsic::ID ID, Instruction &Lo, Instruction &Hi) const;

  Function &F;
  const DominatorTree &DT;
};
} // namespace

/// Whether \p V, or what it is an element of, is computed ahead of \p At.
bool ConversionPairs::isAvailable(const Value *V, const Instruction &At) const {
  if (DT.dominates(V, &At))
    return true;
  return isa<ExtractElementInst, ExtractValueInst, BitCastInst>(V) &&
         isAvailable(cast<Instruction>(V)->getOperand(0), At);
}

/// \p V ahead of \p At, where it is available.
Value *ConversionPairs::getAt(Value *V, Instruction &At) const {
  if (DT.dominates(V, &At))
    return V;
  Instruction *Copy = cast<Instruction>(V)->clone();
  Copy->setOperand(0, getAt(Copy->getOperand(0), At));
  Copy->insertBefore(At.getIterator());
  return Copy;
}

void ConversionPairs::convert(Intrinsic::ID ID, Instruction &Lo,
                              Instruction &Hi) const {
  IRBuilder<> Builder(&Lo);
  // Poison would spread to the other half.
  Value *Floats[] = {
      Builder.CreateFreeze(getAt(Hi.getOperand(0), Lo)),
      Builder.CreateFreeze(Lo.getOperand(0)),
  };
  Value *Halves = Builder.CreateIntrinsic(ID, {}, Floats, nullptr, "halves");
  for (unsigned Index : {0, 1}) {
    Instruction &Half = Index ? Hi : Lo;
    Half.replaceAllUsesWith(Builder.CreateBitCast(
        Builder.CreateExtractElement(Halves, Index), Half.getType()));
  }
  Lo.eraseFromParent();
  Hi.eraseFromParent();
  ++NumConversions;
}

/// Whether \p I may be a step of wgmma, behind which a result may be there that
/// is not ahead of it.
static bool mayBeStep(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && (NVPTX::isWGMMAStep(I) ||
                  !(isa<IntrinsicInst>(Call) || Call->isInlineAsm()));
}

MapVector<ConversionPairs::Key, ConversionPairs::Group>
ConversionPairs::collect() const {
  MapVector<Key, Group> Groups;
  unsigned Stretch = 0;
  for (BasicBlock &BB : F) {
    ++Stretch;
    for (Instruction &I : BB) {
      Stretch += mayBeStep(I);
      const Intrinsic::ID ID = getPackedConversion(I);
      if (ID == Intrinsic::not_intrinsic || !isStored(I))
        continue;
      if (const Instruction *Product = NVPTX::getProduct(I.getOperand(0)))
        Groups[{ID, Product, Stretch}].push_back(&I);
    }
  }
  return Groups;
}

bool ConversionPairs::run() {
  bool Changed = false;
  for (auto &[GroupKey, Conversions] : collect()) {
    Instruction *Lo = nullptr;
    for (Instruction *Conversion : Conversions) {
      if (Lo && isAvailable(Conversion->getOperand(0), *Lo)) {
        convert(std::get<0>(GroupKey), *Lo, *Conversion);
        Lo = nullptr;
        Changed = true;
      } else {
        Lo = Conversion;
      }
    }
  }
  return Changed;
}

bool llvm::lanes::pairHalfConversions(Function &F, const DominatorTree &DT) {
  return ConversionPairs(F, DT).run();
}
