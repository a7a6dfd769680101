//===- SubnormalCheck.h - Whether subnormal inputs count --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_SUBNORMALCHECK_H
#define NVPTX_MMA_MODEL_SUBNORMALCHECK_H

#include <cstdint>
#include <string>

namespace devicetest {

/// Judges results of one instruction of which each product has a subnormal
/// factor. PTX leaves open what becomes of those.
class SubnormalCheck {
public:
  /// Whether a result is \p Kept, the sum of products and accumulator, or
  /// \p Flushed, the accumulator alone.
  bool accepts(double Kept, double Flushed, double Got) {
    KeptCount += Got == Kept && Kept != Flushed;
    FlushedCount += Got == Flushed && Kept != Flushed;
    return Got == Kept || Got == Flushed;
  }

  /// What was seen; nothing of no results.
  std::string describe() const {
    if (!KeptCount && !FlushedCount)
      return "";
    if (KeptCount && FlushedCount)
      return "subnormal inputs count in some results, and are zero in others";
    return KeptCount ? "subnormal inputs count" : "subnormal inputs are zero";
  }

private:
  uint64_t KeptCount = 0, FlushedCount = 0;
};

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_SUBNORMALCHECK_H
