//===- Element.cpp - Element types and their codecs -----------------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace devicetest;

namespace {

struct FloatFormat {
  int ExponentBits;
  int MantissaBits;
  /// Unused bits below the mantissa.
  int Shift;
  /// e4m3 gives the highest exponent to numbers, save for one NaN.
  bool HasInfinity;

  int bias() const { return (1 << (ExponentBits - 1)) - 1; }
  uint32_t maxExponent() const { return (1u << ExponentBits) - 1; }
  uint32_t maxMantissa() const { return (1u << MantissaBits) - 1; }
};

struct IntegerRange {
  double Min, Max;
};

} // namespace

static FloatFormat floatFormat(Element Type) {
  switch (Type) {
  case Element::f16:
    return {5, 10, 0, true};
  case Element::bf16:
    return {8, 7, 0, true};
  case Element::tf32:
    return {8, 10, 13, true};
  case Element::e4m3:
    return {4, 3, 0, false};
  case Element::e5m2:
    return {5, 2, 0, true};
  default:
    return {8, 23, 0, true};
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

int devicetest::fractionBits(Element Type) {
  return floatFormat(Type).MantissaBits;
}

const char *devicetest::name(Element Type) {
  static const char *const Names[] = {"f16", "bf16", "tf32", "e4m3", "e5m2",
                                      "s8",  "u8",   "b1",   "f32",  "s32"};
  return Names[static_cast<unsigned>(Type)];
}

static double decodeFloat(const FloatFormat &F, uint32_t Bits) {
  Bits >>= F.Shift;
  uint32_t Mantissa = Bits & F.maxMantissa();
  uint32_t Exponent = (Bits >> F.MantissaBits) & F.maxExponent();
  bool Negative = (Bits >> (F.MantissaBits + F.ExponentBits)) & 1;

  double Magnitude;
  if (Exponent == F.maxExponent() && F.HasInfinity)
    Magnitude = Mantissa ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (Exponent == F.maxExponent() && Mantissa == F.maxMantissa())
    Magnitude = std::numeric_limits<double>::quiet_NaN();
  else if (Exponent == 0)
    Magnitude = std::ldexp(Mantissa, 1 - F.bias() - F.MantissaBits);
  else
    Magnitude = std::ldexp(Mantissa + F.maxMantissa() + 1,
                           int(Exponent) - F.bias() - F.MantissaBits);
  return Negative ? -Magnitude : Magnitude;
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
    return decodeFloat(floatFormat(Type), Bits);
  }
}

static std::optional<uint32_t> encodeFloat(const FloatFormat &F, double Value) {
  if (!std::isfinite(Value))
    return std::nullopt;
  uint32_t Sign = std::signbit(Value)
                      ? 1u << (F.MantissaBits + F.ExponentBits + F.Shift)
                      : 0;
  double Magnitude = std::fabs(Value);
  if (Magnitude == 0)
    return Sign;

  int Exponent = std::max(std::ilogb(Magnitude), 1 - F.bias());
  if (Exponent > int(F.maxExponent()) - F.bias())
    return std::nullopt;
  double Scaled = std::ldexp(Magnitude, F.MantissaBits - Exponent);
  if (Scaled != std::floor(Scaled))
    return std::nullopt;
  // A normal number's hidden bit carries into the exponent's field; a subnormal
  // number has none and leaves the field at zero.
  uint32_t Bits = static_cast<uint32_t>(Scaled) +
                  (uint32_t(Exponent + F.bias() - 1) << F.MantissaBits);
  if (!std::isfinite(decodeFloat(F, Bits << F.Shift)))
    return std::nullopt;
  return Sign | Bits << F.Shift;
}

std::optional<uint32_t> devicetest::encode(Element Type, double Value) {
  if (!isInteger(Type))
    return encodeFloat(floatFormat(Type), Value);
  IntegerRange Range = integerRange(Type);
  if (!(Value >= Range.Min && Value <= Range.Max) || Value != std::floor(Value))
    return std::nullopt;
  uint32_t Mask = bitWidth(Type) == 32 ? ~0u : (1u << bitWidth(Type)) - 1;
  return static_cast<uint32_t>(static_cast<int64_t>(Value)) & Mask;
}
