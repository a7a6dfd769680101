//===- WarpElement.cpp - Element types of warp-level instructions ---------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpElement.h"
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
  unsigned Bits;
  bool Integer, Signed;
  int64_t MaxInteger;
  /// The same type in Element.h.
  std::optional<Element> Shared;
  /// Of the narrow floating point types. An unsigned one lacks the sign's bit.
  std::optional<FloatFormat> Format = std::nullopt;
};

} // namespace

static const TypeInfo &info(WarpElement Type) {
  static const TypeInfo Infos[] = {
      {"b1", 1, true, false, 1, {}},
      {"s4", 4, true, true, 7, {}},
      {"u4", 4, true, false, 15, {}},
      {"s8", 8, true, true, 127, Element::s8},
      {"u8", 8, true, false, 255, Element::u8},
      {"e4m3", 8, false, true, 16, Element::e4m3},
      {"e5m2", 8, false, true, 8, Element::e5m2},
      {"e3m2", 8, false, true, 8, {}, {{3, 2, 0, SpecialValues::None}}},
      {"e2m3", 8, false, true, 7, {}, {{2, 3, 0, SpecialValues::None}}},
      {"e2m1", 8, false, true, 4, {}, {{2, 1, 2, SpecialValues::None}}},
      {"e2m1x2", 4, false, true, 4, {}, {{2, 1, 0, SpecialValues::None}}},
      {"ue8m0", 8, false, false, 2, {}},
      {"ue4m3", 8, false, false, 16, {}, {{4, 3, 0, SpecialValues::NaN}}},
      {"f16", 16, false, true, 1 << 11, Element::f16},
      {"bf16", 16, false, true, 1 << 8, Element::bf16},
      {"b16", 16, true, false, 0xFFFF, {}},
      {"tf32", 32, false, true, 1 << 11, Element::tf32},
      {"f32", 32, false, true, 1 << 24, Element::f32},
      {"s32", 32, true, true, INT32_MAX, Element::s32},
      {"f64", 64, false, true, int64_t(1) << 53, {}},
  };
  return Infos[static_cast<unsigned>(Type)];
}

const char *devicetest::name(WarpElement Type) { return info(Type).Name; }
unsigned devicetest::bitWidth(WarpElement Type) { return info(Type).Bits; }
bool devicetest::isInteger(WarpElement Type) { return info(Type).Integer; }
bool devicetest::isSigned(WarpElement Type) { return info(Type).Signed; }

int64_t devicetest::maxInteger(WarpElement Type) {
  return info(Type).MaxInteger;
}

FloatPrecision devicetest::floatPrecision(WarpElement Type) {
  const TypeInfo &I = info(Type);
  if (I.Shared)
    return floatPrecision(*I.Shared);
  if (I.Format)
    return {I.Format->MantissaBits, I.Format->minExponent()};
  return {52, -1022};
}

bool devicetest::hasInfinity(WarpElement Type) {
  const TypeInfo &I = info(Type);
  return I.Shared ? hasInfinity(*I.Shared) : Type == WarpElement::f64;
}

unsigned devicetest::registerWidth(WarpElement Type) {
  return Type == WarpElement::f64 ? 64 : 32;
}

std::optional<WarpElement> devicetest::warpElement(const std::string &Name) {
  for (int Index = 0; Index <= int(WarpElement::f64); ++Index)
    if (Name == name(WarpElement(Index)))
      return WarpElement(Index);
  return std::nullopt;
}

uint64_t devicetest::valueBits(WarpElement Type) {
  const TypeInfo &I = info(Type);
  if (I.Format) {
    int Bits = I.Signed + I.Format->ExponentBits + I.Format->MantissaBits;
    return ((uint64_t(1) << Bits) - 1) << I.Format->Shift;
  }
  uint64_t All = ~uint64_t(0) >> (64 - I.Bits);
  // The instructions truncate tf32.
  return Type == WarpElement::tf32 ? All & ~uint64_t(0x1FFF) : All;
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

double devicetest::decode(WarpElement Type, uint64_t Bits) {
  const TypeInfo &I = info(Type);
  if (I.Shared)
    return decode(*I.Shared, static_cast<uint32_t>(Bits));
  if (I.Format)
    return I.Format->decode(static_cast<uint32_t>(Bits & valueBits(Type)));
  if (Type == WarpElement::ue8m0)
    return decodePower(Bits & PowerNaN);
  if (Type == WarpElement::f64) {
    double Value;
    std::memcpy(&Value, &Bits, sizeof(Value));
    return Value;
  }
  int64_t Value = Bits & ((1u << I.Bits) - 1);
  bool Negative = I.Signed && Value >> (I.Bits - 1);
  return Negative ? Value - (1 << I.Bits) : Value;
}

std::optional<uint64_t> devicetest::encode(WarpElement Type, double Value) {
  const TypeInfo &I = info(Type);
  if (I.Shared)
    return encode(*I.Shared, Value);
  if (I.Format)
    return I.Signed || !std::signbit(Value) ? I.Format->encode(Value)
                                            : std::nullopt;
  if (Type == WarpElement::ue8m0)
    return encodePower(Value);
  if (Type == WarpElement::f64) {
    uint64_t Bits;
    std::memcpy(&Bits, &Value, sizeof(Bits));
    return Bits;
  }
  if (Value != std::floor(Value) || std::fabs(Value) > 0xFFFF)
    return std::nullopt;
  uint64_t Bits =
      static_cast<uint64_t>(static_cast<int64_t>(Value)) & ((1u << I.Bits) - 1);
  // An integer out of range comes back as another.
  if (decode(Type, Bits) != Value)
    return std::nullopt;
  return Bits;
}

uint64_t devicetest::encodeExactly(WarpElement Type, double Value) {
  auto Bits = encode(Type, Value);
  if (!Bits) {
    std::fprintf(stderr, "internal error: %s has no %.17g\n", name(Type),
                 Value);
    std::abort();
  }
  return *Bits;
}
