//===- Tensor.h - What a box of a tensor looks like -------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_KERNEL_TENSOR_H
#define NVPTX_MMA_TEST_DEVICE_KERNEL_TENSOR_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace kernel_tests {

/// A tensor in global memory. Dimension 0 is the one whose neighbours are
/// neighbours in memory.
struct Tensor {
  size_t ElementBytes;
  std::vector<uint64_t> Dims;
  /// Bytes from one element to the next, of each dimension.
  std::vector<uint64_t> Strides;

  /// Without gaps but for \p RowBytes, the bytes of a row.
  Tensor(size_t ElementBytes, std::vector<uint64_t> Dims, uint64_t RowBytes);

  size_t size() const { return Dims.back() * Strides.back(); }
  /// The offset of an element in bytes, or nothing outside of the tensor.
  std::optional<size_t> offset(const std::vector<int64_t> &Place) const;
};

/// A part of a tensor as TMA moves it. Calls \p Visit for each of its elements,
/// in the order in which they lie in shared memory.
struct Box {
  std::vector<uint32_t> Sizes;
  std::vector<int64_t> Start;

  void
  forEach(const std::function<void(const std::vector<int64_t> &)> &Visit) const;
};

/// As the im2col mode has it: pixels whose base runs through the tensor's
/// dimensions but the first and the last (D, H, W), between corners, and then
/// through the last one (N); each element is \c Offsets beyond its base.
struct PixelBox {
  uint32_t Channels, Pixels;
  std::vector<int64_t> Start;
  std::vector<int> Lower, Upper;
  std::vector<uint64_t> Dims;
  std::vector<uint16_t> Offsets;

  void
  forEach(const std::function<void(const std::vector<int64_t> &)> &Visit) const;
};

/// Where the byte at \p Offset of a box that starts at a multiple of 1024 lies:
/// the 16-byte units of lines of \p SwizzleBytes (0: none) change places.
inline size_t swizzled(size_t Offset, unsigned SwizzleBytes) {
  if (SwizzleBytes == 0)
    return Offset;
  return Offset ^ (Offset / 128 % (SwizzleBytes / 16)) * 16;
}

} // namespace kernel_tests

#endif // NVPTX_MMA_TEST_DEVICE_KERNEL_TENSOR_H
