//===- check.h - Inputs and reference of attention --------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference is a plain kernel, one warp for each row of O, in f32. Of long
// problems only some rows are compared, from all over; some of those the CPU
// computes again, in double.
//
//===----------------------------------------------------------------------===//

#ifndef ATTENTION_CHECK_H
#define ATTENTION_CHECK_H

#include "../device.h"

#include <cmath>
#include <vector>

namespace attention {

/// Fills rows of heads. The first ones of each head are up to \p Growth times
/// larger than the last ones: the kernel comes to those of K last, and finds
/// ever larger scores.
template <class T>
__global__ void fillNormal(T *To, size_t Count, int Seed, int Head = 1,
                           int Length = 1, float Growth = 1) {
  for (size_t I = blockIdx.x * size_t(blockDim.x) + threadIdx.x; I < Count;
       I += size_t(gridDim.x) * blockDim.x) {
    float FromEnd = 1 - float(I / Head % Length) / Length;
    To[I] = T(device::normalNumber(device::randomBits(I, Seed)) *
              (1 + (Growth - 1) * FromEnd));
  }
}

/// The row of O, of all heads, that is compared as number \p Index of \p Count.
__host__ __device__ inline size_t comparedRow(size_t Index, size_t Count,
                                              size_t Rows) {
  size_t First = Index * Rows / Count, End = (Index + 1) * Rows / Count;
  return First + device::randomBits(Index, 9) % (End - First);
}

/// One warp: row comparedRow() of O, in two passes over K.
template <class T, int Head>
__global__ void attendPlainly(const T *Q, const T *K, const T *V, float *O,
                              size_t Count, int Length, int Heads,
                              bool IsCausal) {
  constexpr int Parts = Head / 32;
  const int Lane = threadIdx.x;
  const size_t Rows = size_t(Length) * Heads;
  const size_t Row = comparedRow(blockIdx.x, Count, Rows);
  const size_t First = Row / Length * Length;
  const int Columns = IsCausal ? int(Row - First) + 1 : Length;
  float Query[Parts];
  for (int I = 0; I < Parts; ++I)
    Query[I] = float(Q[Row * Head + I * 32 + Lane]);
  auto score = [&](int Column) {
    float Sum = 0;
    for (int I = 0; I < Parts; ++I)
      Sum += Query[I] * float(K[(First + Column) * Head + I * 32 + Lane]);
    for (int Distance = 16; Distance; Distance /= 2)
      Sum += __shfl_xor_sync(~0u, Sum, Distance);
    return Sum / sqrtf(float(Head));
  };
  float Max = -INFINITY;
  for (int Column = 0; Column < Columns; ++Column)
    Max = fmaxf(Max, score(Column));
  float Sum = 0, Result[Parts] = {};
  for (int Column = 0; Column < Columns; ++Column) {
    float Weight = expf(score(Column) - Max);
    Sum += Weight;
    for (int I = 0; I < Parts; ++I)
      Result[I] += Weight * float(V[(First + Column) * Head + I * 32 + Lane]);
  }
  for (int I = 0; I < Parts; ++I)
    O[blockIdx.x * size_t(Head) + I * 32 + Lane] = Result[I] / Sum;
}

/// Of a row's elements. Errors are parts of it: of many columns each element is
/// a mean of many, and so small that an absolute bound would see no fault.
inline double largestOfRow(const float *Row, int Head) {
  double Largest = 0;
  for (int I = 0; I < Head; ++I)
    Largest = std::fmax(Largest, std::fabs(double(Row[I])));
  return Largest;
}

/// Whether the CPU agrees with the reference on one row.
template <class T, int Head>
bool isRowRight(const device::Buffer<T> &Q, const device::Buffer<T> &K,
                const device::Buffer<T> &V, const float *Wanted, size_t Row,
                int Length, bool IsCausal) {
  const size_t First = Row / Length * Length;
  const int Columns = IsCausal ? int(Row - First) + 1 : Length;
  auto Query = Q.read(Row * Head, Head);
  auto Keys = K.read(First * Head, size_t(Columns) * Head);
  auto Values = V.read(First * Head, size_t(Columns) * Head);
  double Sum = 0, Result[Head] = {};
  for (int Column = 0; Column < Columns; ++Column) {
    double Score = 0;
    for (int I = 0; I < Head; ++I)
      Score += double(float(Query[I])) * double(float(Keys[Column * Head + I]));
    double Weight = std::exp(Score / std::sqrt(double(Head)));
    Sum += Weight;
    for (int I = 0; I < Head; ++I)
      Result[I] += Weight * double(float(Values[Column * Head + I]));
  }
  const double Bound = 1e-3 * largestOfRow(Wanted, Head);
  for (int I = 0; I < Head; ++I)
    if (!(std::fabs(Result[I] / Sum - double(Wanted[I])) < Bound))
      return false;
  return true;
}

/// The largest difference of an element of O from the reference, as a part of
/// the largest element of its row; infinity where the CPU does not agree with
/// the reference.
template <class T, int Head>
double largestError(const device::Buffer<T> &Q, const device::Buffer<T> &K,
                    const device::Buffer<T> &V, const device::Buffer<T> &O,
                    int Length, int Heads, bool IsCausal) {
  const size_t Rows = size_t(Length) * Heads;
  constexpr size_t MostRows = 4096;
  const size_t Count = Rows < MostRows ? Rows : MostRows;
  device::Buffer<float> Reference(Count * Head);
  attendPlainly<T, Head><<<unsigned(Count), 32>>>(Q.get(), K.get(), V.get(),
                                                  Reference.get(), Count,
                                                  Length, Heads, IsCausal);
  device::check(cudaDeviceSynchronize(), "the reference");
  std::vector<float> Wanted = Reference.read(0, Count * Head);
  std::vector<T> Got = O.read(0, Rows * Head);
  double Largest = 0;
  for (size_t I = 0; I < Count; ++I) {
    size_t Row = comparedRow(I, Count, Rows);
    const double Unit = largestOfRow(&Wanted[I * Head], Head);
    for (int J = 0; J < Head; ++J) {
      double Error = std::fabs(double(float(Got[Row * Head + J])) -
                               double(Wanted[I * Head + J])) /
                     Unit;
      Largest = Error <= Largest ? Largest : Error == Error ? Error : INFINITY;
    }
    if (I % (Count / 4 + 1) == 0 &&
        !isRowRight<T, Head>(Q, K, V, &Wanted[I * Head], Row, Length, IsCausal))
      return INFINITY;
  }
  return Largest;
}

} // namespace attention

#endif // ATTENTION_CHECK_H
