//===- NVPTXRecomputation.cpp - Compute again in a loop -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXRecomputation.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXRepeatable.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

bool llvm::isWGMMADescriptor(const MachineOperand &MO,
                             const MachineRegisterInfo &MRI) {
  return MO.isReg() && MRI.getRegClass(MO.getReg()) == &NVPTX::B64RegClass;
}

bool llvm::isCheaplyRepeated(const MachineInstr &MI) {
  const TargetInstrInfo &TII = *MI.getMF()->getSubtarget().getInstrInfo();
  const StringRef Name = TII.getName(MI.getOpcode());
  return isRepeatable(MI) && !Name.contains("DIV") && !Name.contains("REM") &&
         !Name.contains("SQRT");
}

Register Recomputation::make(Register Reg, MachineInstr &Before) {
  if (IsKept(Reg))
    return Reg;
  if (Register Known = Made.lookup(Reg))
    return Known;
  MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  MachineInstr *Clone = Before.getMF()->CloneMachineInstr(Def);
  for (MachineOperand &Use : Clone->all_uses()) {
    Use.setReg(make(Use.getReg(), Before));
    Use.setIsKill(false);
    MRI.clearKillFlags(Use.getReg());
  }
  Register New = MRI.cloneVirtualRegister(Reg);
  Clone->getOperand(0).setReg(New);
  Before.getParent()->insert(Before.getIterator(), Clone);
  return Made[Reg] = New;
}

void llvm::eraseUnused(Register Reg, MachineRegisterInfo &MRI) {
  MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  if (!Def || !isRepeatable(*Def) || !MRI.use_nodbg_empty(Reg))
    return;
  SmallVector<Register, 2> Uses;
  for (const MachineOperand &Use : Def->all_uses())
    Uses.push_back(Use.getReg());
  for (MachineOperand &MO : make_early_inc_range(MRI.use_operands(Reg)))
    MO.getParent()->setDebugValueUndef();
  Def->eraseFromParent();
  for (Register Use : Uses)
    eraseUnused(Use, MRI);
}
