//===- NVPTXCongruentPhis.cpp - Phis that always agree --------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that multiplies under a condition,
//
//   for (...) {
//     if (wanted[k])
//       wgmma(d, ...);      // an array of 32 or more elements
//     commit; wait 0;
//   }
//   for (int i = 0; i != 32; ++i)
//     out[i] = d[i];
//
// has each element of the accumulator twice: as long as the second loop is one,
// the array stays in memory, and LICM has each round load from it no more, but
// store to it still. Then SROA makes values of what is stored, too:
//
//   round: %a = phi [0], [%a.next]        %b = phi [0], [%b.next]
//   join:  %a.next = phi [%a], [%d]       %b.next = phi [%b], [%d]
//
// Of these one is multiplied with and the other is stored in the end. LLVM sees
// that phis agree if what they have does, which two loops of phis say of each
// other alone. As they are live together, none could have the registers of the
// wgmma, and copies into the other ones would read these in flight.
//
// So phis of a block are taken to agree until one that a predecessor brings
// does not, and what still agrees then becomes one. So are fence_operands in a
// row, which is what a wait in inline assembly that clobbers memory has of each
// element: in a branch that does not multiply, both go on through one.
//
//===----------------------------------------------------------------------===//

#include "NVPTXCongruentPhis.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include <map>

using namespace llvm;
using namespace PatternMatch;

#define DEBUG_TYPE "nvptx-congruent-phis"

STATISTIC(NumMerged, "Number of phis and fence_operands that agree merged");

/// More than this many phis in a row that differ in nothing but the next one
/// are not worth it.
static constexpr unsigned MaxRounds = 32;

namespace {
/// The phis of a function, and its fence_operands, in classes that may agree,
/// each named by its first.
class PhiClasses {
public:
  explicit PhiClasses(Function &F);

  /// Divides the classes by what their members have, once. Returns whether any
  /// was.
  bool divide();
  bool merge();

private:
  using Key = SmallVector<const void *, 4>;

  Key getKey(const Instruction &Member) const;

  SmallVector<Instruction *, 0> Members;
  DenseMap<const Value *, Instruction *> Leaders;
};
} // namespace

PhiClasses::PhiClasses(Function &F) {
  for (BasicBlock &BB : F) {
    // Of the phis or fence_operands in a row, the first of each type.
    DenseMap<std::pair<unsigned, const Type *>, Instruction *> First;
    for (Instruction &I : BB) {
      if (!isa<PHINode>(I) &&
          !match(&I, m_Intrinsic<Intrinsic::nvvm_wgmma_fence_operand>())) {
        First.clear();
        continue;
      }
      Members.push_back(&I);
      Leaders[&I] =
          First.try_emplace({I.getOpcode(), I.getType()}, &I).first->second;
    }
  }
}

/// Two members with the same key agree, as far as is known.
PhiClasses::Key PhiClasses::getKey(const Instruction &Member) const {
  const Instruction *Leader = Leaders.lookup(&Member);
  Key Values = {Leader};
  auto Add = [&](const Value *V) {
    const Instruction *Known = Leaders.lookup(V);
    Values.push_back(Known ? Known : V);
  };
  const auto *Phi = dyn_cast<PHINode>(&Member);
  if (!Phi)
    Add(Member.getOperand(0));
  else // Not each phi of a block has its predecessors in the same order.
    for (const BasicBlock *BB : cast<PHINode>(Leader)->blocks())
      Add(Phi->getIncomingValueForBlock(BB));
  return Values;
}

bool PhiClasses::divide() {
  std::map<Key, Instruction *> First;
  SmallVector<Instruction *, 0> Divided;
  for (Instruction *Member : Members)
    Divided.push_back(First.try_emplace(getKey(*Member), Member).first->second);
  bool Changed = false;
  for (auto [Member, Leader] : zip_equal(Members, Divided)) {
    Instruction *&Old = Leaders[Member];
    Changed |= Old != Leader;
    Old = Leader;
  }
  return Changed;
}

/// Whether what agrees is to become one. Several fence_operands of one value
/// start elements of an accumulator, each of which has its own register.
static bool shouldMerge(const Instruction &Member, const Instruction &Leader) {
  return &Member != &Leader &&
         (isa<PHINode>(Member) || Member.getOperand(0) != Leader.getOperand(0));
}

bool PhiClasses::merge() {
  SmallVector<std::pair<Instruction *, Instruction *>, 0> ToMerge;
  for (Instruction *Member : Members)
    if (Instruction *Leader = Leaders.lookup(Member);
        shouldMerge(*Member, *Leader))
      ToMerge.emplace_back(Member, Leader);
  for (auto [Member, Leader] : ToMerge) {
    Leader->andIRFlags(Member);
    Member->replaceAllUsesWith(Leader);
    Member->eraseFromParent();
  }
  NumMerged += ToMerge.size();
  return !ToMerge.empty();
}

bool NVPTX::mergeCongruentPhis(Function &F) {
  PhiClasses Classes(F);
  for (unsigned Round = 0; Round != MaxRounds; ++Round)
    if (!Classes.divide())
      return Classes.merge();
  return false;
}
