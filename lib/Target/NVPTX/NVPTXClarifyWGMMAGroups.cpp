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
//   - a wait before one that lets as few stay, with nothing between the two
//     that is not as well after both;
//   - a commit of nothing where nothing is in flight, or where the next step is
//     a wait for all. Any other makes an empty group, which counts for the
//     waits after it;
//   - a fence after which another one comes before any wgmma or commit. What
//     lies between the two is written for that, and ptxas takes it for written
//     in flight.
//
// It does not see either on which of several paths to a wait a wgmma is in
// flight: in
//
//   if (...) acc = wgmma(...); else acc = 0;
//   wait;
//
// the zeros seem to be written while it is (C7515); and so do values that are
// written ahead of a loop which begins with a wait for what its last round has
// issued. A wait that a block begins with is therefore moved to the ends of
// those blocks before it where something is in flight that it retires: nothing
// has to wait longer for that. Where different wgmma come in flight on
// different paths, or nothing on one of them, and no loop begins, loads and
// stores before the wait are looked past, too, but for those of registers of
// wgmma; where a loop begins, inline assembly alone. There, and where another
// block or the start of a loop comes with nothing in flight, an edge of a
// branch, as that on which a loop is left, gets a block of its own for the
// wait, too:
//
//   if (...) for (...) acc = wgmma(...); else for (...) acc = wgmma(...);
//   wait;
//
// A commit before a wait that moves goes with it; where nothing is in flight,
// the group that it makes is empty, and need not be counted.
//
// Nor does it see that of
//
//   for (...) { use(d); d = wgmma(d); commit; e = wgmma(e); commit;
//               if (...) break; wait 1; } wait 0;
//
// the first wait has retired what the next round uses (C7514). Where one way at
// a branch begins with a wait, and the other one comes to a stronger one, the
// weaker comes before the branch.
//
// Waits are moved only to blocks that all threads of a warp execute together:
// they have a step of wgmma themselves, or a barrier, or all paths lead to them
// from one that has, or they are one way at a branch from where both ways come
// to such blocks, and not to the same.
// Others may be for some threads alone, and there a wait is undefined, and
// never ends.
//
// Where a wgmma stays in flight on one of the paths that meet, there is no such
// wait: see NVPTXWGMMAValues, and NVPTXWGMMAMerges for what is left then. Of
// what loops read see NVPTXWGMMARounds; of what is accessed ahead of all waits,
// NVPTXWGMMAFirstWait; of what is written with nothing in flight later,
// NVPTXWGMMAIdleWrites; of kernels that end with wgmma in flight,
// NVPTXWGMMALastWait; of waits that go back past others, NVPTXWGMMARetired; and
// of fences, NVPTXWGMMABlockFences.
//
// Runs after NVPTXProtectWGMMA, which warns of waits that are too weak, and
// with optimization alone.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXKeptLoops.h"
#include "NVPTXSplitEdge.h"
#include "NVPTXWGMMABlockFences.h"
#include "NVPTXWGMMAFirstWait.h"
#include "NVPTXWGMMAIdleWrites.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMALastWait.h"
#include "NVPTXWGMMAMerges.h"
#include "NVPTXWGMMAPaths.h"
#include "NVPTXWGMMAPressure.h"
#include "NVPTXWGMMARetired.h"
#include "NVPTXWGMMARounds.h"
#include "NVPTXWGMMAStarts.h"
#include "NVPTXWGMMAThreads.h"
#include "NVPTXWGMMAValues.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumWaits, "Number of waits for wgmma left out");
STATISTIC(NumCommits, "Number of empty groups of wgmma left out");
STATISTIC(NumFences, "Number of fences for wgmma left out");
STATISTIC(NumHoisted, "Number of waits moved to the blocks before");
STATISTIC(NumExits, "Number of waits added where paths part");

namespace {
class NVPTXClarifyWGMMAGroups : public MachineFunctionPass {
public:
  static char ID;

  NVPTXClarifyWGMMAGroups() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Clarify WGMMA Groups";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineDominatorTreeWrapperPass>();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.addRequired<MachinePostDominatorTreeWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

class WGMMAGroups {
public:
  WGMMAGroups(MachineFunction &MF, const WGMMABlockOrder &Order);

