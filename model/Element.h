//===- Element.h - Element types and their codecs ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types of all matrix instructions. Every value of each of them is
// exact in a double, and so is every sum that the tests form, which lets one
// reference computation serve them all.
//
// The kinds f8f6f4 and mxf8f6f4 give each element 8 bits. For those of narrower
// types the PTX ISA's sections on mma have fragments, but do not say which of
// the 8 bits are used. CUTLASS does (mma_traits_sm120.hpp): it leaves the 6
// bits of e3m2 and e2m3 where ldmatrix puts them, the low ones, and shifts the
// 4 of e2m1 left by two. CubeCL (LdMatrixForm) says the same.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_ELEMENT_H
#define NVPTX_MMA_MODEL_ELEMENT_H

#include "FloatSum.h"

#include <cstdint>
#include <optional>
#include <string>

namespace devicetest {

/// Spelled as PTX spells them, so that a macro can form the enumerator from the
/// same token that forms a builtin's name.
enum class Element {
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

const char *name(Element Type);
/// The type of that name, if there is one.
std::optional<Element> elementNamed(const std::string &Name);

constexpr unsigned bitWidth(Element Type) {
  switch (Type) {
  case Element::b1:
    return 1;
  case Element::s4:
  case Element::u4:
  case Element::e2m1x2:
    return 4;
  case Element::f16:
  case Element::bf16:
  case Element::b16:
    return 16;
  case Element::tf32:
  case Element::f32:
  case Element::s32:
    return 32;
  case Element::f64:
    return 64;
  default:
    return 8;
  }
}

/// What a register is to PTX: 64 bits for f64, otherwise 32.
constexpr unsigned registerWidth(Element Type) {
  return Type == Element::f64 ? 64 : 32;
}

/// True of the bit types, too: their values are unsigned integers.
constexpr bool isInteger(Element Type) {
  switch (Type) {
  case Element::b1:
  case Element::s4:
  case Element::u4:
  case Element::s8:
  case Element::u8:
  case Element::b16:
  case Element::s32:
    return true;
  default:
    return false;
  }
}

bool isSigned(Element Type);
/// The highest integer up to which a floating point type has all, but for the
/// zero that ue8m0 lacks.
int64_t maxInteger(Element Type);

/// Of a floating point type but ue8m0, which has no fraction.
FloatPrecision floatPrecision(Element Type);
bool hasInfinity(Element Type);

/// Those of the bitWidth(Type) bits that make up the value: the instructions
/// truncate tf32, and some types leave bits unused.
uint64_t valueBits(Element Type);

/// The value of the low bitWidth(Type) bits of \p Bits, of which only
/// valueBits(Type) count.
double decode(Element Type, uint64_t Bits);

/// The encoding of \p Value, or nothing when the type has no exactly that
/// value: the tests must not depend on how anything is rounded.
std::optional<uint64_t> encode(Element Type, double Value);

/// The encoding of a value that must have one.
uint64_t encodeExactly(Element Type, double Value);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_ELEMENT_H
