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
// In a chain of wgmma copies are not even made: the accumulator simply stays in
// its register where nothing else reads or writes that. With up to 128 of them
// for each instruction, the coalescer would take longer than all else. Without
// optimization kill flags, and so the chains, end with the block.
//
// Invariant from here on: in every instruction with the IsWGMMA flag, use i of
// the accumulator is the register of def i. The instruction's printer relies on
// it.
//
//===----------------------------------------------------------------------===//

#include "MCTargetDesc/NVPTXBaseInfo.h"
#include "NVPTX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
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

namespace {
class AccumulatorTier {
public:
  explicit AccumulatorTier(MachineFunction &MF)
      : MRI(MF.getRegInfo()), TII(*MF.getSubtarget().getInstrInfo()) {}

  void tie(MachineInstr &MI) {
    for (unsigned I = 0, E = MI.getDesc().getNumDefs(); I != E; ++I)
      tie(MI, MI.getOperand(I).getReg(), MI.getOperand(E + I));
  }

private:
  /// Makes \p Use, an element of the accumulator that goes into \p MI, the
  /// register \p Def that it comes out in.
  void tie(MachineInstr &MI, Register Def, MachineOperand &Use);
  bool canRename(const MachineInstr &MI, Register Def,
                 const MachineOperand &Use) const;
  void dropDebugValuesBehind(MachineInstr &MI, Register Acc);

  MachineRegisterInfo &MRI;
  const TargetInstrInfo &TII;
  /// The registers that only one value and the wgmma that update it have been
  /// written to, with the last of these.
  DenseMap<Register, const MachineInstr *> Updated;
};
} // namespace

/// Whether the output may stay in the input's register: this is the last to
/// read what is in there, and nothing else writes either of them.
bool AccumulatorTier::canRename(const MachineInstr &MI, Register Def,
                                const MachineOperand &Use) const {
  Register Acc = Use.getReg();
  if (!Use.isKill() || !MRI.hasOneDef(Def) ||
      MRI.getRegClass(Acc) != MRI.getRegClass(Def))
    return false;
  auto LastUpdate = Updated.find(Acc);
  return LastUpdate == Updated.end() ? MRI.hasOneDef(Acc)
                                     : LastUpdate->second != &MI;
}

/// What was a variable's value in \p Acc is gone behind \p MI.
void AccumulatorTier::dropDebugValuesBehind(MachineInstr &MI, Register Acc) {
  MachineBasicBlock &MBB = *MI.getParent();
  for (MachineInstr &User : make_early_inc_range(MRI.use_instructions(Acc))) {
    if (!User.isDebugValue())
      continue;
    bool IsAhead = User.getParent() == &MBB &&
                   any_of(make_range(User.getIterator(), MBB.instr_end()),
                          [&](MachineInstr &Later) { return &Later == &MI; });
    if (!IsAhead)
      User.setDebugValueUndef();
  }
}

void AccumulatorTier::tie(MachineInstr &MI, Register Def, MachineOperand &Use) {
  Register Acc = Use.getReg();
  if (canRename(MI, Def, Use)) {
    Use.setIsKill(false);
    dropDebugValuesBehind(MI, Acc);
    MRI.replaceRegWith(Def, Acc);
    Updated[Acc] = &MI;
    return;
  }
  if (MRI.hasOneDef(Def))
    Updated[Def] = &MI;
  // An undefined accumulator, which scale-d = false makes sense of, has no
  // value to copy.
  if (!Use.isUndef())
    BuildMI(*MI.getParent(), MI, MI.getDebugLoc(), TII.get(TargetOpcode::COPY),
            Def)
        .addReg(Acc);
  Use.setReg(Def);
  Use.setIsKill(false);
}

bool NVPTXTieAccumulators::runOnMachineFunction(MachineFunction &MF) {
  AccumulatorTier Tier(MF);
  bool Changed = false;
  for (MachineBasicBlock &MBB : MF)
    for (MachineInstr &MI : MBB)
      if (MI.getDesc().TSFlags & NVPTXII::IsWGMMAFlag) {
        Tier.tie(MI);
        Changed = true;
      }
  return Changed;
}

MachineFunctionPass *llvm::createNVPTXTieAccumulatorsPass() {
  return new NVPTXTieAccumulators();
}
