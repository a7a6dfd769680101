//===- NVPTXAccumulatorFlow.h - Accumulators of wgmma in SSA form *- C++
//-*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// How the elements of wgmma's accumulators flow from one register to the next,
/// by way of wgmma, phis and copies; what else reads them, and when.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXACCUMULATORFLOW_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXACCUMULATORFLOW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/Register.h"
#include <utility>

namespace llvm {
class MachineFunction;
class MachineOperand;

/// A value goes on as another one: operand \c Use of \c To, a wgmma, a phi or a
/// copy, whose result is \c Result.
struct AccumulatorStep {
  MachineInstr *To;
  unsigned Use;
  Register Result;

  /// The register that it takes on.
  Register getTaken() const { return To->getOperand(Use).getReg(); }
  /// The block in which it takes the value on: that of a phi's incoming value.
  MachineBasicBlock *getBlock() const;
  /// Where in that block.
  MachineBasicBlock::iterator getPlace() const;
};

/// Whether \p MO passes the value on without reading it.
bool isAccumulatorStep(const MachineOperand &MO);

/// Of a function in SSA form. Values may be replaced in steps, and instructions
/// and blocks be added; what is asked of an order is that of the old ones.
class AccumulatorFlow {
public:
  explicit AccumulatorFlow(MachineFunction &MF);

  ArrayRef<MachineInstr *> wgmmas() const { return WGMMAs; }
  ArrayRef<AccumulatorStep> steps() const { return Steps; }
  /// The registers that an element of an accumulator flows through.
  const DenseSet<Register> &elements() const { return Elements; }
  /// Those of them that something reads, or copies.
  const DenseSet<Register> &read() const { return Read; }

  /// Whether something reads the value of \p Reg in the end, even if a wgmma
  /// overwrites it before.
  bool isLive(Register Reg) const { return Live.contains(Reg); }
  /// The same without that.
  bool isSurviving(Register Reg) const { return Surviving.contains(Reg); }
  /// Whether the value of \p Reg goes on as more than one in the end.
  bool isCopied(Register Reg) const { return Copied.contains(Reg); }
  /// Whether the value of \p Reg passes on to the accumulator of a wgmma.
  bool isStarting(Register Reg) const { return Starting.contains(Reg); }

  const MachineInstr *getDef(Register Reg) const {
    return Reg.isVirtual() ? MRI.getUniqueVRegDef(Reg) : nullptr;
  }

  /// Whether \p Use may have read \p Reg when \p S takes it on. A value that
  /// goes two ways is copied where it goes the first one; to a phi it goes on
  /// the way into the phi's block. A copy is a name, which something else
  /// reads.
  bool isPast(const MachineOperand &Use, const AccumulatorStep &S,
              Register Reg) const;
  /// Whether the value that \p S takes on may have been read by then, under
  /// any of its names.
  bool isReadBefore(const AccumulatorStep &S) const;
  /// Whether \p Use may read \p Reg when \p S has taken it on.
  bool mayReadAfter(const MachineOperand &Use, const AccumulatorStep &S,
                    Register Reg) const;
  /// Whether the value that \p S takes on lives on beside it. To a phi it
  /// goes on the way into the phi's block.
  bool isCopy(const AccumulatorStep &S) const;
  /// Whether \p S takes on what something may need when it has done so.
  bool isNeededAfter(const AccumulatorStep &S) const;
  /// Whether the value that \p S takes on is a result of wgmma, which
  /// nothing needs after that.
  bool endsAt(const AccumulatorStep &S) const;
  /// Whether a wgmma may be issued between where \p Reg is written and \p Use.
  bool isWGMMABetween(Register Reg, const MachineOperand &Use) const;
  /// Whether \p Use reads \p Reg in another block than the one that writes its
  /// value. What comes to a phi is written where it comes from.
  bool isOfAnotherBlock(Register Reg, const MachineOperand &Use) const;
  /// The value that \p Reg, under another name, passes on; none if it is the
  /// only name, or the phi's that brings it.
  Register getOtherName(Register Reg) const;
  /// Whether a wgmma, a phi or a copy leaves its element in \p Reg.
  bool isPassedOn(Register Reg) const;
  /// Whether \p Reg is a constant, or undefined: what reads it needs no
  /// register.
  bool isConstant(Register Reg) const;
  /// Whether the value of \p Reg is none that is passed on, nor a constant.
  bool isComputed(Register Reg) const;
  /// The registers that the value of \p Reg comes from by way of copies and
  /// phis, and itself.
  SmallSetVector<Register, 8> findNames(Register Reg) const;
  /// Whether the value that has \p Names comes from no wgmma.
  bool isStart(const SmallSetVector<Register, 8> &Names) const;
  /// The registers that the value of \p Reg goes on in, and itself.
  SmallSetVector<Register, 8> findResults(Register Reg) const;
  /// Whether \p Use computes of what an accumulator starts from what something
  /// computes of what \p S leaves of it.
  bool isComputedAgain(const MachineOperand &Use,
                       const AccumulatorStep &S) const;

private:
  void addStep(MachineInstr &To, unsigned Use, Register Result);
  void collect();
  DenseSet<Register> findSources(DenseSet<Register> Found,
                                 bool PastOverwriting) const;
  void markLive();
  void findStarts();
  bool reaches(const MachineBasicBlock *From, const MachineBasicBlock *To,
               const MachineBasicBlock *Def) const;

  MachineFunction &MF;
  const MachineRegisterInfo &MRI;
  SmallVector<MachineInstr *, 0> WGMMAs;
  SmallVector<AccumulatorStep, 0> Steps;
  /// Where each instruction stands.
  DenseMap<const MachineInstr *, unsigned> Order;
  DenseSet<Register> Elements, Live, Surviving, Read, Copied, Starting;
  /// The blocks that paths from the end of a block come to, not through
  /// another.
  mutable DenseMap<
      std::pair<const MachineBasicBlock *, const MachineBasicBlock *>,
      BitVector>
      Reachable;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXACCUMULATORFLOW_H
