//===- Element.cpp - Element types and their codecs -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Element.h"
#include "FloatFormat.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace devicetest;

namespace {

struct TypeInfo {
  const char *Name;
  bool Signed;
  int64_t MaxInteger;
  /// Of floating point types that fit 32 bits, but ue8m0.
  std::optional<FloatFormat> Format = std::nullopt;
};

} // namespace

static const TypeInfo &info(Element Type) {
  constexpr auto IEEE = SpecialValues::InfinityAndNaN;
  constexpr auto None = SpecialValues::None;
  static const TypeInfo Infos[] = {
      {"b1", false, 1},
      {"s4", true, 7},
      {"u4", false, 15},
      {"s8", true, 127},
      {"u8", false, 255},
      {"e4m3", true, 16, {{4, 3, 0, SpecialValues::NaN}}},
      {"e5m2", true, 8, {{5, 2, 0, IEEE}}},
      {"e3m2", true, 8, {{3, 2, 0, None}}},
      {"e2m3", true, 7, {{2, 3, 0, None}}},
      {"e2m1", true, 4, {{2, 1, 2, None}}},
      {"e2m1x2", true, 4, {{2, 1, 0, None}}},
      {"ue8m0", false, 2},
      {"ue4m3", false, 16, {{4, 3, 0, SpecialValues::NaN}}},
      {"f16", true, 1 << 11, {{5, 10, 0, IEEE}}},
      {"bf16", true, 1 << 8, {{8, 7, 0, IEEE}}},
      {"b16", false, 0xFFFF},
      {"tf32", true, 1 << 11, {{8, 10, 13, IEEE}}},
      {"f32", true, 1 << 24, {{8, 23, 0, IEEE}}},
      {"s32", true, INT32_MAX},
      {"f64", true, int64_t(1) << 53},
  };
  return Infos[static_cast<unsigned>(Type)];
}

const char *devicetest::name(Element Type) { return info(Type).Name; }
bool devicetest::isSigned(Element Type) { return info(Type).Signed; }
int64_t devicetest::maxInteger(Element Type) { return info(Type).MaxInteger; }

std::optional<Element> devicetest::elementNamed(const std::string &Name) {
  for (int Index = 0; Index <= int(Element::f64); ++Index)
    if (Name == name(Element(Index)))
      return Element(Index);
  return std::nullopt;
}

FloatPrecision devicetest::floatPrecision(Element Type) {
  if (const auto &Format = info(Type).Format)
    return {Format->MantissaBits, Format->minExponent()};
  return {52, -1022};
}

bool devicetest::hasInfinity(Element Type) {
  const auto &Format = info(Type).Format;
  return Format ? Format->Specials == SpecialValues::InfinityAndNaN
                : Type == Element::f64;
}

uint64_t devicetest::valueBits(Element Type) {
  const TypeInfo &I = info(Type);
  if (!I.Format)
    return ~uint64_t(0) >> (64 - bitWidth(Type));
  int Bits = I.Signed + I.Format->ExponentBits + I.Format->MantissaBits;
  return ((uint64_t(1) << Bits) - 1) << I.Format->Shift;
}

/// ue8m0 is the exponent of a power of two, and nothing else.
static constexpr int PowerBias = 127;
static constexpr unsigned PowerNaN = 0xFF;

static double decodePower(unsigned Exponent) {
  return Exponent == PowerNaN ? std::numeric_limits<double>::quiet_NaN()
                              : std::ldexp(1, int(Exponent) - PowerBias);
}

static std::optional<uint64_t> encodePower(double Value) {
  if (!std::isfinite(Value) || Value <= 0)
    return std::nullopt;
  int Exponent = std::ilogb(Value) + PowerBias;
  if (Exponent < 0 || Exponent >= int(PowerNaN) ||
      decodePower(Exponent) != Value)
    return std::nullopt;
  return Exponent;
}

static double decodeInteger(Element Type, uint64_t Bits) {
  unsigned Width = bitWidth(Type);
  bool Negative = isSigned(Type) && Bits >> (Width - 1) & 1;
  return double(Bits) - (Negative ? std::ldexp(1, int(Width)) : 0);
}

static std::optional<uint64_t> encodeInteger(Element Type, double Value) {
  if (Value != std::floor(Value) || std::fabs(Value) > UINT32_MAX)
    return std::nullopt;
  uint64_t Bits =
      static_cast<uint64_t>(static_cast<int64_t>(Value)) & valueBits(Type);
  // An integer out of range comes back as another.
  if (decodeInteger(Type, Bits) != Value)
    return std::nullopt;
  return Bits;
}

double devicetest::decode(Element Type, uint64_t Bits) {
  Bits &= valueBits(Type);
  if (const auto &Format = info(Type).Format)
    return Format->decode(static_cast<uint32_t>(Bits));
  if (isInteger(Type))
    return decodeInteger(Type, Bits);
  if (Type == Element::ue8m0)
    return decodePower(Bits);
  double Value;
  std::memcpy(&Value, &Bits, sizeof(Value));
  return Value;
}

std::optional<uint64_t> devicetest::encode(Element Type, double Value) {
  const TypeInfo &I = info(Type);
  if (I.Format)
    return I.Signed || !std::signbit(Value) ? I.Format->encode(Value)
                                            : std::nullopt;
  if (isInteger(Type))
    return encodeInteger(Type, Value);
  if (Type == Element::ue8m0)
    return encodePower(Value);
  uint64_t Bits;
  std::memcpy(&Bits, &Value, sizeof(Bits));
  return Bits;
}

uint64_t devicetest::encodeExactly(Element Type, double Value) {
  auto Bits = encode(Type, Value);
  if (!Bits) {
    std::fprintf(stderr, "internal error: %s has no %.17g\n", name(Type),
                 Value);
    std::abort();
  }
  return *Bits;
}
