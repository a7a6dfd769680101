//===- NVPTXWGMMAMerges.cpp - Accumulators that meet other values ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   if (...) acc = wgmma(...); else acc = load();
//   other = wgmma(...); commit; wait 1;
//
// and in
//
//   acc = wgmma(...); commit;
//   for (...) { wait 0; use(acc); other = wgmma(...); commit; wait 0;
//               acc = other; }
//
// ptxas takes what is loaded or copied for written while the first wgmma is in
// flight. From the small programs that were tried, it does not if
//
//   - the value is written before the paths part, with nothing in flight there,
//     in a block that all paths come through. What only some of them have
//     written, or a loop that it may unroll, is written once more where they
//     part: as the not of its not, of which ptxas finds out too late to do harm
//     that it is nothing;
//   - nothing is in flight where it is written, no wgmma follows on that path,
//     and the block stands ahead of the one that leaves the wgmma in flight
//     (which MachineBlockPlacement seldom changes later);
//   - or it is written right after a wait for all, which in a loop has to be
//     the one that retires the wgmma from before the loop.
//
// With more than one wait on the other path it always does, but for a loop.
//
// In all other cases the wgmma is waited for before the paths meet. That is at
// the end of a block which has a step of wgmma itself, so that all threads of a
// warp execute it together.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAMerges.h"
#include "NVPTX.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using nvvm::DiagnosticInfoWGMMA;
using nvvm::WGMMAWarnings;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumMerges, "Number of waits for wgmma before paths meet");
STATISTIC(NumRewritten, "Number of registers written again where paths part");

namespace {
/// A block, one before it that leaves wgmma in flight, and another one.
struct Meeting {
  const MachineBasicBlock &Join;
  MachineBasicBlock &From;
  MachineBasicBlock &Other;
  /// At the end of From.
  WGMMAState State;
};

class WGMMAMerges {
public:
  WGMMAMerges(MachineFunction &MF, const MachineDominatorTree &MDT,
              const MachineLoopInfo &MLI);

  bool clarify();

private:
  /// Where paths part, and what is to be written once more there.
  struct Parting {
    /// Where nothing is in flight, ahead of a fence if any is later.
    std::optional<MachineBasicBlock::iterator> Place;
    /// What must not be written there: a wgmma uses it with no fence before.
    DenseSet<Register> Unfenced;
    SmallSetVector<Register, 16> Rewritten;
  };

  /// Where the paths that meet part.
  MachineBasicBlock &getHead(const MachineBasicBlock &Join) const {
    return *MDT.getNode(&Join)->getIDom()->getBlock();
  }
  void findAt(const Meeting &At);
  MachineInstr *findWrite(Register Reg, const Meeting &At,
                          bool &IsFromAbove) const;
  bool isInEndedLoop(const MachineBasicBlock &MBB,
                     const MachineBasicBlock &Head) const;
  MachineInstr *findWriteAbove(Register Reg,
                               const MachineBasicBlock &Head) const;
  Parting &getParting(MachineBasicBlock &Head);
  MachineInstr *findMet(Register Reg, const Meeting &At);
  bool rewrite();
  bool isSeenApart(const MachineInstr &Write, bool IsWGMMANext, Register Reg,
                   const Meeting &At) const;
  void warn(unsigned Number, const MachineInstr &Write);
  bool wait();

  MachineFunction &MF;
  WGMMAWarnings Warnings;
  const MachineDominatorTree &MDT;
  const MachineLoopInfo &MLI;
  WGMMAInFlight InFlight;
  WGMMARegisters Registers;
  SmallVector<BitVector, 0> Live;
  /// Where each block stands.
  DenseMap<const MachineBasicBlock *, unsigned> Order;
  /// The instructions where anything is in flight; of waits for all, what.
  DenseMap<const MachineInstr *, WGMMAState> RetiredBy;
  DenseSet<const MachineInstr *> WhileInFlight;
  /// By the wgmma's number: what its accumulator meets.
  MapVector<unsigned, MachineInstr *> Met;
  SmallSetVector<MachineBasicBlock *, 4> WaitIn;
  MapVector<MachineBasicBlock *, Parting> Partings;
};
} // namespace

static bool isWaitForAll(const MachineInstr &MI) {
  return MI.getOpcode() == NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED &&
         MI.getOperand(0).getImm() == 0;
}

/// Whether one path alone leads from the end of \p Head to \p MI, with at most
/// one wait on it.
static bool hasAtMostOneWait(const MachineBasicBlock &Head,
                             const MachineInstr &MI) {
  const MachineBasicBlock *MBB = MI.getParent();
  unsigned NumWaits = std::count_if(
      MBB->begin(), MachineBasicBlock::const_iterator(MI), isWGMMAWait);
  while (MBB->pred_size() == 1 && *MBB->pred_begin() != &Head) {
    MBB = *MBB->pred_begin();
    NumWaits += count_if(*MBB, isWGMMAWait);
  }
  return MBB->pred_size() == 1 && NumWaits <= 1;
}

