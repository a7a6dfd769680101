//===- KernelArgs.h - What every test kernel is given -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_KERNELARGS_H
#define NVPTX_MMA_TEST_DEVICE_KERNELARGS_H

#include <cstdint>

namespace devicetest {

/// The arrays of a Batch in device memory; see there for their layouts.
struct KernelArgs {
  const uint32_t *Shared;
  const uint32_t *Accumulator;
  const uint32_t *Fragment;
  const uint32_t *Metadata;
  const uint64_t *Descriptor;
  const uint32_t *ScaleD;
  /// The registers of the first CTA.
  uint32_t *Out;
  uint32_t SharedWords;
  uint32_t Problems;
  uint32_t Steps;
  /// Is 0, which the compiler does not know.
  uint32_t Zero;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_KERNELARGS_H
