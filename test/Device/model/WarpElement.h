//===- WarpElement.h - Element types, warp level ----------------*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types of wmma, mma and mma.sp. Those that wgmma shares have their
// codec in Element.h. Here, too, every value is exact in a double.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_MODEL_WARPELEMENT_H
#define NVPTX_MMA_TEST_DEVICE_MODEL_WARPELEMENT_H

#include <cstdint>
#include <optional>
#include <string>

namespace devicetest {

enum class WarpElement {
  b1,
  s4,
  u4,
  s8,
  u8,
  e4m3,
  e5m2,
  f16,
  bf16,
  b16,
  tf32,
  f32,
  s32,
  f64
};

const char *name(WarpElement Type);
std::optional<WarpElement> warpElement(const std::string &Name);

unsigned bitWidth(WarpElement Type);
/// What a register is to PTX: 64 bits for f64, otherwise 32.
unsigned registerWidth(WarpElement Type);
/// True of the bit types, too: their values are unsigned integers.
bool isInteger(WarpElement Type);
bool isSigned(WarpElement Type);
/// The highest integer up to which a floating point type has all.
int64_t maxInteger(WarpElement Type);

/// Of a floating point type, the bits behind the point.
int fractionBits(WarpElement Type);

/// The value of the low bitWidth(Type) bits of \p Bits.
double decode(WarpElement Type, uint64_t Bits);

/// The encoding of \p Value, or nothing when the type has no exactly that
/// value.
std::optional<uint64_t> encode(WarpElement Type, double Value);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_MODEL_WARPELEMENT_H
