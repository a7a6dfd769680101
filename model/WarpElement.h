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
// The kinds f8f6f4 and mxf8f6f4 give each element 8 bits. For those of narrower
// types the PTX ISA's sections on mma have fragments, but do not say which of
// the 8 bits are used. CUTLASS does (mma_traits_sm120.hpp): it leaves the 6
// bits of e3m2 and e2m3 where ldmatrix puts them, the low ones, and shifts the
// 4 of e2m1 left by two. CubeCL (LdMatrixForm) says the same.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_WARPELEMENT_H
#define NVPTX_MMA_MODEL_WARPELEMENT_H

#include "FloatSum.h"

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
  e3m2,   ///< in bits 0 to 5 of 8
  e2m3,   ///< in bits 0 to 5 of 8
  e2m1,   ///< in bits 2 to 5 of 8
  e2m1x2, ///< e2m1 in 4 bits each, as the kinds mxf4 and mxf4nvf4 have it
  ue8m0,  ///< a scale: a power of two
  ue4m3,  ///< a scale: e4m3 without its sign, in bits 0 to 6 of 8
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
/// The highest integer up to which a floating point type has all, but for the
/// zero that ue8m0 lacks.
int64_t maxInteger(WarpElement Type);

/// Of a floating point type but ue8m0, which has no fraction.
FloatPrecision floatPrecision(WarpElement Type);
bool hasInfinity(WarpElement Type);

/// Those of the bitWidth(Type) bits that make up the value.
uint64_t valueBits(WarpElement Type);

/// The value of the low bitWidth(Type) bits of \p Bits, of which only
/// valueBits(Type) count.
double decode(WarpElement Type, uint64_t Bits);

/// The encoding of \p Value, or nothing when the type has no exactly that
/// value.
std::optional<uint64_t> encode(WarpElement Type, double Value);

/// The encoding of a value that must have one.
uint64_t encodeExactly(WarpElement Type, double Value);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_WARPELEMENT_H
