// What users do with the halves of an f16 result by CUDA's headers, in straight lines and in
// loops: neither ptxas finds it to be done in flight.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx
// DEFINE: %{verify} = sed "s/^.version .*/.version 8.0/" %t.ptx | %ptxas-verify -arch=sm_90a
// REDEFINE: %{level} = -O1 -Werror=nvptx-wgmma
// RUN: %{compile} && %{verify}
// REDEFINE: %{level} = -O3 -Werror=nvptx-wgmma
// RUN: %{compile} && %{verify}

#include "Inputs/wgmma_asm.h"

using Registers = uint32_t[4];

__device__ half2 get(const Registers &D, int I) { return *reinterpret_cast<const half2 *>(&D[I & 3]); }

//===----------------------------------------------------------------------===//
// What becomes of results
//===----------------------------------------------------------------------===//

#define EACH(NAME, TYPE, ...)                                                                                          \
  struct NAME {                                                                                                        \
    static __device__ void put(const Registers &D, void *Out, float &Sum) {                                            \
      TYPE *At = static_cast<TYPE *>(Out) + threadIdx.x;                                                               \
      for (int I = 0; I != 4; ++I) {                                                                                   \
        half2 H = get(D, I), Next = get(D, I + 1);                                                                     \
        __VA_ARGS__;                                                                                                   \
      }                                                                                                                \
    }                                                                                                                  \
  }
EACH(Low, float, At[128 * I] = __low2float(H));
EACH(High, float, At[128 * I] = __high2float(H));
EACH(Floats, float2, At[128 * I] = __half22float2(H));
EACH(Sum, float, Sum += __low2float(H) + __high2float(H));
EACH(Maximum, float, Sum = fmaxf(Sum, fmaxf(__low2float(H), __high2float(H))));
EACH(Product, half, At[128 * I] = __hmul(__low2half(H), __high2half(H)));
EACH(Swapped, half2, At[128 * I] = __lowhigh2highlow(H));
EACH(Lows, half2, At[128 * I] = __lows2half2(H, Next));
EACH(Highs, half2, At[128 * I] = __highs2half2(H, Next));
EACH(Copies, half2, At[128 * I] = __high2half2(H));
EACH(Members, half2, At[128 * I] = half2(H.y, Next.x));
EACH(FirstMember, half, At[128 * I] = H.x);
EACH(SecondMember, half, At[128 * I] = H.y);
EACH(Bits, uint16_t, At[128 * I] = D[I] >> 16);
EACH(One, float, if (I == 0) At[0] = __high2float(H));

//===----------------------------------------------------------------------===//
// Where they come from
//===----------------------------------------------------------------------===//

__device__ void store(void *Out, const Registers &E) {
  for (int I = 0; I != 4; ++I)
    static_cast<uint32_t *>(Out)[128 * I + threadIdx.x + 9999] = E[I];
}
__device__ void store(void *Out, float Sum) { static_cast<float *>(Out)[threadIdx.x + 7777] = Sum; }

/// Another result is made later.
template <class Use> __global__ void twice(void *Out, uint64_t A, uint64_t B, int) {
  Registers D, E;
  float Sum = 0;
  fence();
  multiply<0>(D, A, B);
  finish();
  Use::put(D, Out, Sum);
  fence();
  multiply<0>(E, A + 2, B + 2);
  finish();
  store(Out, E);
  store(Out, Sum);
}

/// Another one is in flight.
template <class Use> __global__ void ahead(void *Out, uint64_t A, uint64_t B, int) {
  Registers D, E;
  float Sum = 0;
  fence();
  multiply<0>(D, A, B);
  commit();
  multiply<0>(E, A + 2, B + 2);
  commit();
  wait<1>();
  Use::put(D, Out, Sum);
  wait<0>();
  store(Out, E);
  store(Out, Sum);
}

/// Each round of a loop makes one.
template <class Use> __global__ void promoted(void *Out, uint64_t A, uint64_t B, int Steps) {
  Registers D;
  float Sum = 0;
  for (int K = 0; K < Steps; ++K) {
    fence();
    multiply<0>(D, A + K, B + K);
    finish();
    Use::put(D, Out, Sum);
  }
  store(Out, Sum);
}

/// A loop makes it.
template <class Use> __global__ void added(void *Out, uint64_t A, uint64_t B, int Steps) {
  Registers D = {};
  float Sum = 0;
  for (int K = 0; K < Steps; ++K) {
    fence();
    multiply(D, A + K, B + K);
    finish();
  }
  Use::put(D, Out, Sum);
  store(Out, Sum);
}

#define KERNELS(USE)                                                                                                   \
  template __global__ void twice<USE>(void *, uint64_t, uint64_t, int);                                                \
  template __global__ void ahead<USE>(void *, uint64_t, uint64_t, int);                                                \
  template __global__ void promoted<USE>(void *, uint64_t, uint64_t, int);                                             \
  template __global__ void added<USE>(void *, uint64_t, uint64_t, int);
KERNELS(Low)
KERNELS(High)
KERNELS(Floats)
KERNELS(Sum)
KERNELS(Maximum)
KERNELS(Product)
KERNELS(Swapped)
KERNELS(Lows)
KERNELS(Highs)
KERNELS(Copies)
KERNELS(Members)
KERNELS(FirstMember)
KERNELS(SecondMember)
KERNELS(Bits)
KERNELS(One)
