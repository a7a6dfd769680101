//===- Element.h - Element types and their codecs ---------------*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types of the warpgroup matrix instructions. Every value of each
// of them is exact in a double, and so is every sum that the tests form, which
// lets one reference computation serve them all.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_ELEMENT_H
#define NVPTX_MMA_MODEL_ELEMENT_H

#include "FloatSum.h"

#include <cstdint>
#include <optional>

namespace devicetest {

/// Spelled as PTX spells them, so that a macro can form the enumerator from the
/// same token that forms a builtin's name.
enum class Element { f16, bf16, tf32, e4m3, e5m2, s8, u8, b1, f32, s32 };

const char *name(Element Type);

constexpr unsigned bitWidth(Element Type) {
  switch (Type) {
  case Element::b1:
    return 1;
  case Element::e4m3:
  case Element::e5m2:
  case Element::s8:
  case Element::u8:
    return 8;
  case Element::f16:
  case Element::bf16:
    return 16;
  default:
    return 32;
  }
}

/// Of a floating point type.
FloatPrecision floatPrecision(Element Type);

constexpr bool isInteger(Element Type) {
  return Type == Element::s8 || Type == Element::u8 || Type == Element::b1 ||
         Type == Element::s32;
}

/// The value of the low bitWidth(Type) bits of \p Bits. The low 13 bits of a
/// tf32 do not count, as the instruction truncates them.
double decode(Element Type, uint32_t Bits);

bool hasInfinity(Element Type);

/// The encoding of \p Value, or nothing when the type has no exactly that
/// value: the tests must not depend on how anything is rounded.
std::optional<uint32_t> encode(Element Type, double Value);

/// The encoding of a value that must have one.
uint32_t encodeExactly(Element Type, double Value);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_ELEMENT_H
