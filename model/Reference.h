//===- Reference.h - What an instruction computes ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_REFERENCE_H
#define NVPTX_MMA_MODEL_REFERENCE_H

#include "RoundingCheck.h"
#include "Tile.h"

#include <cstdint>
#include <vector>

namespace devicetest {

/// D = ScaleA*A * ScaleB*B + (ScaleD ? D : 0), where \p D holds 64 x N values.
/// Integers wrap or saturate once, at the end.
void multiplyAccumulate(const Instruction &I, const ATile &A, const BTile &B,
                        bool ScaleD, std::vector<double> &D);

/// What the elements of D are sums of, decoded once for all.
class SumTerms {
public:
  /// \p Addends are what the products are added to, 64 x N.
  SumTerms(const Instruction &I, const ATile &A, const BTile &B,
           std::vector<double> Addends);

  double addend(unsigned Row, unsigned Column) const {
    return Addends[Row * N + Column];
  }
  /// Sets \p Sum to that of an element.
  void get(unsigned Row, unsigned Column, FloatSum &Sum) const;

private:
  unsigned N, K, PackedK;
  std::vector<double> A;       ///< [row][packed column]
  std::vector<unsigned> Depth; ///< [row][packed column]: k
  std::vector<double> B;       ///< [column][k]
  std::vector<double> Addends;
};

/// How precise floating point results are.
AccumulationPrecision accumulationPrecision(const Instruction &I);

/// Lays D out as accumulator registers [thread][register]; false when some
/// value is none of the type's.
bool toAccumulator(const Instruction &I, const std::vector<double> &D,
                   uint32_t *Registers);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_REFERENCE_H
