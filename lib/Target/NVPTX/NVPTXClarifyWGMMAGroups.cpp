//===- NVPTXClarifyWGMMAGroups.cpp - Waits and commits as ptxas reads them ===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From each wgmma.wait_group, ptxas, as of 13.0, goes back over as many
// wgmma.commit_group as the wait lets stay in flight, and takes what it finds
// there for what the wait retires: even if an earlier wait has retired that
// long ago, and even if the group is empty. Between that wgmma and the wait it
// then lets nobody touch its registers, serializes all wgmma of the function
// (C7513 to C7515), and adds waits (C7517).
//
// This pass has a wait that retires all say so, and leaves out what does
// nothing, and only that:
//
//   - a wait that lets all stay that may be in flight there;
//   - a wait straight before one that lets as few stay;
//   - a commit of nothing where nothing is in flight, or where the next step is
//     a wait for all. Any other makes an empty group, which counts for the
//     waits after it.
//
// ptxas also takes blocks for executed in the order in which they stand. In
//
//   if (...) acc = wgmma(...); else acc = 0;
//   wait;
//
// the zeros seem to be written while the wgmma is in flight (C7515). Therefore
// a wait, with nothing to wait for, goes ahead of a block where nothing is in
// flight while something is at the end of a block above it, unless it has no
// part in wgmma.
//
// Where a loop begins with a wait for all, wgmma from before the loop and
// those from its last round are one to ptxas: what is written before the loop
// while the former are in flight, an accumulator's zeros for instance, seems to
// be written in the midst of the latter (C7515). There the same wait is put
// ahead of the loop, too: nothing has to wait longer for it.
//
// Runs after NVPTXProtectWGMMA, which warns of waits that are too weak, and
// with optimization alone.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXUtilities.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumWaits, "Number of waits for wgmma left out");
STATISTIC(NumCommits, "Number of empty groups of wgmma left out");
STATISTIC(NumSeparated, "Number of waits between blocks that are none");
STATISTIC(NumRepeated, "Number of waits repeated ahead of a loop");

namespace {
class NVPTXClarifyWGMMAGroups : public MachineFunctionPass {
public:
  static char ID;

  NVPTXClarifyWGMMAGroups() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Clarify WGMMA Groups";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.addPreserved<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

class WGMMAGroups {
public:
  explicit WGMMAGroups(MachineFunction &MF);

  /// Whether all wgmma that may be in flight are known.
  bool areKnown() const;
  bool repeatWaits(const MachineLoopInfo &MLI);
  bool separateBlocks();
  bool dropIdle();

private:
  void addWait(MachineBasicBlock &MBB, MachineBasicBlock::iterator Where);
  bool repeatWait(const MachineLoop &L);
  bool takesPart(const MachineBasicBlock &MBB) const;
  bool strengthenWaits();
  void findIdle(MachineInstr &MI, const WGMMAState &State);
  void findWeaker(MachineBasicBlock &MBB);

  MachineFunction &MF;
  const TargetInstrInfo &TII;
  WGMMAInFlight InFlight;
  /// Those of accumulators, of A and of metadata.
  DenseSet<Register> Registers;
  SmallPtrSet<MachineInstr *, 8> Idle;
};
} // namespace

char NVPTXClarifyWGMMAGroups::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXClarifyWGMMAGroups, DEBUG_TYPE,
                      "NVPTX Clarify WGMMA Groups", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXClarifyWGMMAGroups, DEBUG_TYPE,
                    "NVPTX Clarify WGMMA Groups", false, false)

/// How many groups \p MI lets stay, if it is a wait.
static std::optional<unsigned> getPending(const MachineInstr &MI) {
  if (MI.getOpcode() != NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED)
    return std::nullopt;
  return MI.getOperand(0).getImm();
}

WGMMAGroups::WGMMAGroups(MachineFunction &MF)
    : MF(MF), TII(*MF.getSubtarget().getInstrInfo()), InFlight(MF) {
  for (const MachineInstr *MI : InFlight.wgmmas()) {
    for (const MachineOperand &Def : MI->defs())
      Registers.insert(Def.getReg());
    for (Register Input : getLateInputs(*MI, MF.getRegInfo()))
      Registers.insert(Input);
  }
}

bool WGMMAGroups::areKnown() const {
  // Any other function may be called with wgmma in flight.
  return isKernelFunction(MF.getFunction()) && !InFlight.empty() &&
         none_of(MF, [](const MachineBasicBlock &MBB) {
           return any_of(MBB, hasUnknownWGMMASteps);
         });
}

void WGMMAGroups::addWait(MachineBasicBlock &MBB,
                          MachineBasicBlock::iterator Where) {
  BuildMI(MBB, Where, MBB.findDebugLoc(Where),
          TII.get(NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED))
      .addImm(0);
}

//===----------------------------------------------------------------------===//
// Waits between blocks
//===----------------------------------------------------------------------===//

