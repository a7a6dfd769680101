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
// It does not see either on which of several paths to a wait a wgmma is in
// flight: in
//
//   if (...) acc = wgmma(...); else acc = 0;
//   wait;
//
// the zeros seem to be written while it is (C7515); and so do values that are
// written ahead of a loop which begins with a wait for what its last round has
// issued. A wait for all that a block begins with is therefore moved to the
// ends of those blocks before it where something is in flight: nothing has to
// wait longer for that. Only to blocks that have a step of wgmma themselves,
// which all threads of a warp execute together: others may be for some threads
// alone, and there a wait is undefined, and never ends.
//
// Where a wgmma stays in flight on one of the paths that meet, there is no such
// wait. What these paths compute for accumulators in the end, then
// goes up to where they part, and the other paths compute it in vain: nothing
// that has to be for all threads is moved, and ptxas no longer finds it between
// wgmma and wait. Ahead of what is in flight there, if the register is free:
// otherwise ptxas takes it for written while that is. What cannot be moved is
// up to NVPTXWGMMAMerges.
//
// Runs after NVPTXProtectWGMMA, which warns of waits that are too weak, and
// with optimization alone.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAMerges.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/InitializePasses.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumWaits, "Number of waits for wgmma left out");
STATISTIC(NumCommits, "Number of empty groups of wgmma left out");
STATISTIC(NumHoisted, "Number of waits moved to the blocks before");
STATISTIC(NumValues, "Number of instructions moved to where paths part");

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
    AU.addRequired<MachineDominatorTreeWrapperPass>();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

class WGMMAGroups {
public:
  explicit WGMMAGroups(MachineFunction &MF);

  /// Whether all wgmma that may be in flight are known.
  bool areKnown() const;
  bool hoistWaits();
  bool dropIdle();

private:
  SmallVector<MachineInstr *, 2> getLeadingWait(MachineBasicBlock &MBB) const;
  bool hoistWait(MachineBasicBlock &MBB);
  bool touchesRegisters(const MachineInstr &MI) const;
  bool strengthenWaits();
  void findIdle(MachineInstr &MI, const WGMMAState &State);
  void findWeaker(MachineBasicBlock &MBB);

  MachineFunction &MF;
  WGMMAInFlight InFlight;
  /// Those of accumulators, of A and of metadata.
  DenseSet<Register> Registers;
  SmallPtrSet<MachineInstr *, 8> Idle;
};

/// What paths compute for accumulators before they meet others on which a wgmma
/// stays in flight.
class WGMMAValues {
public:
  WGMMAValues(MachineFunction &MF, const MachineDominatorTree &MDT,
              const MachineLoopInfo &MLI);

  bool hoist();

private:
  bool hoistFrom(MachineBasicBlock &MBB, const MachineBasicBlock &Join,
                 const MachineBasicBlock &Head);
  bool hoistInto(MachineBasicBlock &Before, MachineBasicBlock &MBB);
  MachineBasicBlock::iterator findIdlePlace(MachineBasicBlock &MBB) const;
  DenseSet<Register> findWanted(const MachineBasicBlock &MBB) const;
  DenseSet<Register> findUnfenced(const MachineBasicBlock &Before,
                                  const MachineBasicBlock &MBB) const;
  bool isNeededElsewhere(Register Reg, const MachineBasicBlock &Before,
                         const MachineBasicBlock &MBB) const;

  MachineFunction &MF;
  MachineRegisterInfo &MRI;
  const MachineDominatorTree &MDT;
  const MachineLoopInfo &MLI;
  WGMMAInFlight InFlight;
  WGMMARegisters Registers;
  DenseSet<Register> Accumulators;
  /// The last wgmma of each block before which none is in flight.
  DenseMap<const MachineBasicBlock *, MachineInstr *> FirstInFlight;
  SmallPtrSet<const MachineInstr *, 16> Hoisted;
  /// By the block's number: the registers that are live at its start, by index.
  SmallVector<BitVector, 0> Live;
};
} // namespace

char NVPTXClarifyWGMMAGroups::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXClarifyWGMMAGroups, DEBUG_TYPE,
                      "NVPTX Clarify WGMMA Groups", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineDominatorTreeWrapperPass)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXClarifyWGMMAGroups, DEBUG_TYPE,
                    "NVPTX Clarify WGMMA Groups", false, false)

/// How many groups \p MI lets stay, if it is a wait.
static std::optional<unsigned> getPending(const MachineInstr &MI) {
  if (MI.getOpcode() != NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED)
    return std::nullopt;
  return MI.getOperand(0).getImm();
}

