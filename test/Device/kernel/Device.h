//===- Device.h - The GPU through CUDA's driver -----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libcuda is opened at run time, and tensor maps are made through entry points
// that it is asked for: nothing of CUDA is linked.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_KERNEL_DEVICE_H
#define NVPTX_MMA_TEST_DEVICE_KERNEL_DEVICE_H

#include <cstddef>
#include <cstdint>
#include <cuda.h>
#include <string>
#include <vector>

namespace kernel_tests {

using Bytes = std::vector<uint8_t>;

/// How a kernel is launched.
struct Launch {
  unsigned Blocks = 1;
  unsigned Threads = 128;
  unsigned Cluster = 1;
  unsigned DynamicBytes = 0;
  /// That the grid may start before the one ahead of it has ended.
  bool IsDependent = false;
};

/// Everything ends the process with a message when the driver reports an error.
class Device {
public:
  Device();

  std::string name() const;
  void loadModule(const std::string &CubinPath);
  bool hasKernel(const std::string &Name) const;

  CUdeviceptr allocate(size_t Size);
  void write(CUdeviceptr To, const void *From, size_t Size);
  Bytes read(CUdeviceptr From, size_t Size);
  void fill(CUdeviceptr To, uint8_t Value, size_t Size);
  void writeGlobal(const char *Name, const void *From, size_t Size);
  /// Frees all memory.
  void freeAll();

  /// Launches a kernel, and returns at once.
  void launch(const std::string &Kernel, const Launch &How,
              std::vector<void *> Parameters);
  /// Waits for all that was launched. Returns the error, or nothing.
  std::string finish();

  CUtensorMap encodeTiled(CUtensorMapDataType Type, CUdeviceptr Address,
                          const std::vector<uint64_t> &Dims,
                          const std::vector<uint64_t> &Strides,
                          const std::vector<uint32_t> &Box,
                          CUtensorMapInterleave Interleave,
                          CUtensorMapSwizzle Swizzle);
  CUtensorMap encodeIm2col(CUtensorMapDataType Type, CUdeviceptr Address,
                           const std::vector<uint64_t> &Dims,
                           const std::vector<uint64_t> &Strides,
                           const std::vector<int> &Lower,
                           const std::vector<int> &Upper, uint32_t Channels,
                           uint32_t Pixels, CUtensorMapSwizzle Swizzle);

private:
  CUmodule Module = nullptr;
  CUdevice Handle = 0;
  std::vector<CUdeviceptr> Allocations;
};

} // namespace kernel_tests

#endif // NVPTX_MMA_TEST_DEVICE_KERNEL_DEVICE_H