/// Whether \p MBB has a wgmma, or touches registers of one.
bool WGMMAGroups::takesPart(const MachineBasicBlock &MBB) const {
  return any_of(MBB, [this](const MachineInstr &MI) {
    return isWGMMA(MI) ||
           any_of(MI.operands(), [this](const MachineOperand &MO) {
             return MO.isReg() && Registers.contains(MO.getReg());
           });
  });
}

bool WGMMAGroups::separateBlocks() {
  bool Changed = false;
  // Whether anything seems to be in flight.
  bool Seems = false;
  for (MachineBasicBlock &MBB : MF) {
    bool IsIdle = InFlight.atStart(MBB).none();
    if (Seems && IsIdle && takesPart(MBB)) {
      addWait(MBB, MBB.getFirstNonPHI());
      ++NumSeparated;
      Changed = true;
      Seems = false;
    }
    bool HasWait =
        any_of(MBB, [](const MachineInstr &MI) { return getPending(MI) == 0; });
    Seems = (Seems && !HasWait) || !InFlight.atEnd(MBB).none();
  }
  return Changed;
}

//===----------------------------------------------------------------------===//
// Waits that a loop begins with
//===----------------------------------------------------------------------===//

static bool beginsWithWaitForAll(const MachineBasicBlock &MBB) {
  auto IsWorth = [](const MachineInstr &MI) {
    return MI.mayLoadOrStore() || MI.hasUnmodeledSideEffects() || isWGMMA(MI);
  };
  auto First = find_if(MBB, IsWorth);
  return First != MBB.end() && getPending(*First) == 0;
}

bool WGMMAGroups::repeatWait(const MachineLoop &L) {
  if (!beginsWithWaitForAll(*L.getHeader()))
    return false;
  bool Changed = false;
  for (MachineBasicBlock *Ahead : L.getHeader()->predecessors()) {
    if (L.contains(Ahead) || Ahead->succ_size() != 1 ||
        !InFlight.atEnd(*Ahead).isAnyRetiredBy(0))
      continue;
    addWait(*Ahead, Ahead->getFirstTerminator());
    ++NumRepeated;
    Changed = true;
  }
  return Changed;
}

bool WGMMAGroups::repeatWaits(const MachineLoopInfo &MLI) {
  bool Changed = false;
  for (const MachineLoop *L : MLI.getLoopsInPreorder())
    Changed |= repeatWait(*L);
  return Changed;
}

//===----------------------------------------------------------------------===//
// What does nothing
//===----------------------------------------------------------------------===//

/// Whether the next step of the block after the commit \p MI is a wait for all.
static bool precedesWaitForAll(const MachineInstr &MI) {
  for (const MachineInstr &Next :
       make_range(std::next(MachineBasicBlock::const_iterator(MI)),
                  MI.getParent()->end()))
    if (isWGMMA(Next) || !getWGMMAEvents(Next).empty())
      return getPending(Next) == 0;
  return false;
}

void WGMMAGroups::findIdle(MachineInstr &MI, const WGMMAState &State) {
  if (auto Pending = getPending(MI); Pending && !State.isAnyRetiredBy(*Pending))
    Idle.insert(&MI);
  if (MI.getOpcode() == NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED &&
      State.uncommitted().none() && (State.none() || precedesWaitForAll(MI)))
    Idle.insert(&MI);
}

/// Finds the waits straight before one that lets as few groups stay.
void WGMMAGroups::findWeaker(MachineBasicBlock &MBB) {
  MachineInstr *Last = nullptr;
  for (MachineInstr &MI : MBB) {
    if (MI.isMetaInstruction() || Idle.contains(&MI))
      continue;
    if (Last && getPending(MI) <= getPending(*Last) && getPending(MI))
      Idle.insert(Last);
    Last = getPending(MI) ? &MI : nullptr;
  }
}

/// Lets a wait leave none where there are none that it would leave.
bool WGMMAGroups::strengthenWaits() {
  bool Changed = false;
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    auto Pending = getPending(MI);
    if (!Pending || *Pending == 0 || State.isAnyLeftBy(*Pending))
      return;
    MI.getOperand(0).setImm(0);
    Changed = true;
  });
  return Changed;
}

bool WGMMAGroups::dropIdle() {
  bool Changed = strengthenWaits();
  InFlight.forEach([this](MachineInstr &MI, const WGMMAState &State) {
    findIdle(MI, State);
  });
  for (MachineBasicBlock &MBB : MF)
    findWeaker(MBB);
  for (MachineInstr *MI : Idle) {
    ++(getPending(*MI) ? NumWaits : NumCommits);
    MI->eraseFromParent();
  }
  return Changed || !Idle.empty();
}

bool NVPTXClarifyWGMMAGroups::runOnMachineFunction(MachineFunction &MF) {
  WGMMAGroups Groups(MF);
  if (!Groups.areKnown())
    return false;
  bool Changed = Groups.dropIdle();
  Changed |= Groups.separateBlocks();
  Changed |=
      Groups.repeatWaits(getAnalysis<MachineLoopInfoWrapperPass>().getLI());
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXClarifyWGMMAGroupsPass() {
  return new NVPTXClarifyWGMMAGroups();
}
