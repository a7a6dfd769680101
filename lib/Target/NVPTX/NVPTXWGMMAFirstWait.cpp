//===- NVPTXWGMMAFirstWait.cpp - Accesses ahead of any wait ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   acc = load();
//   other = wgmma(...); commit;
//   store(acc[0]);
//   acc = wgmma(acc, ...); commit; wait 0;
//
// nothing in flight is accessed, but ptxas adds a wait ahead of the store, and
// so loses what the program overlaps. Nor does it see, in
//
//   if (...) { acc = wgmma(acc, ...); commit; }
//   other = wgmma(...); commit; wait 1;
//
// that on one of the paths nothing is in flight, or, in
//
//   if (...) acc = 0; else acc = 1;
//   for (...) { acc = wgmma(acc, ...); commit; } wait 0;
//
// that both values are written before the loop. A wait_group that has been
// executed on all paths, and that may have retired nothing, makes it see that.
// The start of the kernel is such a place for all of them: all threads come
// there together.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAFirstWait.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumFirstWaits, "Number of kernels that begin with a wait");

namespace {
/// What one kernel does ahead of its first wait.
class StartOfKernel {
public:
  StartOfKernel(MachineFunction &MF, const MachineDominatorTree &MDT)
      : MF(MF), MDT(MDT), InFlight(MF) {
    collectRegisters();
    findAheadOfWaits();
  }

  bool needsWait() const {
    return isWrittenTwice() || any_of(Ahead, [this](MachineBasicBlock *MBB) {
             return hasAccess(*MBB) || meetsOthers(*MBB);
           });
  }

private:
  void collectRegisters();
  void findAheadOfWaits();
  bool isAccess(const MachineInstr &MI) const;
  bool isWrittenTwice() const;
  bool hasAccess(MachineBasicBlock &MBB) const;
  bool meetsOthers(const MachineBasicBlock &MBB) const;

  MachineFunction &MF;
  const MachineDominatorTree &MDT;
  WGMMAInFlight InFlight;
  /// Those of accumulators, and what is copied to them: ptxas may have one
  /// register for both.
  DenseSet<Register> Registers;
  /// The blocks that can be reached with no wait before them, and those whose
  /// ends can.
  SmallSetVector<MachineBasicBlock *, 8> Ahead;
  SmallPtrSet<const MachineBasicBlock *, 8> AheadAtEnd;
};
} // namespace

/// Whether \p MI gives registers the value of another one, or its halves.
static bool isMove(const MachineInstr &MI) {
  return MI.isFullCopy() || MI.getOpcode() == NVPTX::WGMMA_COPY ||
         takesHalves(MI);
}

void StartOfKernel::collectRegisters() {
  for (const MachineInstr *WGMMA : InFlight.wgmmas())
    for (const MachineOperand &Def : WGMMA->defs())
      Registers.insert(Def.getReg());
  SmallVector<Register, 16> Sources;
  for (const MachineBasicBlock &MBB : MF)
    for (const MachineInstr &MI : MBB)
      if (isMove(MI) && any_of(MI.defs(), [this](const MachineOperand &Def) {
            return Registers.contains(Def.getReg());
          }))
        Sources.push_back(MI.getOperand(MI.getNumExplicitDefs()).getReg());
  Registers.insert_range(Sources);
}

void StartOfKernel::findAheadOfWaits() {
  Ahead.insert(&MF.front());
  // Grows while it is walked.
  for (unsigned Index = 0; Index != Ahead.size(); ++Index) {
    MachineBasicBlock *MBB = Ahead[Index];
    if (any_of(*MBB, isWGMMAWait))
      continue;
    AheadAtEnd.insert(MBB);
    Ahead.insert_range(MBB->successors());
  }
}

bool StartOfKernel::isAccess(const MachineInstr &MI) const {
  return accessesAny(MI, Registers);
}

/// Whether such a register gets different values on the paths to the first
/// wait.
bool StartOfKernel::isWrittenTwice() const {
  DenseSet<Register> Written;
  for (const MachineBasicBlock *MBB : Ahead) {
    DenseSet<Register> Here;
    for (const MachineInstr &MI : *MBB) {
      if (isWGMMAWait(MI))
        break;
      if (!isWGMMA(MI) && !MI.isImplicitDef())
        for (const MachineOperand &Def : MI.all_defs())
          if (Registers.contains(Def.getReg()))
            Here.insert(Def.getReg());
    }
    if (any_of(Here, [&](Register Reg) { return Written.contains(Reg); }))
      return true;
    Written.insert_range(Here);
  }
  return false;
}

/// Whether \p MBB accesses such a register ahead of its first wait, with any
/// wgmma in flight.
bool StartOfKernel::hasAccess(MachineBasicBlock &MBB) const {
  bool IsAhead = true, IsFound = false;
  InFlight.forEachIn(MBB, [&](MachineInstr &MI, const WGMMAState &State) {
    IsAhead &= !isWGMMAWait(MI);
    IsFound |= IsAhead && !State.none() && isAccess(MI);
  });
  return IsFound;
}

/// Whether wgmma in flight meet a path there with none, and no wait before.
/// What a loop leaves in flight for its next round does not count.
bool StartOfKernel::meetsOthers(const MachineBasicBlock &MBB) const {
  auto IsIdle = [this](const MachineBasicBlock *Before) {
    return AheadAtEnd.contains(Before) && InFlight.atEnd(*Before).none();
  };
  return any_of(MBB.predecessors(), IsIdle) &&
         any_of(MBB.predecessors(), [&](const MachineBasicBlock *Before) {
           return !MDT.dominates(&MBB, Before) &&
                  !InFlight.atEnd(*Before).none();
         });
}

bool llvm::waitAtStartOfKernel(MachineFunction &MF,
                               const MachineDominatorTree &MDT) {
  if (MF.getFunction().getCallingConv() != CallingConv::PTX_Kernel ||
      !StartOfKernel(MF, MDT).needsWait())
    return false;
  LLVM_DEBUG(dbgs() << "Beginning with a wait: " << MF.getName() << '\n');
  MachineBasicBlock &Start = MF.front();
  buildWait(Start, Start.begin(), DebugLoc(), /*Pending=*/0);
  ++NumFirstWaits;
  return true;
}
