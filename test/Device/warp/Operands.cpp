//===- Operands.cpp - Matrices to multiply, and their product -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace devicetest;

static uint64_t ProgramSeed = 0;

void devicetest::setProgramSeed(uint64_t Seed) { ProgramSeed = Seed; }

/// FNV-1a.
uint64_t devicetest::seedOf(const std::string &Text) {
  uint64_t Hash = 0xCBF29CE484222325;
  for (unsigned char C : Text)
    Hash = (Hash ^ C) * 0x100000001B3;
  return Hash + ProgramSeed * 0x9E3779B97F4A7C15;
}

static BitOperation bitOperation(const std::string &Name) {
  if (Name == "none")
    return BitOperation::None;
  return Name == "xor" ? BitOperation::Xor : BitOperation::And;
}

static Rounding rounding(const std::string &Name) {
  if (Name == "rz")
    return Rounding::Zero;
  if (Name == "rm")
    return Rounding::Minus;
  return Name == "rp" ? Rounding::Plus : Rounding::Nearest;
}

Multiplication::Multiplication(const Kernel &K)
    : Shape(K.shape()), A(K.element("a")), B(K.element("b")), C(K.element("c")),
      D(K.element("d")), Sparse(K.Family.rfind("mma.sp", 0) == 0),
      Satfinite(K.flag("satfinite")), Op(bitOperation(K.field("bitop"))),
      R(rounding(K.field("rnd"))) {}

const char *devicetest::name(ProblemKind Kind) {
  switch (Kind) {
  case ProblemKind::Random:
    return "random";
  case ProblemKind::OneHot:
    return "one element in each row of A";
  case ProblemKind::OneRounding:
    return "one rounding";
  case ProblemKind::Chain:
    return "chain of roundings";
  case ProblemKind::RoundedSums:
    return "rounded sums";
  case ProblemKind::Special:
    return "infinities and NaNs";
  case ProblemKind::Subnormal:
    return "subnormal inputs";
  case ProblemKind::DescendingMetadata:
    break;
  }
  return "descending metadata";
}

bool devicetest::isLenient(ProblemKind Kind) {
  return Kind == ProblemKind::Chain || Kind == ProblemKind::RoundedSums ||
         Kind == ProblemKind::Special || Kind == ProblemKind::Subnormal;
}

bool devicetest::isNoted(ProblemKind Kind) {
  return Kind == ProblemKind::Chain || isOpen(Kind);
}

bool devicetest::isOpen(ProblemKind Kind) {
  return Kind == ProblemKind::DescendingMetadata;
}

std::vector<ProblemKind> devicetest::problemKinds(const Multiplication &M,
                                                  bool Ordered) {
  std::vector<ProblemKind> Kinds(6, ProblemKind::Random);
  Kinds.insert(Kinds.end(), 2, ProblemKind::OneHot);
  if (M.D == Element::f64) {
    Kinds.insert(Kinds.end(), 2, ProblemKind::OneRounding);
    Kinds.insert(Kinds.end(), 2, ProblemKind::Chain);
  } else if (!isInteger(M.D)) {
    Kinds.insert(Kinds.end(), RoundedProblems, ProblemKind::RoundedSums);
    Kinds.insert(Kinds.end(), 4, ProblemKind::Subnormal);
  }
  if (!isInteger(M.D))
    Kinds.insert(Kinds.end(), 4, ProblemKind::Special);
  if (M.Sparse && !Ordered && M.A != Element::tf32)
    Kinds.insert(Kinds.end(), 2, ProblemKind::DescendingMetadata);
  return Kinds;
}

WarpMatrix devicetest::expand(const Multiplication &M, const WarpMatrix &Packed,
                              const std::vector<uint8_t> &Nibbles) {
  if (!M.Sparse)
    return Packed;
  WarpSparsity S = warpSparsity(M.A);
  unsigned Chunks = M.Shape.K / S.ChunkWidth;
  WarpMatrix A(M.Shape.M, M.Shape.K);
  for (unsigned Row = 0; Row != A.Rows; ++Row)
    for (unsigned Column = 0; Column != Packed.Columns; ++Column) {
      unsigned Chunk = Column / S.kept();
      A.at(Row, Chunk * S.ChunkWidth +
                    warpKeptColumn(M.A, Nibbles[Row * Chunks + Chunk],
                                   Column % S.kept())) = Packed.at(Row, Column);
    }
  return A;
}

unsigned devicetest::productsOf(const Multiplication &M) {
  return M.Sparse ? M.Shape.K / 2 : M.Shape.K;
}

