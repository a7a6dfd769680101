//===- NVPTXAddWGMMAExits.cpp - Ways out that are never taken -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of
//
//   while (true) { acc = load(); acc = wgmma(acc, ...); commit; wait 0;
//                  store(acc); if (...) break; barrier(); }
//
// ptxas, as of 13.0, executes what comes before the test once ahead of the
// loop, and moves it behind what comes after. Of the two wgmma it then has, it
// does not see that each can have the registers that its accumulator starts
// from (C7511), nor where what is computed belongs (C7513 to C7515).
//
// A loop that begins with a test, or ends with one, it leaves as it is. So
// where a wgmma starts from what is computed in a loop that is only left in its
// middle, the loop gets a way out that is never taken:
//
//   %zero = WGMMA_HIDDEN_ZERO
//   while (true) { if (%zero != 0) exit; acc = load(); ... }
//
// For ptxas does not know that the zero is one: see NVPTXHideWGMMAMoves. If any
// wgmma may be in flight at the start of the loop, where ptxas then takes what
// is computed for computed in flight (C7515), the way out is at the end. Each
// loop has a block of its own for it, which comes after all others: of one that
// several loops have, or that comes earlier, ptxas makes nothing.
//
// A loop around others has it at the end, by a zero of its own: one that it
// keeps for that would need a register in the loops in it, which may have none
// to spare.
//
// So does a loop that reads what was in flight when its round began, or itself:
//
//   first = wgmma(...); commit;
//   while (...) { second = wgmma(...); commit; wait 1; use(first);
//                 first = wgmma(...); commit; wait 1; use(second); }
//   wait 0;
//
// The uses seem to be in flight to ptxas (C7514) where one wait comes behind
// the loop and behind what leads past it. The way out leaves each way out of
// the loop, ahead of what follows.
//
// And a wait that not all paths need which come to it has one ahead of it,
// where ptxas would take what has been retired by another wait for retired by
// this (NVPTXWGMMAPartlyRetired.h).
//
// On that way out the kernel waits for all wgmma, and ends. Of a wgmma in
// flight where it ends ptxas would add a wait to the loop (C7517), and of a way
// that does nothing else it makes nothing. A trap would do, but was seen to
// cost so many registers that ptxas spilled hundreds of bytes, or found them to
// be too few (C7512), where a kernel works on one tile after the other.
//
// So it runs after what places blocks. ptxas alone needs it: nobody who looks
// for blocks that all threads execute together should find that any may leave.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXHiddenZero.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXSplitEdge.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPartlyRetired.h"
#include "NVPTXWGMMARounds.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-add-wgmma-exits"

STATISTIC(NumExits, "Number of ways out that are never taken");

namespace {
class NVPTXAddWGMMAExits : public MachineFunctionPass {
public:
  static char ID;

  NVPTXAddWGMMAExits() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Add WGMMA Exits"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineDominatorTreeWrapperPass>();
    AU.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NVPTXAddWGMMAExits::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXAddWGMMAExits, DEBUG_TYPE, "NVPTX Add WGMMA Exits",
                      false, false)
INITIALIZE_PASS_DEPENDENCY(MachineDominatorTreeWrapperPass)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXAddWGMMAExits, DEBUG_TYPE, "NVPTX Add WGMMA Exits",
                    false, false)

/// The registers of the accumulators of \p Loop.
static DenseSet<Register> collectAccumulators(const MachineLoop &Loop) {
  DenseSet<Register> Accumulators;
  for (const MachineBasicBlock *MBB : Loop.blocks())
    for (const MachineInstr &MI : *MBB)
      if (isWGMMA(MI))
        for (const MachineOperand &Def : MI.defs())
          Accumulators.insert(Def.getReg());
  return Accumulators;
}

/// Whether something else than a wgmma gives one of \p Accumulators a value in
/// \p MBB.
static bool startsAny(const MachineBasicBlock &MBB,
                      const DenseSet<Register> &Accumulators) {
  return any_of(MBB, [&](const MachineInstr &MI) {
    return !isWGMMA(MI) && !hasNoAccesses(MI) && writesAny(MI, Accumulators);
  });
}

/// Whether \p Loop begins with a test that leaves it, ahead of all wgmma and of
/// what they start from.
static bool isLeftAtStart(const MachineLoop &Loop,
                          const DenseSet<Register> &Accumulators) {
  const MachineBasicBlock &Header = *Loop.getHeader();
  return Loop.isLoopExiting(&Header) && none_of(Header, isWGMMA) &&
         !startsAny(Header, Accumulators);
}

