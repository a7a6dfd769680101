//===- NVPTXHalfOperations.h - What is computed of halves -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// An instruction that computes a half of halves, where PTX has one that
/// computes both halves of a register so.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXHALFOPERATIONS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXHALFOPERATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>

namespace llvm {
class IRBuilderBase;
class InlineAsm;
class Instruction;
class Value;

namespace lanes {

/// What an instruction does with halves, of which it makes one.
class HalfOperation {
public:
  /// Nothing if \p I does anything else.
  static std::optional<HalfOperation> get(Instruction &I);

  /// Whether both can be one instruction, of pairs of their operands.
  bool matches(const HalfOperation &Other) const;
  ArrayRef<Value *> operands() const { return Operands; }
  /// Whether the first two operands may change places.
  bool isCommutative() const;

  /// What this and \p Other make, an i32, of \p Registers, which have the
  /// operands of this in their lower and those of \p Other in their upper half.
  Value *build(const HalfOperation &Other, ArrayRef<Value *> Registers,
               IRBuilderBase &Builder) const;

private:
  explicit HalfOperation(Instruction &I) : I(&I) {}

  bool isFloat() const;
  bool setArithmetic();
  bool setCall();
  bool setSelect();

  Instruction *I;
  SmallVector<Value *, 3> Operands;
  /// What is done: an instruction or intrinsic of LLVM, or inline assembly.
  unsigned Opcode = 0;
  Intrinsic::ID ID = Intrinsic::not_intrinsic;
  InlineAsm *Packed = nullptr;
};

} // namespace lanes
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXHALFOPERATIONS_H