WGMMAGroups::WGMMAGroups(MachineFunction &MF) : MF(MF), InFlight(MF) {
  for (const MachineInstr *MI : InFlight.wgmmas()) {
    for (const MachineOperand &Def : MI->defs())
      Registers.insert(Def.getReg());
    for (Register Input : getLateInputs(*MI, MF.getRegInfo()))
      Registers.insert(Input);
  }
}

bool WGMMAGroups::areKnown() const {
  // Any other function may be called with wgmma in flight.
  return MF.getFunction().getCallingConv() == CallingConv::PTX_Kernel &&
         !InFlight.empty() && none_of(MF, [](const MachineBasicBlock &MBB) {
           return any_of(MBB, hasUnknownWGMMASteps);
         });
}

//===----------------------------------------------------------------------===//
// Waits that a block begins with
//===----------------------------------------------------------------------===//

bool WGMMAGroups::touchesRegisters(const MachineInstr &MI) const {
  return any_of(MI.operands(), [this](const MachineOperand &MO) {
    return MO.isReg() && Registers.contains(MO.getReg());
  });
}

static bool isCommit(const MachineInstr &MI) {
  return MI.getOpcode() == NVPTX::WGMMA_COMMIT_GROUP_SYNC_ALIGNED;
}

/// The wait for all that \p MBB begins with, and the commit before it.
SmallVector<MachineInstr *, 2>
WGMMAGroups::getLeadingWait(MachineBasicBlock &MBB) const {
  SmallVector<MachineInstr *, 2> Steps;
  for (MachineInstr &MI : MBB) {
    if (getPending(MI) == 0) {
      Steps.push_back(&MI);
      return Steps;
    }
    if (isCommit(MI) && Steps.empty())
      Steps.push_back(&MI);
    else if (MI.mayLoadOrStore() || MI.hasUnmodeledSideEffects() ||
             MI.isTerminator() || isWGMMA(MI) || touchesRegisters(MI))
      return {};
  }
  return {};
}

bool WGMMAGroups::hoistWait(MachineBasicBlock &MBB) {
  SmallVector<MachineInstr *, 2> Steps = getLeadingWait(MBB);
  if (Steps.empty() || MBB.pred_size() < 2)
    return false;
  // A block before it may end in a branch elsewhere, or be for some threads
  // alone: then the wait stays, too.
  bool Stays = false, Changed = false;
  for (MachineBasicBlock *Before : MBB.predecessors()) {
    WGMMAState State = InFlight.atEnd(*Before);
    if (!State.isAnyRetiredBy(0) &&
        (Steps.size() == 1 || State.uncommitted().none()))
      continue;
    if (Before->succ_size() != 1 || !isForAllThreads(*Before)) {
      Stays = true;
      continue;
    }
    for (MachineInstr *Step : Steps)
      Before->insert(Before->getFirstTerminator(), MF.CloneMachineInstr(Step));
    Changed = true;
  }
  if (Stays)
    return Changed;
  for (MachineInstr *Step : Steps)
    Step->eraseFromParent();
  ++NumHoisted;
  return true;
}

