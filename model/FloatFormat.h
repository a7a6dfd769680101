//===- FloatFormat.h - Floating point encodings -----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sign, an exponent and a mantissa, in that order from the high bits down.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_FLOATFORMAT_H
#define NVPTX_MMA_MODEL_FLOATFORMAT_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace devicetest {

/// What the highest exponent means. With NaN, as e4m3 has it, only the highest
/// mantissa is one, and all others are numbers; None has numbers only.
enum class SpecialValues { InfinityAndNaN, NaN, None };

struct FloatFormat {
  int ExponentBits;
  int MantissaBits;
  /// Unused bits below the mantissa.
  int Shift;
  SpecialValues Specials;

  /// That of the least normal number.
  int minExponent() const { return 1 - bias(); }
  int bias() const { return (1 << (ExponentBits - 1)) - 1; }
  uint32_t maxExponent() const { return (1u << ExponentBits) - 1; }
  uint32_t maxMantissa() const { return (1u << MantissaBits) - 1; }

  double decode(uint32_t Bits) const;
  /// Nothing when there is no exactly that value. Of the NaNs it is the one of
  /// all ones, as the tensor cores have it.
  std::optional<uint32_t> encode(double Value) const;
};

inline double FloatFormat::decode(uint32_t Bits) const {
  Bits >>= Shift;
  uint32_t Mantissa = Bits & maxMantissa();
  uint32_t Exponent = (Bits >> MantissaBits) & maxExponent();
  bool Negative = (Bits >> (MantissaBits + ExponentBits)) & 1;

  double Magnitude;
  if (Exponent == maxExponent() && Specials == SpecialValues::InfinityAndNaN)
    Magnitude = Mantissa ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (Exponent == maxExponent() && Mantissa == maxMantissa() &&
           Specials == SpecialValues::NaN)
    Magnitude = std::numeric_limits<double>::quiet_NaN();
  else if (Exponent == 0)
    Magnitude = std::ldexp(Mantissa, 1 - bias() - MantissaBits);
  else
    Magnitude = std::ldexp(Mantissa + maxMantissa() + 1,
                           int(Exponent) - bias() - MantissaBits);
  return Negative ? -Magnitude : Magnitude;
}

inline std::optional<uint32_t> FloatFormat::encode(double Value) const {
  uint32_t Sign =
      std::signbit(Value) ? 1u << (MantissaBits + ExponentBits + Shift) : 0;
  if (!std::isfinite(Value)) {
    uint32_t Bits = maxExponent() << MantissaBits;
    if (std::isnan(Value) && Specials != SpecialValues::None)
      return (Bits | maxMantissa()) << Shift;
    if (std::isinf(Value) && Specials == SpecialValues::InfinityAndNaN)
      return Sign | Bits << Shift;
    return std::nullopt;
  }
  double Magnitude = std::fabs(Value);
  if (Magnitude == 0)
    return Sign;

  int Exponent = std::max(std::ilogb(Magnitude), 1 - bias());
  if (Exponent > int(maxExponent()) - bias())
    return std::nullopt;
  double Scaled = std::ldexp(Magnitude, MantissaBits - Exponent);
  if (Scaled != std::floor(Scaled))
    return std::nullopt;
  // A normal number's hidden bit carries into the exponent's field; a subnormal
  // number has none and leaves the field at zero.
  uint32_t Bits = static_cast<uint32_t>(Scaled) +
                  (uint32_t(Exponent + bias() - 1) << MantissaBits);
  if (!std::isfinite(decode(Bits << Shift)))
    return std::nullopt;
  return Sign | Bits << Shift;
}

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_FLOATFORMAT_H