  bool hasWGMMA() const { return !InFlight.empty(); }
  /// Whether there are any, and all that may be in flight are known.
  bool areKnown() const;
  /// Waits before paths part that all begin with a wait.
  bool hoistCommonWaits();
  /// Waits on edges alone, as those on which loops are left. True if blocks
  /// were added.
  bool waitAtExits();
  bool hoistWaits();
  bool dropIdle();
  void dropIdleFences();

private:
  /// What a wait may move past, up to the start of its block, beside values.
  struct PastTy {
    bool Asm = false;
    bool Memory = false;
  };

  PastTy getPast(const MachineBasicBlock &MBB) const;
  std::optional<unsigned> getLeadingPending(const MachineBasicBlock &MBB,
                                            PastTy Past) const;
  std::optional<unsigned>
  getCommonPending(const MachineBasicBlock &MBB, const MachineBasicBlock &Weak,
                   const MachineBasicBlock &Strong) const;
  SmallVector<MachineInstr *, 2> getLeadingWait(MachineBasicBlock &MBB,
                                                bool ForAny = false) const;
  bool isInFlightAfter(const MachineBasicBlock &MBB,
                       ArrayRef<MachineInstr *> Steps) const;
  bool doOthersMeet(const MachineBasicBlock &MBB) const;
  bool isIdleOnAnyPath(const MachineBasicBlock &MBB) const;
  bool doIdleBlocksMeet(const MachineBasicBlock &MBB) const;
  void insertSteps(ArrayRef<MachineInstr *> Steps, MachineBasicBlock &MBB,
                   const WGMMAState &State);
  bool doValuesMeet(const MachineBasicBlock &Header,
                    const MachineBasicBlock &Latch) const;
  bool canMoveTo(MachineBasicBlock &Before, MachineBasicBlock &MBB);
  bool hoistWait(MachineBasicBlock &MBB);
  bool touchesRegisters(const MachineInstr &MI) const;
  bool canComeAfterWait(const MachineInstr &MI, PastTy Past) const;
  bool strengthenWaits();
  void findIdle(MachineInstr &MI, const WGMMAState &State);
  void findWeaker(MachineBasicBlock &MBB);
  void findIdleFences();
  void eraseIdle();

  MachineFunction &MF;
  const WGMMABlockOrder &Order;
  WGMMAThreads Threads;
  WGMMAInFlight InFlight;
  /// Those of accumulators, of A and of metadata.
  DenseSet<Register> Registers;
  SmallPtrSet<MachineInstr *, 8> Idle;
};
} // namespace

char NVPTXClarifyWGMMAGroups::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXClarifyWGMMAGroups, DEBUG_TYPE,
                      "NVPTX Clarify WGMMA Groups", false, false)
INITIALIZE_PASS_DEPENDENCY(MachineDominatorTreeWrapperPass)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_DEPENDENCY(MachinePostDominatorTreeWrapperPass)
INITIALIZE_PASS_END(NVPTXClarifyWGMMAGroups, DEBUG_TYPE,
                    "NVPTX Clarify WGMMA Groups", false, false)

WGMMAGroups::WGMMAGroups(MachineFunction &MF, const WGMMABlockOrder &Order)
    : MF(MF), Order(Order), Threads(Order), InFlight(MF) {
  for (const MachineInstr *MI : InFlight.wgmmas()) {
    for (const MachineOperand &Def : MI->defs())
      Registers.insert(Def.getReg());
    for (Register Input : getLateInputs(*MI, MF.getRegInfo()))
      Registers.insert(Input);
  }
}

/// Whether \p MBB ends the kernel in another way than by a return: by a trap,
/// an exit, or the call of a function that does not come back.
static bool endsAbruptly(const MachineBasicBlock &MBB) {
  return MBB.succ_empty() && !MBB.isReturnBlock();
}

