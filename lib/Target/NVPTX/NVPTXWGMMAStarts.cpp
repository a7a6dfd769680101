//===- NVPTXWGMMAStarts.cpp - Accumulators that start in loops ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   while (true) { acc = load(); acc = wgmma(acc, ...); commit; wait 0;
//                  store(acc); if (...) break; barrier(); }
//
// ptxas, as of 13.0, executes what comes before the test once ahead of the
// loop, and moves it behind what comes after. Of the two wgmma it then has, it
// does not see that each can have the registers that its accumulator starts
// from (C7511). It does if the accumulator is used behind the branch, or goes
// on in the next round. For the others this does by itself what ptxas would
// have to do with what they start from, and with all that this cannot go past:
//
//   acc = load();
//   while (true) { acc = wgmma(acc, ...); commit; wait 0;
//                  store(acc); if (...) break; barrier(); acc = load(); }
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAStarts.h"
#include "NVPTX.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumStarts, "Number of instructions moved to the ends of rounds");

namespace {
/// A block that a loop begins with, and is left from.
class WGMMAStarts {
public:
  /// \p Live: see findLiveRegisters.
  WGMMAStarts(MachineBasicBlock &Header, ArrayRef<BitVector> Live);

  /// Moves what accumulators start from to the blocks before this one, if that
  /// can be.
  bool move();

private:
  void findAccumulators();
  bool findWanted();
  bool findAll();

  MachineBasicBlock &Header;
  ArrayRef<BitVector> Live;
  /// Its first step of wgmma.
  MachineBasicBlock::iterator Step;
  /// Registers that start here, and that nothing needs later.
  DenseSet<Register> Accumulators;
  SmallVector<MachineInstr *, 32> Movable;
};
} // namespace

/// Whether \p Loop is left from the block that it begins with, and the two
/// blocks before that, one ahead of the loop and one at the end of its round,
/// lead nowhere else. All threads of a warp that come from one of them come
/// together: were there more, a barrier could not go there.
static bool isLeftAtStart(const MachineLoop &Loop) {
  const MachineBasicBlock *Before = Loop.getLoopPredecessor();
  const MachineBasicBlock *Latch = Loop.getLoopLatch();
  return Before && Latch && Latch != Loop.getHeader() &&
         Loop.isLoopExiting(Loop.getHeader()) && Before->succ_size() == 1 &&
         Latch->succ_size() == 1;
}

WGMMAStarts::WGMMAStarts(MachineBasicBlock &Header, ArrayRef<BitVector> Live)
    : Header(Header), Live(Live),
      Step(find_if(Header, [](const MachineInstr &MI) {
        return isWGMMA(MI) || !getWGMMAEvents(MI).empty();
      })) {}

void WGMMAStarts::findAccumulators() {
  auto IsLiveIn = [this](const MachineBasicBlock *MBB, Register Reg) {
    return Live[MBB->getNumber()].test(Reg.virtRegIndex());
  };
  for (const MachineInstr &MI : make_range(Step, Header.end())) {
    if (!isWGMMA(MI))
      continue;
    for (const MachineOperand &Def : MI.defs())
      if (Register Reg = Def.getReg();
          !IsLiveIn(&Header, Reg) &&
          none_of(Header.successors(), [&](const MachineBasicBlock *Next) {
            return IsLiveIn(Next, Reg);
          }))
        Accumulators.insert(Reg);
  }
}

/// Finds what accumulators start from, with what that is computed from. Returns
/// whether all of it can be moved past the rest, and anything.
bool WGMMAStarts::findWanted() {
  DenseSet<Register> Wanted = Accumulators;
  for (MachineInstr &MI : reverse(make_range(Header.begin(), Step)))
    if (writesAny(MI, Wanted))
      for (const MachineOperand &Use : MI.all_uses())
        Wanted.insert(Use.getReg());
  PassedRegisters Passed;
  bool SawStore = false;
  for (MachineInstr &MI : make_range(Header.begin(), Step)) {
    if (MI.isDebugInstr())
      continue;
    if (!MI.isImplicitDef() && writesAny(MI, Wanted) && Passed.allow(MI) &&
        MI.isSafeToMove(SawStore)) {
      Movable.push_back(&MI);
      continue;
    }
    if (!MI.isImplicitDef() && writesAny(MI, Accumulators))
      return false;
    SawStore |= MI.mayStore() || MI.hasUnmodeledSideEffects();
    Passed.add(MI);
  }
  return any_of(Movable, [this](const MachineInstr *MI) {
    return writesAny(*MI, Accumulators);
  });
}

/// Finds all up to the last instruction that accumulators start from: a barrier
/// may come before a load. Returns whether it can be moved, and anything.
bool WGMMAStarts::findAll() {
  for (MachineInstr &MI : make_range(Header.begin(), Step))
    if (!MI.isDebugInstr())
      Movable.push_back(&MI);
  while (!Movable.empty() && !writesAny(*Movable.back(), Accumulators))
    Movable.pop_back();
  return !Movable.empty() && none_of(Movable, [](const MachineInstr *MI) {
    return MI->isNotDuplicable() || MI->isCall() || MI->isInlineAsm() ||
           MI->isPosition();
  });
}

bool WGMMAStarts::move() {
  findAccumulators();
  if (Accumulators.empty())
    return false;
  if (!findWanted()) {
    Movable.clear();
    if (!findAll())
      return false;
  }
  MachineFunction &MF = *Header.getParent();
  for (MachineInstr *MI : Movable) {
    LLVM_DEBUG(dbgs() << "Moving to the end of the round: " << *MI);
    // What it reads may be read behind it now.
    for (const MachineOperand &Use : MI->all_uses())
      MF.getRegInfo().clearKillFlags(Use.getReg());
    for (MachineBasicBlock *Before : Header.predecessors())
      Before->insert(Before->getFirstTerminator(), MF.CloneMachineInstr(MI));
    MI->eraseFromParent();
  }
  NumStarts += Movable.size();
  return true;
}

bool llvm::startWGMMAAheadOfRounds(MachineFunction &MF,
                                   const MachineLoopInfo &MLI) {
  SmallVector<BitVector, 0> Live;
  bool Changed = false;
  for (const MachineLoop *Loop : MLI.getLoopsInPreorder()) {
    MachineBasicBlock &Header = *Loop->getHeader();
    if (!isLeftAtStart(*Loop) || none_of(Header, isWGMMA))
      continue;
    if (Live.empty())
      Live = findLiveRegisters(MF);
    Changed |= WGMMAStarts(Header, Live).move();
  }
  return Changed;
}
