//===- NVPTXReachingValues.h - Which value a register has -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Tells which value of a register an instruction reads, in machine code that
/// is not in SSA form: the one that SSA form would have there.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXREACHINGVALUES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXREACHINGVALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/Register.h"
#include <utility>

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
class MachineRegisterInfo;

/// Holds as long as no definition is added, left out or moved.
class ReachingValues {
public:
  explicit ReachingValues(MachineFunction &MF);

  /// A value of a register: what defines it; or null, and the block at whose
  /// start values meet, as a phi would have them.
  using Value = std::pair<const MachineBasicBlock *, const MachineInstr *>;

  /// The value of \p Reg that \p At reads.
  Value getBefore(Register Reg, const MachineInstr &At);

private:
  struct Definitions {
    /// The last one of each block.
    DenseMap<const MachineBasicBlock *, const MachineInstr *> Last;
    /// The blocks at whose start values meet.
    SmallPtrSet<const MachineBasicBlock *, 8> Meeting;
  };

  const Definitions &getDefinitions(Register Reg);
  bool comesBefore(const MachineInstr &A, const MachineInstr &B) const {
    return Order.lookup(&A) < Order.lookup(&B);
  }

  const MachineRegisterInfo &MRI;
  MachineDominatorTree DT;
  DenseMap<const MachineInstr *, unsigned> Order;
  DenseMap<Register, Definitions> Known;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXREACHINGVALUES_H
