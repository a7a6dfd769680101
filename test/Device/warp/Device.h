//===- Device.h - What executes the kernels ---------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_DEVICE_H
#define NVPTX_MMA_TEST_DEVICE_WARP_DEVICE_H

#include "Kernel.h"

namespace devicetest {

/// Words before and after each array that nothing may touch.
constexpr size_t GuardWords = 256;

class WarpDevice {
public:
  virtual ~WarpDevice() = default;
  // Each of these returns what went wrong, or nothing.

  virtual std::string open() = 0;
  /// Copies both arrays, guard zones included, to the device, executes the
  /// kernel with as many CTAs, and copies them back.
  virtual std::string launch(const Kernel &K, unsigned Ctas,
                             std::vector<uint32_t> &In,
                             std::vector<uint32_t> &Out) = 0;
};

/// One launch: the records of some CTAs, with guard zones and poison.
class Launch {
public:
  Launch(const Kernel &K, unsigned Ctas);

  uint32_t *in(unsigned Cta) { return &In[GuardWords + Cta * K.inRecord()]; }
  /// Poisoned, unless written to before the launch.
  uint32_t *out(unsigned Cta) { return &Out[GuardWords + Cta * K.outRecord()]; }

  /// Words from one thread's registers to the next one's.
  unsigned inStride() const;
  void setParameters(unsigned Cta, unsigned Thread, const MemoryParameters &P);

  /// Nothing, or what happened: an error of the device, which sets
  /// \p DeviceFailed, or a write to where nothing may be written.
  std::string run(WarpDevice &Device, bool &DeviceFailed);

  static constexpr uint32_t Poison = 0xBADC0FFE;

private:
  const Kernel &K;
  unsigned Ctas;
  std::vector<uint32_t> In, Out;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_DEVICE_H