AccumulationPrecision
devicetest::accumulationPrecision(const Multiplication &M) {
  auto Of = [](Element Type) {
    return Type == Element::f16 ? HalfPrecision : SinglePrecision;
  };
  // One of C and D that is f32 makes the accumulation be of f32.
  FloatPrecision P = Of(M.C == Element::f16 ? M.D : M.C);
  return {P, P, Of(M.D)};
}

WarpMatrix devicetest::floatSums(const WarpMatrix &A, const WarpMatrix &B,
                                 const WarpMatrix &C) {
  WarpMatrix D = C;
  for (unsigned Row = 0; Row != D.Rows; ++Row)
    for (unsigned Column = 0; Column != D.Columns; ++Column)
      D.at(Row, Column) = floatSum(A, B, C, Row, Column).value();
  return D;
}

WarpMatrix devicetest::multiply(const Multiplication &M, const WarpMatrix &A,
                                const WarpMatrix &B, const WarpMatrix &C) {
  if (M.D == Element::f64)
    return fusedMultiplyAdds(A, B, C, M.R, chainOrders(A.Columns)[0].K);
  WarpMatrix D =
      isInteger(M.D) ? multiplyAccumulate(A, B, C, M.Op) : floatSums(A, B, C);
  for (double &Value : D.Values)
    if (!isInteger(M.D))
      Value =
          rounded(Value, accumulationPrecision(M).Result, Rounding::Nearest);
    else
      Value = M.Satfinite ? saturated(Value) : wrapped(Value);
  return D;
}

std::vector<ChainOrder> devicetest::chainOrders(unsigned K) {
  std::vector<unsigned> Order(K);
  std::iota(Order.begin(), Order.end(), 0);
  std::vector<ChainOrder> Orders = {{"k ascending", Order}};
  std::vector<unsigned> Reverse(Order.rbegin(), Order.rend());
  Orders.push_back({"k descending", Reverse});
  for (unsigned Step = 2; Step < K; Step *= 2) {
    std::vector<unsigned> Interleaved;
    for (unsigned First = 0; First != Step; ++First)
      for (unsigned Index = First; Index < K; Index += Step)
        Interleaved.push_back(Index);
    Orders.push_back({"every " + std::to_string(Step) + "th k", Interleaved});
  }
  // Some more, each applied to all groups of four.
  std::vector<unsigned> Four = {0, 1, 2, 3};
  while (std::next_permutation(Four.begin(), Four.end())) {
    std::vector<unsigned> Grouped;
    std::string Name = "k % 4 =";
    for (unsigned Index = 0; Index != K; ++Index)
      Grouped.push_back(Index / 4 * 4 + Four[Index % 4]);
    for (unsigned Index : Four)
      Name += " " + std::to_string(Index);
    Orders.push_back({Name, Grouped});
  }
  return Orders;
}

namespace {

/// Makes the elements of one problem. Floating point values are Integer *
/// 2^Exponent with one exponent for each matrix, so that every sum is a small
/// multiple of one power of two.
class ElementMaker {
public:
  ElementMaker(const Multiplication &M, ProblemKind Kind, Random &R)
      : M(M), Kind(Kind), R(R) {
    // No partial sum exceeds this. f16 holds 11 bits. The tensor cores add the
    // products of 8-bit floating point with some 13 bits only.
    int64_t Limit = int64_t(1) << 21;
    if (bitWidth(M.A) == 8)
      Limit = 1 << 12;
    if (M.C == Element::f16 || M.D == Element::f16)
      Limit = 1 << 11;
    int64_t MaxOperand = std::sqrt(Limit / 2 / M.Shape.K);
    OfA = {int(std::min(MaxOperand, maxInteger(M.A))), int(R.below(5)) - 2};
    OfB = {int(std::min(MaxOperand, maxInteger(M.B))), int(R.below(5)) - 2};
    MaxC = Limit / 2 - 1;
    if (Kind != ProblemKind::Subnormal)
      return;
    FloatPrecision A = floatPrecision(M.A), B = floatPrecision(M.B);
    if (R.coin())
      makeSubnormal(A, OfA, B, OfB);
    else
      makeSubnormal(B, OfB, A, OfA);
  }

  double a(bool Negative) {
    return operand(M.A, OfA, Negative, Kind == ProblemKind::OneHot);
  }
  double b(bool Negative) { return operand(M.B, OfB, Negative, false); }

  double special(Element Type) { return specialNumber(hasInfinity(Type), R); }

  double c() {
    if (isInteger(M.C))
      return nearAnEnd();
    if (needsRounding())
      return anyNumber(M.C);
    return std::ldexp(int64_t(R.below(2 * MaxC + 1)) - MaxC, unit());
  }

  int unit() const { return OfA.Exponent + OfB.Exponent; }

