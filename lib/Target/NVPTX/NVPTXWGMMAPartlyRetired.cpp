//===- NVPTXWGMMAPartlyRetired.cpp - Waits on one of two paths ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   d = wgmma(...); commit;
//   if (...) { e = wgmma(...); commit; wait 1; use(d); }
//   wait 0;
//
// ptxas takes the last wait, to which all paths come, for the one that retires
// d: 12.4 finds the use to be in flight, and 13.0 does in a loop. Either sees
// that it is not if a way out that is never taken lies ahead of the last wait
// (NVPTXAddWGMMAExits).
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAPartlyRetired.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include <optional>
#include <utility>

using namespace llvm;

namespace {
class PartlyRetired {
public:
  PartlyRetired(const MachineFunction &MF, const MachineLoopInfo &MLI,
                const WGMMAInFlight &InFlight);

  SmallSetVector<MachineInstr *, 4> findLaterWaits() const;

private:
  static BitVector findInFlightOnSomePaths(const MachineFunction &MF,
                                           const WGMMAInFlight &InFlight);
  void collect(MachineInstr &Wait, const WGMMAState &State);
  bool isLaterWait(const MachineInstr &MI, const BitVector &Retired) const;
  void findLaterWaits(MachineInstr &Wait, const BitVector &Retired,
                      SmallSetVector<MachineInstr *, 4> &Waits) const;

  const MachineLoopInfo &MLI;
  const WGMMAInFlight &InFlight;
  /// The wgmma with which paths meet anywhere that have them in flight on some
  /// of them alone.
  const BitVector OnSomePaths;
  /// What is in flight ahead of a wait.
  DenseMap<const MachineInstr *, BitVector> AtWait;
  /// What a wait retires that lets others stay, by the first register of the
  /// accumulator.
  MapVector<std::pair<MachineInstr *, Register>, BitVector> RetiredBy;
};

/// Some wgmma of one accumulator that a wait has retired.
class RetiredChain {
public:
  RetiredChain(const BitVector &Retired, const WGMMAInFlight &InFlight);

  /// Whether \p MI is one of them.
  bool isIssuedBy(const MachineInstr &MI) const { return Issued.contains(&MI); }
  /// Whether \p MI, which is no wgmma, accesses their accumulator.
  bool isAccessedBy(const MachineInstr &MI) const {
    return accessesAny(MI, Accumulator);
  }

private:
  SmallPtrSet<const MachineInstr *, 8> Issued;
  DenseSet<Register> Accumulator;
};

/// What comes after a wait, to the end of a block.
struct Stretch {
  MachineBasicBlock *MBB;
  MachineBasicBlock::iterator From;
  bool IsAccessed;  ///< What it has retired has been accessed.
  bool IsNextRound; ///< Of a loop around the wait.
};
} // namespace

RetiredChain::RetiredChain(const BitVector &Retired,
                           const WGMMAInFlight &InFlight) {
  for (unsigned Number : Retired.set_bits()) {
    Issued.insert(InFlight.wgmmas()[Number]);
    for (const MachineOperand &Def : InFlight.wgmmas()[Number]->defs())
      Accumulator.insert(Def.getReg());
  }
}

BitVector
PartlyRetired::findInFlightOnSomePaths(const MachineFunction &MF,
                                       const WGMMAInFlight &InFlight) {
  BitVector Found(InFlight.size());
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineBasicBlock *Before : MBB.predecessors()) {
      BitVector Missing = InFlight.atStart(MBB).all();
      Missing.reset(InFlight.atEnd(*Before).all());
      Found |= Missing;
    }
  return Found;
}

PartlyRetired::PartlyRetired(const MachineFunction &MF,
                             const MachineLoopInfo &MLI,
                             const WGMMAInFlight &InFlight)
    : MLI(MLI), InFlight(InFlight),
      OnSomePaths(findInFlightOnSomePaths(MF, InFlight)) {
  InFlight.forEach([this](MachineInstr &MI, const WGMMAState &State) {
    if (isWGMMAWait(MI) && !State.none())
      collect(MI, State);
  });
}

