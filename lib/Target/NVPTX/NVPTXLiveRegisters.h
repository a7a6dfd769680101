//===- NVPTXLiveRegisters.h - Which registers are live ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Which virtual registers are live where, in machine code in SSA form or in
/// such of which LiveIntervals are no longer known; and past which instructions
/// another one may be moved there.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXLIVEREGISTERS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXLIVEREGISTERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/Register.h"

namespace llvm {
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;

/// Takes \p Live, the registers that are live after \p MI, to before it.
void stepBackward(const MachineInstr &MI, BitVector &Live);

/// The same, but a wgmma that overwrites its accumulator does not need what
/// that holds.
void stepBackwardOverwriting(const MachineInstr &MI, BitVector &Live);

/// The same, unless \p MI does nothing but to compute what is not live: then
/// nothing is for its sake.
void stepBackwardIfNeeded(const MachineInstr &MI, BitVector &Live);

/// By the number of each block of \p MF: the virtual registers that are live at
/// its start, by their index, if \p Step takes them past an instruction.
SmallVector<BitVector, 0> findLiveRegisters(
    MachineFunction &MF,
    function_ref<void(const MachineInstr &, BitVector &)> Step = stepBackward);

/// Those that are live at the end of \p MBB, if \p AtStart are at the starts of
/// all blocks.
BitVector findLiveAtEnd(const MachineBasicBlock &MBB,
                        ArrayRef<BitVector> AtStart);

/// By the number of each block of \p MF: the virtual registers that have a
/// value at its end, whatever path leads there.
SmallVector<BitVector, 0> findAssignedRegisters(MachineFunction &MF);

/// Whether \p MI writes any of \p Registers.
bool writesAny(const MachineInstr &MI, const DenseSet<Register> &Registers);

/// What instructions write and read that others are moved past.
class PassedRegisters {
public:
  void add(const MachineInstr &MI);
  /// Whether \p MI may be moved past them, for all that registers say.
  bool allow(const MachineInstr &MI) const;

private:
  DenseSet<Register> Written, Read;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXLIVEREGISTERS_H
