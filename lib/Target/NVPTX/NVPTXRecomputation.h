//===- NVPTXRecomputation.h - Compute again in a loop -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Has a loop compute what comes into it from outside, of few registers that
/// come instead. In SSA form, for passes behind MachineLICM and MachineCSE.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXRECOMPUTATION_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXRECOMPUTATION_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class MachineInstr;
class MachineOperand;
class MachineRegisterInfo;

/// Whether \p MO, which a wgmma reads, is a descriptor: nothing else of it has
/// 64 bits.
bool isWGMMADescriptor(const MachineOperand &MO,
                       const MachineRegisterInfo &MRI);

/// Whether \p MI may be executed again in a loop, and costs little there: ptxas
/// makes many instructions of a division.
bool isCheaplyRepeated(const MachineInstr &MI);

/// What one block computes again, each once, of what is kept.
class Recomputation {
public:
  Recomputation(MachineRegisterInfo &MRI, function_ref<bool(Register)> IsKept)
      : MRI(MRI), IsKept(IsKept) {}

  /// What \p Reg is, computed ahead of \p Before.
  Register make(Register Reg, MachineInstr &Before);

private:
  MachineRegisterInfo &MRI;
  function_ref<bool(Register)> IsKept;
  DenseMap<Register, Register> Made;
};

/// Deletes what computes \p Reg, and what only that needed, if nothing needs it
/// any more.
void eraseUnused(Register Reg, MachineRegisterInfo &MRI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXRECOMPUTATION_H
