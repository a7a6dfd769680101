//===- NVPTXRegisterValues.h - Registers of the same value ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Numbers the values of virtual registers in machine code that is not in SSA
/// form, as what follows the register allocator's place is for NVPTX. Two
/// registers that have the same number where they are asked for have the same
/// value, as far as an assembler can know: it sees through copies, computes
/// what is computed in the same way once, and takes loads from the same address
/// for one. Different numbers promise nothing.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXREGISTERVALUES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXREGISTERVALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/Register.h"
#include <map>
#include <vector>

namespace llvm {
class MachineFunction;
class MachineLoop;
class MachineRegisterInfo;

/// Holds as long as no instruction of the function changes.
class RegisterValues {
public:
  explicit RegisterValues(const MachineFunction &MF);

  /// The number of the value that \p Reg has before \p At.
  unsigned getBefore(Register Reg, const MachineInstr &At) {
    return getBefore(Reg, At, 0);
  }

  /// Whether the value with this number may be another one in the next round of
  /// \p Loop.
  bool mayChangeIn(unsigned Value, const MachineLoop &Loop) const;

private:
  /// The blocks of what a value is computed from, as far as it is not computed
  /// itself.
  using Origin = SmallPtrSet<const MachineBasicBlock *, 2>;

  unsigned getBefore(Register Reg, const MachineInstr &At, unsigned Depth);
  unsigned getAtStart(Register Reg, const MachineBasicBlock &MBB,
                      unsigned Depth);
  unsigned getAtEnd(Register Reg, const MachineBasicBlock &MBB, unsigned Depth);
  unsigned getDefined(Register Reg, const MachineInstr &Def, unsigned Depth);
  unsigned compute(Register Reg, const MachineInstr &Def, unsigned Depth);
  const MachineInstr *findDef(Register Reg, const MachineBasicBlock &MBB,
                              unsigned Before) const;
  unsigned getNumber(std::vector<uint64_t> Expression, Origin From);
  unsigned getNew(const MachineBasicBlock &MBB);

  const MachineRegisterInfo &MRI;
  /// The place of an instruction in its block.
  DenseMap<const MachineInstr *, unsigned> Place;
  DenseMap<std::pair<Register, const MachineBasicBlock *>, unsigned> AtStart;
  DenseMap<std::pair<Register, const MachineInstr *>, unsigned> Defined;
  /// What is computed in the same way.
  std::map<std::vector<uint64_t>, unsigned> Expressions;
  /// Where the values come from, by their number.
  std::vector<Origin> Origins;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXREGISTERVALUES_H
