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
// does not, and what still agrees then becomes one.
//
//===----------------------------------------------------------------------===//

#include "NVPTXCongruentPhis.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace llvm;

#define DEBUG_TYPE "nvptx-congruent-phis"

STATISTIC(NumMerged, "Number of phis merged with ones that agree");

/// More than this many phis in a row that differ in nothing but the next one
/// are not worth it.
static constexpr unsigned MaxRounds = 32;

namespace {
/// The phis of a function, in classes that may agree, each named by its first.
class PhiClasses {
public:
  explicit PhiClasses(Function &F);

  /// Divides the classes by what their phis have, once. Returns whether any
  /// was.
  bool divide();
  bool merge();

private:
  using Key = SmallVector<const void *, 4>;

  Key getKey(const PHINode &Phi) const;

  SmallVector<PHINode *, 0> Phis;
  DenseMap<const Value *, PHINode *> Leaders;
};
} // namespace

PhiClasses::PhiClasses(Function &F) {
  for (BasicBlock &BB : F) {
    DenseMap<const Type *, PHINode *> First;
    for (PHINode &Phi : BB.phis()) {
      Phis.push_back(&Phi);
      Leaders[&Phi] = First.try_emplace(Phi.getType(), &Phi).first->second;
    }
  }
}

/// Two phis with the same key agree, as far as is known.
PhiClasses::Key PhiClasses::getKey(const PHINode &Phi) const {
  const PHINode *Leader = Leaders.lookup(&Phi);
  Key Values = {Leader};
  // Not each phi of a block has its predecessors in the same order.
  for (const BasicBlock *BB : Leader->blocks()) {
    const Value *V = Phi.getIncomingValueForBlock(BB);
    const PHINode *Known = Leaders.lookup(V);
    Values.push_back(Known ? Known : V);
  }
  return Values;
}

bool PhiClasses::divide() {
  std::map<Key, PHINode *> First;
  SmallVector<PHINode *, 0> Divided;
  for (PHINode *Phi : Phis)
    Divided.push_back(First.try_emplace(getKey(*Phi), Phi).first->second);
  bool Changed = false;
  for (auto [Phi, Leader] : zip_equal(Phis, Divided)) {
    PHINode *&Old = Leaders[Phi];
    Changed |= Old != Leader;
    Old = Leader;
  }
  return Changed;
}

bool PhiClasses::merge() {
  bool Changed = false;
  for (PHINode *Phi : Phis) {
    PHINode *Leader = Leaders.lookup(Phi);
    if (Leader == Phi)
      continue;
    Leader->andIRFlags(Phi);
    Phi->replaceAllUsesWith(Leader);
    Phi->eraseFromParent();
    ++NumMerged;
    Changed = true;
  }
  return Changed;
}

bool NVPTX::mergeCongruentPhis(Function &F) {
  PhiClasses Classes(F);
  for (unsigned Round = 0; Round != MaxRounds; ++Round)
    if (!Classes.divide())
      return Classes.merge();
  return false;
}
