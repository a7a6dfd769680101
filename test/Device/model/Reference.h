//===- Reference.h - What an instruction computes ---------------*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_MODEL_REFERENCE_H
#define NVPTX_MMA_TEST_DEVICE_MODEL_REFERENCE_H

#include "RoundingCheck.h"
#include "Tile.h"

#include <optional>
#include <vector>

namespace devicetest {

/// D = ScaleA*A * ScaleB*B + (ScaleD ? D : 0), where \p D holds 64 x N values.
/// Integers wrap or saturate once, at the end.
void multiplyAccumulate(const Instruction &I, const ATile &A, const BTile &B,
                        bool ScaleD, std::vector<double> &D);

/// What an element of D is the sum of, where \p Addend is that of the
/// accumulator.
FloatSum floatSum(const Instruction &I, const ATile &A, const BTile &B,
                  double Addend, unsigned Row, unsigned Column);

/// How precise floating point results are.
AccumulationPrecision accumulationPrecision(const Instruction &I);

/// Lays D out as accumulator registers [thread][register]; false when some
/// value is none of the type's.
bool toAccumulator(const Instruction &I, const std::vector<double> &D,
                   uint32_t *Registers);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_MODEL_REFERENCE_H
