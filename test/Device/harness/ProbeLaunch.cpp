//===- ProbeLaunch.cpp - Launches whose results are read ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeLaunch.h"

using namespace devicetest;

Batch devicetest::makeProbe(const Instruction &I, unsigned Problems,
                            uint32_t SharedBytes) {
  Batch Result;
  Result.Problems = Problems;
  Result.Steps = 1;
  Result.Accumulators = 1;
  Result.AccumulatorRegisters = I.accumulatorRegisters();
  Result.SharedBytes = SharedBytes;
  Result.Shared.resize(size_t(Problems) * SharedBytes);
  Result.Accumulator.resize(Problems * Result.registersPerCta());
  size_t StoredSteps = size_t(Problems) * (1 + StepsAhead);
  Result.Fragment.resize(StoredSteps * Threads * OperandRegisters);
  Result.Metadata.resize(StoredSteps * Threads);
  Result.ScaleD.resize(Problems);
  return Result;
}

std::string devicetest::launchProbe(
    const DeviceTest &T, Backend &Device, const Batch &Inputs,
    const std::function<void(unsigned, Position, double)> &Use) {
  Output Results(Inputs, Inputs.Problems);
  Results.poison();
  std::string Error = Device.upload(Inputs);
  if (Error.empty())
    Error = Device.launch(T, Results);
  if (!Error.empty())
    return Error;

  const Instruction &I = T.I;
  unsigned PerRegister = I.elementsPerRegister();
  for (unsigned Problem = 0; Problem != Inputs.Problems; ++Problem) {
    const uint32_t *D =
        &Results.Words[Results.offset() + Problem * Inputs.registersPerCta()];
    for (unsigned Thread = 0; Thread != Threads; ++Thread)
      for (unsigned Index = 0; Index != I.N / 2; ++Index) {
        uint32_t Bits =
            D[Thread * I.accumulatorRegisters() + Index / PerRegister] >>
            Index % PerRegister * bitWidth(I.D);
        Use(Problem, accumulatorPosition(Thread, Index),
            decode(I.D, Bits) * I.ScaleA * I.ScaleB);
      }
  }
  return "";
}
