//===- Reduction.cpp - What a reduction makes of two elements -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace kernel_tests;

namespace {

/// Where the parts of a floating point number are.
struct Format {
  int Mantissa; ///< Bits of it that are stored.
  int Bias;
};

Format formatOf(ReductionType Type) {
  if (Type.Kind == 'B')
    return {7, 127};
  return Type.Bits == 16   ? Format{10, 15}
         : Type.Bits == 32 ? Format{23, 127}
                           : Format{52, 1023};
}

double decode(ReductionType Type, uint64_t Bits) {
  auto [Mantissa, Bias] = formatOf(Type);
  uint64_t Low = Bits & ((uint64_t(1) << Mantissa) - 1);
  uint64_t ExponentMask =
      (uint64_t(1) << (Type.Bits - 1 - static_cast<unsigned>(Mantissa))) - 1;
  int Exponent = static_cast<int>(Bits >> Mantissa & ExponentMask);
  assert(Exponent != static_cast<int>(ExponentMask) && "not finite");
  // Subnormal numbers have the exponent of the smallest normal ones.
  if (Exponent)
    Low |= uint64_t(1) << Mantissa;
  double Value = std::ldexp(static_cast<double>(Low),
                            std::max(Exponent, 1) - Bias - Mantissa);
  return Bits >> (Type.Bits - 1) & 1 ? -Value : Value;
}

/// Of a number that the type has.
uint64_t encode(ReductionType Type, double Value) {
  auto [Mantissa, Bias] = formatOf(Type);
  uint64_t Sign = uint64_t(std::signbit(Value)) << (Type.Bits - 1);
  // Of zero ilogb is less than any exponent.
  int Exponent = std::max(std::ilogb(Value), 1 - Bias);
  double Scaled = std::ldexp(std::fabs(Value), Mantissa - Exponent);
  auto Low = static_cast<uint64_t>(Scaled);
  assert(static_cast<double>(Low) == Scaled && "not a number of the type");
  uint64_t Implied = uint64_t(1) << Mantissa;
  if (Low < Implied)
    return Sign | Low;
  return Sign | static_cast<uint64_t>(Exponent + Bias) << Mantissa |
         (Low - Implied);
}

int64_t signExtended(uint64_t Value, unsigned Bits) {
  return static_cast<int64_t>(Value << (64 - Bits)) >> (64 - Bits);
}

double reduceNumbers(const std::string &Operation, double Old, double New) {
  if (Operation == "min")
    return std::min(Old, New);
  if (Operation == "max")
    return std::max(Old, New);
  return Old + New; // add, add.noftz
}

uint64_t reduceIntegers(const std::string &Operation, ReductionType Type,
                        uint64_t Old, uint64_t New) {
  bool IsLess = Type.Kind == 's' ? signExtended(Old, Type.Bits) <
                                       signExtended(New, Type.Bits)
                                 : Old < New;
  if (Operation == "min")
    return IsLess ? Old : New;
  if (Operation == "max")
    return IsLess ? New : Old;
  if (Operation == "and")
    return Old & New;
  if (Operation == "or")
    return Old | New;
  if (Operation == "xor")
    return Old ^ New;
  if (Operation == "inc")
    return Old >= New ? 0 : Old + 1;
  if (Operation == "dec")
    return Old == 0 || Old > New ? New : Old - 1;
  return Old + New; // add
}

} // namespace

ReductionType::ReductionType(const std::string &Name)
    : Kind(Name == "bf16" ? 'B' : Name[0]),
      Bits(static_cast<unsigned>(std::stoul(Name.substr(Name.size() - 2)))) {}

uint64_t kernel_tests::reduce(const std::string &Operation, ReductionType Type,
                              uint64_t Old, uint64_t New) {
  if (Type.Kind == 'f' || Type.Kind == 'B')
    return encode(
        Type, reduceNumbers(Operation, decode(Type, Old), decode(Type, New)));
  uint64_t Mask = std::numeric_limits<uint64_t>::max() >> (64 - Type.Bits);
  return reduceIntegers(Operation, Type, Old, New) & Mask;
}

std::pair<uint64_t, uint64_t>
kernel_tests::randomElements(ReductionType Type, std::mt19937 &Random) {
  // inc and dec wrap at small integers only; a small number is subnormal.
  bool IsSmall = Random() % 2;
  auto draw = [&]() -> uint64_t {
    if (Type.Kind != 'f' && Type.Kind != 'B') {
      uint64_t Value = uint64_t(Random()) << 32 | Random();
      return IsSmall ? Value % 4 : Value >> (64 - Type.Bits);
    }
    // bf16 has all integers up to 256, and 127 that are subnormal.
    double Value = 1 + static_cast<double>(Random() % 60);
    auto [Mantissa, Bias] = formatOf(Type);
    if (IsSmall && Type.Bits == 16)
      Value = std::ldexp(Value, 1 - Bias - Mantissa);
    return encode(Type, Random() % 2 ? -Value : Value);
  };
  uint64_t Old = draw();
  return {Old, draw()};
}