  bool needsRounding() const {
    return Kind == ProblemKind::OneRounding || Kind == ProblemKind::Chain ||
           Kind == ProblemKind::RoundedSums;
  }

private:
  double operand(Element Type, const IntegerScale &Of, bool Negative,
                 bool One) {
    if (Type == Element::b1)
      return One || R.coin();
    if (isInteger(Type)) {
      // When a sum saturates may depend on the order of its terms. It does not
      // if they all have one sign, so let that of row and column decide.
      if (!M.Satfinite)
        Negative = R.coin();
      int64_t Half = int64_t(1) << (bitWidth(Type) - 1);
      if (!isSigned(Type))
        return One ? 1 : R.below(2 * Half);
      if (One)
        return Negative ? -1 : 1;
      return Negative ? -int64_t(1 + R.below(Half)) : int64_t(R.below(Half));
    }
    if (needsRounding())
      return anyNumber(Type);
    // Never zero: no product is a zero whose sign might differ.
    double Magnitude = One ? 1 : 1 + R.below(Of.Max);
    return std::ldexp(R.coin() ? -Magnitude : Magnitude, Of.Exponent);
  }

  double anyNumber(Element Type) {
    return operandToRound(floatPrecision(Type), floatPrecision(M.D), R);
  }

  /// Often so near to an end of the range that the sum leaves it.
  double nearAnEnd() {
    using Limits = std::numeric_limits<int32_t>;
    unsigned Margin = bitWidth(M.A) == 8 ? 1 << 18 : 1 << 9;
    switch (R.below(3)) {
    case 0:
      return double(Limits::max()) - R.below(Margin);
    case 1:
      return double(Limits::min()) + R.below(Margin);
    default:
      return static_cast<int32_t>(R.bits());
    }
  }

  const Multiplication &M;
  ProblemKind Kind;
  Random &R;
  IntegerScale OfA, OfB;
  int64_t MaxC;
};

} // namespace

static bool oneInARow(ProblemKind Kind) {
  return Kind == ProblemKind::OneHot || Kind == ProblemKind::OneRounding;
}

Operands::Operands(const Multiplication &M, ProblemKind Kind, Random &R)
    : PackedA(M.Shape.M, productsOf(M)), A(M.Shape.M, M.Shape.K),
      B(M.Shape.K, M.Shape.N), C(M.Shape.M, M.Shape.N), D(C), ChainBound(C) {
  ElementMaker Make(M, Kind, R);
  if (M.Sparse) {
    const std::vector<uint8_t> &Valid = Kind == ProblemKind::DescendingMetadata
                                            ? warpDescendingNibbles()
                                            : warpNibbles(M.A);
    unsigned Chunks = M.Shape.K / warpSparsity(M.A).ChunkWidth;
    for (unsigned Index = 0; Index != M.Shape.M * Chunks; ++Index)
      Nibbles.push_back(Valid[R.below(Valid.size())]);
  }

  for (unsigned Row = 0; Row != PackedA.Rows; ++Row) {
    bool Negative = R.coin();
    unsigned Only = R.below(PackedA.Columns);
    for (unsigned Column = 0; Column != PackedA.Columns; ++Column)
      if (!oneInARow(Kind) || Column == Only)
        PackedA.at(Row, Column) = Make.a(Negative);
    if (Kind == ProblemKind::Special && R.below(4) == 0)
      PackedA.at(Row, Only) = Make.special(M.A);
  }
  std::vector<bool> Negative;
  for (unsigned Column = 0; Column != B.Columns; ++Column)
    Negative.push_back(R.coin());
  for (unsigned Row = 0; Row != B.Rows; ++Row)
    for (unsigned Column = 0; Column != B.Columns; ++Column)
      B.at(Row, Column) = Make.b(Negative[Column]);
  for (double &Value : C.Values)
    Value = Make.c();
  if (Kind == ProblemKind::Special) {
    for (unsigned Column = 0; Column != B.Columns; ++Column)
      if (R.below(4) == 0)
        B.at(R.below(B.Rows), Column) = Make.special(M.B);
    for (double &Value : C.Values)
      if (R.below(16) == 0)
        Value = Make.special(M.C);
  }

  A = expand(M, PackedA, Nibbles);
  D = multiply(M, A, B, C);
  // A zero may be negative, depending on order and rounding: let there be none.
  if (!isInteger(M.D))
    for (size_t Index = 0; Index != D.Values.size(); ++Index)
      if (D.Values[Index] == 0)
        C.Values[Index] += std::ldexp(1, Make.unit());
  D = multiply(M, A, B, C);
  if (!isInteger(M.D) && !Make.needsRounding() &&
      Kind != ProblemKind::Special &&
      D.Values != multiplyAccumulate(A, B, C).Values) {
    std::fprintf(stderr, "internal error: inexact sums\n");
    std::abort();
  }
  ChainBound = fusedMultiplyAddsBound(A, B, C);
}
