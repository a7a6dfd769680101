//===- NVPTXWGMMARotation.cpp - Registers that change places --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMARotation.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <optional>

using namespace llvm;

/// More groups than any loop leaves in flight, and the longest rotation.
static constexpr unsigned MaxGroups = 8;

using InstructionSet = SmallPtrSet<const Instruction *, 8>;

/// Adds to \p InFlight the wgmma, as intrinsics, of \p Block in flight at its
/// end, if the last \p Groups that are committed may be there. Returns how many
/// of those before it may.
static std::optional<unsigned> addInFlight(const BasicBlock &Block,
                                           unsigned Groups,
                                           InstructionSet &InFlight) {
  for (const Instruction &I : reverse(Block)) {
    const auto *II = dyn_cast<IntrinsicInst>(&I);
    if (II && NVPTX::isWGMMA(I)) {
      InFlight.insert(II);
    } else if (NVPTX::isWGMMAWait(I)) {
      const auto *Left =
          II ? dyn_cast<ConstantInt>(II->getArgOperand(0)) : nullptr;
      Groups = std::min<uint64_t>(Groups, Left ? Left->getZExtValue() : 0);
    } else if (II && II->getIntrinsicID() ==
                         Intrinsic::nvvm_wgmma_commit_group_sync_aligned) {
      if (Groups == 0)
        return std::nullopt;
      --Groups;
    }
  }
  return Groups;
}

/// The wgmma of \p L that it leaves in flight for its next round.
static InstructionSet findInFlight(const Loop &L) {
  InstructionSet InFlight;
  DenseMap<const BasicBlock *, unsigned> Seen;
  SmallVector<std::pair<const BasicBlock *, unsigned>, 8> Worklist = {
      {L.getLoopLatch(), MaxGroups}};
  while (!Worklist.empty()) {
    auto [Block, Groups] = Worklist.pop_back_val();
    auto [Place, IsNew] = Seen.try_emplace(Block, Groups);
    if (!IsNew && Place->second >= Groups)
      continue;
    Place->second = Groups;
    std::optional<unsigned> Before = addInFlight(*Block, Groups, InFlight);
    if (!Before || Block == L.getHeader())
      continue;
    for (const BasicBlock *Pred : predecessors(Block))
      Worklist.emplace_back(Pred, *Before);
  }
  return InFlight;
}

namespace {
/// What a value carries on: what it is an element of, or a wgmma adds to.
struct Origin {
  /// Those of the loop's own values that are the same registers.
  SmallPtrSet<const PHINode *, 8> Carried;
  InstructionSet Products;
};
} // namespace

static Origin getOrigin(const Value *V, const Loop &L) {
  Origin Result;
  SmallVector<const Value *, 8> Worklist = {V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Worklist.empty()) {
    const auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    const auto *Phi = dyn_cast<PHINode>(I);
    if (Phi && Phi->getParent() == L.getHeader()) {
      Result.Carried.insert(Phi);
    } else if (NVPTX::isWGMMA(*I)) {
      Result.Products.insert(I);
      Worklist.push_back(I->getOperand(0));
    } else if (NVPTX::passesOn(*I)) {
      append_range(Worklist, I->operand_values());
    }
  }
  return Result;
}

/// Whether \p Phi has a use in the round, or behind it, once \p WGMMA is
/// issued: else both may have the same registers.
static bool isLiveBehind(const PHINode &Phi, const Instruction &WGMMA,
                         const Loop &L) {
  SmallPtrSet<BasicBlock *, 1> NextRound = {L.getHeader()};
  return NVPTX::anyUserAsItIs(Phi, [&](const Use &U) {
    const auto &I = *cast<Instruction>(U.getUser());
    // What only names it again is no use.
    if (NVPTX::passesOn(I) && !isa<PHINode>(I))
      return false;
    if (I.getParent() == WGMMA.getParent() && !isa<PHINode>(I))
      return WGMMA.comesBefore(&I);
    if (I.getParent() == L.getHeader())
      return isa<PHINode>(I);
    SmallVector<BasicBlock *, 2> Behind(
        successors(const_cast<BasicBlock *>(WGMMA.getParent())));
    return isPotentiallyReachableFromMany(Behind, I.getParent(), &NextRound);
  });
}

namespace {
/// Where the values come from that a loop carries on to its next round.
class Rotation {
public:
  explicit Rotation(const Loop &L);

  unsigned get() const;

private:
  bool changesPlace(const PHINode &Phi, const Origin &From) const;
  unsigned getLength(const PHINode &Phi) const;

  const Loop &L;
  InstructionSet InFlight;
  SmallVector<std::pair<const PHINode *, Origin>, 8> Origins;
};
} // namespace

Rotation::Rotation(const Loop &L) : L(L), InFlight(findInFlight(L)) {
  if (InFlight.empty())
    return;
  for (const PHINode &Phi : L.getHeader()->phis()) {
    const Value *Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
    if (const auto *I = dyn_cast<Instruction>(Next); I && L.contains(I))
      Origins.emplace_back(&Phi, getOrigin(Next, L));
  }
}

/// Whether \p Phi gets a value for the next round that cannot be where it is
/// itself: of a wgmma in flight, or beside what one reads.
bool Rotation::changesPlace(const PHINode &Phi, const Origin &From) const {
  if (From.Carried.contains(&Phi))
    return false;
  return any_of(From.Products,
                [&](const Instruction *I) {
                  return InFlight.contains(I) && isLiveBehind(Phi, *I, L);
                }) ||
         NVPTX::anyUserAsItIs(Phi, [&](const Use &U) {
           return NVPTX::isWGMMARegisterOperand(U) &&
                  InFlight.contains(cast<Instruction>(U.getUser()));
         });
}

/// After how many rounds what \p Phi gets is there again, once others have had
/// it.
unsigned Rotation::getLength(const PHINode &Phi) const {
  SmallPtrSet<const PHINode *, 8> Holders = {&Phi};
  const PHINode *Last = &Phi;
  while (Holders.size() < MaxGroups) {
    const PHINode *Next = nullptr;
    for (const auto &[Other, From] : Origins) {
      if (!From.Carried.contains(Last))
        continue;
      // They change places.
      if (Holders.contains(Other))
        return Holders.size();
      Next = Other;
    }
    if (!Next)
      return Holders.size() + 1;
    Holders.insert(Next);
    Last = Next;
  }
  return 1;
}

unsigned Rotation::get() const {
  unsigned Result = 1;
  for (const auto &[Phi, From] : Origins)
    if (changesPlace(*Phi, From))
      Result = std::max(Result, getLength(*Phi));
  return Result;
}

unsigned NVPTX::getWGMMARotation(const Loop &L) { return Rotation(L).get(); }
