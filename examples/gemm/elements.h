//===- elements.h - Elements of matrices ------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What check.h and kernel.h ask of a Type, where dense and sparse
// multiplications agree on it: a Type derives from one of these.
//
//===----------------------------------------------------------------------===//

#ifndef GEMM_ELEMENTS_H
#define GEMM_ELEMENTS_H

#include "../device.h"

#include <nvptx_epilogue.h>

#include <cstdint>
#include <cuda_fp16.h>
#include <type_traits>

namespace gemm {

namespace wgmma = nvptx::wgmma;

/// Floating point: \p T is multiplied, sums of f32 are rounded to \p O, f16 or
/// bf16. What sums of products are exact depends on the tensor core, so exact()
/// is the Type's.
template <class T, class O> struct FloatElements {
  using Element = T;
  using Output = O;
  using Value = float;

  static __host__ __device__ float value(T X) { return float(X); }
  static __host__ __device__ double toDouble(O X) { return double(float(X)); }
  static __host__ __device__ O round(float Sum) { return O(Sum); }
  static __device__ T zero() { return T(0.0f); }
  template <class Sums>
  static __device__ void add(Sums &Sum, const Sums &Other) {
    Sum += Other;
  }
  static __device__ T normal(uint32_t Random) {
    return T(device::normalNumber(Random));
  }
  template <class Sums> static __device__ auto convert(const Sums &Sum) {
    if constexpr (std::is_same_v<O, __half>)
      return wgmma::to_f16(Sum);
    else
      return wgmma::to_bf16(Sum);
  }
  template <wgmma::swizzle Mode, int Column, class Halves>
  static __device__ void store(void *To, const Halves &Converted, int Thread) {
    wgmma::store_box<Mode, Column>(To, Converted, Thread);
  }
};

/// Bytes with a sign, whose sums are exact in s32.
struct S8Elements {
  using Element = signed char;
  using Output = int;
  using Value = int;

  static __host__ __device__ int value(Element X) { return X; }
  static __host__ __device__ double toDouble(int X) { return X; }
  static __host__ __device__ int round(int Sum) { return Sum; }
  static __device__ Element zero() { return 0; }
  template <class Sums>
  static __device__ void add(Sums &Sum, const Sums &Other) {
    Sum += Other;
  }
  static __device__ Element exact(uint32_t Random) {
    return static_cast<Element>(Random);
  }
  static __device__ Element normal(uint32_t Random) {
    return static_cast<Element>(rintf(30 * device::normalNumber(Random)));
  }
  template <class Sums> static __device__ Sums convert(const Sums &Sum) {
    return Sum;
  }
  template <wgmma::swizzle Mode, int Column, class Sums>
  static __device__ void store(void *To, const Sums &Sum, int Thread) {
    static_assert(Mode == wgmma::swizzle::bytes_128, "lines of 32 elements");
    wgmma::store_box_32<Column>(To, Sum, Thread);
  }
};

} // namespace gemm

#endif // GEMM_ELEMENTS_H
