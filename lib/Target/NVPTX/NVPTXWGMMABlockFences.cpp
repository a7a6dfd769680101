//===- NVPTXWGMMABlockFences.cpp - Fences that ptxas would add ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fence ahead of a loop serves the wgmma of all its rounds, as long as wgmma
// alone access their registers:
//
//   fence; for (...) { acc = wgmma(acc, ...); commit; wait 1; }
//
// But ptxas has a fence come before the first wgmma or commit of each block: it
// adds one where there is none, 13.0 with a note (C7519), 12.4 without. If a
// branch to the block depends on the thread, as on the number of its warpgroup,
// 13.0 then serializes all wgmma of the kernel (C7520). It does not if the
// fence stands there already. That costs nothing, but where ptxas makes no
// block of what a condition guards, and executes it by a predicate instead.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMABlockFences.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-clarify-wgmma-groups"

STATISTIC(NumBlockFences, "Number of fences added to blocks that have none");

/// The block that \p MBB is one with for ptxas: it comes from there alone, and
/// that leads nowhere else.
static const MachineBasicBlock *getStartOf(const MachineBasicBlock &MBB) {
  const MachineBasicBlock *Before = MBB.getSinglePredecessor();
  return Before && Before->getSingleSuccessor() ? Before : nullptr;
}

static bool isFence(const MachineInstr &MI) {
  return hasWGMMAEvent(MI, WGMMAEvent::Fence);
}

static bool isFenceOrNeedsOne(const MachineInstr &MI) {
  return isFence(MI) || isWGMMA(MI) || hasWGMMAEvent(MI, WGMMAEvent::Commit);
}

bool llvm::fenceWGMMABlocks(MachineFunction &MF) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  BitVector Fenced(MF.getNumBlockIDs());
  bool Changed = false;
  for (MachineBasicBlock *MBB :
       ReversePostOrderTraversal<MachineFunction *>(&MF)) {
    const MachineBasicBlock *Start = getStartOf(*MBB);
    const bool IsFenced = Start && Fenced.test(Start->getNumber());
    const auto First = find_if(*MBB, isFenceOrNeedsOne);
    if (IsFenced || First != MBB->end())
      Fenced.set(MBB->getNumber());
    if (IsFenced || First == MBB->end() || isFence(*First))
      continue;
    LLVM_DEBUG(dbgs() << "Adding the fence that ptxas would: " << *First);
    BuildMI(*MBB, First, First->getDebugLoc(),
            TII.get(NVPTX::WGMMA_FENCE_SYNC_ALIGNED));
    ++NumBlockFences;
    Changed = true;
  }
  return Changed;
}
