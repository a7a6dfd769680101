//===- NVPTXAccumulatorParts.h - Accumulators between reads -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Which registers are those of one accumulator of wgmma, at one place, from
/// one read to the next, and in all.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXACCUMULATORPARTS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXACCUMULATORPARTS_H

#include "NVPTXAccumulatorFlow.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/Register.h"
#include <tuple>

namespace llvm {
class MachineFunction;
class MachineOperand;
class MachineRegisterInfo;

/// The parts of accumulators, of which \c Flow tells how they flow.
class AccumulatorParts {
public:
  AccumulatorParts(MachineFunction &MF, const AccumulatorFlow &Flow);

  /// Whether the accumulator that step number \p Index leads to gets a value of
  /// a wgmma twice.
  bool isTwice(unsigned Index) const { return Places[Index].IsTwice; }
  /// Whether what step number \p Index takes on has been read, and another part
  /// of that accumulator is. A part may go round a loop and be read at both
  /// ends, if what goes round is a copy of what is read last.
  bool isReadElsewhere(unsigned Index) const;

private:
  /// What is known of where a step leads.
  struct Place {
    /// Another instruction has read the value by then.
    bool IsAfterRead = false;
    /// The accumulator gets this value, or another one, twice.
    bool IsTwice = false;
    /// The accumulator goes on in other registers anyway, since this value, or
    /// that of another element, is needed later.
    bool IsCopy = false;
  };

  /// What the steps to one row have in common: the wgmma or the copy that they
  /// lead to; of phis the block, where the values come from, and the row.
  using RowOfSteps =
      std::tuple<const void *, const MachineBasicBlock *, Register>;

  RowOfSteps getRow(const AccumulatorStep &S);
  void findRows();
  void joinSources(SmallVector<Register, 0> Row);
  void joinPhis();
  void findRowReads();
  bool isRowReadBefore(const AccumulatorStep &S);
  void findReads();
  void findTwice();
  void findParts();
  void findReadParts();

  MachineFunction &MF;
  const MachineRegisterInfo &MRI;
  const AccumulatorFlow &Flow;
  /// By the step's number.
  SmallVector<Place, 0> Places;
  /// The registers of one accumulator at one place, and what reads them.
  EquivalenceClasses<Register> Rows;
  DenseMap<Register, SmallVector<const MachineOperand *, 0>> RowReads;
  /// The registers of what may become one accumulator; those of them from one
  /// read to the next; and of these those that go on without a copy.
  EquivalenceClasses<Register> Accumulators, Parts, InPlace;
  /// The parts of each accumulator that are read.
  DenseMap<Register, DenseSet<Register>> ReadParts;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXACCUMULATORPARTS_H