void PartlyRetired::collect(MachineInstr &Wait, const WGMMAState &State) {
  const BitVector All = State.all();
  AtWait[&Wait] = All;
  const std::optional<unsigned> Pending = getPendingGroups(Wait);
  if (!Pending || *Pending == 0)
    return;
  for (unsigned Number : All.set_bits()) {
    if (!OnSomePaths.test(Number) || State.isLeftBy(Number, *Pending))
      continue;
    const MachineInstr &WGMMA = *InFlight.wgmmas()[Number];
    BitVector &Retired = RetiredBy[{&Wait, WGMMA.getOperand(0).getReg()}];
    Retired.resize(InFlight.size());
    Retired.set(Number);
  }
}

/// Whether any of \p Retired is in flight ahead of \p MI, a wait.
bool PartlyRetired::isLaterWait(const MachineInstr &MI,
                                const BitVector &Retired) const {
  auto It = AtWait.find(&MI);
  return It != AtWait.end() && It->second.anyCommon(Retired);
}

/// Adds to \p Waits the ones ahead of which \p Retired, which \p Wait has
/// retired, are in flight again, as another path leads there, if anything
/// accesses their accumulator on the way; but not those of a loop's next round:
/// that is a pipeline.
void PartlyRetired::findLaterWaits(
    MachineInstr &Wait, const BitVector &Retired,
    SmallSetVector<MachineInstr *, 4> &Waits) const {
  const RetiredChain Chain(Retired, InFlight);
  auto IsAroundWait = [&](const MachineLoop *Loop) {
    return Loop && Loop->contains(Wait.getParent());
  };
  auto IsInLoopAroundWait = [&](const MachineBasicBlock &MBB) {
    const MachineLoop *Loop = MLI.getLoopFor(&MBB);
    while (Loop && !IsAroundWait(Loop))
      Loop = Loop->getParentLoop();
    return Loop != nullptr;
  };
  SmallVector<Stretch, 8> Worklist = {
      {Wait.getParent(), std::next(MachineBasicBlock::iterator(Wait)), false,
       false}};
  DenseSet<std::pair<const MachineBasicBlock *, unsigned>> Seen;
  while (!Worklist.empty()) {
    auto [MBB, It, IsAccessed, IsNextRound] = Worklist.pop_back_val();
    for (; It != MBB->end() && !Chain.isIssuedBy(*It) &&
           !isLaterWait(*It, Retired);
         ++It)
      IsAccessed |= Chain.isAccessedBy(*It);
    if (It != MBB->end()) {
      if (IsAccessed && !isWGMMA(*It) &&
          !(IsNextRound && IsInLoopAroundWait(*MBB)))
        Waits.insert(&*It);
      continue;
    }
    for (MachineBasicBlock *Next : MBB->successors()) {
      const MachineLoop *Loop = MLI.getLoopFor(Next);
      const bool IsNext =
          IsNextRound || (IsAroundWait(Loop) && Loop->getHeader() == Next);
      if (Seen.insert({Next, IsAccessed + 2 * IsNext}).second)
        Worklist.push_back({Next, Next->begin(), IsAccessed, IsNext});
    }
  }
}

SmallSetVector<MachineInstr *, 4> PartlyRetired::findLaterWaits() const {
  SmallSetVector<MachineInstr *, 4> Waits;
  for (const auto &[WaitAndRegister, Retired] : RetiredBy)
    findLaterWaits(*WaitAndRegister.first, Retired, Waits);
  return Waits;
}

SmallSetVector<MachineInstr *, 4>
llvm::findWaitsToBeLeft(const MachineFunction &MF, const MachineLoopInfo &MLI,
                        const WGMMAInFlight &InFlight) {
  return PartlyRetired(MF, MLI, InFlight).findLaterWaits();
}
