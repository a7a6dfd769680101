//===- NVPTXHideLoopTests.cpp - Loops that ptxas cannot unroll ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops with `.pragma "nounroll"` are unrolled by ptxas, as of 13.0, in spite
// of it if something is computed for nothing after them, ahead of a wgmma.fence
// or wgmma.wait_group; also where it does not know the number of rounds. Those
// of which NVPTXKeepWGMMALoops has found that they must not be unrolled are
// then wrong:
//
//   loop:
//     wgmma.fence; wgmma {%d...}; wgmma.commit_group; wgmma.wait_group 0;
//     %d = selp %d, 0, %masked;  (for all elements)
//     %i = add %i, 1;
//     %more = setp.lt %i, 2;
//     @%more bra loop;
//     %unused = mov %clock;
//     wgmma.fence;
//
// It executes one of the two wgmma: the second selp gives what the first
// one gave, as it does not see that %d has changed in between.
//
// What it does not know cannot be unrolled. So the tests by which such a loop
// ends are negated where a zero is set of which ptxas does not know that it is
// zero, as in NVPTXHideWGMMAMoves. Here it may be read ahead of the loop:
//
//     %zero = WGMMA_HIDDEN_ZERO
//   loop:
//     ...
//     %more = setp.lt %i, 2;
//     %hidden = WGMMA_HIDDEN_TEST %zero, %more
//     @%hidden bra loop;
//
// The same of a loop that leaves a result of which only a part is read after
// it, and that no round adds to which comes after:
//
//   do { acc = 0; acc = wgmma(acc, ...); commit; wait 0; } while (...);
//   store(acc[0]);
//
// There ptxas finds registers to be too few (C7511).
//
// And a loop with hidden moves of an accumulator's registers asks for the
// pragma here, where the moves are known: unrolled, or tested ahead of the loop
// and at its end, it has ptxas find no registers for both the accumulators and
// what moves to and from them (C7511), or take what is moved for moved in
// flight (C7515).
//
// It runs after all passes that know of loops how often they are executed.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXHiddenZero.h"
#include "NVPTXKeptLoops.h"
#include "NVPTXLiveRegisters.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/InitializePasses.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-hide-loop-tests"

STATISTIC(NumHidden, "Number of tests of loops hidden");
STATISTIC(NumAsked, "Number of loops with hidden moves that ask for a pragma");

namespace {
class NVPTXHideLoopTests : public MachineFunctionPass {
public:
  static char ID;

  NVPTXHideLoopTests() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Hide Loop Tests"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};

/// Hides the tests of one function's loops.
class TestHider {
public:
  explicit TestHider(MachineFunction &MF)
      : MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()),
        AtStart(findLiveRegisters(MF)) {}

  bool run(const MachineLoop &L, Register Zero);

private:
  void hideTest(MachineInstr &Branch, Register Zero);
  bool hideExits(const MachineLoop &L, Register Zero);

  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  /// The registers that are live where blocks start.
  SmallVector<BitVector, 0> AtStart;
  /// One test may end several loops; hidden twice it would be as it was.
  SmallPtrSet<const MachineBasicBlock *, 8> Hidden;
};
} // namespace

char NVPTXHideLoopTests::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXHideLoopTests, DEBUG_TYPE, "NVPTX Hide Loop Tests",
                      false, false)
INITIALIZE_PASS_DEPENDENCY(MachineLoopInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXHideLoopTests, DEBUG_TYPE, "NVPTX Hide Loop Tests",
                    false, false)

/// Whether NVPTXKeepWGMMALoops has found \p L.
static bool mustKeep(const MachineLoop &L) {
  return NVPTX::hasLoopOption(L, NVPTX::KeptLoop);
}