/// Whether \p Loop, whose rounds end with \p Latches, is left, but neither
/// there nor at its start, and has a wgmma that starts from something in it.
static bool isLeftInMiddle(const MachineLoop &Loop,
                           ArrayRef<MachineBasicBlock *> Latches) {
  if (Loop.hasNoExitBlocks() ||
      (Latches.size() == 1 && Loop.isLoopExiting(Latches.front())))
    return false;
  DenseSet<Register> Accumulators = collectAccumulators(Loop);
  return !isLeftAtStart(Loop, Accumulators) &&
         any_of(Loop.blocks(), [&](const MachineBasicBlock *MBB) {
           return startsAny(*MBB, Accumulators);
         });
}

/// The block that has the metadata of a loop with \p Latches.
static const BasicBlock *findMetadata(ArrayRef<MachineBasicBlock *> Latches) {
  for (const MachineBasicBlock *Latch : Latches)
    if (const BasicBlock *BB = Latch->getBasicBlock();
        BB && BB->getTerminator()->hasMetadata(LLVMContext::MD_loop))
      return BB;
  return nullptr;
}

/// A new block by way of which all paths come to \p Header.
static MachineBasicBlock &addStart(MachineBasicBlock &Header) {
  MachineFunction &MF = *Header.getParent();
  MachineBasicBlock *Start = MF.CreateMachineBasicBlock();
  MF.insert(Header.getIterator(), Start);
  for (MachineBasicBlock *Before : to_vector(Header.predecessors()))
    Before->ReplaceUsesOfBlockWith(&Header, Start);
  return *Start;
}

/// The block by way of which all rounds of \p Loop end, and nothing else: a new
/// one, unless there is one. Its branch is left out.
static MachineBasicBlock &getEnd(const MachineLoop &Loop,
                                 ArrayRef<MachineBasicBlock *> Latches) {
  MachineBasicBlock &Header = *Loop.getHeader(), &Last = *Latches.back();
  MachineFunction &MF = *Header.getParent();
  if (Latches.size() == 1 && Last.succ_size() == 1) {
    MF.getSubtarget().getInstrInfo()->removeBranch(Last);
    Last.removeSuccessor(&Header);
    return Last;
  }
  MachineBasicBlock *End = MF.CreateMachineBasicBlock(findMetadata(Latches));
  // What falls through to the header comes to the new block; what falls through
  // elsewhere goes on to do so.
  auto Place = Last.getFallThrough() ? MF.end() : std::next(Last.getIterator());
  for (MachineBasicBlock *Latch : Latches)
    if (Latch->getFallThrough() == &Header)
      Place = Header.getIterator();
  MF.insert(Place, End);
  for (MachineBasicBlock *Latch : Latches)
    Latch->ReplaceUsesOfBlockWith(&Header, End);
  return *End;
}

/// A new block at the end that ends the kernel.
static MachineBasicBlock &addEnd(MachineFunction &MF) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  MachineBasicBlock *End = MF.CreateMachineBasicBlock();
  MF.insert(MF.end(), End);
  BuildMI(End, DebugLoc(), TII.get(NVPTX::WGMMA_WAIT_GROUP_SYNC_ALIGNED))
      .addImm(0);
  BuildMI(End, DebugLoc(), TII.get(NVPTX::EXIT));
  return *End;
}

/// Has \p Block, which has no branch, go on to \p Header, or, if \p Zero is not
/// zero, to \p End.
static void addBranch(MachineBasicBlock &Block, MachineBasicBlock &Header,
                      MachineBasicBlock &End, Register Zero) {
  MachineFunction &MF = *Block.getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  Register IsSet = MF.getRegInfo().createVirtualRegister(&NVPTX::B1RegClass);
  BuildMI(&Block, DebugLoc(), TII.get(NVPTX::SETP_i32ri), IsSet)
      .addReg(Zero)
      .addImm(0)
      .addImm(NVPTX::PTXCmpMode::NE);
  Block.addSuccessor(&End, BranchProbability::getZero());
  Block.addSuccessor(&Header, BranchProbability::getOne());
  SmallVector<MachineOperand, 2> Condition = {
      MachineOperand::CreateReg(IsSet, /*isDef=*/false)};
  // As of LLVM 23 the branch has a flag, too: whether the register is negated.
  if (TII.get(NVPTX::CBranch).getNumOperands() > 2)
    Condition.push_back(MachineOperand::CreateImm(0));
  TII.insertBranch(Block, &End,
                   Block.isLayoutSuccessor(&Header) ? nullptr : &Header,
                   Condition, DebugLoc());
}

