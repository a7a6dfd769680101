//===- Reference.cpp - What an instruction computes -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "Fragment.h"

#include <algorithm>
#include <limits>
#include <utility>

using namespace devicetest;

/// \p Sum is an integer far within a double's exact range.
static double toInt32(double Sum, bool Satfinite) {
  if (Satfinite)
    return std::clamp<double>(Sum, std::numeric_limits<int32_t>::min(),
                              std::numeric_limits<int32_t>::max());
  return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(Sum)));
}

void devicetest::multiplyAccumulate(const Instruction &I, const ATile &A,
                                    const BTile &B, bool ScaleD,
                                    std::vector<double> &D) {
  if (!ScaleD)
    std::fill(D.begin(), D.end(), 0.0);

  std::vector<double> BValues(B.Values.size());
  for (size_t Index = 0; Index != BValues.size(); ++Index)
    BValues[Index] = I.ScaleB * decode(B.Type, B.Values[Index]);

  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned Packed = 0; Packed != A.Shape.packedK(); ++Packed) {
      double AValue = I.ScaleA * decode(A.Type, A.value(Row, Packed));
      const double *BRow = &BValues[A.column(Row, Packed) * I.N];
      for (unsigned Column = 0; Column != I.N; ++Column)
        D[Row * I.N + Column] += AValue * BRow[Column];
    }

  // An H200 makes a positive zero of negative ones alone, too.
  for (double &Value : D)
    Value = isInteger(I.D) ? toInt32(Value, I.Satfinite) : Value + 0.0;
}

SumTerms::SumTerms(const Instruction &I, const ATile &ATile, const BTile &BTile,
                   std::vector<double> Addends)
    : N(I.N), K(BTile.K), PackedK(ATile.Shape.packedK()), B(N * K),
      Addends(std::move(Addends)) {
  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned Packed = 0; Packed != PackedK; ++Packed) {
      A.push_back(I.ScaleA * decode(ATile.Type, ATile.value(Row, Packed)));
      Depth.push_back(ATile.column(Row, Packed));
    }
  for (unsigned Row = 0; Row != K; ++Row)
    for (unsigned Column = 0; Column != N; ++Column)
      B[Column * K + Row] =
          I.ScaleB * decode(BTile.Type, BTile.value(Row, Column));
}

void SumTerms::get(unsigned Row, unsigned Column, FloatSum &Sum) const {
  Sum.Addend = addend(Row, Column);
  Sum.Products.clear();
  for (unsigned Packed = Row * PackedK; Packed != (Row + 1) * PackedK; ++Packed)
    Sum.Products.push_back({A[Packed], B[Column * K + Depth[Packed]]});
}

AccumulationPrecision devicetest::accumulationPrecision(const Instruction &I) {
  FloatPrecision P = I.D == Element::f16 ? HalfPrecision : SinglePrecision;
  AccumulationPrecision Result = {P, P, P};
  if (bitWidth(I.A) == 8)
    Result.Required.FractionBits = std::min(P.FractionBits, 13);
  return Result;
}

bool devicetest::toAccumulator(const Instruction &I,
                               const std::vector<double> &D,
                               uint32_t *Registers) {
  unsigned PerRegister = I.elementsPerRegister();
  for (unsigned Thread = 0; Thread != Threads; ++Thread)
    for (unsigned Register = 0; Register != I.accumulatorRegisters();
         ++Register) {
      uint32_t Bits = 0;
      for (unsigned Index = 0; Index != PerRegister; ++Index) {
        Position P =
            accumulatorPosition(Thread, Register * PerRegister + Index);
        auto Encoded = encode(I.D, D[P.Row * I.N + P.Column]);
        if (!Encoded)
          return false;
        Bits |= *Encoded << Index * bitWidth(I.D);
      }
      Registers[Thread * I.accumulatorRegisters() + Register] = Bits;
    }
  return true;
}
