//===- FakeWarpDevice.h - An interpreter in place of a GPU -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the kernels with the model, right or wrong in a chosen way. It has
// fragments of wmma of its own, as their layout is nobody's business.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_FAKEWARPDEVICE_H
#define NVPTX_MMA_TEST_DEVICE_WARP_FAKEWARPDEVICE_H

#include "Device.h"
#include "Operands.h"

namespace devicetest {

enum class WarpFault {
  None,
  Unopened,
  LaunchFails,
  /// Threads 0 and 1 have each other's results.
  ThreadsSwapped,
  /// The last register or word that is written keeps its poison.
  Unwritten,
  OneBit,
  WritesBefore,
  WritesPastEnd,
  WritesInput,
  /// Writes a byte of memory next to a matrix.
  WritesGap,
  NoSaturation,
  RoundsToNearest,
  IgnoresMetadata,
  OtherSelector,
  /// Takes another thread's metadata, or another nibble of the thread's.
  MetadataOfOtherThread,
  MetadataOfOtherNibble,
  /// Takes a nibble's indices for one another.
  IndicesSwapped,
  /// Takes the registers of A by twos the other way round.
  RegistersOfASwapped,
  IgnoresStride,
  IgnoresTransposition,
  AndForXor,
  /// Keeps less of sums that round than PTX states.
  FewBits,
  /// An infinity for a NaN.
  NoNaN,
  /// The largest number for an infinity.
  NoInfinity,
  /// Subnormal elements of A and B are zero, which is no fault.
  FlushesSubnormals,
  /// Sums up f64 in another order, which is no fault.
  DescendingChain,
  /// The same of how other sums round.
  RoundsSumsDown,
};

class FakeWarpDevice : public WarpDevice {
public:
  explicit FakeWarpDevice(WarpFault Fault = WarpFault::None) : Fault(Fault) {}

  std::string open() override;
  std::string launch(const Kernel &K, unsigned Ctas, std::vector<uint32_t> &In,
                     std::vector<uint32_t> &Out) override;

private:
  void mma(const Kernel &K, const uint32_t *In, uint32_t *Out);
  void wmmaLoad(const Kernel &K, const uint32_t *In, uint32_t *Out);
  void wmmaMma(const Kernel &K, const uint32_t *In, uint32_t *Out);
  void wmmaStore(const Kernel &K, const uint32_t *In, uint32_t *Out);
  void matrixMove(const Kernel &K, const uint32_t *In, uint32_t *Out);
  /// Applies the faults that concern results, to one CTA's.
  void corrupt(const Kernel &K, uint32_t *OutRecord);

  WarpMatrix product(Multiplication M, const WarpMatrix &A, const WarpMatrix &B,
                     const WarpMatrix &C);
  unsigned memoryBit(const Kernel &K, const uint32_t *Parameters, unsigned Row,
                     unsigned Column, unsigned Rows, unsigned Columns) const;

  WarpFault Fault;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_FAKEWARPDEVICE_H
