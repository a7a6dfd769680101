//===- NVPTXWGMMARounds.cpp - Accumulators that a loop reads --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   first = wgmma(...); commit;
//   for (...) { second = wgmma(...); commit; wait 1; use(first);
//               first = wgmma(...); commit; wait 1; use(second); }
//
// ptxas takes the use of what the last round has left in flight for one in
// flight (C7514), unless the first wait of its round is one for all, or a wgmma
// that goes on with it comes after a wait, or ahead of one for all; or, where
// one wgmma of the loop alone does so and the loop is left for a wait for all,
// its round has a commit and then such a wait, and no wgmma, ahead of the use.
// And of what is in flight when a loop begins, and not when its rounds end, in
//
//   first = wgmma(...);
//   for (...) { second = wgmma(...); commit; wait 1; use(second); ...
//               wait 0; use(first); }
//
// all uses seem to be in flight to ptxas, in some loops.
//
// It sees that they are not if the loop has a way out that is never taken,
// ahead of what follows it (NVPTXAddWGMMAExits). 12.4 does not, though, of
// what is read on a condition in a loop around others, or with more than one
// wait on a condition. Such a wgmma is waited for at the end of the round, or
// ahead of the loop: what it leaves is still used while the next one is in
// flight.
//
// What goes on in a loop that retires it in each round, as in
//
//   first = wgmma(...); commit;
//   for (...) { first = wgmma(first); commit; wait 0; }
//   use(first);
//
// seems to be used in flight behind that. A wait for nothing comes ahead of it.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMARounds.h"
#include "NVPTX.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "NVPTXWGMMAThreads.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/Support/Debug.h"

using namespace llvm;
using nvvm::describePlace;
using nvvm::DiagnosticInfoWGMMA;
using nvvm::WGMMAWarnings;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumRounds, "Number of waits for wgmma that loops read");

namespace {
class WGMMARounds {
public:
  WGMMARounds(MachineFunction &MF, const MachineLoopInfo &MLI,
              const MachineDominatorTree &MDT, const WGMMAInFlight &InFlight)
      : MLI(MLI), MDT(MDT), Warnings(MF.getFunction()), InFlight(InFlight),
        Registers(InFlight, MF.getRegInfo()) {
    for (const MachineLoop *Loop : MLI.getLoopsInPreorder()) {
      HelpOf[Loop] = getExitHelp(*Loop);
      SmallVector<WGMMAState, 2> AtLatches = getAtLatches(*Loop);
      findOfEarlierRound(*Loop, AtLatches);
      findEntered(*Loop, AtLatches);
    }
  }

  /// Waits at the ends of rounds and before loops where no way out helps, and
  /// warns.
  bool wait();

  /// The loops that a way out helps.
  ArrayRef<const MachineLoop *> getToBeLeft() const {
    return ToBeLeft.getArrayRef();
  }

private:
  /// What reads an accumulator: of what an earlier round has left in flight, or
  /// of what was in flight when the loop began.
  struct RoundRead {
    MachineInstr *Read;
    bool IsOfEarlierRound;
  };

  /// Which reads of a loop a way out helps: those in each round, and others.
  struct ExitHelp {
    bool InEachRound, OnCondition;
  };

  ExitHelp getExitHelp(const MachineLoop &Loop) const;
  SmallVector<WGMMAState, 2> getAtLatches(const MachineLoop &Loop) const;
  bool isAccumulating(Register Reg, ArrayRef<WGMMAState> States) const;
  void findOfEarlierRound(const MachineLoop &Loop,
                          ArrayRef<WGMMAState> AtLatches);
  void findEntered(const MachineLoop &Loop, ArrayRef<WGMMAState> AtLatches);
  MapVector<Register, MachineInstr *>
  findReads(const MachineLoop &Loop, ArrayRef<WGMMAState> AtLatches) const;
  bool isSeenWithExit(const MachineInstr &Read, const MachineLoop &Loop) const;
  void add(const MachineLoop &Loop, MachineBasicBlock &Before, unsigned Number,
           const RoundRead &R);

  const MachineLoopInfo &MLI;
  const MachineDominatorTree &MDT;
  WGMMAWarnings Warnings;
  const WGMMAInFlight &InFlight;
  WGMMARegisters Registers;
  DenseMap<const MachineLoop *, ExitHelp> HelpOf;
  /// By the wgmma's number.
  MapVector<unsigned, RoundRead> ReadBy;
  SmallSetVector<MachineBasicBlock *, 4> WaitIn;
  SmallSetVector<const MachineLoop *, 2> ToBeLeft;
};

/// A way back from a read, as ptxas sees it.
struct WayBack {
  const MachineBasicBlock *MBB;
  MachineBasicBlock::const_reverse_iterator From;
  /// Whether a wgmma was found that goes on with the accumulator.
  bool IsUpdated = false;
  /// Whether the first wait of the way, as far as is known, is one for all.
  bool IsRetired = false;
  /// Whether it has a wgmma, or else whether any of its waits is one for all,
  /// and whether a commit comes ahead of that.
  bool HasWGMMA = false;
  bool HasWaitForAll = false;
  bool HasCommit = false;

