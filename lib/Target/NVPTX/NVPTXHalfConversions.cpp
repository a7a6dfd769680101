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
// So it is with elements of which the same half is stored and the other one is
// not needed, as where they are shifted right by 16 or become bfloat by that:
// prmt.b32 takes it, an instruction for each as before.
//
//===----------------------------------------------------------------------===//

#include "NVPTXHalfConversions.h"
#include "NVPTXHalfAsm.h"
#include "NVPTXLanes.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Local.h"
#include <tuple>
#include <utility>

using namespace llvm;
using namespace llvm::lanes;

#define DEBUG_TYPE "nvptx-merge-halves"

STATISTIC(NumConversions, "Number of pairs of results converted to halves");
STATISTIC(NumHalves, "Number of halves of results taken by prmt");

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

/// How many values are looked through for a wgmma.
static constexpr unsigned MaxSeen = 256;

/// Whether \p I has elements of an operand, or of one of them: a selection has,
/// and what ties an accumulator to inline assembly.
static bool mayPassOn(const Instruction &I) {
  return NVPTX::passesOn(I) || isa<SelectInst, FreezeInst>(I) ||
         (isa<CallBase>(I) && NVPTX::isAccumulatorRegister(&I));
}

/// A wgmma of whose result \p V is an element, on some way at least.
static const Instruction *getProduct(const Value *V) {
  SmallVector<const Value *, 8> Worklist = {V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty() && Seen.size() != MaxSeen) {
    const auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (NVPTX::isWGMMA(*I))
      return I;
    if (mayPassOn(*I))
      append_range(Worklist, I->operand_values());
  }
  return nullptr;
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
      if (const Instruction *Product = getProduct(I.getOperand(0)))
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

namespace {
/// A half that is stored, and where it comes from.
struct StoredHalf {
  Instruction *I;
  Lane L;
};
} // namespace

/// The register that \p L is a half of, and the other half, too.
static std::pair<Value *, unsigned> getRegister(Lane L) {
  return {L.V, L.Offset / (2 * LaneBits)};
}

/// Takes \p Half from its register by prmt.
static void permute(const StoredHalf &Half) {
  auto [I, L] = Half;
  IRBuilder<> Builder(I);
  Value *Register = L.V;
  if (Register->getType()->isVectorTy())
    Register = Builder.CreateExtractElement(Register, getRegister(L).second);
  Value *Operands[] = {
      Builder.CreateBitCast(Register, Builder.getInt32Ty()),
      Builder.getInt32(0),
      // The other bytes are zero.
      Builder.getInt32(L.Offset % (2 * LaneBits) ? 0x7732 : 0x7710),
  };
  Value *Permuted = Builder.CreateIntrinsic(Intrinsic::nvvm_prmt, {}, Operands,
                                            nullptr, "half");
  I->replaceAllUsesWith(Builder.CreateBitCast(
      Builder.CreateTrunc(Permuted, Builder.getInt16Ty()), I->getType()));
  RecursivelyDeleteTriviallyDeadInstructions(I);
  ++NumHalves;
}

/// Has prmt take the halves of results that are stored, where nothing needs the
/// other half. Returns whether there were any.
static bool permuteHalves(Function &F) {
  const LaneFinder Finder(F.getContext());
  SmallVector<StoredHalf, 16> Stored;
  DenseMap<std::pair<Value *, unsigned>, SmallSet<unsigned, 2>> Taken;
  for (Instruction &I : instructions(F)) {
    if (getBits(I.getType()) != LaneBits || I.use_empty())
      continue;
    Lane L = Finder.find(&I, 0);
    if (L.V == &I || getBits(L.V->getType()->getScalarType()) != 2 * LaneBits ||
        !getProduct(L.V))
      continue;
    Taken[getRegister(L)].insert(L.Offset);
    if (isStored(I) && !isa<BitCastInst>(I))
      Stored.push_back({&I, L});
  }
  erase_if(Stored, [&](const StoredHalf &Half) {
    return Taken[getRegister(Half.L)].size() != 1;
  });
  // One has nothing to be taken with.
  if (Stored.size() < 2)
    return false;
  for_each(Stored, permute);
  return true;
}

bool llvm::lanes::pairHalfConversions(Function &F, const DominatorTree &DT) {
  const bool Changed = ConversionPairs(F, DT).run();
  return permuteHalves(F) || Changed;
}
