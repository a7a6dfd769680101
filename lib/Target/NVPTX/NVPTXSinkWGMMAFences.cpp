//===- NVPTXSinkWGMMAFences.cpp - wgmma.fence behind what it orders -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.fence orders the accesses to registers before it with those of the
// wgmma.mma_async behind it; writing a register of a wgmma between the two is
// undefined. In IR there are no registers to order: the zeros of an
// accumulator, a parameter, a copy that ties an accumulator get their
// instruction wherever the backend sees fit, which may well be right before the
// wgmma.
//
// In the finished code this pass moves each fence down to the next wgmma of its
// block, past whatever just computes values. A later fence orders all that an
// earlier one did, and nothing that is passed depends on it: the fence orders
// registers, not memory.
//
//===----------------------------------------------------------------------===//

#include "MCTargetDesc/NVPTXBaseInfo.h"
#include "NVPTX.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-sink-wgmma-fences"

namespace {
class NVPTXSinkWGMMAFences : public MachineFunctionPass {
public:
  static char ID;

  NVPTXSinkWGMMAFences() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Sink WGMMA Fences"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NVPTXSinkWGMMAFences::ID = 0;

INITIALIZE_PASS(NVPTXSinkWGMMAFences, DEBUG_TYPE, "NVPTX Sink WGMMA Fences",
                false, false)

/// Whether a fence may be moved down past \p MI.
static bool canPass(const MachineInstr &MI) {
  return MI.getOpcode() == NVPTX::WGMMA_FENCE_OPERAND ||
         !(MI.hasUnmodeledSideEffects() || MI.isCall() || MI.isTerminator() ||
           MI.isInlineAsm() || MI.isConvergent());
}

static bool sinkFence(MachineInstr &Fence) {
  MachineBasicBlock &MBB = *Fence.getParent();
  auto Next = std::next(Fence.getIterator());
  auto I = Next;
  while (I != MBB.instr_end() && canPass(*I))
    ++I;
  // Short of a wgmma it stays: what comes next may be the end of a loop.
  if (I == Next || I == MBB.instr_end() ||
      !(I->getDesc().TSFlags & NVPTXII::IsWGMMAFlag))
    return false;
  MBB.splice(I, &MBB, Fence.getIterator());
  return true;
}

bool NVPTXSinkWGMMAFences::runOnMachineFunction(MachineFunction &MF) {
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : make_early_inc_range(MBB))
      if (MI.getOpcode() == NVPTX::WGMMA_FENCE_SYNC_ALIGNED)
        Changed |= sinkFence(MI);
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXSinkWGMMAFencesPass() {
  return new NVPTXSinkWGMMAFences();
}
