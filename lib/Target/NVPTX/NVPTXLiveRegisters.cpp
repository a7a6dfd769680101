//===- NVPTXLiveRegisters.cpp - Which registers are live ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXLiveRegisters.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

void llvm::stepBackward(const MachineInstr &MI, BitVector &Live) {
  if (MI.isDebugInstr())
    return;
  for (const MachineOperand &MO : MI.all_defs())
    if (MO.getReg().isVirtual())
      Live.reset(MO.getReg().virtRegIndex());
  // A phi's operands are needed where control comes from.
  if (MI.isPHI())
    return;
  for (const MachineOperand &MO : MI.all_uses())
    if (MO.getReg().isVirtual() && MO.readsReg())
      Live.set(MO.getReg().virtRegIndex());
}

void llvm::stepBackwardOverwriting(const MachineInstr &MI, BitVector &Live) {
  stepBackward(MI, Live);
  if (isWGMMA(MI) && overwritesAccumulator(MI))
    for (const MachineOperand &MO : MI.defs())
      Live.reset(MO.getReg().virtRegIndex());
}

static bool isAnyDefLive(const MachineInstr &MI, const BitVector &Live) {
  return any_of(MI.all_defs(), [&](const MachineOperand &MO) {
    return !MO.getReg().isVirtual() || Live[MO.getReg().virtRegIndex()];
  });
}

void llvm::stepBackwardIfNeeded(const MachineInstr &MI, BitVector &Live) {
  if ((isWGMMA(MI) || MI.wouldBeTriviallyDead()) && !isAnyDefLive(MI, Live))
    return;
  stepBackwardOverwriting(MI, Live);
}

SmallVector<BitVector, 0> llvm::findLiveRegisters(
    MachineFunction &MF,
    function_ref<void(const MachineInstr &, BitVector &)> Step) {
  unsigned NumRegs = MF.getRegInfo().getNumVirtRegs();
  SmallVector<BitVector, 0> Live(MF.getNumBlockIDs(), BitVector(NumRegs));
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock *MBB : post_order(&MF)) {
      BitVector Regs = findLiveAtEnd(*MBB, Live);
      for (const MachineInstr &MI : reverse(*MBB))
        Step(MI, Regs);
      BitVector &Before = Live[MBB->getNumber()];
      if (Regs != Before) {
        Before = std::move(Regs);
        Changed = true;
      }
    }
  }
  return Live;
}

BitVector llvm::findLiveAtEnd(const MachineBasicBlock &MBB,
                              ArrayRef<BitVector> AtStart) {
  BitVector Live(MBB.getParent()->getRegInfo().getNumVirtRegs());
  for (const MachineBasicBlock *Successor : MBB.successors()) {
    Live |= AtStart[Successor->getNumber()];
    for (const MachineInstr &Phi : Successor->phis())
      for (unsigned I = 1; I != Phi.getNumOperands(); I += 2)
        if (Phi.getOperand(I + 1).getMBB() == &MBB)
          Live.set(Phi.getOperand(I).getReg().virtRegIndex());
  }
  return Live;
}

/// The virtual registers that have a value at the start of \p MBB, if \p AtEnd
/// have at the ends of all blocks.
static BitVector findAssignedAtStart(const MachineBasicBlock &MBB,
                                     ArrayRef<BitVector> AtEnd) {
  const unsigned NumRegs = MBB.getParent()->getRegInfo().getNumVirtRegs();
  BitVector Assigned(NumRegs, !MBB.pred_empty());
  for (const MachineBasicBlock *Before : MBB.predecessors())
    Assigned &= AtEnd[Before->getNumber()];
  return Assigned;
}

SmallVector<BitVector, 0> llvm::findAssignedRegisters(MachineFunction &MF) {
  const unsigned NumRegs = MF.getRegInfo().getNumVirtRegs();
  // Blocks that nothing leads to have all.
  SmallVector<BitVector, 0> AtEnd(MF.getNumBlockIDs(),
                                  BitVector(NumRegs, true));
  const ReversePostOrderTraversal<MachineFunction *> Blocks(&MF);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const MachineBasicBlock *MBB : Blocks) {
      BitVector Assigned = findAssignedAtStart(*MBB, AtEnd);
      for (const MachineInstr &MI : *MBB)
        if (!MI.isImplicitDef())
          for (const MachineOperand &Def : MI.all_defs())
            if (Def.getReg().isVirtual())
              Assigned.set(Def.getReg().virtRegIndex());
      BitVector &Known = AtEnd[MBB->getNumber()];
      if (Assigned != Known) {
        Known = std::move(Assigned);
        Changed = true;
      }
    }
  }
  return AtEnd;
}

bool llvm::writesAny(const MachineInstr &MI,
                     const DenseSet<Register> &Registers) {
  return any_of(MI.all_defs(), [&](const MachineOperand &Def) {
    return Registers.contains(Def.getReg());
  });
}

void PassedRegisters::add(const MachineInstr &MI) {
  for (const MachineOperand &MO : MI.operands())
    if (MO.isReg() && MO.getReg())
      (MO.isDef() ? Written : Read).insert(MO.getReg());
}

bool PassedRegisters::allow(const MachineInstr &MI) const {
  return all_of(MI.operands(), [this](const MachineOperand &MO) {
    return !MO.isReg() || !MO.getReg() ||
           (!Written.contains(MO.getReg()) &&
            !(MO.isDef() && Read.contains(MO.getReg())));
  });
}
