//===- BlockScale.cpp - The scales of mma with block scaling --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockScale.h"

using namespace devicetest;

static constexpr unsigned Quad = 4;
static constexpr unsigned RegisterBytes = 4;

/// Threads of four that hold scales: a quad has two rows of A and one column of
/// B.
static unsigned contributing(WarpOperand Operand) {
  return Operand == WarpOperand::A ? 2 : 1;
}

std::vector<ScaleSelector> devicetest::scaleSelectors(WarpOperand Operand,
                                                      ScaleVector Vector) {
  std::vector<ScaleSelector> All;
  for (unsigned Thread = 0; Thread != Quad / contributing(Operand); ++Thread)
    for (unsigned Byte = 0; Byte != RegisterBytes; Byte += Vector)
      All.push_back({Thread, Byte});
  return All;
}

std::optional<WarpPosition>
devicetest::scalePosition(WarpOperand Operand, ScaleVector Vector,
                          ScaleSelector S, unsigned Thread, unsigned Byte) {
  unsigned Group = Thread / Quad, InGroup = Thread % Quad;
  if (InGroup / contributing(Operand) != S.ThreadId || Byte < S.ByteId ||
      Byte >= S.ByteId + Vector)
    return std::nullopt;
  unsigned Block = Byte - S.ByteId;
  if (Operand == WarpOperand::A)
    return WarpPosition{0, Group + 8 * (InGroup % 2), Block};
  return WarpPosition{0, Block, Group};
}

WarpPlace devicetest::scalePlace(WarpOperand Operand, ScaleSelector S,
                                 const WarpPosition &P) {
  bool IsA = Operand == WarpOperand::A;
  unsigned Line = IsA ? P.Row : P.Column, Block = IsA ? P.Column : P.Row;
  unsigned InGroup = S.ThreadId * contributing(Operand) + Line / 8;
  return {Line % 8 * Quad + InGroup, 0, 8 * (S.ByteId + Block)};
}

WarpMatrix devicetest::scaledMultiplyAccumulate(const WarpMatrix &A,
                                                const WarpMatrix &ScaleA,
                                                const WarpMatrix &B,
                                                const WarpMatrix &ScaleB,
                                                const WarpMatrix &C) {
  unsigned BlockWidth = A.Columns / ScaleA.Columns;
  WarpMatrix ScaledA = A, ScaledB = B;
  for (unsigned K = 0; K != A.Columns; ++K) {
    for (unsigned Row = 0; Row != A.Rows; ++Row)
      ScaledA.at(Row, K) *= ScaleA.at(Row, K / BlockWidth);
    for (unsigned Column = 0; Column != B.Columns; ++Column)
      ScaledB.at(K, Column) *= ScaleB.at(K / BlockWidth, Column);
  }
  return multiplyAccumulate(ScaledA, ScaledB, C);
}
