//===- NVPTXWGMMAAsm.h - wgmma in inline assembly ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Reads the text of inline assembly: which steps of wgmma's protocol are in
/// it, and which wgmma.mma_async (PTX ISA, "Asynchronous Warpgroup Level Matrix
/// Multiply-Accumulate Instructions").
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAASM_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAASM_H

#include "NVPTXAsmText.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <variant>

namespace llvm {
namespace nvvm {
struct WGMMAVariant;
} // namespace nvvm

/// A step of the protocol of wgmma other than the multiplication itself; or a
/// call of a function, which may hide some.
struct WGMMAEvent {
  enum KindTy { Fence, Commit, Wait, Call } Kind;
  /// Of Wait: how many groups may stay in flight.
  unsigned Pending = 0;

  /// A wait that lets \p Pending groups stay. So many that nothing counts them
  /// are as many as can be counted, and one more.
  static WGMMAEvent getWait(uint64_t Pending);
};

/// What a text of inline assembly does to the protocol.
struct WGMMAAsmText {
  /// The steps of the protocol in it, in order. One that is predicated, that a
  /// branch may skip, or that cannot be read, may not be executed: of a commit
  /// or a wait, that is as if it were not there.
  SmallVector<WGMMAEvent, 1> Steps;
  /// Whether it has statements that are none of these steps.
  bool HasOthers = false;
  /// Whether one that is surely executed is an exit, and none before it traps.
  bool Exits = false;
};

WGMMAAsmText parseWGMMAAsm(StringRef Text, AsmConstantGetter GetConstant);

/// Whether an operand of inline assembly, by its number, is equal to a constant
/// or is not: \p NumBits of it, or a predicate. A constant takes the place of
/// an operand that is one, and of none.
struct WGMMAAsmTest {
  std::optional<unsigned> Operand;
  unsigned NumBits = 0;
  int64_t Constant = 0;
  int64_t Other = 0;
  bool IsEqual = false;

  APInt getOther() const { return getInt(Other); }
  /// Without an operand.
  bool isTrue() const { return (getInt(Constant) == getOther()) == IsEqual; }

private:
  APInt getInt(int64_t Value) const {
    return APInt(NumBits, Value, /*isSigned=*/true, /*implicitTrunc=*/true);
  }
};

/// A matrix descriptor: the sum of operands of the inline assembly, by their
/// numbers, and of a constant, modulo 2^64.
struct WGMMAAsmSum {
  SmallVector<unsigned, 2> Operands;
  uint64_t Constant = 0;
};

/// A wgmma.mma_async. Its operands are those of the inline assembly, by their
/// numbers.
struct WGMMAAsmProduct {
  const nvvm::WGMMAVariant *Variant = nullptr;
  SmallVector<unsigned, 0> Accumulator;
  /// Of the two, the one that the variant has for A.
  SmallVector<unsigned, 4> Fragment;
  WGMMAAsmSum A;
  WGMMAAsmSum B;
  /// Of a sparse one.
  unsigned Metadata = 0;
  WGMMAAsmTest ScaleD;
  /// In the order of WGMMAVariant::getImmediates.
  SmallVector<int64_t, 4> Immediates;
};

using WGMMAAsmStatement = std::variant<WGMMAEvent, WGMMAAsmProduct>;

/// The steps and the wgmma.mma_async in \p Text, in order, if there is nothing
/// else in it but what defines their predicates and descriptors.
std::optional<SmallVector<WGMMAAsmStatement, 0>>
parseWGMMAAsmStatements(StringRef Text, AsmConstantGetter GetConstant);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAASM_H