bool WGMMAGroups::areKnown() const {
  // Any other function may be called with wgmma in flight.
  return MF.getFunction().getCallingConv() == CallingConv::PTX_Kernel &&
         !InFlight.empty() && none_of(MF, [](const MachineBasicBlock &MBB) {
           return !endsAbruptly(MBB) && any_of(MBB, hasUnknownWGMMASteps);
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

/// Whether different wgmma come to \p MBB in flight on different paths.
bool WGMMAGroups::doOthersMeet(const MachineBasicBlock &MBB) const {
  std::optional<BitVector> First;
  for (const MachineBasicBlock *Before : MBB.predecessors()) {
    BitVector All = InFlight.atEnd(*Before).all();
    if (All.none())
      continue;
    if (First && *First != All)
      return true;
    First = std::move(All);
  }
  return false;
}

/// Whether any path comes to \p MBB with nothing in flight.
bool WGMMAGroups::isIdleOnAnyPath(const MachineBasicBlock &MBB) const {
  return any_of(MBB.predecessors(), [this](const MachineBasicBlock *Before) {
    return InFlight.atEnd(*Before).none();
  });
}

/// Whether a path with nothing in flight comes to \p MBB by way of a block of
/// its own, or of the start of a loop.
bool WGMMAGroups::doIdleBlocksMeet(const MachineBasicBlock &MBB) const {
  return any_of(MBB.predecessors(), [&](const MachineBasicBlock *Before) {
    const MachineLoop *Loop = Order.MLI.getLoopFor(Before);
    bool IsStart = Loop && Loop->getHeader() == Before && !Loop->contains(&MBB);
    return InFlight.atEnd(*Before).none() &&
           (IsStart || !Order.MDT.dominates(Before, &MBB));
  });
}

WGMMAGroups::PastTy WGMMAGroups::getPast(const MachineBasicBlock &MBB) const {
  bool DoOthersMeet = doOthersMeet(MBB);
  // What a loop begins with may be meant to overlap what is in flight.
  return {DoOthersMeet, (DoOthersMeet || isIdleOnAnyPath(MBB)) &&
                            !Order.MLI.isLoopHeader(&MBB)};
}

/// Whether \p MI may come after a wait as well as before it. Inline assembly
/// may be for what is in flight, or take its time, and so may accesses to
/// memory: they stay before the wait, unless it may move past them.
bool WGMMAGroups::canComeAfterWait(const MachineInstr &MI, PastTy Past) const {
  if (MI.isDebugInstr())
    return true;
  if (MI.isFullCopy() || MI.getOpcode() == NVPTX::WGMMA_COPY)
    return true;
  if (isWGMMA(MI) || MI.isTerminator() || touchesRegisters(MI))
    return false;
  if (MI.isInlineAsm() ? Past.Asm : Past.Memory)
    return !hasUnknownWGMMASteps(MI) && getWGMMAEvents(MI).empty();
  return !MI.mayStore() && !MI.hasUnmodeledSideEffects() &&
         (!MI.mayLoad() || MI.isDereferenceableInvariantLoad());
}

/// The wait for all that \p MBB begins with, and the commit before it; with
/// \p ForAny, a wait that lets some stay, too.
SmallVector<MachineInstr *, 2>
WGMMAGroups::getLeadingWait(MachineBasicBlock &MBB, bool ForAny) const {
  PastTy Past = getPast(MBB);
  SmallVector<MachineInstr *, 2> Steps;
  for (MachineInstr &MI : MBB) {
    if (auto Pending = getPendingGroups(MI);
        Pending == 0 || (Pending && ForAny)) {
      Steps.push_back(&MI);
      return Steps;
    }
    if (isCommit(MI) && Steps.empty())
      Steps.push_back(&MI);
    else if (!canComeAfterWait(MI, Past))
      return {};
  }
  return {};
}

/// How many groups the wait that \p MBB begins with lets stay, if it does so
/// with nothing before that but what the wait may move past.
std::optional<unsigned>
WGMMAGroups::getLeadingPending(const MachineBasicBlock &MBB,
                               PastTy Past) const {
  for (const MachineInstr &MI : MBB) {
    if (auto Pending = getPendingGroups(MI))
      return Pending;
    if (isCommit(MI) || !canComeAfterWait(MI, Past))
      break;
  }
  return std::nullopt;
}

/// How many groups the wait lets stay that \p Weak, one way on from \p MBB,
/// begins with, if \p Strong, the other one, comes to one that lets fewer.
std::optional<unsigned>
WGMMAGroups::getCommonPending(const MachineBasicBlock &MBB,
                              const MachineBasicBlock &Weak,
                              const MachineBasicBlock &Strong) const {
  auto Pending = getLeadingPending(Weak, /*Past=*/{});
  // What comes before it in a loop may be meant to overlap what is in flight.
  const MachineLoop *Loop = Order.MLI.getLoopFor(&MBB);
  bool Leaves = !Loop || !Loop->contains(&Strong);
  auto Fewer = getLeadingPending(Strong, {/*Asm=*/false, /*Memory=*/Leaves});
  return Fewer && Pending > Fewer ? Pending : std::nullopt;
}

bool WGMMAGroups::hoistCommonWaits() {
  bool Changed = false;
  // Bottom-up: a wait may go ahead of several branches.
  for (MachineBasicBlock *Block : post_order(&MF)) {
    MachineBasicBlock &MBB = *Block;
    if (MBB.succ_size() != 2)
      continue;
    const MachineBasicBlock &First = **MBB.succ_begin(),
                            &Second = **std::next(MBB.succ_begin());
    auto Pending = getCommonPending(MBB, First, Second);
    if (!Pending)
      Pending = getCommonPending(MBB, Second, First);
    if (!Pending || !InFlight.atEnd(MBB).isAnyRetiredBy(*Pending) ||
        !Threads.comeTogether(MBB))
      continue;
    LLVM_DEBUG(dbgs() << "Waiting before paths part at the end of "
                      << printMBBReference(MBB) << '\n');
    buildWait(MBB, findPlaceForWait(MBB), MBB.findBranchDebugLoc(), *Pending);
    Threads.forget();
    Changed = true;
  }
  return Changed;
}

/// Whether \p Steps make a group that counts for later waits: where anything
/// is in flight, that is one even if it is empty.
static bool makesGroup(ArrayRef<MachineInstr *> Steps) {
  return Steps.size() != 1 && *getPendingGroups(*Steps.back()) != 0;
}

/// Whether anything is left for \p Steps, a wait and maybe a commit, at the end
/// of \p MBB.
bool WGMMAGroups::isInFlightAfter(const MachineBasicBlock &MBB,
                                  ArrayRef<MachineInstr *> Steps) const {
  WGMMAState State = InFlight.atEnd(MBB);
  if (makesGroup(Steps))
    return !State.none();
  return State.isAnyRetiredBy(*getPendingGroups(*Steps.back())) ||
         (Steps.size() != 1 && State.uncommitted().any());
}

/// Copies \p Steps to the end of \p MBB, where \p State is in flight; a commit,
/// if there is anything for it or its group counts.
void WGMMAGroups::insertSteps(ArrayRef<MachineInstr *> Steps,
                              MachineBasicBlock &MBB, const WGMMAState &State) {
  MachineBasicBlock::iterator Place = findPlaceForWait(MBB);
  bool NeedsCommit = makesGroup(Steps) || State.uncommitted().any();
  for (MachineInstr *Step : Steps)
    if (NeedsCommit || !isCommit(*Step))
      MBB.insert(Place, MF.CloneMachineInstr(Step));
}

bool WGMMAGroups::waitAtExits() {
  struct Exit {
    MachineBasicBlock *From, *To;
    SmallVector<MachineInstr *, 2> Steps;
  };
  SmallVector<Exit, 2> Exits;
  for (MachineBasicBlock &MBB : MF) {
    if (MBB.pred_size() < 2 || !(doOthersMeet(MBB) || doIdleBlocksMeet(MBB)))
      continue;
    SmallVector<MachineInstr *, 2> Steps = getLeadingWait(MBB, /*ForAny=*/true);
    if (Steps.empty() || makesGroup(Steps))
      continue;
    for (MachineBasicBlock *From : MBB.predecessors())
      if (From->succ_size() == 2 && !Order.MDT.dominates(&MBB, From) &&
          isInFlightAfter(*From, Steps) && Threads.leaveTogether(*From, MBB))
        Exits.push_back({From, &MBB, Steps});
  }
  for (const Exit &E : Exits) {
    LLVM_DEBUG(dbgs() << "Waiting between " << printMBBReference(*E.From)
                      << " and " << printMBBReference(*E.To) << '\n');
    insertSteps(E.Steps, splitEdge(*E.From, *E.To), InFlight.atEnd(*E.From));
  }
  NumExits += Exits.size();
  return !Exits.empty();
}

/// Whether an accumulator that \p Latch leaves in flight has values of several
/// paths ahead of the loop of \p Header.
bool WGMMAGroups::doValuesMeet(const MachineBasicBlock &Header,
                               const MachineBasicBlock &Latch) const {
  const BitVector Numbers = InFlight.atEnd(Latch).all();
  SmallSetVector<Register, 16> Accumulators;
  for (unsigned Number : Numbers.set_bits())
    for (const MachineOperand &Def : InFlight.wgmmas()[Number]->defs())
      Accumulators.insert(Def.getReg());
  return any_of(Header.predecessors(), [&](MachineBasicBlock *Before) {
    return !Order.MDT.dominates(&Header, Before) &&
           any_of(Accumulators, [&](Register Reg) {
             return findWrites(Reg, *Before).size() > 1;
           });
  });
}

/// Whether the wait for all that \p MBB begins with may move to the end of
/// \p Before: all threads of a warp execute that together, and nothing has to
/// wait there that does not anyway. A loop may be left there if what comes then
/// leads to the same wait; ptxas needs that only for values of several paths.
bool WGMMAGroups::canMoveTo(MachineBasicBlock &Before, MachineBasicBlock &MBB) {
  if (!Threads.comeTogether(Before))
    return false;
  if (Before.succ_size() == 1)
    return true;
  bool NeedsCommit = InFlight.atEnd(Before).uncommitted().any();
  return Order.MDT.dominates(&MBB, &Before) &&
         all_of(Before.successors(),
                [&](MachineBasicBlock *Next) {
                  auto Steps = getLeadingWait(*Next);
                  if (NeedsCommit)
                    return !Steps.empty() && isCommit(*Steps.front());
                  return !Steps.empty() || leadsToWaitForAll(*Next, Order.MLI);
                }) &&
         doValuesMeet(MBB, Before);
}

bool WGMMAGroups::hoistWait(MachineBasicBlock &MBB) {
  if (MBB.pred_size() < 2)
    return false;
  SmallVector<MachineInstr *, 2> Steps =
      getLeadingWait(MBB, /*ForAny=*/isIdleOnAnyPath(MBB));
  if (Steps.empty())
    return false;
  // A block before it may end in a branch elsewhere, or be for some threads
  // alone: then the wait stays, too.
  bool Stays = false;
  SmallVector<MachineBasicBlock *, 2> Places;
  for (MachineBasicBlock *Before : MBB.predecessors()) {
    if (!isInFlightAfter(*Before, Steps))
      continue;
    if (canMoveTo(*Before, MBB))
      Places.push_back(Before);
    else
      Stays = true;
  }
  if (Stays && makesGroup(Steps))
    return false;
  for (MachineBasicBlock *Before : Places) {
    LLVM_DEBUG(dbgs() << "Moving the wait of " << printMBBReference(MBB)
                      << " to " << printMBBReference(*Before) << '\n');
    insertSteps(Steps, *Before, InFlight.atEnd(*Before));
  }
  Threads.forget();
  if (Stays)
    return !Places.empty();
  LLVM_DEBUG(dbgs() << "Nothing is left for the wait of "
                    << printMBBReference(MBB) << '\n');
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
      return getPendingGroups(Next) == 0;
  return false;
}

void WGMMAGroups::findIdle(MachineInstr &MI, const WGMMAState &State) {
  if (auto Pending = getPendingGroups(MI);
      Pending && !State.isAnyRetiredBy(*Pending))
    Idle.insert(&MI);
  if (isCommit(MI) && State.uncommitted().none() &&
      (State.none() || precedesWaitForAll(MI)))
    Idle.insert(&MI);
}

/// Finds the waits before one that lets as few groups stay, with nothing
/// between that is not as well after that, which comes in their place.
void WGMMAGroups::findWeaker(MachineBasicBlock &MBB) {
  MachineInstr *Last = nullptr;
  for (MachineInstr &MI : make_early_inc_range(MBB)) {
    if (MI.isMetaInstruction() || Idle.contains(&MI))
      continue;
    auto Pending = getPendingGroups(MI);
    if (Last && Pending && *Pending <= *getPendingGroups(*Last)) {
      Idle.insert(Last);
      MBB.splice(Last->getIterator(), &MBB, MI.getIterator());
    }
    if (Pending || !canComeAfterWait(MI, /*Past=*/{}))
      Last = Pending ? &MI : nullptr;
  }
}

/// Whether a wgmma or a commit may come after the start of \p MBB with no fence
/// before it; \p IsExposed tells that of its end. Inserts the fences that serve
/// neither into \p Idle, if there is one.
static bool isExposed(MachineBasicBlock &MBB, bool IsExposed,
                      SmallPtrSetImpl<MachineInstr *> *Idle) {
  for (MachineInstr &MI : reverse(MBB)) {
    if (isWGMMA(MI) || isCommit(MI))
      IsExposed = true;
    if (!hasWGMMAEvent(MI, WGMMAEvent::Fence))
      continue;
    if (Idle && !IsExposed && !MI.isInlineAsm())
      Idle->insert(&MI);
    IsExposed = false;
  }
  return IsExposed;
}

/// Finds the fences after which another one comes before any wgmma or commit.
void WGMMAGroups::findIdleFences() {
  BitVector Exposed(MF.getNumBlockIDs());
  auto Visit = [&](MachineBasicBlock &MBB,
                   SmallPtrSetImpl<MachineInstr *> *Found) {
    bool AtEnd = any_of(MBB.successors(), [&](const MachineBasicBlock *Next) {
      return Exposed.test(Next->getNumber());
    });
    return isExposed(MBB, AtEnd, Found);
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (MachineBasicBlock *MBB : post_order(&MF))
      if (!Exposed.test(MBB->getNumber()) && Visit(*MBB, nullptr)) {
        Exposed.set(MBB->getNumber());
        Changed = true;
      }
  }
  for (MachineBasicBlock &MBB : MF)
    Visit(MBB, &Idle);
}

/// Lets a wait leave none where there are none that it would leave.
bool WGMMAGroups::strengthenWaits() {
  bool Changed = false;
  InFlight.forEach([&](MachineInstr &MI, const WGMMAState &State) {
    auto Pending = getPendingGroups(MI);
    if (!Pending || *Pending == 0 || State.isAnyLeftBy(*Pending))
      return;
    LLVM_DEBUG(dbgs() << "Waiting for all: " << MI);
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
  findIdleFences();
  eraseIdle();
  return Changed || !Idle.empty();
}

void WGMMAGroups::eraseIdle() {
  for (MachineInstr *MI : Idle) {
    LLVM_DEBUG(dbgs() << "Leaving out: " << *MI);
    ++(getPendingGroups(*MI) ? NumWaits
       : isCommit(*MI)       ? NumCommits
                             : NumFences);
    MI->eraseFromParent();
  }
}

void WGMMAGroups::dropIdleFences() {
  findIdleFences();
  eraseIdle();
}

/// Makes the waits of a function plain, of which all that may be in flight is
/// known.
static bool clarifyWaits(MachineFunction &MF, WGMMABlockOrder &Order) {
  bool Changed = WGMMAGroups(MF, Order).hoistCommonWaits();
  // A wait that has moved may move on from there.
  for (bool Again = true; Again;) {
    WGMMAGroups Groups(MF, Order);
    Changed |= Groups.dropIdle();
    // What was left out did nothing: what is in flight where still holds.
    Again = Groups.waitAtExits();
    if (Again) {
      Order.recalculate(MF);
      WGMMAGroups(MF, Order).hoistWaits();
    } else {
      Changed |= Groups.hoistWaits();
    }
    Again |= WGMMAGroups(MF, Order).hoistCommonWaits();
    Changed |= Again;
  }
  // A wait that has moved may come straight after a weaker one.
  return WGMMAGroups(MF, Order).dropIdle() || Changed;
}

/// Makes the values of its accumulators plain.
static bool clarifyValues(MachineFunction &MF, WGMMABlockOrder &Order) {
  bool Changed = hoistWGMMAValues(MF, Order.MDT, Order.MLI);
  Changed |= hoistLoopStarts(MF, Order.MDT, Order.MLI);
  Changed |= dropRepeatedWGMMACopies(MF, Order.MLI);
  bool Waits = waitForWGMMAReadInLoops(MF, Order);
  while (waitForMergedWGMMA(MF, Order) || Waits) {
    // What the program waits for later may do nothing now, or on some paths
    // alone; without it, what comes before it may meet others.
    clarifyWaits(MF, Order);
    Changed = true;
    Waits = false;
  }
  Changed |= rewriteMergedValues(MF, Order);
  Changed |= waitAfterEnteredLoops(MF, Order);
  return waitAheadOfIdleWrites(MF, Order) || Changed;
}

/// Keeps ptxas from unrolling the loops that are entered with wgmma in flight,
/// and wait, if by a wait that was added or moved there: of others
/// NVPTXKeepWGMMALoops knows.
static bool keepLoopsThatWait(MachineFunction &MF, const MachineLoopInfo &MLI) {
  if (MLI.empty())
    return false;
  WGMMAInFlight InFlight(MF);
  bool Changed = false;
  for (const MachineLoop *Loop : MLI.getLoopsInPreorder()) {
    bool IsEntered = any_of(Loop->getHeader()->predecessors(),
                            [&](const MachineBasicBlock *Before) {
                              return !Loop->contains(Before) &&
                                     !InFlight.atEnd(*Before).none();
                            });
    bool Waits = any_of(Loop->blocks(), [](const MachineBasicBlock *MBB) {
      return any_of(*MBB, isWGMMAWait);
    });
    Changed |= IsEntered && Waits && NVPTX::askNotToUnroll(*Loop);
  }
  return Changed;
}

bool NVPTXClarifyWGMMAGroups::runOnMachineFunction(MachineFunction &MF) {
  WGMMABlockOrder Order = {
      getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree(),
      getAnalysis<MachinePostDominatorTreeWrapperPass>().getPostDomTree(),
      getAnalysis<MachineLoopInfoWrapperPass>().getLI()};
  WGMMAGroups Groups(MF, Order);
  if (!Groups.hasWGMMA())
    return false;
  bool Changed = false;
  const bool AreKnown = Groups.areKnown();
  if (AreKnown) {
    Changed |= clarifyWaits(MF, Order);
    // What becomes of a loop that is entered in flight depends on its waits.
    if (strengthenWGMMAWaits(MF, Order)) {
      Changed = true;
      clarifyWaits(MF, Order);
    }
    Changed |= clarifyValues(MF, Order);
    Changed |= strengthenWGMMAWaits(MF, Order);
    Changed |= waitAtEndsOfKernel(MF, Order);
  } else {
    Changed |= dropRepeatedWGMMACopies(MF, Order.MLI);
    // Where ptxas inlines what is called, it moves what meets other values in
    // flight ahead of the wait, and says nothing.
    Changed |= waitForMergedWGMMA(MF, Order);
    Changed |= rewriteMergedValues(MF, Order);
  }
  Changed |= keepLoopsThatWait(MF, Order.MLI);
  Changed |= waitAtStartOfKernel(MF, Order.MDT);
  if (fenceWGMMABlocks(MF)) {
    // Another fence may be idle now.
    if (AreKnown)
      Groups.dropIdleFences();
    Changed = true;
  }
  warnOfWGMMAPressure(MF);
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXClarifyWGMMAGroupsPass() {
  return new NVPTXClarifyWGMMAGroups();
}
