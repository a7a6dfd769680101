//===- Reduction.h - What a reduction makes of two elements -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_KERNEL_REDUCTION_H
#define NVPTX_MMA_TEST_DEVICE_KERNEL_REDUCTION_H

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

namespace kernel_tests {

/// A type as PTX names it: "u32", "b64", "bf16".
struct ReductionType {
  explicit ReductionType(const std::string &Name);

  /// Bytes of an element.
  size_t size() const { return Bits / 8; }

  char Kind; ///< 'b', 'u', 's', 'f'; 'B' for bf16.
  unsigned Bits;
};

/// The bits of what the operation, in PTX's words, makes of the bits of an
/// element in memory and of one that comes. Of floating point both must be
/// finite, and the sum must be a number of the type.
uint64_t reduce(const std::string &Operation, ReductionType Type, uint64_t Old,
                uint64_t New);

/// The bits of two elements for which that holds: integers of all sizes,
/// numbers with few bits, and of 16-bit types subnormal ones, too, which .noftz
/// keeps.
std::pair<uint64_t, uint64_t> randomElements(ReductionType Type,
                                             std::mt19937 &Random);

} // namespace kernel_tests

#endif // NVPTX_MMA_TEST_DEVICE_KERNEL_REDUCTION_H
