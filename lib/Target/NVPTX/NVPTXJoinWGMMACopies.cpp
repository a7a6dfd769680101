//===- NVPTXJoinWGMMACopies.cpp - No copies of wgmma in flight ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An accumulator in flight cannot be copied: its value is not there yet. Yet in
// IR it moves while it is in flight, through phis, from one wgmma to the next
// and through wgmma.fence_operand, and each move is a COPY by now. Most of them
// the register coalescer could remove, but it does not know which of them it
// must: given a choice, it may remove one that stands after the wait, where a
// copy does no harm, and keep the one in flight that contradicts it.
//
// This pass comes first and joins the two registers of each copy of an
// accumulator in flight, wherever their live ranges let it. All that the
// coalescer decides later, it decides about the other copies.
//
// Where both registers are needed at a time, say for the accumulators of this
// round and the last one of a loop, the copy stays. NVPTXProtectWGMMA has the
// code wait for it then.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-join-wgmma-copies"

STATISTIC(NumJoined, "Number of copies of accumulators in flight joined");
STATISTIC(NumLeft, "Number of copies of accumulators in flight left");

namespace {
class NVPTXJoinWGMMACopies : public MachineFunctionPass {
public:
  static char ID;

  NVPTXJoinWGMMACopies() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Join WGMMA Copies"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.addPreserved<LiveIntervalsWrapperPass>();
    AU.addRequired<SlotIndexesWrapperPass>();
    AU.addPreserved<SlotIndexesWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;

private:
  void collectCopies(const WGMMAInFlight &InFlight);
  void pushCopiesOf(Register Reg);
  bool isOfAccumulatorInFlight(const MachineInstr &Copy) const;
  bool canJoin(Register Dst, Register Src) const;
  void join(MachineInstr &Copy);

  LiveIntervals *LIS = nullptr;
  MachineRegisterInfo *MRI = nullptr;
  /// What is in flight at each copy where anything is, by its place in States.
  DenseMap<const MachineInstr *, unsigned> StateAt;
  SmallVector<BitVector> States;
  /// The numbers of the wgmma that each register is accumulated in.
  DenseMap<Register, SmallVector<unsigned, 2>> Accumulating;
  SmallVector<MachineInstr *, 0> Worklist;
};
} // namespace

char NVPTXJoinWGMMACopies::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXJoinWGMMACopies, DEBUG_TYPE,
                      "NVPTX Join WGMMA Copies", false, false)
INITIALIZE_PASS_DEPENDENCY(LiveIntervalsWrapperPass)
INITIALIZE_PASS_DEPENDENCY(SlotIndexesWrapperPass)
INITIALIZE_PASS_END(NVPTXJoinWGMMACopies, DEBUG_TYPE,
                    "NVPTX Join WGMMA Copies", false, false)

static bool isPlainCopy(const MachineInstr &MI) {
  return MI.isFullCopy() && MI.getOperand(0).getReg().isVirtual() &&
         MI.getOperand(1).getReg().isVirtual() && !MI.getOperand(1).isUndef();
}

void NVPTXJoinWGMMACopies::collectCopies(const WGMMAInFlight &InFlight) {
  BitVector Last;
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    if (!isPlainCopy(MI) || State.none())
      return;
    BitVector Here = State.all();
    if (States.empty() || Here != Last) {
      States.push_back(Here);
      Last = std::move(Here);
    }
    StateAt[&MI] = States.size() - 1;
    Worklist.push_back(&MI);
  });
}

bool NVPTXJoinWGMMACopies::isOfAccumulatorInFlight(
    const MachineInstr &Copy) const {
  auto Accumulated = Accumulating.find(Copy.getOperand(1).getReg());
  auto State = StateAt.find(&Copy);
  return Accumulated != Accumulating.end() && State != StateAt.end() &&
         any_of(Accumulated->second, [&](unsigned Number) {
           return States[State->second].test(Number);
         });
}

void NVPTXJoinWGMMACopies::pushCopiesOf(Register Reg) {
  for (MachineInstr &User : MRI->use_nodbg_instructions(Reg))
    if (StateAt.contains(&User))
      Worklist.push_back(&User);
}

