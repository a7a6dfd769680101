//===- NVPTXLanes.h - Where the halves of a register come from --*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// A register of 32 bits often holds two values of 16. This follows such a half
/// through whatever only moves bits.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXLANES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXLANES_H

#include "llvm/IR/Constants.h"
#include <cstdint>
#include <optional>
#include <utility>

namespace llvm {
class BinaryOperator;
class CastInst;
class Instruction;
class IntrinsicInst;

namespace lanes {

inline constexpr unsigned LaneBits = 16;

/// The bits of a scalar or of a vector of them; 0 for any other type.
unsigned getBits(const Type *Ty);

/// The bits of an element of a vector whose elements hold whole lanes.
std::optional<unsigned> getElementBits(const Type *Ty);

/// The LaneBits bits of V from bit Offset on, a multiple of LaneBits. A
/// constant lane is a constant of type i16 and has the offset 0.
struct Lane {
  Value *V = nullptr;
  unsigned Offset = 0;

  bool operator==(const Lane &Other) const {
    return V == Other.V && Offset == Other.Offset;
  }
  bool isConstant() const { return isa<ConstantInt, UndefValue>(V); }
  bool isUndef() const { return isa<UndefValue>(V); }
  bool isZero() const {
    const auto *C = dyn_cast<ConstantInt>(V);
    return C && C->isZero();
  }
  std::pair<Value *, unsigned> getKey() const { return {V, Offset}; }
};

/// Follows a lane to the value that computes it.
class LaneFinder {
public:
  explicit LaneFinder(LLVMContext &Context)
      : Int16(Type::getInt16Ty(Context)) {}

  /// Where the lane of \p V at bit \p Offset comes from.
  Lane find(Value *V, unsigned Offset, unsigned OrDepth = 0) const;

  /// The bits of a lane that \p Mask has: bit I of the lane is bit Start + I of
  /// \p V. The lane's other bits are zero.
  struct Piece {
    Value *V;
    int Start;
    uint16_t Mask;
  };

private:
  std::optional<Lane> getConstant(Constant *C, unsigned Offset) const;
  /// The lane that \p L, a lane of an instruction, is a copy of. Nothing where
  /// the instruction computes it.
  std::optional<Lane> step(Lane L, unsigned OrDepth) const;
  std::optional<Lane> stepCast(CastInst &Cast, unsigned Offset) const;
  std::optional<Lane> stepShift(BinaryOperator &Shift, unsigned Offset) const;
  std::optional<Lane> stepAnd(BinaryOperator &And, unsigned Offset) const;
  std::optional<Lane> stepOr(BinaryOperator &Or, unsigned Offset,
                             unsigned OrDepth) const;
  /// The lane that the operands of \p Or have a part each of. SROA takes what
  /// is copied as bytes apart like this, the metadata of sparse matrices for
  /// instance.
  std::optional<Lane> joinPieces(BinaryOperator &Or, unsigned Offset) const;
  /// Where \p P comes from, as far as its bits are only moved and masked.
  Piece findPiece(Piece P, unsigned OrDepth) const;
  bool isZero(Lane L, unsigned OrDepth) const;
  std::optional<Lane> stepFunnelShift(IntrinsicInst &Shift,
                                      unsigned Offset) const;
  std::optional<Lane> stepVector(Instruction &I, unsigned Offset) const;

  Lane zero() const { return {ConstantInt::get(Int16, 0), 0}; }
  Lane poison() const { return {PoisonValue::get(Int16), 0}; }

  Type *Int16;
};

} // namespace lanes
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXLANES_H
