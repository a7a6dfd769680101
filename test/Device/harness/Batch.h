//===- Batch.h - Inputs and expected outputs of a launch --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A batch holds several problems, each the work of one CTA, in the raw form in
// which the kernels take them: images of shared memory and of registers. All
// knowledge of layouts stays on the host.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_BATCH_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_BATCH_H

#include "Instruction.h"
#include "ProblemInputs.h"
#include "Reference.h"
#include "SharedLayout.h"

#include <map>
#include <string>
#include <vector>

namespace devicetest {

/// How often a kernel issues its instruction.
struct Schedule {
  const char *Name;
  /// K steps, each with operands of its own.
  unsigned Steps;
  /// Step s goes to accumulator s % Accumulators; the scale-d of a problem
  /// concerns the first step of each.
  unsigned Accumulators;
};

/// Kernels load fragments ahead; those past the last step are garbage that must
/// not reach a result.
constexpr unsigned StepsAhead = 2;

struct Batch {
  unsigned Problems = 0;
  unsigned Steps;
  unsigned Accumulators;
  /// Registers of one accumulator in one thread.
  unsigned AccumulatorRegisters;
  /// Size of one shared memory image.
  uint32_t SharedBytes;

  // Each is [problem] and then as told.
  std::vector<uint8_t> Shared;
  std::vector<uint32_t> Accumulator; ///< [accumulator][thread][register]
  std::vector<uint32_t> Fragment;    ///< [step, ahead][thread][register] of A
  std::vector<uint32_t> Metadata;    ///< [step, ahead][thread]
  /// [step][A, B], with addresses relative to the shared memory image.
  std::vector<uint64_t> Descriptor;
  std::vector<uint32_t> ScaleD;
  /// [accumulator][thread][register]; where sums round, the nearest to the
  /// exact sum.
  std::vector<uint32_t> Expected;
  std::vector<Swizzle> Mode;
  std::vector<std::string> Description;
  std::vector<Numbers> Kind;
  /// By problem, where more has to be known than what is expected.
  std::map<unsigned, SumTerms> Terms;

  /// Accumulator registers of one CTA.
  size_t registersPerCta() const {
    return size_t(Accumulators) * Threads * AccumulatorRegisters;
  }
};

/// Makes problems that cover scale-d off and on and, of shared memory, several
/// arrangements and all swizzles, with scale-d off also with a base offset. The
/// same arguments always give the same batch. Numbers are exact; single
/// floating point instructions have two problems more of each other kind.
Batch makeBatch(const Instruction &I, const Schedule &S, uint64_t Seed);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_BATCH_H
