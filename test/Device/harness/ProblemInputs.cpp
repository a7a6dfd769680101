//===- ProblemInputs.cpp - Random operands and accumulators ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProblemInputs.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace devicetest;

const char *devicetest::name(Numbers Kind) {
  static const char *const Names[] = {"exact", "rounded", "special",
                                      "subnormal"};
  return Names[static_cast<unsigned>(Kind)];
}

ProblemInputs::ProblemInputs(const Instruction &I, unsigned Steps, Numbers Kind,
                             Random &R)
    : I(I), Kind(Kind), R(R), OfA(), OfB(), RowNegative(Rows),
      ColumnNegative(I.N) {
  for (size_t Row = 0; Row != Rows; ++Row)
    RowNegative[Row] = R.coin();
  for (size_t Column = 0; Column != I.N; ++Column)
    ColumnNegative[Column] = R.coin();
  if (isInteger(I.D))
    return;

  // No partial sum exceeds this. f16 accumulators hold 11 bits. The tensor
  // cores add the products of 8-bit floating point with some 13 bits only.
  int Limit = I.D == Element::f16  ? 1 << 11
              : bitWidth(I.A) == 8 ? 1 << 12
                                   : 1 << 21;
  int Terms = I.shape().packedK() * Steps;
  int MaxOperand = static_cast<int>(std::sqrt(Limit / 2 / Terms));
  OfA = {std::min<int>(MaxOperand, maxInteger(I.A)), int(R.below(5)) - 2};
  OfB = {std::min<int>(MaxOperand, maxInteger(I.B)), int(R.below(5)) - 2};
  MaxAccumulator = Limit / 2;
  if (Kind != Numbers::Subnormal)
    return;
  FloatPrecision A = floatPrecision(I.A), B = floatPrecision(I.B);
  if (R.coin())
    makeSubnormal(A, OfA, B, OfB);
  else
    makeSubnormal(B, OfB, A, OfA);
}

/// Without what is to be truncated of tf32, which would make it a NaN.
static uint32_t special(Element Type, Random &R) {
  return encodeExactly(Type, specialNumber(hasInfinity(Type), R));
}

ATile ProblemInputs::a() {
  ATile Tile(I.Sparse, I.A);
  const std::vector<uint8_t> &Valid = validNibbles(I.A);
  for (uint8_t &Nibble : Tile.Nibbles)
    Nibble = Valid[R.below(Valid.size())];
  unsigned Columns = Tile.Shape.packedK();
  for (unsigned Row = 0; Row != Rows; ++Row) {
    for (unsigned Column = 0; Column != Columns; ++Column)
      Tile.value(Row, Column) = operand(I.A, OfA, RowNegative[Row]);
    if (Kind == Numbers::Special && R.below(4) == 0)
      Tile.value(Row, R.below(Columns)) = special(I.A, R);
  }
  return Tile;
}

BTile ProblemInputs::b() {
  BTile Tile(I.B, I.N, I.shape().K);
  for (unsigned Row = 0; Row != Tile.K; ++Row)
    for (unsigned Column = 0; Column != Tile.N; ++Column)
      Tile.value(Row, Column) = operand(I.B, OfB, ColumnNegative[Column]);
  if (Kind == Numbers::Special)
    for (unsigned Column = 0; Column != Tile.N; ++Column)
      if (R.below(4) == 0)
        Tile.value(R.below(Tile.K), Column) = special(I.B, R);
  return Tile;
}

std::vector<double> ProblemInputs::accumulator() {
  std::vector<double> D(Rows * I.N);
  for (double &Value : D)
    if (isInteger(I.D))
      Value = accumulatorInt();
    else if (Kind == Numbers::Special && R.below(16) == 0)
      Value = decode(I.D, special(I.D, R));
    else
      Value = accumulatorFloat();
  return D;
}

uint32_t ProblemInputs::operand(Element Type, const IntegerScale &Of,
                                bool Negative) {
  if (Type == Element::b1)
    return R.below(2);
  if (isInteger(Type)) {
    // When a sum saturates may depend on the order of its terms. It does not if
    // they all have one sign, so let that of the row and column decide.
    bool High = Type == Element::u8 || !I.Satfinite ? R.coin() : Negative;
    return R.below(128) | (High ? 0x80 : 0);
  }
  if (Kind == Numbers::Rounded)
    return encodeOperand(
        Type, operandToRound(floatPrecision(Type), floatPrecision(I.D), R));
  // A finite non-zero: no product is a zero whose sign might differ.
  double Magnitude = std::ldexp(1 + R.below(Of.Max), Of.Exponent);
  return encodeOperand(Type, R.coin() ? -Magnitude : Magnitude);
}

uint32_t ProblemInputs::encodeOperand(Element Type, double Value) {
  uint32_t Bits = encodeExactly(Type, Value);
  if (Type == Element::tf32)
    Bits |= R.below(1 << 13); // to be truncated
  return Bits;
}

double ProblemInputs::accumulatorFloat() {
  if (Kind == Numbers::Rounded)
    return operandToRound(floatPrecision(I.D), floatPrecision(I.D), R);
  int Integer = int(R.below(2 * MaxAccumulator + 1)) - MaxAccumulator;
  return std::ldexp(Integer, OfA.Exponent + OfB.Exponent);
}

/// Often so near to an end of the range that the sum leaves it.
double ProblemInputs::accumulatorInt() {
  using Limits = std::numeric_limits<int32_t>;
  uint32_t Near = I.shape().packedK() * (I.A == Element::b1 ? 1 : 1 << 13);
  switch (R.below(3)) {
  case 0:
    return double(Limits::max()) - R.below(Near);
  case 1:
    return double(Limits::min()) + R.below(Near);
  default:
    return static_cast<int32_t>(R.bits());
  }
}