  bool retiresAll() const { return HasWaitForAll && HasCommit; }

  unsigned getFlags() const {
    return IsUpdated | IsRetired << 1 | HasWGMMA << 2 | HasWaitForAll << 3 |
           HasCommit << 4;
  }
};
} // namespace

/// Goes on along \p Way to the start of its block. Returns whether a wait was
/// found that ptxas takes for one that retires what \p Reg holds.
static bool findWaitAhead(WayBack &Way, Register Reg) {
  for (const MachineInstr &MI : make_range(Way.From, Way.MBB->rend())) {
    if (isWGMMA(MI)) {
      const bool IsUpdate = MI.definesRegister(Reg, nullptr);
      if (IsUpdate && Way.HasWaitForAll)
        return true;
      Way.IsUpdated |= IsUpdate;
      Way.HasWaitForAll = false;
      Way.HasWGMMA = true;
    }
    for (const WGMMAEvent &Event : getWGMMAEvents(MI)) {
      Way.HasCommit |= Event.Kind == WGMMAEvent::Commit && Way.HasWaitForAll;
      if (Event.Kind != WGMMAEvent::Wait)
        continue;
      if (Way.IsUpdated)
        return true;
      Way.IsRetired = Event.Pending == 0;
      Way.HasWaitForAll |= Way.IsRetired && !Way.HasWGMMA;
    }
  }
  return false;
}

/// Whether \p Read can be reached from the start of a round of \p Loop on a way
/// on which ptxas does not see that what the last round left in \p Reg has been
/// retired. \p IsRetiredByAny: whether it sees that any wait for all does so.
static bool isReadInFlight(const MachineInstr &Read, Register Reg,
                           const MachineLoop &Loop, bool IsRetiredByAny) {
  SmallVector<WayBack, 8> Worklist = {
      {Read.getParent(), std::next(Read.getReverseIterator())}};
  DenseSet<std::pair<const MachineBasicBlock *, unsigned>> Seen;
  while (!Worklist.empty()) {
    WayBack Way = Worklist.pop_back_val();
    if (findWaitAhead(Way, Reg))
      continue;
    if (Way.MBB == Loop.getHeader()) {
      if (!Way.IsRetired && !(IsRetiredByAny && Way.retiresAll()))
        return true;
      continue;
    }
    for (const MachineBasicBlock *Before : Way.MBB->predecessors())
      if (Seen.insert({Before, Way.getFlags()}).second) {
        Way.MBB = Before;
        Way.From = Before->rbegin();
        Worklist.push_back(Way);
      }
  }
  return false;
}

/// What is in flight at the ends of the rounds of \p Loop.
SmallVector<WGMMAState, 2>
WGMMARounds::getAtLatches(const MachineLoop &Loop) const {
  SmallVector<MachineBasicBlock *, 2> Latches;
  Loop.getLoopLatches(Latches);
  return map_to_vector<2>(Latches, [this](const MachineBasicBlock *Latch) {
    return InFlight.atEnd(*Latch);
  });
}

/// Whether any of \p States has wgmma that accumulate in \p Reg.
bool WGMMARounds::isAccumulating(Register Reg,
                                 ArrayRef<WGMMAState> States) const {
  return any_of(States, [&](const WGMMAState &State) {
    return !Registers.accumulatingIn(Reg, State).empty();
  });
}

/// Whether one wgmma alone accumulates in \p Reg in \p Loop.
static bool isUpdatedOnce(Register Reg, const MachineLoop &Loop) {
  const MachineRegisterInfo &MRI = Loop.getHeader()->getParent()->getRegInfo();
  return count_if(MRI.def_instructions(Reg), [&](const MachineInstr &MI) {
           return isWGMMA(MI) && Loop.contains(MI.getParent());
         }) == 1;
}

/// Calls \p Visit with each register that anything but a wgmma reads in
/// \p Loop.
static void forEachRead(const MachineLoop &Loop,
                        function_ref<void(MachineInstr &, Register)> Visit) {
  for (MachineBasicBlock *MBB : Loop.blocks())
    for (MachineInstr &MI : *MBB) {
      if (isWGMMA(MI) || MI.isDebugInstr() || hasNoAccesses(MI))
        continue;
      for (const MachineOperand &Use : MI.all_uses())
        if (Use.readsReg())
          Visit(MI, Use.getReg());
    }
}