/// Gives \p Loop a way out, which is never taken: an innermost one at its start
/// if nothing is in flight there, else at its end.
static void addExit(const MachineLoop &Loop,
                    ArrayRef<MachineBasicBlock *> Latches, bool IsIdle) {
  LLVM_DEBUG(dbgs() << "Adding an exit to the loop of "
                    << printMBBReference(*Loop.getHeader()) << '\n');
  MachineBasicBlock &Header = *Loop.getHeader();
  auto AddTo = [&](MachineBasicBlock &Block, Register Zero) {
    addBranch(Block, Header, addEnd(*Header.getParent()), Zero);
  };
  if (Loop.isInnermost()) {
    Register Zero = readZeroAheadOf(Loop);
    AddTo(IsIdle ? addStart(Header) : getEnd(Loop, Latches), Zero);
  } else {
    MachineBasicBlock &End = getEnd(Loop, Latches);
    // This needs no register elsewhere.
    AddTo(End, readZero(End, End.end()));
  }
  ++NumExits;
}

/// Gives each way out of \p Loop another one, which is never taken.
static void addExitsBehind(const MachineLoop &Loop) {
  MachineFunction &MF = *Loop.getHeader()->getParent();
  SmallVector<MachineLoop::Edge, 2> Ways;
  Loop.getExitEdges(Ways);
  for (auto [From, To] : Ways) {
    LLVM_DEBUG(dbgs() << "Adding an exit behind " << printMBBReference(*From)
                      << '\n');
    MachineBasicBlock &Between = splitEdge(*From, *To);
    MF.getSubtarget().getInstrInfo()->removeBranch(Between);
    Between.removeSuccessor(To);
    addBranch(Between, *To, addEnd(MF), readZero(Between, Between.end()));
    ++NumExits;
  }
}

/// Splits the block of \p MI ahead of it. Returns the first part, which has no
/// branch and no successor.
static MachineBasicBlock &splitAheadOf(MachineInstr &MI) {
  MachineBasicBlock &MBB = *MI.getParent();
  if (&MI == &MBB.front())
    return addStart(MBB);
  MBB.splitAt(*std::prev(MI.getIterator()), /*UpdateLiveIns=*/false);
  MBB.removeSuccessor(MI.getParent());
  return MBB;
}

/// Adds a way out ahead of \p Wait, which is never taken.
static void addExitAheadOf(MachineInstr &Wait) {
  LLVM_DEBUG(dbgs() << "Adding an exit ahead of " << Wait);
  MachineBasicBlock &Before = splitAheadOf(Wait);
  addBranch(Before, *Wait.getParent(), addEnd(*Before.getParent()),
            readZero(Before, Before.end()));
  ++NumExits;
}

bool NVPTXAddWGMMAExits::runOnMachineFunction(MachineFunction &MF) {
  WGMMAInFlight InFlight(MF);
  if (InFlight.empty())
    return false;
  const MachineLoopInfo &MLI =
      getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  const SmallVector<const MachineLoop *, 2> ToBeLeft = findLoopsToBeLeft(
      MF, MLI, getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree(),
      InFlight);
  const auto Waits = findWaitsToBeLeft(MF, MLI, InFlight);
  bool Changed = !ToBeLeft.empty() || !Waits.empty();
  for (const MachineLoop *Loop : MLI.getLoopsInPreorder()) {
    SmallVector<MachineBasicBlock *, 2> Latches;
    Loop->getLoopLatches(Latches);
    if (!isLeftInMiddle(*Loop, Latches))
      continue;
    addExit(*Loop, Latches, InFlight.atStart(*Loop->getHeader()).none());
    Changed = true;
  }
  // A loop comes after those around it, of which its ways out are no part.
  for_each(ToBeLeft, [](const MachineLoop *Loop) { addExitsBehind(*Loop); });
  for_each(Waits, [](MachineInstr *Wait) { addExitAheadOf(*Wait); });
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXAddWGMMAExitsPass() {
  return new NVPTXAddWGMMAExits();
}
