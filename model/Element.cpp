//===- Element.cpp - Element types and their codecs -----------------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"
#include "FloatFormat.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

using namespace devicetest;

namespace {

struct IntegerRange {
  double Min, Max;
};

} // namespace

static FloatFormat floatFormat(Element Type) {
  switch (Type) {
  case Element::f16:
    return {5, 10, 0, SpecialValues::InfinityAndNaN};
  case Element::bf16:
    return {8, 7, 0, SpecialValues::InfinityAndNaN};
  case Element::tf32:
    return {8, 10, 13, SpecialValues::InfinityAndNaN};
  case Element::e4m3:
    return {4, 3, 0, SpecialValues::NaN};
  case Element::e5m2:
    return {5, 2, 0, SpecialValues::InfinityAndNaN};
  default:
    return {8, 23, 0, SpecialValues::InfinityAndNaN};
  }
}

static IntegerRange integerRange(Element Type) {
  switch (Type) {
  case Element::s8:
    return {-128, 127};
  case Element::u8:
    return {0, 255};
  case Element::b1:
    return {0, 1};
  default:
    return {std::numeric_limits<int32_t>::min(),
            std::numeric_limits<int32_t>::max()};
  }
}

FloatPrecision devicetest::floatPrecision(Element Type) {
  FloatFormat F = floatFormat(Type);
  return {F.MantissaBits, F.minExponent()};
}

bool devicetest::hasInfinity(Element Type) {
  return !isInteger(Type) &&
         floatFormat(Type).Specials == SpecialValues::InfinityAndNaN;
}

const char *devicetest::name(Element Type) {
  static const char *const Names[] = {"f16", "bf16", "tf32", "e4m3", "e5m2",
                                      "s8",  "u8",   "b1",   "f32",  "s32"};
  return Names[static_cast<unsigned>(Type)];
}

double devicetest::decode(Element Type, uint32_t Bits) {
  switch (Type) {
  case Element::s8:
    return static_cast<int8_t>(Bits);
  case Element::u8:
    return static_cast<uint8_t>(Bits);
  case Element::b1:
    return Bits & 1;
  case Element::s32:
    return static_cast<int32_t>(Bits);
  default:
    return floatFormat(Type).decode(Bits);
  }
}

std::optional<uint32_t> devicetest::encode(Element Type, double Value) {
  if (!isInteger(Type))
    return floatFormat(Type).encode(Value);
  IntegerRange Range = integerRange(Type);
  if (!(Value >= Range.Min && Value <= Range.Max) || Value != std::floor(Value))
    return std::nullopt;
  uint32_t Mask = bitWidth(Type) == 32 ? ~0u : (1u << bitWidth(Type)) - 1;
  return static_cast<uint32_t>(static_cast<int64_t>(Value)) & Mask;
}

uint32_t devicetest::encodeExactly(Element Type, double Value) {
  auto Bits = encode(Type, Value);
  if (!Bits) {
    std::fprintf(stderr, "internal error: %s has no %.17g\n", name(Type),
                 Value);
    std::abort();
  }
  return *Bits;
}
