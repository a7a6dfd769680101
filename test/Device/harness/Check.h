//===- Check.h - Comparison of outputs with what is expected ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_HARNESS_CHECK_H
#define NVPTX_MMA_TEST_DEVICE_HARNESS_CHECK_H

#include "ElementCheck.h"

namespace devicetest {

/// The output of a launch: the accumulator registers of every CTA between two
/// guard zones. It is poisoned before the launch, so that a register that is
/// not written, or a write that strays, is found out.
class Output {
public:
  Output(const Batch &Expected, unsigned Ctas);

  void poison();
  /// Compares every element. CTA c did problem c % Problems. Returns nothing
  /// when all is right, else the number of faults and where the first is.
  std::string check(const Instruction &I, ElementCheck &Elements) const;
  /// Elements that check() compares.
  uint64_t elements(const Instruction &I) const;

  /// What the device receives and sends back, guard zones included.
  std::vector<uint32_t> Words;
  /// Where in it the first CTA's registers are.
  size_t offset() const { return GuardWords; }
  unsigned ctas() const { return Ctas; }

private:
  static constexpr size_t GuardWords = 1024;

  std::string checkGuards() const;
  /// Whether element \p Index of register \p Register, counted over the whole
  /// CTA, is right.
  bool isRight(const Instruction &I, unsigned Cta, size_t Register,
               unsigned Index, ElementCheck &Elements) const;
  std::string describe(const Instruction &I, unsigned Cta, size_t Register,
                       unsigned Index) const;

  const Batch &Expected;
  unsigned Ctas;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_HARNESS_CHECK_H
