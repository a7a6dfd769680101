//===- NVPTXWGMMAPaths.cpp - Registers along paths ------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAPaths.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include <optional>

using namespace llvm;

void WGMMABlockOrder::recalculate(MachineFunction &MF) {
  MDT.recalculate(MF);
  PDT.recalculate(MF);
  MLI.calculate(MDT);
}

/// Inserts the registers that the wgmma of \p Range use up to the first fence.
/// Returns whether there is one.
static bool
collectUntilFence(iterator_range<MachineBasicBlock::const_iterator> Range,
                  const MachineRegisterInfo &MRI,
                  DenseSet<Register> &Registers) {
  for (const MachineInstr &MI : Range) {
    if (hasWGMMAEvent(MI, WGMMAEvent::Fence))
      return true;
    if (!isWGMMA(MI))
      continue;
    for (const MachineOperand &Def : MI.defs())
      Registers.insert(Def.getReg());
    Registers.insert_range(getLateInputs(MI, MRI));
  }
  return false;
}

DenseSet<Register> llvm::findUnfenced(const MachineBasicBlock &Before,
                                      MachineBasicBlock::const_iterator Start,
                                      const MachineBasicBlock *Except) {
  const MachineRegisterInfo &MRI = Before.getParent()->getRegInfo();
  DenseSet<Register> Unfenced;
  if (collectUntilFence({Start, Before.end()}, MRI, Unfenced))
    return Unfenced;
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  SmallVector<const MachineBasicBlock *, 8> Worklist(Before.successors());
  while (!Worklist.empty()) {
    const MachineBasicBlock *Next = Worklist.pop_back_val();
    if (Next != Except && Seen.insert(Next).second &&
        !collectUntilFence({Next->begin(), Next->end()}, MRI, Unfenced))
      append_range(Worklist, Next->successors());
  }
  return Unfenced;
}

/// Whether \p MBB is in a loop whose rounds go on from \p Last to \p First.
static bool isBetweenRounds(const MachineBasicBlock &Last,
                            const MachineBasicBlock &First,
                            const MachineBasicBlock &MBB,
                            const MachineLoopInfo &MLI) {
  const MachineLoop *Loop = MLI.getLoopFor(&First);
  return Loop && Loop->getHeader() == &First && Loop->contains(&Last) &&
         Loop->contains(&MBB);
}

SmallVector<MachineInstr *, 4>
llvm::findLast(MachineBasicBlock &MBB,
               function_ref<bool(const MachineInstr &)> IsWanted,
               const MachineLoopInfo *OfRound) {
  SmallVector<MachineInstr *, 4> Found;
  SmallVector<MachineBasicBlock *, 8> Worklist = {&MBB};
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  while (!Worklist.empty()) {
    MachineBasicBlock *Block = Worklist.pop_back_val();
    if (!Seen.insert(Block).second)
      continue;
    auto Last = find_if(reverse(*Block), IsWanted);
    if (Last != Block->rend()) {
      Found.push_back(&*Last);
      continue;
    }
    for (MachineBasicBlock *Before : Block->predecessors())
      if (!OfRound || !isBetweenRounds(*Before, *Block, MBB, *OfRound))
        Worklist.push_back(Before);
  }
  return Found;
}

bool llvm::writesRegister(const MachineInstr &MI, Register Reg) {
  return !MI.isDebugInstr() && MI.definesRegister(Reg, nullptr);
}

SmallVector<MachineInstr *, 4>
llvm::findWrites(Register Reg, MachineBasicBlock &MBB,
                 const MachineLoopInfo *OfRound) {
  return findLast(
      MBB, [Reg](const MachineInstr &MI) { return writesRegister(MI, Reg); },
      OfRound);
}

void llvm::buildCopyAfter(MachineInstr &Writer, Register From, Register To) {
  const TargetInstrInfo &TII = *Writer.getMF()->getSubtarget().getInstrInfo();
  BuildMI(*Writer.getParent(), std::next(Writer.getIterator()),
          Writer.getDebugLoc(), TII.get(TargetOpcode::COPY), To)
      .addReg(From);
}

void llvm::buildWait(MachineBasicBlock &MBB, MachineBasicBlock::iterator Place,
                     const DebugLoc &Loc, unsigned Pending) {
  const TargetInstrInfo &TII = *MBB.getParent()->getSubtarget().getInstrInfo();
  BuildMI(MBB, Place, Loc, TII.get(NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED))
      .addImm(Pending);
}

void llvm::buildWaitForAll(MachineBasicBlock &MBB,
                           MachineBasicBlock::iterator Place,
                           const WGMMAState &State) {
  const TargetInstrInfo &TII = *MBB.getParent()->getSubtarget().getInstrInfo();
  DebugLoc Loc = MBB.findBranchDebugLoc();
  if (State.uncommitted().any())
    BuildMI(MBB, Place, Loc, TII.get(NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED));
  buildWait(MBB, Place, Loc, /*Pending=*/0);
}

void llvm::buildWaitAtEnd(MachineBasicBlock &MBB, const WGMMAState &State) {
  buildWaitForAll(MBB, findPlaceForWait(MBB), State);
}