WGMMAMerges::WGMMAMerges(MachineFunction &MF, const MachineDominatorTree &MDT,
                         const MachineLoopInfo &MLI)
    : MF(MF), Warnings(MF.getFunction()), MDT(MDT), MLI(MLI), InFlight(MF),
      Registers(InFlight, MF.getRegInfo()), Live(findLiveRegisters(MF)) {
  for (const MachineBasicBlock &MBB : MF)
    Order.try_emplace(&MBB, Order.size());
  InFlight.forEach([this](MachineInstr &MI, const WGMMAState &State) {
    if (State.none())
      return;
    WhileInFlight.insert(&MI);
    if (isWaitForAll(MI))
      RetiredBy.try_emplace(&MI, State);
  });
}

/// Whether ptxas sees that \p Write, on the other path, is not executed while
/// the wgmma that accumulates in \p Reg is in flight. \p IsWGMMANext: whether a
/// wgmma follows on that path.
bool WGMMAMerges::isSeenApart(const MachineInstr &Write, bool IsWGMMANext,
                              Register Reg, const Meeting &At) const {
  const MachineBasicBlock &MBB = *Write.getParent();
  if (MDT.properlyDominates(&MBB, &At.Join))
    return !WhileInFlight.contains(&Write);
  if (IsWGMMANext)
    return false;
  bool IsInLoop = MDT.dominates(&At.Join, &MBB);
  if (!IsInLoop && !hasAtMostOneWait(getHead(At.Join), Write))
    return false;
  if (!IsInLoop && !WhileInFlight.contains(&Write) &&
      Order.lookup(&MBB) < Order.lookup(&At.From))
    return true;
  for (const MachineInstr &MI :
       make_range(std::next(MachineBasicBlock::const_reverse_iterator(Write)),
                  MBB.rend())) {
    if (isWGMMA(MI))
      return false;
    if (!isWaitForAll(MI))
      continue;
    auto Retired = RetiredBy.find(&MI);
    return !IsInLoop || (Retired != RetiredBy.end() &&
                         any_of(Registers.accumulatingIn(Reg, At.State),
                                [&](unsigned Number) {
                                  return Retired->second.contains(Number);
                                }));
  }
  return false;
}

/// What writes \p Reg on the other path, so that ptxas takes it for written in
/// flight; or null. Tells whether its value may be from before the paths part.
MachineInstr *WGMMAMerges::findWrite(Register Reg, const Meeting &At,
                                     bool &IsFromAbove) const {
  const MachineBasicBlock *Head = &getHead(At.Join);
  SmallVector<std::pair<MachineBasicBlock *, bool>, 8> Worklist = {
      {&At.Other, false}};
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  while (!Worklist.empty()) {
    auto [MBB, IsWGMMANext] = Worklist.pop_back_val();
    if (!Seen.insert(MBB).second)
      continue;
    bool IsWritten = false;
    for (MachineInstr &MI : reverse(*MBB)) {
      IsWritten = !MI.isDebugInstr() && MI.definesRegister(Reg, nullptr);
      if (IsWritten && !isWGMMA(MI) && !MI.isImplicitDef() &&
          !isSeenApart(MI, IsWGMMANext, Reg, At))
        return &MI;
      if (IsWritten)
        break;
      IsWGMMANext |= isWGMMA(MI);
    }
    IsFromAbove |= !IsWritten && MBB == Head;
    if (!IsWritten && MBB != &At.Join && MBB != Head)
      for (MachineBasicBlock *Before : MBB->predecessors())
        Worklist.emplace_back(Before, IsWGMMANext);
  }
  return nullptr;
}

/// Whether \p MBB is in a loop that \p Head is not in: ptxas may unroll it.
bool WGMMAMerges::isInEndedLoop(const MachineBasicBlock &MBB,
                                const MachineBasicBlock &Head) const {
  const MachineLoop *Loop = MLI.getLoopFor(&MBB);
  return Loop && !Loop->contains(&Head);
}

/// What writes \p Reg before \p Head, which does not, on some of the paths that
/// lead there, or in a loop; or null.
MachineInstr *WGMMAMerges::findWriteAbove(Register Reg,
                                          const MachineBasicBlock &Head) const {
  SmallVector<MachineBasicBlock *, 8> Worklist(Head.predecessors());
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  while (!Worklist.empty()) {
    MachineBasicBlock *MBB = Worklist.pop_back_val();
    if (!Seen.insert(MBB).second)
      continue;
    auto Write = find_if(reverse(*MBB), [&](const MachineInstr &MI) {
      return !MI.isDebugInstr() && MI.definesRegister(Reg, nullptr);
    });
    if (Write == MBB->rend())
      append_range(Worklist, MBB->predecessors());
    else if (!isWGMMA(*Write) && !Write->isImplicitDef() &&
             (!MDT.dominates(MBB, &Head) || isInEndedLoop(*MBB, Head)))
      return &*Write;
  }
  return nullptr;
}