/// The accumulators that \p Loop leaves in flight for its next round, and what
/// reads them there.
MapVector<Register, MachineInstr *>
WGMMARounds::findReads(const MachineLoop &Loop,
                       ArrayRef<WGMMAState> AtLatches) const {
  MapVector<Register, MachineInstr *> Reads;
  if (all_of(AtLatches, [](const WGMMAState &State) { return State.none(); }))
    return Reads;
  const bool IsLeftIdle = isLeftForWaitForAll(Loop, MLI);
  forEachRead(Loop, [&](MachineInstr &MI, Register Reg) {
    if (!Reads.contains(Reg) && isAccumulating(Reg, AtLatches) &&
        isReadInFlight(MI, Reg, Loop, IsLeftIdle && isUpdatedOnce(Reg, Loop)))
      Reads.insert({Reg, &MI});
  });
  return Reads;
}

/// Whether \p MBB is executed in each round of \p Loop.
static bool isInEachRound(const MachineBasicBlock &MBB, const MachineLoop &Loop,
                          const MachineDominatorTree &MDT) {
  SmallVector<MachineBasicBlock *, 2> Latches;
  Loop.getLoopLatches(Latches);
  return all_of(Latches, [&](const MachineBasicBlock *Latch) {
    return MDT.dominates(&MBB, Latch);
  });
}

WGMMARounds::ExitHelp WGMMARounds::getExitHelp(const MachineLoop &Loop) const {
  if (Loop.hasNoExitBlocks())
    return {/*InEachRound=*/false, /*OnCondition=*/false};
  const auto WaitsOnCondition = [&](const MachineBasicBlock *MBB) {
    return any_of(*MBB, isWGMMAWait) && !isInEachRound(*MBB, Loop, MDT);
  };
  return {/*InEachRound=*/true,
          /*OnCondition=*/Loop.isInnermost() &&
              count_if(Loop.blocks(), WaitsOnCondition) <= 1};
}

/// Whether both ptxas see that what \p Read reads is retired, once \p Loop has
/// a way out that is never taken.
bool WGMMARounds::isSeenWithExit(const MachineInstr &Read,
                                 const MachineLoop &Loop) const {
  const ExitHelp Help = HelpOf.lookup(&Loop);
  return Help.OnCondition ||
         (Help.InEachRound && isInEachRound(*Read.getParent(), Loop, MDT));
}

/// Notes that \p Loop, which \p Before leads to, reads the accumulator of the
/// wgmma of this number.
void WGMMARounds::add(const MachineLoop &Loop, MachineBasicBlock &Before,
                      unsigned Number, const RoundRead &R) {
  if (isSeenWithExit(*R.Read, Loop)) {
    ToBeLeft.insert(&Loop);
    return;
  }
  ReadBy.try_emplace(Number, R);
  WaitIn.insert(isForAllThreads(Before)
                    ? &Before
                    : InFlight.wgmmas()[Number]->getParent());
}

/// Finds the wgmma that \p Loop leaves in flight for its next round, and whose
/// accumulators that reads.
void WGMMARounds::findOfEarlierRound(const MachineLoop &Loop,
                                     ArrayRef<WGMMAState> AtLatches) {
  MapVector<Register, MachineInstr *> Reads = findReads(Loop, AtLatches);
  if (Reads.empty())
    return;
  for (MachineBasicBlock *Before : Loop.getHeader()->predecessors()) {
    WGMMAState State = InFlight.atEnd(*Before);
    for (auto [Reg, Read] : Reads)
      for (unsigned Number : Registers.accumulatingIn(Reg, State))
        add(Loop, *Before, Number, {Read, /*IsOfEarlierRound=*/true});
  }
}

/// Whether anything but a wgmma gives \p Reg a value in \p Loop.
static bool isWrittenIn(const MachineLoop &Loop, Register Reg) {
  const MachineRegisterInfo &MRI = Loop.getHeader()->getParent()->getRegInfo();
  return any_of(MRI.def_instructions(Reg), [&](const MachineInstr &MI) {
    return !isWGMMA(MI) && Loop.contains(MI.getParent());
  });
}

/// Finds the wgmma that are in flight when \p Loop begins, and not when a round
/// ends, and whose accumulators it reads, and does not write.
void WGMMARounds::findEntered(const MachineLoop &Loop,
                              ArrayRef<WGMMAState> AtLatches) {
  for (MachineBasicBlock *Before : Loop.getHeader()->predecessors()) {
    WGMMAState State = InFlight.atEnd(*Before);
    if (Loop.contains(Before) || State.none())
      continue;
    forEachRead(Loop, [&](MachineInstr &MI, Register Reg) {
      SmallVector<unsigned, 2> Entered = Registers.accumulatingIn(Reg, State);
      if (Entered.empty() || isAccumulating(Reg, AtLatches) ||
          isWrittenIn(Loop, Reg))
        return;
      for (unsigned Number : Entered)
        add(Loop, *Before, Number, {&MI, /*IsOfEarlierRound=*/false});
    });
  }
}

