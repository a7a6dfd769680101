//===- NVPTXSplitEdge.cpp - A block between two others --------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXSplitEdge.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

MachineBasicBlock &llvm::splitEdge(MachineBasicBlock &From,
                                   MachineBasicBlock &To) {
  MachineFunction &MF = *From.getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  DebugLoc Loc = From.findBranchDebugLoc();
  MachineBasicBlock *Next = From.getFallThrough();
  MachineBasicBlock *Block = MF.CreateMachineBasicBlock();
  // What falls through goes on to do so.
  MF.insert(Next && Next != &To ? MF.end() : std::next(From.getIterator()),
            Block);
  From.ReplaceUsesOfBlockWith(&To, Block);
  Block->addSuccessor(&To);
  To.replacePhiUsesWith(&From, Block);
  if (!Block->isLayoutSuccessor(&To))
    TII.insertUnconditionalBranch(*Block, &To, Loc);
  return *Block;
}