WGMMAMerges::Parting &WGMMAMerges::getParting(MachineBasicBlock &Head) {
  auto [It, IsNew] = Partings.try_emplace(&Head);
  Parting &P = It->second;
  if (!IsNew)
    return P;
  if (InFlight.atEnd(Head).none())
    P.Place = Head.getFirstTerminator();
  else if (MachineInstr *Start = findStartOfFlight(Head, InFlight))
    P.Place = Start;
  else
    return P;
  P.Unfenced = findUnfenced(Head, *P.Place);
  return P;
}

/// What \p Reg meets on the other path, and the wgmma has to be waited for; or
/// null. A value from before the paths part is written again there, if it can
/// be.
MachineInstr *WGMMAMerges::findMet(Register Reg, const Meeting &At) {
  bool IsFromAbove = false;
  if (MachineInstr *Write = findWrite(Reg, At, IsFromAbove))
    return Write;
  MachineBasicBlock &Head = getHead(At.Join);
  MachineInstr *Above = IsFromAbove ? findWriteAbove(Reg, Head) : nullptr;
  if (!Above)
    return nullptr;
  Parting &P = getParting(Head);
  if (!P.Place || P.Unfenced.contains(Reg))
    return Above;
  P.Rewritten.insert(Reg);
  return nullptr;
}

bool WGMMAMerges::rewrite() {
  bool Changed = false;
  const MCInstrDesc &Not =
      MF.getSubtarget().getInstrInfo()->get(NVPTX::NOT_b32);
  for (auto &[Head, P] : Partings)
    for (Register Reg : P.Rewritten) {
      for ([[maybe_unused]] int Time : {1, 2})
        BuildMI(*Head, *P.Place, Head->findDebugLoc(*P.Place), Not, Reg)
            .addReg(Reg);
      ++NumRewritten;
      Changed = true;
    }
  return Changed;
}

/// Finds the wgmma in flight whose accumulators meet other values there.
void WGMMAMerges::findAt(const Meeting &At) {
  WGMMAState OnOther = InFlight.atEnd(At.Other);
  const BitVector Numbers = At.State.all();
  for (unsigned Number : Numbers.set_bits()) {
    MachineInstr &WGMMA = *InFlight.wgmmas()[Number];
    for (const MachineOperand &Def : WGMMA.defs()) {
      Register Reg = Def.getReg();
      if (!Live[At.Join.getNumber()].test(Reg.virtRegIndex()) ||
          !Registers.accumulatingIn(Reg, OnOther).empty())
        continue;
      MachineInstr *Write = findMet(Reg, At);
      if (!Write)
        continue;
      Met.try_emplace(Number, Write);
      WaitIn.insert(isForAllThreads(At.From) ? &At.From : WGMMA.getParent());
      break;
    }
  }
}

void WGMMAMerges::warn(unsigned Number, const MachineInstr &Write) {
  std::string Message = "wgmma.mma_async is waited for before paths meet: on "
                        "another one its accumulator is written";
  raw_string_ostream OS(Message);
  if (const DebugLoc &Loc = Write.getDebugLoc()) {
    OS << ", at ";
    Loc.print(OS);
  }
  Warnings.warn(DiagnosticInfoWGMMA::InjectedWait,
                InFlight.wgmmas()[Number]->getDebugLoc(), Message);
}

bool WGMMAMerges::clarify() {
  for (const MachineBasicBlock &Join : MF) {
    if (Join.pred_size() < 2 || InFlight.atStart(Join).none() ||
        !MDT.isReachableFromEntry(&Join))
      continue;
    for (MachineBasicBlock *From : Join.predecessors()) {
      // What a loop leaves in flight for its next round is its pipeline.
      if (MDT.dominates(&Join, From))
        continue;
      WGMMAState State = InFlight.atEnd(*From);
      for (MachineBasicBlock *Other : Join.predecessors())
        if (From != Other)
          findAt({Join, *From, *Other, State});
    }
  }
  bool Changed = rewrite();
  return wait() || Changed;
}

bool WGMMAMerges::wait() {
  for (auto [Number, Write] : Met)
    warn(Number, *Write);
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  for (MachineBasicBlock *MBB : WaitIn) {
    MachineBasicBlock::iterator End = MBB->getFirstTerminator();
    DebugLoc Loc = MBB->findBranchDebugLoc();
    if (InFlight.atEnd(*MBB).uncommitted().any())
      BuildMI(*MBB, End, Loc, TII.get(NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED));
    BuildMI(*MBB, End, Loc, TII.get(NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED))
        .addImm(0);
  }
  NumMerges += WaitIn.size();
  return !WaitIn.empty();
}

bool llvm::clarifyWGMMAMerges(MachineFunction &MF,
                              const MachineDominatorTree &MDT,
                              const MachineLoopInfo &MLI) {
  // Once one is waited for, another one may meet what it left.
  bool Changed = false;
  while (WGMMAMerges(MF, MDT, MLI).clarify())
    Changed = true;
  return Changed;
}
