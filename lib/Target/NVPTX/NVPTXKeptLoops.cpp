//===- NVPTXKeptLoops.cpp - Loops that ptxas must not unroll --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXKeptLoops.h"
#include "NVPTX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-kept-loops"

bool NVPTX::hasLoopOption(const MachineLoop &L, StringRef Option) {
  return any_of(
      L.getHeader()->predecessors(), [&](const MachineBasicBlock *MBB) {
        const BasicBlock *BB = MBB->getBasicBlock();
        if (!BB || !L.contains(MBB))
          return false;
        MDNode *LoopID = BB->getTerminator()->getMetadata(LLVMContext::MD_loop);
        return findOptionMDForLoopID(LoopID, Option) != nullptr;
      });
}

bool NVPTX::askNotToUnroll(const MachineLoop &L) {
  MachineBasicBlock &Header = *L.getHeader();
  auto IsAsked = [](const MachineInstr &MI) {
    return MI.getOpcode() == NVPTX::WGMMA_NO_UNROLL;
  };
  if (hasLoopOption(L, "llvm.loop.unroll.disable") || any_of(Header, IsAsked))
    return false;
  LLVM_DEBUG(dbgs() << "Asking for a pragma: " << L);
  const TargetInstrInfo &TII =
      *Header.getParent()->getSubtarget().getInstrInfo();
  BuildMI(Header, Header.getFirstNonDebugInstr(), DebugLoc(),
          TII.get(NVPTX::WGMMA_NO_UNROLL));
  return true;
}