/// Whether \p MI has, or may have, a step of wgmma that is neither a commit nor
/// a wait.
static bool mayIssue(const MachineInstr &MI) {
  return isWGMMA(MI) || hasUnknownWGMMASteps(MI);
}

/// Whether \p MI has, or may have, a step of wgmma other than a commit.
static bool hasOtherStep(const MachineInstr &MI) {
  return mayIssue(MI) ||
         any_of(getWGMMAEvents(MI), [](const WGMMAEvent &Event) {
           return Event.Kind != WGMMAEvent::Commit;
         });
}

/// Whether the first from \p I on in \p MBB that is a wait for all, or for
/// which
/// \p IsOther, is such a wait; or nothing if there is neither.
static std::optional<bool>
findWaitForAll(MachineBasicBlock::const_iterator I,
               const MachineBasicBlock &MBB,
               function_ref<bool(const MachineInstr &)> IsOther) {
  for (const MachineInstr &MI : make_range(I, MBB.end()))
    if (bool IsWait = isWGMMAWaitForAll(MI); IsWait || IsOther(MI))
      return IsWait;
  return std::nullopt;
}

/// Whether all ways from \p Blocks on come to a wait for all ahead of what
/// \p IsOther and, if \p MLI is given, of the next loop.
static bool
leadToWaitForAll(SmallSetVector<const MachineBasicBlock *, 4> Blocks,
                 function_ref<bool(const MachineInstr &)> IsOther,
                 const MachineLoopInfo *MLI) {
  for (unsigned I = 0; I != Blocks.size(); ++I) {
    const MachineBasicBlock &MBB = *Blocks[I];
    if (MLI && MLI->isLoopHeader(&MBB))
      return false;
    std::optional<bool> IsWait = findWaitForAll(MBB.begin(), MBB, IsOther);
    if (IsWait ? !*IsWait : MBB.succ_empty())
      return false;
    if (!IsWait)
      Blocks.insert(MBB.succ_begin(), MBB.succ_end());
  }
  return !Blocks.empty();
}

bool llvm::leadsToWaitForAll(const MachineBasicBlock &Start,
                             const MachineLoopInfo &MLI) {
  SmallSetVector<const MachineBasicBlock *, 4> Blocks;
  Blocks.insert(&Start);
  return leadToWaitForAll(std::move(Blocks), hasOtherStep, &MLI);
}

bool llvm::isDrainedBehind(const MachineInstr &Wait) {
  const MachineBasicBlock &MBB = *Wait.getParent();
  const MachineBasicBlock::const_iterator Behind = Wait.getIterator();
  if (std::optional<bool> IsWait =
          findWaitForAll(std::next(Behind), MBB, mayIssue))
    return *IsWait;
  SmallSetVector<const MachineBasicBlock *, 4> Blocks;
  Blocks.insert(MBB.succ_begin(), MBB.succ_end());
  return leadToWaitForAll(std::move(Blocks), mayIssue, /*MLI=*/nullptr);
}

bool llvm::isLeftForWaitForAll(const MachineLoop &Loop,
                               const MachineLoopInfo &MLI) {
  SmallVector<MachineBasicBlock *, 2> Exits;
  Loop.getExitBlocks(Exits);
  return all_of(Exits, [&MLI](const MachineBasicBlock *Exit) {
    return leadsToWaitForAll(*Exit, MLI);
  });
}

MachineInstr &llvm::findFenceFor(MachineInstr &WGMMA) {
  for (MachineInstr &MI : make_range(std::next(WGMMA.getReverseIterator()),
                                     WGMMA.getParent()->instr_rend())) {
    if (MI.getOpcode() == NVPTX::WGMMA_FENCE_SYNC_ALIGNED)
      return MI;
    if (isWGMMA(MI) || !getWGMMAEvents(MI).empty())
      break;
  }
  return WGMMA;
}

MachineBasicBlock::iterator llvm::findPlaceForWait(MachineBasicBlock &MBB) {
  MachineBasicBlock::iterator Place = MBB.getFirstTerminator();
  for (MachineBasicBlock::iterator I = Place; I != MBB.begin();) {
    --I;
    if (I->isFullCopy())
      Place = I;
    else if (!I->isDebugInstr() && !I->isMoveImmediate())
      break;
  }
  return Place;
}

/// The last fence of \p MBB, if no other step of wgmma comes after it, or its
/// end.
static MachineBasicBlock::iterator findLastFence(MachineBasicBlock &MBB) {
  for (MachineInstr &MI : reverse(MBB)) {
    if (MI.getOpcode() == NVPTX::WGMMA_FENCE_SYNC_ALIGNED)
      return MI;
    if (isWGMMA(MI) || !getWGMMAEvents(MI).empty())
      break;
  }
  return MBB.getFirstTerminator();
}

std::optional<MachineBasicBlock::iterator>
llvm::findIdlePlace(MachineBasicBlock &MBB, const WGMMAInFlight &InFlight) {
  if (InFlight.atEnd(MBB).none())
    return findLastFence(MBB);
  MachineInstr *First = nullptr;
  InFlight.forEachIn(MBB, [&](MachineInstr &MI, const WGMMAState &State) {
    if (isWGMMA(MI) && State.none())
      First = &MI;
  });
  if (!First)
    return std::nullopt;
  return findFenceFor(*First);
}
