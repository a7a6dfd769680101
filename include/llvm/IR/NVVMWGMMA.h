//===- NVVMWGMMA.h - Variants of wgmma.mma_async ----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What the variants of wgmma.mma_async have and allow, as described by
/// NVVMWGMMAVariants.td: for the verifier, the NVPTX backend and front ends.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_IR_NVVMWGMMA_H
#define LLVM_IR_NVVMWGMMA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class Type;

namespace nvvm {

/// One intrinsic of the wgmma.mma_async family. N stays open: it follows from
/// the accumulator's type.
struct WGMMAVariant {
  Intrinsic::ID ID;
  uint16_t K;
  /// Bit i tells whether N = 8 * (i + 1) exists.
  uint32_t NMask;
  /// The accumulator's 32-bit registers in each thread, for every 8 of N.
  uint8_t RegistersPer8N;
  bool HasFloatAccumulator;
  bool IsSparse;
  bool AFromRegisters;
  bool HasScale;
  bool HasTransA;
  bool HasTransB;
  bool HasSatfinite;
  /// The sparsity selectors from 0 on that have a meaning.
  uint8_t NumSelectors;
  /// As in 82 for PTX 8.2.
  uint8_t MinPTX;

  // The position of each argument. The optional ones are valid only where the
  // variant has them.
  static constexpr unsigned getAccumulatorIdx() { return 0; }
  static constexpr unsigned getAIdx() { return 1; }
  static constexpr unsigned getBIdx() { return 2; }
  static constexpr unsigned getMetadataIdx() { return 3; }
  static constexpr unsigned getSelectorIdx() { return 4; }
  unsigned getScaleDIdx() const { return IsSparse ? 5 : 3; }
  unsigned getScaleAIdx() const { return getScaleDIdx() + 1; }
  unsigned getScaleBIdx() const { return getScaleDIdx() + 2; }
  unsigned getTransAIdx() const { return getScaleDIdx() + 3; }
  unsigned getTransBIdx() const { return getTransAIdx() + HasTransA; }
  unsigned getSatfiniteIdx() const { return getScaleDIdx() + 1; }
  unsigned getNumArgs() const {
    return getScaleDIdx() + 1 + 2 * HasScale + HasTransA + HasTransB +
           HasSatfinite;
  }

  /// An immediate argument: where it stands, what a message calls it, and which
  /// values it may have.
  struct Immediate {
    unsigned Idx;
    StringRef What;
    ArrayRef<int64_t> Allowed;
  };
  /// Those that the variant has, in order.
  SmallVector<Immediate, 4> getImmediates() const;

  bool hasN(unsigned N) const {
    return N % 8 == 0 && N != 0 && N <= 256 && (NMask >> (N / 8 - 1) & 1);
  }
  unsigned getNumRegisters(unsigned N) const { return N / 8 * RegistersPer8N; }
  /// The N of an accumulator in \p NumRegisters registers, where it exists.
  std::optional<unsigned> getN(unsigned NumRegisters) const;

  /// "8, 16, 24, ..., 256", with every irregular step written out.
  std::string getNList() const;
  /// The accumulator's type as messages give it: "<N/2 x float>".
  StringRef getAccumulatorDescription() const;

  /// What is wrong with a call that has this type of accumulator and these
  /// immediate arguments: what is needed, and what it got. Empty for a valid
  /// call. \p GetImmediate gives nothing for an argument that is not constant.
  std::string diagnose(
      const Type &AccTy,
      function_ref<std::optional<int64_t>(unsigned ArgIdx)> GetImmediate) const;
};

/// The variant of this intrinsic; null for any other intrinsic.
const WGMMAVariant *getWGMMAVariant(Intrinsic::ID ID);

/// What is wrong with an operand of llvm.nvvm.wgmma.fence_operand.
std::string diagnoseWGMMAFenceOperand(const Type &Ty);

} // namespace nvvm
} // namespace llvm

#endif // LLVM_IR_NVVMWGMMA_H
