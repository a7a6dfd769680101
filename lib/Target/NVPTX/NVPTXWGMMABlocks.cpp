//===- NVPTXWGMMABlocks.cpp - Blocks with steps of wgmma in IR ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMABlocks.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

/// Whether \p I waits for all wgmma.
static bool isWaitForAll(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call ||
      Call->getIntrinsicID() != Intrinsic::nvvm_wgmma_wait_group_sync_aligned)
    return false;
  const auto *Pending = dyn_cast<ConstantInt>(Call->getArgOperand(0));
  return Pending && Pending->isZero();
}

WGMMABlocks::WGMMABlocks(const Function &F) {
  for (const BasicBlock &BB : F) {
    bool HasWGMMA = false, HasWait = false, IsInFlight = false;
    for (const Instruction &I : BB) {
      if (NVPTX::isWGMMA(I))
        HasWGMMA = IsInFlight = true;
      HasWait |= NVPTX::isWGMMAWait(I);
      if (isWaitForAll(I)) {
        IsInFlight = false;
        WaitForAll.insert(&BB);
      }
    }
    if (HasWGMMA)
      WithWGMMA.push_back(&BB);
    if (HasWait)
      WithWait.push_back(&BB);
    if (IsInFlight)
      InFlightAtEnd.push_back(&BB);
  }
}

bool WGMMABlocks::leadsToWGMMA(const BasicBlockEdge &Way,
                               const DominatorTree &DT) const {
  return any_of(WithWGMMA,
                [&](const BasicBlock *BB) { return DT.dominates(Way, BB); });
}

bool WGMMABlocks::leadsToWGMMAOrWait(const BasicBlockEdge &Way,
                                     const DominatorTree &DT) const {
  return leadsToWGMMA(Way, DT) || any_of(WithWait, [&](const BasicBlock *BB) {
           return DT.dominates(Way, BB);
         });
}

bool WGMMABlocks::leavesInFlight(const BasicBlockEdge &Way,
                                 const DominatorTree &DT) const {
  SmallSetVector<const BasicBlock *, 8> InFlight;
  for (const BasicBlock *BB : InFlightAtEnd)
    if (DT.dominates(Way, BB))
      InFlight.insert(BB);
  for (unsigned I = 0; I != InFlight.size(); ++I)
    for (const BasicBlock *Successor : successors(InFlight[I])) {
      if (!DT.dominates(Way, Successor))
        return true;
      if (!WaitForAll.contains(Successor))
        InFlight.insert(Successor);
    }
  return false;
}
