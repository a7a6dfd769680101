//===- NVPTXWGMMAIdleWrites.cpp - Writes of accumulators in no flight -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   if (...) {
//     acc = wgmma(acc, ...);
//   } else {
//     acc = load();
//     for (...) { other = wgmma(...); commit; wait 0; }
//   }
//   commit; wait 0;
//
// nothing is in flight where acc is loaded, nor while the loop runs, but ptxas,
// as of 13.0, takes acc for written while the wgmma of the other path is in
// flight (C7515), and serializes the function. A wait ahead of the load, for
// nothing, is where it sees that no wgmma is: it costs no overlap.
//
// So the blocks get one that begin with nothing in flight, write an accumulator
// ahead of their first wait and wgmma, and lead to where it comes in flight
// from elsewhere, maybe by way of other blocks that change it; all threads of a
// warp execute them together. Of the start of the kernel see
// NVPTXWGMMAFirstWait.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAIdleWrites.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "NVPTXWGMMAThreads.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumIdleWrites, "Number of waits ahead of writes with none in flight");

namespace {
class IdleWrites {
public:
  IdleWrites(MachineFunction &MF, const WGMMABlockOrder &Order)
      : MF(MF), Order(Order), Threads(Order), InFlight(MF),
        Registers(InFlight, MF.getRegInfo()) {}

  bool wait();

private:
  using BlockSet = SmallSetVector<MachineBasicBlock *, 8>;

  void findMeetings();
  bool writesAccumulator(const MachineBasicBlock &MBB,
                         const MachineInstr &WGMMA) const;
  bool canWait(const MachineBasicBlock &MBB);

  MachineFunction &MF;
  const WGMMABlockOrder &Order;
  WGMMAThreads Threads;
  WGMMAInFlight InFlight;
  WGMMARegisters Registers;
  /// By the chain: the blocks that end where it comes in flight from others.
  MapVector<unsigned, BlockSet> Meetings;
};
} // namespace

void IdleWrites::findMeetings() {
  for (MachineBasicBlock &Join : MF) {
    if (Join.pred_size() < 2 || InFlight.atStart(Join).none())
      continue;
    for (const MachineBasicBlock *From : Join.predecessors()) {
      if (Order.MDT.dominates(&Join, From))
        continue;
      const BitVector Chains = Registers.findChains(InFlight.atEnd(*From));
      for (unsigned Chain : Chains.set_bits())
        for (MachineBasicBlock *Other : Join.predecessors())
          if (Other != From)
            Meetings[Chain].insert(Other);
    }
  }
}

/// Whether \p MBB writes to the accumulator of \p WGMMA ahead of its first wait
/// and wgmma.
bool IdleWrites::writesAccumulator(const MachineBasicBlock &MBB,
                                   const MachineInstr &WGMMA) const {
  for (const MachineInstr &MI : MBB) {
    if (isWGMMAWait(MI) || isWGMMA(MI))
      return false;
    if (!MI.isImplicitDef() &&
        any_of(WGMMA.defs(), [&MI](const MachineOperand &Def) {
          return writesRegister(MI, Def.getReg());
        }))
      return true;
  }
  return false;
}

bool IdleWrites::canWait(const MachineBasicBlock &MBB) {
  return !MBB.isEntryBlock() && InFlight.atStart(MBB).none() &&
         InFlight.atEnd(MBB).none() && Threads.comeTogether(MBB);
}

bool IdleWrites::wait() {
  findMeetings();
  BlockSet Found;
  for (auto &[Chain, Blocks] : Meetings) {
    // All of a chain have the same registers.
    const BitVector &Members = Registers.getMembers(Chain);
    const MachineInstr &WGMMA = *InFlight.wgmmas()[Members.find_first()];
    // Grows while it is walked: what leads to a block leads on from there.
    for (unsigned Index = 0; Index != Blocks.size(); ++Index) {
      MachineBasicBlock *MBB = Blocks[Index];
      for (MachineBasicBlock *Before : MBB->predecessors())
        if (!Order.MDT.dominates(MBB, Before))
          Blocks.insert(Before);
      if (writesAccumulator(*MBB, WGMMA) && canWait(*MBB))
        Found.insert(MBB);
    }
  }
  for (MachineBasicBlock *MBB : Found) {
    LLVM_DEBUG(dbgs() << "Adding a wait for nothing to "
                      << printMBBReference(*MBB) << '\n');
    buildWait(*MBB, MBB->getFirstNonDebugInstr(), MBB->findBranchDebugLoc(),
              /*Pending=*/0);
  }
  NumIdleWrites += Found.size();
  return !Found.empty();
}

bool llvm::waitAheadOfIdleWrites(MachineFunction &MF,
                                 const WGMMABlockOrder &Order) {
  return IdleWrites(MF, Order).wait();
}