bool WGMMARounds::wait() {
  for (auto [Number, R] : ReadBy) {
    MachineInstr &WGMMA = *InFlight.wgmmas()[Number];
    LLVM_DEBUG(dbgs() << "Waiting for: " << WGMMA
                      << "  which a loop reads: " << *R.Read);
    Warnings.warn(
        DiagnosticInfoWGMMA::InjectedWait, WGMMA.getDebugLoc(),
        (R.IsOfEarlierRound
             ? "wgmma.mma_async is waited for before the next round of a loop: "
               "its accumulator is read there after a wgmma.wait_group that "
               "leaves others in flight"
             : "wgmma.mma_async is waited for before a loop: its accumulator "
               "is read there in each round") +
            describePlace(R.Read->getDebugLoc()));
  }
  for (MachineBasicBlock *MBB : WaitIn)
    buildWaitAtEnd(*MBB, InFlight.atEnd(*MBB));
  NumRounds += WaitIn.size();
  return !WaitIn.empty();
}

/// The accumulators that are in flight when \p Loop begins.
static SmallSetVector<Register, 16>
findEntering(const MachineLoop &Loop, const WGMMAInFlight &InFlight) {
  SmallSetVector<Register, 16> Entering;
  for (const MachineBasicBlock *Before : Loop.getHeader()->predecessors()) {
    if (Loop.contains(Before))
      continue;
    const BitVector AtEnd = InFlight.atEnd(*Before).all();
    for (unsigned Number : AtEnd.set_bits())
      for (const MachineOperand &Def : InFlight.wgmmas()[Number]->defs())
        Entering.insert(Def.getReg());
  }
  return Entering;
}

/// Whether \p Loop, and nothing else, leads to \p Exit, with all threads of a
/// warp and with nothing in flight.
static bool isIdleExit(const MachineBasicBlock &Exit, const MachineLoop &Loop,
                       const WGMMAInFlight &InFlight, WGMMAThreads &Threads) {
  return InFlight.atStart(Exit).none() &&
         all_of(Exit.predecessors(), [&](const MachineBasicBlock *From) {
           return Loop.contains(From) && Threads.leaveTogether(*From, Exit);
         });
}

bool llvm::waitAfterEnteredLoops(MachineFunction &MF,
                                 const WGMMABlockOrder &Order) {
  if (Order.MLI.empty())
    return false;
  WGMMAInFlight InFlight(MF);
  WGMMAThreads Threads(Order);
  SmallSetVector<MachineBasicBlock *, 2> Exits;
  SmallVector<BitVector, 0> Live;
  for (const MachineLoop *Loop : Order.MLI.getLoopsInPreorder()) {
    SmallSetVector<Register, 16> Entering = findEntering(*Loop, InFlight);
    if (Entering.empty())
      continue;
    if (Live.empty())
      Live = findLiveRegisters(MF);
    SmallVector<MachineBasicBlock *, 2> Blocks;
    Loop->getUniqueExitBlocks(Blocks);
    for (MachineBasicBlock *Exit : Blocks)
      if (isIdleExit(*Exit, *Loop, InFlight, Threads) &&
          any_of(Entering, [&](Register Reg) {
            return Live[Exit->getNumber()].test(Reg.virtRegIndex());
          }))
        Exits.insert(Exit);
  }
  for (MachineBasicBlock *Exit : Exits) {
    LLVM_DEBUG(dbgs() << "Adding a wait for nothing to "
                      << printMBBReference(*Exit) << '\n');
    buildWait(*Exit, Exit->getFirstNonDebugInstr(), DebugLoc(), /*Pending=*/0);
  }
  return !Exits.empty();
}

bool llvm::waitForWGMMAReadInLoops(MachineFunction &MF,
                                   const WGMMABlockOrder &Order) {
  const WGMMAInFlight InFlight(MF);
  return WGMMARounds(MF, Order.MLI, Order.MDT, InFlight).wait();
}

SmallVector<const MachineLoop *, 2>
llvm::findLoopsToBeLeft(MachineFunction &MF, const MachineLoopInfo &MLI,
                        const MachineDominatorTree &MDT,
                        const WGMMAInFlight &InFlight) {
  return SmallVector<const MachineLoop *, 2>(
      WGMMARounds(MF, MLI, MDT, InFlight).getToBeLeft());
}
