//===- gemm_library.h - An example's multiplications, to call ---*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The examples' kernels in a shared library, so that one process runs them
// beside others on the same matrices. All pointers are to the device's memory;
// strides count elements and are what gemm::Multiplication asks for. Launches
// go to the default stream. What CUDA refuses ends the process with status 4.
//
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_SPEED_GEMM_LIBRARY_H
#define BENCHMARKS_SPEED_GEMM_LIBRARY_H

#include "launch.h"

#include <cstring>

namespace speed {

/// A launch that tells how its D is cut up: the numbers that
/// gemm::Multiplication::Cuts has.
class CutLaunch : public Launch {
public:
  virtual void cuts(int (&To)[5]) const = 0;
};

template <class Type> class MultiplicationLaunch final : public CutLaunch {
public:
  explicit MultiplicationLaunch(const gemm::Matrices<Type> &P) : Run(P) {}
  void operator()() const override { Run(); }
  void cuts(int (&To)[5]) const override {
    auto [Rows, Columns, Split, Tiles, AtATime] = Run.cuts();
    To[0] = Rows, To[1] = Columns, To[2] = Split;
    To[3] = Tiles, To[4] = AtATime;
  }

private:
  gemm::Multiplication<Type> Run;
};

/// Sizes and strides as the caller has them.
struct Problem {
  void *A, *B, *D;
  size_t AStride, BStride, DStride;
  int M, N, K;
};

template <class Type> Launch *makeMultiplication(const Problem &P) {
  gemm::Matrices<Type> Matrices = {};
  Matrices.A = static_cast<typename Type::Element *>(P.A);
  Matrices.B = static_cast<typename Type::Element *>(P.B);
  Matrices.D = static_cast<typename Type::Output *>(P.D);
  Matrices.AStride = P.AStride;
  Matrices.BStride = P.BStride;
  Matrices.DStride = P.DStride;
  Matrices.M = P.M, Matrices.N = P.N, Matrices.K = P.K;
  return new MultiplicationLaunch<Type>(Matrices);
}

struct NamedType {
  const char *Name;
  Launch *(*Make)(const Problem &);
  size_t (*RowsOfA)(int M);
  size_t (*StrideOfA)(int K);
};

template <class Type> constexpr NamedType named(const char *Name) {
  return {Name, makeMultiplication<Type>, gemm::Multiplication<Type>::rowsOfA,
          gemm::Multiplication<Type>::strideOfA};
}

template <size_t Count>
const NamedType *find(const NamedType (&Types)[Count], const char *Name) {
  for (const NamedType &Type : Types)
    if (!std::strcmp(Type.Name, Name))
      return &Type;
  return nullptr;
}

} // namespace speed

/// How the D of a launch is cut up.
SPEED_EXPORT void cuts(const void *Handle, int (&To)[5]) {
  auto *Launch = static_cast<const speed::Launch *>(Handle);
  static_cast<const speed::CutLaunch *>(Launch)->cuts(To);
}

/// Defines what the library exports: of the type called \p Name the rows and
/// the stride that A must have, and a launch, or null where there is no such
/// type.
#define GEMM_LIBRARY(...)                                                      \
  static const speed::NamedType Types[] = {__VA_ARGS__};                       \
  SPEED_EXPORT size_t rows_of_a(const char *Name, int M) {                     \
    const speed::NamedType *Type = speed::find(Types, Name);                   \
    return Type ? Type->RowsOfA(M) : 0;                                        \
  }                                                                            \
  SPEED_EXPORT size_t stride_of_a(const char *Name, int K) {                   \
    const speed::NamedType *Type = speed::find(Types, Name);                   \
    return Type ? Type->StrideOfA(K) : 0;                                      \
  }                                                                            \
  SPEED_EXPORT void *create(const char *Name, const speed::Problem *P) {       \
    const speed::NamedType *Type = speed::find(Types, Name);                   \
    return Type ? Type->Make(*P) : nullptr;                                    \
  }

#endif // BENCHMARKS_SPEED_GEMM_LIBRARY_H