bool WGMMAGroups::hoistWaits() {
  bool Changed = false;
  // Bottom-up: a wait may go on to the blocks before those.
  for (MachineBasicBlock *MBB : post_order(&MF))
    Changed |= hoistWait(*MBB);
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
  if (isCommit(MI) && State.uncommitted().none() &&
      (State.none() || precedesWaitForAll(MI)))
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

//===----------------------------------------------------------------------===//
// Values for accumulators
//===----------------------------------------------------------------------===//

WGMMAValues::WGMMAValues(MachineFunction &MF, const MachineDominatorTree &MDT,
                         const MachineLoopInfo &MLI)
    : MF(MF), MRI(MF.getRegInfo()), MDT(MDT), MLI(MLI), InFlight(MF),
      Registers(InFlight, MRI) {
  for (const MachineInstr *MI : InFlight.wgmmas())
    for (const MachineOperand &Def : MI->defs())
      Accumulators.insert(Def.getReg());
  InFlight.forEach([this](MachineInstr &MI, const WGMMAState &State) {
    if (isWGMMA(MI) && State.none())
      FirstInFlight[MI.getParent()] = &MI;
  });
}

static bool isVirtual(const MachineOperand &MO) {
  return MO.isReg() && MO.getReg().isVirtual();
}

/// Whether \p MI only computes, and for one thread as for another.
static bool isPure(const MachineInstr &MI) {
  return !MI.isTerminator() && !MI.isPHI() && !MI.isInlineAsm() &&
         !MI.isConvergent() && !MI.mayLoadOrStore() &&
         !MI.hasUnmodeledSideEffects() && !MI.isMetaInstruction() &&
         !isWGMMA(MI) && all_of(MI.operands(), [](const MachineOperand &MO) {
           return !MO.isReg() || !MO.getReg() || MO.getReg().isVirtual();
         });
}

/// The registers that \p MBB computes for accumulators, and accumulators.
DenseSet<Register> WGMMAValues::findWanted(const MachineBasicBlock &MBB) const {
  DenseSet<Register> Wanted = Accumulators;
  for (const MachineInstr &MI : reverse(MBB))
    if (isPure(MI) && any_of(MI.defs(), [&](const MachineOperand &Def) {
          return Wanted.contains(Def.getReg());
        }))
      for (const MachineOperand &Use : MI.uses())
        if (isVirtual(Use))
          Wanted.insert(Use.getReg());
  return Wanted;
}

/// The registers that a wgmma uses after \p Before, unless by way of \p MBB,
/// with no fence before it.
DenseSet<Register>
WGMMAValues::findUnfenced(const MachineBasicBlock &Before,
                          const MachineBasicBlock &MBB) const {
  DenseSet<Register> Unfenced;
  SmallPtrSet<const MachineBasicBlock *, 8> Seen = {&MBB};
  SmallVector<const MachineBasicBlock *, 8> Worklist(Before.successors());
  while (!Worklist.empty()) {
    const MachineBasicBlock *Next = Worklist.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    bool IsFenced = false;
    for (const MachineInstr &MI : *Next) {
      IsFenced = any_of(getWGMMAEvents(MI), [](const WGMMAEvent &Event) {
        return Event.Kind == WGMMAEvent::Fence;
      });
      if (IsFenced)
        break;
      if (!isWGMMA(MI))
        continue;
      for (const MachineOperand &Def : MI.defs())
        Unfenced.insert(Def.getReg());
      Unfenced.insert_range(getLateInputs(MI, MRI));
    }
    if (!IsFenced)
      append_range(Worklist, Next->successors());
  }
  return Unfenced;
}

/// Whether \p Reg has a value at the end of \p Before that is not only for \p
/// MBB.
bool WGMMAValues::isNeededElsewhere(Register Reg,
                                    const MachineBasicBlock &Before,
                                    const MachineBasicBlock &MBB) const {
  return any_of(Before.terminators(),
                [&](const MachineInstr &MI) {
                  return MI.readsVirtualRegister(Reg);
                }) ||
         any_of(Before.successors(), [&](const MachineBasicBlock *Successor) {
           return Successor != &MBB &&
                  Live[Successor->getNumber()].test(Reg.virtRegIndex());
         });
}

/// Where in \p MBB nothing is in flight, ahead of what is at its end and of the
/// fence before that; the block's end if there is no such place.
MachineBasicBlock::iterator
WGMMAValues::findIdlePlace(MachineBasicBlock &MBB) const {
  MachineInstr *First = FirstInFlight.lookup(&MBB);
  if (!First || InFlight.atEnd(MBB).none())
    return MBB.getFirstTerminator();
  for (MachineInstr &MI :
       make_range(std::next(First->getReverseIterator()), MBB.instr_rend())) {
    if (MI.getOpcode() == NVPTX::WGMMA_FENCE_SYNC_ALIGNED)
      return MI;
    if (isWGMMA(MI) || !getWGMMAEvents(MI).empty())
      break;
  }
  return *First;
}

/// Moves what \p MBB computes for accumulators after its last wgmma to \p
/// Before, which alone leads to it: ahead of what is in flight there, or to its
/// end.
bool WGMMAValues::hoistInto(MachineBasicBlock &Before, MachineBasicBlock &MBB) {
  DenseSet<Register> Wanted = findWanted(MBB), Read, Written,
                     Unfenced = findUnfenced(Before, MBB);
  WGMMAState State = InFlight.atEnd(Before);
  auto CanMoveWith = [&](const MachineOperand &MO) {
    Register Reg = MO.getReg();
    if (Written.contains(Reg) || Unfenced.contains(Reg) ||
        !Registers.accumulatingIn(Reg, State).empty())
      return false;
    return !MO.isDef() || (Wanted.contains(Reg) && !Read.contains(Reg) &&
                           Registers.readingLate(Reg, State).empty() &&
                           !isNeededElsewhere(Reg, Before, MBB));
  };
  MachineBasicBlock::iterator Early = findIdlePlace(Before),
                              End = Before.getFirstTerminator();
  DenseSet<Register> ReadLater, WrittenLater;
  auto Pass = [&](const MachineInstr &MI) {
    for (const MachineOperand &MO : make_filter_range(MI.operands(), isVirtual))
      (MO.isDef() ? WrittenLater : ReadLater).insert(MO.getReg());
  };
  for (const MachineInstr &MI : make_range(Early, End))
    if (!MI.isDebugInstr())
      Pass(MI);
  auto CanMoveEarlyWith = [&](const MachineOperand &MO) {
    return !WrittenLater.contains(MO.getReg()) &&
           !(MO.isDef() && ReadLater.contains(MO.getReg()));
  };
  unsigned WGMMAsLeft = count_if(MBB, isWGMMA);
  bool Changed = false;
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    if (MI.isDebugInstr())
      continue;
    WGMMAsLeft -= isWGMMA(MI);
    auto Operands = make_filter_range(MI.operands(), isVirtual);
    bool CanMove = (WGMMAsLeft == 0 || Hoisted.contains(&MI)) && isPure(MI) &&
                   MI.getNumExplicitDefs() != 0 &&
                   all_of(Operands, CanMoveWith);
    for (const MachineOperand &MO : Operands) {
      if (!CanMove)
        (MO.isDef() ? Written : Read).insert(MO.getReg());
      else if (MO.isDef())
        Live[MBB.getNumber()].set(MO.getReg().virtRegIndex());
      else
        MRI.clearKillFlags(MO.getReg());
    }
    if (!CanMove)
      continue;
    bool IsEarly = all_of(Operands, CanMoveEarlyWith);
    if (!IsEarly)
      Pass(MI);
    Before.splice(IsEarly ? Early : End, &MBB, MI.getIterator());
    Hoisted.insert(&MI);
    ++NumValues;
    Changed = true;
  }
  return Changed;
}

