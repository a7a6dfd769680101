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
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class MachineBasicBlock;
class MachineInstr;
class MachineLoop;
class MachineOperand;
class MachineRegisterInfo;

/// Registers by the one that they are computed from; by none where all of it is
/// constant.
using RegisterGroups = MapVector<Register, SmallSetVector<Register, 16>>;

/// How many registers less there are if \p Group is computed again: one that
/// all of it is computed from takes its place.
unsigned countSaved(const RegisterGroups::value_type &Group);

/// What registers are computed from that come into one loop from outside.
class RegisterRoots {
public:
  RegisterRoots(const MachineLoop &Loop, const MachineRegisterInfo &MRI)
      : Loop(Loop), MRI(MRI) {}

  /// Whether the loop does not compute \p Reg.
  bool comesIn(Register Reg) const;

  /// The last register on the way back from \p Reg that is computed from no
  /// more than one register that is not constant; none if \p Reg is constant.
  /// It is \p Reg itself where nothing can be computed again.
  Register getRoot(Register Reg);

private:
  Register findRoot(Register Reg);

  const MachineLoop &Loop;
  const MachineRegisterInfo &MRI;
  DenseMap<Register, Register> Roots;
};

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
