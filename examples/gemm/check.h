//===- check.h - Inputs, reference and comparison ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference is a plain kernel without tensor cores, TMA or anything else
// that is under test; some of its elements are computed again by the CPU, in
// double. It is compared with all elements of D.
//
// Beyond what kernel.h asks of a Type, this needs
//   Value                   float or int, in which the reference adds
//   value(Element)          an element as such
//   exact(Random)           a random element; sums of products of them are
//                           exact, in any order, also in the tensor core
//   normal(Random)          one of a normal distribution, as weights are
//   zero()
//   round(Value)            a sum as it is stored
//   toDouble(Output)
//
//===----------------------------------------------------------------------===//

#ifndef GEMM_CHECK_H
#define GEMM_CHECK_H

#include "../device.h"

#include <cstdint>
#include <cuda_runtime.h>

namespace gemm {

using device::normalNumber, device::randomBits;

enum class Data { Exact, Normal };

/// Which two of four neighbours a 2:4 sparse matrix has there.
__device__ inline bool isKept(int Column, uint32_t RandomOfChunk) {
  constexpr unsigned Pairs[] = {0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100};
  return Pairs[RandomOfChunk % 6] >> Column % 4 & 1;
}

/// Fills Rows of Columns elements, and the rest of PaddedRows of Stride with
/// zeros.
template <class Type>
__global__ void fill(typename Type::Element *To, int Rows, int Columns,
                     size_t PaddedRows, size_t Stride, Data Kind, bool IsSparse,
                     uint32_t Seed) {
  size_t Count = PaddedRows * Stride;
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x) {
    int Row = int(I / Stride), Column = int(I % Stride);
    uint32_t Random = randomBits(I, Seed);
    bool IsZero = Row >= Rows || Column >= Columns ||
                  (IsSparse && !isKept(Column, randomBits(I / 4, Seed + 100)));
    To[I] = IsZero                ? Type::zero()
            : Kind == Data::Exact ? Type::exact(Random)
                                  : Type::normal(Random);
  }
}

/// Matrices as the kernels have them; strides are in elements.
template <class Type> struct Matrices {
  typename Type::Element *A, *B;
  typename Type::Output *D;
  size_t AStride, BStride, DStride;
  int M, N, K;
};

constexpr int ReferenceTile = 64, ReferenceK = 16;

/// 256 threads multiply 64 by 64 elements, 16 each.
template <class Type>
__global__ void multiplyPlainly(Matrices<Type> P, typename Type::Value *D) {
  using Value = typename Type::Value;
  __shared__ Value A[ReferenceK][ReferenceTile + 1],
      B[ReferenceK][ReferenceTile + 1];
  int Row0 = blockIdx.y * ReferenceTile, Column0 = blockIdx.x * ReferenceTile;
  int X = threadIdx.x % 16, Y = threadIdx.x / 16;
  Value Sum[4][4] = {};
  for (int K0 = 0; K0 < P.K; K0 += ReferenceK) {
    for (int I = Y; I < ReferenceTile; I += 16) {
      bool HasK = K0 + X < P.K;
      A[X][I] = HasK && Row0 + I < P.M
                    ? Type::value(P.A[(Row0 + I) * P.AStride + K0 + X])
                    : Value(0);
      B[X][I] = HasK && Column0 + I < P.N
                    ? Type::value(P.B[(Column0 + I) * P.BStride + K0 + X])
                    : Value(0);
    }
    __syncthreads();
#pragma unroll
    for (int K = 0; K < ReferenceK; ++K)
#pragma unroll
      for (int I = 0; I < 4; ++I)
#pragma unroll
        for (int J = 0; J < 4; ++J)
          Sum[I][J] += A[K][Y * 4 + I] * B[K][X * 4 + J];
    __syncthreads();
  }
  for (int I = 0; I < 4; ++I)
    for (int J = 0; J < 4; ++J)
      if (Row0 + Y * 4 + I < P.M && Column0 + X * 4 + J < P.N)
        D[size_t(Row0 + Y * 4 + I) * P.N + Column0 + X * 4 + J] = Sum[I][J];
}

/// What comparing gives: elements that differ from the rounded reference, the
/// largest difference from the unrounded one, and its largest magnitude.
struct Comparison {
  unsigned long long Different;
  float MaxError, MaxMagnitude;

  /// The error as a fraction of the largest result.
  float error() const {
    return MaxMagnitude > 0 ? MaxError / MaxMagnitude : MaxError;
  }
};

// Floats that are not negative are ordered as their bits are.
__device__ inline void atomicMaxFloat(float *To, float Value) {
  atomicMax(reinterpret_cast<int *>(To), __float_as_int(Value));
}

template <class Type>
__global__ void compare(Matrices<Type> P, const typename Type::Value *Wanted,
                        Comparison *Result) {
  unsigned long long Different = 0;
  float MaxError = 0, MaxMagnitude = 0;
  size_t Count = size_t(P.M) * P.N;
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x) {
    double Got = Type::toDouble(P.D[I / P.N * P.DStride + I % P.N]);
    double Exact = double(Wanted[I]);
    // Not a number differs from everything.
    Different += !(Got == Type::toDouble(Type::round(Wanted[I])));
    float Error = float(fabs(Got - Exact));
    MaxError = fmaxf(MaxError, Error >= 0 ? Error : INFINITY);
    MaxMagnitude = fmaxf(MaxMagnitude, float(fabs(Exact)));
  }
  atomicAdd(&Result->Different, Different);
  atomicMaxFloat(&Result->MaxError, MaxError);
  atomicMaxFloat(&Result->MaxMagnitude, MaxMagnitude);
}

} // namespace gemm

#endif // GEMM_CHECK_H