/// Moves what \p MBB and the blocks before it compute for accumulators up to \p
/// Head, if each of them alone leads to the next.
bool WGMMAValues::hoistFrom(MachineBasicBlock &MBB,
                            const MachineBasicBlock &Join,
                            const MachineBasicBlock &Head) {
  SmallVector<MachineBasicBlock *, 4> Path = {&MBB};
  while (Path.back() != &Head) {
    if (Path.back() == &Join || Path.back()->pred_size() != 1)
      return false;
    Path.push_back(*Path.back()->pred_begin());
  }
  bool Changed = false;
  for (unsigned I = 1, E = Path.size(); I != E; ++I)
    Changed |= hoistInto(*Path[I], *Path[I - 1]);
  return Changed;
}

bool WGMMAValues::hoist() {
  bool Changed = false;
  for (MachineBasicBlock &Join : MF) {
    if (Join.pred_size() < 2 || InFlight.atStart(Join).none())
      continue;
    const MachineDomTreeNode *Node = MDT.getNode(&Join);
    const MachineDomTreeNode *Head = Node ? Node->getIDom() : nullptr;
    // Not into a loop, to be computed in each round.
    if (!Head || MLI.getLoopDepth(Head->getBlock()) > MLI.getLoopDepth(&Join))
      continue;
    if (Live.empty())
      Live = findLiveRegisters(MF);
    for (MachineBasicBlock *MBB : Join.predecessors())
      Changed |= hoistFrom(*MBB, Join, *Head->getBlock());
  }
  return Changed;
}

bool NVPTXClarifyWGMMAGroups::runOnMachineFunction(MachineFunction &MF) {
  WGMMAGroups Groups(MF);
  if (!Groups.areKnown())
    return false;
  bool Changed = Groups.dropIdle();
  // What was left out did nothing: what is in flight where still holds.
  Changed |= Groups.hoistWaits();
  const auto &MDT = getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();
  const auto &MLI = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  Changed |= WGMMAValues(MF, MDT, MLI).hoist();
  if (waitForMergedWGMMA(MF, MDT)) {
    // What the program waits for later may do nothing now.
    WGMMAGroups(MF).dropIdle();
    Changed = true;
  }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXClarifyWGMMAGroupsPass() {
  return new NVPTXClarifyWGMMAGroups();
}