/// Whether \p Loop leaves a result of a wgmma of which only a part is read, and
/// that no round adds to which comes after. \p AtStart are the registers that
/// are live where blocks start.
static bool leavesPart(const MachineLoop &Loop, ArrayRef<BitVector> AtStart) {
  SmallVector<MachineBasicBlock *, 2> Exits;
  Loop.getUniqueExitBlocks(Exits);
  auto IsLiveAtStart = [&](const MachineBasicBlock *MBB) {
    return [&Live = AtStart[MBB->getNumber()]](const MachineOperand &Def) {
      return Live[Def.getReg().virtRegIndex()];
    };
  };
  auto IsLeftInPart = [&](const MachineInstr &MI) {
    return isWGMMA(MI) && !all_of(MI.defs(), IsLiveAtStart(Loop.getHeader())) &&
           any_of(Exits, [&](const MachineBasicBlock *Exit) {
             return any_of(MI.defs(), IsLiveAtStart(Exit)) &&
                    !all_of(MI.defs(), IsLiveAtStart(Exit));
           });
  };
  return any_of(Loop.blocks(), [&](const MachineBasicBlock *MBB) {
    return any_of(*MBB, IsLeftInPart);
  });
}

/// Whether \p MI is a hidden move to or from an accumulator.
static bool isHiddenMove(const MachineInstr &MI) {
  if (MI.getOpcode() != NVPTX::WGMMA_HIDDEN_MOVEr &&
      MI.getOpcode() != NVPTX::WGMMA_HIDDEN_MOVEi)
    return false;
  const MachineRegisterInfo &MRI = MI.getMF()->getRegInfo();
  return any_of(MI.operands(), [&](const MachineOperand &MO) {
    return MO.isReg() && isAccumulated(MO.getReg(), MRI);
  });
}

/// Asks ptxas not to unroll \p L, if that has such moves.
static bool askToKeep(const MachineLoop &L) {
  auto HasMoves = [](const MachineBasicBlock *MBB) {
    return any_of(*MBB, isHiddenMove);
  };
  if (none_of(L.blocks(), HasMoves) || !NVPTX::askNotToUnroll(L))
    return false;
  ++NumAsked;
  return true;
}

void TestHider::hideTest(MachineInstr &Branch, Register Zero) {
  LLVM_DEBUG(dbgs() << "Hiding the test of: " << Branch);
  MachineOperand &Test = Branch.getOperand(0);
  Register HiddenTest = MRI.createVirtualRegister(&NVPTX::B1RegClass);
  BuildMI(*Branch.getParent(), Branch, Branch.getDebugLoc(),
          TII.get(NVPTX::WGMMA_HIDDEN_TEST), HiddenTest)
      .addReg(Zero)
      .add(Test);
  Test.setReg(HiddenTest);
  Test.setIsKill();
  ++NumHidden;
}

/// Hides the tests by which \p L may end.
bool TestHider::hideExits(const MachineLoop &L, Register Zero) {
  bool Changed = false;
  for (MachineBasicBlock *MBB : L.blocks()) {
    auto LeavesLoop = [&](const MachineBasicBlock *Successor) {
      return !L.contains(Successor);
    };
    auto Branch = find_if(
        *MBB, [](const MachineInstr &MI) { return MI.isConditionalBranch(); });
    if (Branch == MBB->end() || none_of(MBB->successors(), LeavesLoop) ||
        !Hidden.insert(MBB).second)
      continue;
    hideTest(*Branch, Zero);
    Changed = true;
  }
  return Changed;
}

/// Hides the tests of what must be kept of \p L and the loops in it. \p Zero is
/// there already if it is of an outer one.
bool TestHider::run(const MachineLoop &L, Register Zero) {
  bool Changed = false;
  if (mustKeep(L) || leavesPart(L, AtStart)) {
    if (!Zero)
      Zero = readZeroAheadOf(L);
    Changed |= hideExits(L, Zero);
  }
  for (const MachineLoop *Inner : L)
    Changed |= run(*Inner, Zero);
  return Changed;
}

bool NVPTXHideLoopTests::runOnMachineFunction(MachineFunction &MF) {
  const MachineLoopInfo &MLI =
      getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  if (MLI.empty())
    return false;
  TestHider Hider(MF);
  bool Changed = false;
  for (const MachineLoop *L : MLI)
    Changed |= Hider.run(*L, Register());
  for (const MachineLoop *L : MLI.getLoopsInPreorder())
    Changed |= askToKeep(*L);
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXHideLoopTestsPass() {
  return new NVPTXHideLoopTests();
}
