//===- NVPTXTieAccumulators.cpp - One register for each accumulator -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async updates its accumulator in place: PTX has one operand for
// what are two lists of registers here, the one defined and the one read, and
// up to 128 registers in each. A constraint cannot tie these, since a tie holds
// four bits of an operand's number, both in MCOI::TIED_TO and in
// MachineOperand; from the seventeenth operand on TwoAddressInstruction would
// silently tie others.
//
// This pass does for them what TwoAddressInstruction does for tied operands:
//
//   %d0, ... = WGMMA %c0, ...        %d0 = COPY %c0
//                              =>    ...
//                                    %d0, ... = WGMMA %d0, ...
//
// It runs straight after it, with and without optimization, so that the same
// RegisterCoalescer removes the copies. Where a copy stays, the accumulator was
// needed afterwards too; in a loop that carries it round, none does.
//
// Invariant from here on: in every instruction with the IsWGMMA flag, use i of
// the accumulator is the register of def i. The instruction's printer relies on
// it.
//
//===----------------------------------------------------------------------===//

#include "MCTargetDesc/NVPTXBaseInfo.h"
#include "NVPTX.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-tie-accumulators"

namespace {
class NVPTXTieAccumulators : public MachineFunctionPass {
public:
  static char ID;

  NVPTXTieAccumulators() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Tie Accumulators"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override;
};
} // namespace

char NVPTXTieAccumulators::ID = 0;

INITIALIZE_PASS(NVPTXTieAccumulators, DEBUG_TYPE, "NVPTX Tie Accumulators",
                false, false)

static void tieAccumulator(MachineInstr &MI, const TargetInstrInfo &TII) {
  for (unsigned I = 0, E = MI.getDesc().getNumDefs(); I != E; ++I) {
    Register Def = MI.getOperand(I).getReg();
    MachineOperand &Use = MI.getOperand(E + I);
    Register Acc = Use.getReg();
    // An undefined accumulator, which scale-d = false makes sense of, has no
    // value to copy.
    if (!Use.isUndef()) {
      BuildMI(*MI.getParent(), MI, MI.getDebugLoc(),
              TII.get(TargetOpcode::COPY), Def)
          .addReg(Acc);
    }
    Use.setReg(Def);
    Use.setIsKill(false);
  }
}

bool NVPTXTieAccumulators::runOnMachineFunction(MachineFunction &MF) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (MI.getDesc().TSFlags & NVPTXII::IsWGMMAFlag) {
        tieAccumulator(MI, TII);
        Changed = true;
      }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXTieAccumulatorsPass() {
  return new NVPTXTieAccumulators();
}
