//===- NVPTXWGMMAThreads.cpp - Who comes to a block together --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAThreads.h"
#include "NVPTXWGMMAInFlight.h"
#include "NVPTXWGMMAPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/IR/Function.h"

using namespace llvm;

static bool isStartOfKernel(const MachineBasicBlock &MBB) {
  const MachineFunction &MF = *MBB.getParent();
  return &MBB == &MF.front() &&
         MF.getFunction().getCallingConv() == CallingConv::PTX_Kernel;
}

/// Whether whoever comes to the end of \p MBB goes on, in the same round of the
/// same loop, to a block that all threads of a warp execute together, and that
/// nobody comes to in another way.
bool WGMMAThreads::isAlwaysBeforeStep(const MachineBasicBlock &MBB) const {
  const MachineLoop *Loop = Order.MLI.getLoopFor(&MBB);
  SmallVector<const MachineBasicBlock *, 8> Worklist(MBB.successors());
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  if (Worklist.empty())
    return false;
  while (!Worklist.empty()) {
    const MachineBasicBlock *Next = Worklist.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    if (!Order.MDT.properlyDominates(&MBB, Next) ||
        (Loop && !Loop->contains(Next)))
      return false;
    if (isForAllThreads(*Next))
      continue;
    if (Next->succ_empty())
      return false;
    append_range(Worklist, Next->successors());
  }
  return true;
}

/// The blocks from \p Start on up to those that all threads execute together,
/// and these. None if they are many, or if any of them ends the kernel and \p
/// MayEnd is not set.
static SmallPtrSet<const MachineBasicBlock *, 16>
findWayToSteps(const MachineBasicBlock &Start, bool MayEnd) {
  constexpr unsigned MaxBlocks = 32;
  SmallPtrSet<const MachineBasicBlock *, 16> Way;
  SmallVector<const MachineBasicBlock *, 8> Worklist = {&Start};
  while (!Worklist.empty()) {
    const MachineBasicBlock *MBB = Worklist.pop_back_val();
    if (!Way.insert(MBB).second || isForAllThreads(*MBB))
      continue;
    if (Way.size() == MaxBlocks || (MBB->succ_empty() && !MayEnd))
      return {};
    append_range(Worklist, MBB->successors());
  }
  return Way;
}

/// Whether threads that go to \p To and to \p Other come together again ahead
/// of the next step of either, or need not come to one. If not, all of them go
/// the same way.
static bool mayPart(const MachineBasicBlock &To,
                    const MachineBasicBlock &Other) {
  auto OtherWay = findWayToSteps(Other, /*MayEnd=*/false);
  if (OtherWay.empty())
    return true;
  auto Way = findWayToSteps(To, /*MayEnd=*/true);
  return Way.empty() || any_of(Way, [&](const MachineBasicBlock *MBB) {
           return OtherWay.contains(MBB);
         });
}

/// Whether all threads that come to the branch of \p From together go to \p To
/// together.
static bool areOtherWaysForAll(const MachineBasicBlock &From,
                               const MachineBasicBlock &To) {
  return From.succ_size() > 1 &&
         all_of(From.successors(), [&](const MachineBasicBlock *Other) {
           return Other == &To ||
                  (isForAllThreads(*Other) && isForAllThreads(To)) ||
                  !mayPart(To, *Other);
         });
}

/// Whether the steps in \p MBB, or after it, show that all threads of a warp
/// come there together.
bool WGMMAThreads::showsAll(const MachineBasicBlock &MBB) const {
  return isForAllThreads(MBB) || isStartOfKernel(MBB) ||
         isAlwaysBeforeStep(MBB);
}

/// The last block before \p MBB, in the same round of the same loop, that all
/// paths to it come from and that all paths from go on to it; null if there is
/// none. What comes always after that block comes always after \p MBB's.
const MachineBasicBlock *
WGMMAThreads::getBlockBefore(const MachineBasicBlock &MBB) const {
  const MachineLoop *Loop = Order.MLI.getLoopFor(&MBB);
  const MachineDomTreeNode *Node = Order.MDT.getNode(&MBB);
  while (Node && (Node = Node->getIDom())) {
    const MachineBasicBlock *Before = Node->getBlock();
    if (Loop && !Loop->contains(Before))
      break;
    if (Order.MLI.getLoopFor(Before) == Loop &&
        Order.PDT.dominates(&MBB, Before))
      return Before;
  }
  return nullptr;
}

/// Whether \p IsForAll tells of \p MBB, or of a block that all paths to it come
/// from and go on to it, in the same round of the same loop.
bool WGMMAThreads::isAlwaysAfter(
    const MachineBasicBlock &MBB, Answers &Known,
    function_ref<bool(const MachineBasicBlock &)> IsForAll) {
  // All of the blocks before have the answer of the last one.
  SmallVector<const MachineBasicBlock *, 8> Asked;
  bool Answer = false;
  for (const MachineBasicBlock *Block = &MBB; Block && !Answer;
       Block = getBlockBefore(*Block)) {
    if (auto It = Known.find(Block); It != Known.end()) {
      Answer = It->second;
      break;
    }
    Asked.push_back(Block);
    Answer = IsForAll(*Block);
  }
  for (const MachineBasicBlock *Block : Asked)
    Known[Block] = Answer;
  return Answer;
}

/// Whether all threads come to the branch that alone leads to \p MBB, and go
/// the same way there.
bool WGMMAThreads::isOtherWay(const MachineBasicBlock &MBB) {
  return MBB.pred_size() == 1 && areOtherWaysForAll(**MBB.pred_begin(), MBB) &&
         isAlwaysAfter(**MBB.pred_begin(), AfterSteps,
                       [this](const MachineBasicBlock &Block) {
                         return showsAll(Block);
                       });
}

bool WGMMAThreads::comeTogether(const MachineBasicBlock &MBB) {
  return isAlwaysAfter(MBB, AfterWays, [this](const MachineBasicBlock &Block) {
    return showsAll(Block) || isOtherWay(Block);
  });
}

/// Whether who stays in \p Loop at \p Exit, which alone leaves it, comes to a
/// block that all threads execute together before coming there again.
static bool isStepInNextRound(const MachineBasicBlock &Exit,
                              const MachineLoop &Loop) {
  SmallVector<const MachineBasicBlock *, 8> Worklist(Exit.successors());
  SmallPtrSet<const MachineBasicBlock *, 8> Seen;
  while (!Worklist.empty()) {
    const MachineBasicBlock *Next = Worklist.pop_back_val();
    if (Next == &Exit)
      return false;
    if (Loop.contains(Next) && !isForAllThreads(*Next) &&
        Seen.insert(Next).second)
      append_range(Worklist, Next->successors());
  }
  return true;
}

bool WGMMAThreads::leaveTogether(const MachineBasicBlock &Exit,
                                 const MachineBasicBlock &To) {
  if (areOtherWaysForAll(Exit, To) && comeTogether(Exit))
    return true;
  const MachineLoop *Loop = Order.MLI.getLoopFor(&Exit);
  if (!Loop || Loop->getExitingBlock() != &Exit)
    return false;
  if (any_of(Loop->blocks(), [&](const MachineBasicBlock *MBB) {
        return isForAllThreads(*MBB) && Order.MDT.dominates(MBB, &Exit);
      }))
    return true;
  const MachineBasicBlock *Preheader = Loop->getLoopPreheader();
  return Loop->isOutermost() && Preheader && comeTogether(*Preheader) &&
         isStepInNextRound(Exit, *Loop);
}

void WGMMAThreads::forget() {
  AfterSteps.clear();
  AfterWays.clear();
}