/// Whether \p Dst and \p Src are never needed at a time for different values.
/// They may both be live from a copy of one to the other on.
bool NVPTXJoinWGMMACopies::canJoin(Register Dst, Register Src) const {
  if (MRI->getRegClass(Dst) != MRI->getRegClass(Src))
    return false;
  const LiveInterval &A = LIS->getInterval(Dst);
  const LiveInterval &B = LIS->getInterval(Src);
  auto IsCopyBetween = [&](SlotIndex Def) {
    if (Def.isBlock())
      return false;
    const MachineInstr *MI = LIS->getInstructionFromIndex(Def);
    if (!MI || !MI->isFullCopy())
      return false;
    Register To = MI->getOperand(0).getReg(), From = MI->getOperand(1).getReg();
    return (To == Dst && From == Src) || (To == Src && From == Dst);
  };
  auto I = A.begin(), J = B.begin();
  while (I != A.end() && J != B.end()) {
    if (I->end <= J->start)
      ++I;
    else if (J->end <= I->start)
      ++J;
    else if (!IsCopyBetween(std::max(I->start, J->start)))
      return false;
    else if (I->end < J->end)
      ++I;
    else
      ++J;
  }
  return true;
}

void NVPTXJoinWGMMACopies::join(MachineInstr &Copy) {
  Register Dst = Copy.getOperand(0).getReg();
  Register Src = Copy.getOperand(1).getReg();
  LLVM_DEBUG(dbgs() << "Joining " << Copy);
  LIS->removeInterval(Dst);
  LIS->removeInterval(Src);
  MRI->replaceRegWith(Dst, Src);
  MRI->clearKillFlags(Src);
  // This copy is the identity now, and so may be others.
  for (MachineInstr &MI : make_early_inc_range(MRI->def_instructions(Src)))
    if (MI.isIdentityCopy()) {
      StateAt.erase(&MI);
      LIS->RemoveMachineInstrFromMaps(MI);
      MI.eraseFromParent();
    }
  LIS->createAndComputeVirtRegInterval(Src);

  if (auto Merged = Accumulating.find(Dst); Merged != Accumulating.end()) {
    SmallVector<unsigned, 2> Numbers = std::move(Merged->second);
    Accumulating.erase(Merged);
    append_range(Accumulating[Src], Numbers);
  }
  // What was in Dst alone before is now known to be in flight.
  pushCopiesOf(Src);
  ++NumJoined;
}

bool NVPTXJoinWGMMACopies::runOnMachineFunction(MachineFunction &MF) {
  WGMMAInFlight WGMMAs(MF);
  if (WGMMAs.empty())
    return false;
  LIS = &getAnalysis<LiveIntervalsWrapperPass>().getLIS();
  MRI = &MF.getRegInfo();
  StateAt.clear();
  States.clear();
  Accumulating.clear();
  Worklist.clear();

  for (auto [Number, MI] : enumerate(WGMMAs.wgmmas()))
    for (const MachineOperand &Def : MI->defs())
      Accumulating[Def.getReg()].push_back(Number);
  collectCopies(WGMMAs);

  // In the order of the code: where two copies contradict each other, the one
  // inside a loop stays, and what comes before the loop need not be waited for.
  SmallSetVector<Register, 16> Joined;
  for (size_t I = 0; I != Worklist.size(); ++I) {
    MachineInstr *Copy = Worklist[I];
    // Those that became identities are gone, and out of StateAt, too.
    if (!StateAt.contains(Copy) || !isOfAccumulatorInFlight(*Copy))
      continue;
    if (canJoin(Copy->getOperand(0).getReg(), Copy->getOperand(1).getReg())) {
      Joined.insert(Copy->getOperand(1).getReg());
      join(*Copy);
    } else {
      LLVM_DEBUG(dbgs() << "Left: " << *Copy);
      ++NumLeft;
    }
  }
  // What has nothing to do with each other goes apart again.
  SmallVector<LiveInterval *, 8> Parts;
  for (Register Reg : Joined)
    if (LIS->hasInterval(Reg))
      LIS->splitSeparateComponents(LIS->getInterval(Reg), Parts);
  return !Joined.empty();
}

MachineFunctionPass *llvm::createNVPTXJoinWGMMACopiesPass() {
  return new NVPTXJoinWGMMACopies();
}
