//===- NVPTXHalfBuilder.h - Registers made of pairs of halves ---*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Makes the values that pairs of halves are merged into, and takes halves out
/// of registers.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXHALFBUILDER_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXHALFBUILDER_H

#include "NVPTXHalfPairs.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Type.h"

namespace llvm {
class IRBuilderBase;

namespace lanes {

/// The half \p Index of \p Register, as a value of \p Ty.
Value *extractHalf(Value *Register, unsigned Index, Type *Ty,
                   IRBuilderBase &Builder);

/// Makes the values that pairs are merged into.
class PairBuilder {
public:
  explicit PairBuilder(LLVMContext &Context)
      : Int16(Type::getInt16Ty(Context)), Int32(Type::getInt32Ty(Context)) {}

  /// The merged value of \p P, an i32, to be used by what is inserted at
  /// \p Point.
  Value *build(Pair &P, Instruction *Point);
  /// To be called when all merged values are built: gives the phis their
  /// operands, and replaces the freezes.
  void finish();

  /// The pairs of which phis and operations were made.
  ArrayRef<Pair *> getPhis() const { return Phis; }
  ArrayRef<Pair *> getOperations() const { return Operations; }

private:
  Value *getValue(Pair &P, Instruction *Point);
  void buildMerged(Pair &P);
  Value *buildConstant(const Pair &P) const;
  Value *buildRegister(Lane L, IRBuilderBase &Builder) const;
  Value *buildPermutation(const Pair &P, IRBuilderBase &Builder) const;
  Value *buildPack(const Pair &P, IRBuilderBase &Builder) const;
  Value *buildLane(Lane L, IRBuilderBase &Builder) const;
  void addIncoming(Pair &P);

  Type *Int16, *Int32;
  SmallVector<Pair *, 32> Phis, Freezes, Operations;
};

} // namespace lanes
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXHALFBUILDER_H
