//===- NVPTXRegisterCount.cpp - How many registers are needed -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXRegisterCount.h"
#include "NVPTXRegisterInfo.h"
#include "NVPTXRepeatable.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace llvm;

unsigned llvm::getRegisterWidth(Register Reg, const MachineRegisterInfo &MRI) {
  const TargetRegisterClass *RC = MRI.getRegClass(Reg);
  if (RC == &NVPTX::B1RegClass)
    return 0;
  return RC == &NVPTX::B64RegClass ? 2 : 1;
}

/// Whether \p Reg needs no register: nothing is in it, or a constant.
static bool isConstant(Register Reg, const MachineRegisterInfo &MRI) {
  const MachineInstr *Def = MRI.getUniqueVRegDef(Reg);
  return Def && (Def->isImplicitDef() ||
                 (Def->getNumExplicitOperands() == 2 && isRepeatable(*Def) &&
                  !Def->getOperand(1).isReg()));
}

SmallVector<uint8_t, 0> llvm::getRegisterWidths(const MachineFunction &MF) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  SmallVector<uint8_t, 0> Widths;
  for (unsigned Index = 0; Index != MRI.getNumVirtRegs(); ++Index) {
    const Register Reg = Register::index2VirtReg(Index);
    const bool IsHeld = !MRI.reg_empty(Reg) && !isConstant(Reg, MRI);
    Widths.push_back(IsHeld ? getRegisterWidth(Reg, MRI) : 0);
  }
  return Widths;
}

unsigned llvm::countRegisters(const BitVector &Registers,
                              ArrayRef<uint8_t> Widths) {
  unsigned Count = 0;
  for (unsigned Index : Registers.set_bits())
    Count += Widths[Index];
  return Count;
}
