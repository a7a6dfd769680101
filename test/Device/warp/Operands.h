//===- Operands.h - Matrices and their products -----------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All inputs are such that the result is the same in whatever order it is
// summed up, except where a problem asks for another.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_OPERANDS_H
#define NVPTX_MMA_TEST_DEVICE_WARP_OPERANDS_H

#include "Kernel.h"
#include "RandomNumbers.h"
#include "RoundingCheck.h"
#include "WarpArithmetic.h"

namespace devicetest {

/// A number that depends on the text and on the program's seed only.
uint64_t seedOf(const std::string &Text);

/// Sets the program's seed, which is 0 before.
void setProgramSeed(uint64_t Seed);

/// What an instruction of the families mma, mma.sp and wmma.mma multiplies.
struct Multiplication {
  explicit Multiplication(const Kernel &K);

  WarpShape Shape;
  Element A, B, C, D;
  bool Sparse;
  bool Satfinite;
  BitOperation Op;
  Rounding R;
};

enum class ProblemKind {
  /// Any numbers.
  Random,
  /// One element in each row of A: what comes out shows whence it came.
  OneHot,
  /// f64: the same with as many bits as a double has, so that each product is
  /// rounded, once, as the instruction says.
  OneRounding,
  /// f64: every multiply-add rounds. The ISA does not tell their order, but
  /// the error has a bound.
  Chain,
  /// Not f64: sums round, and the error has a bound.
  RoundedSums,
  /// As Random, with an infinity or a NaN here and there.
  Special,
  /// Not f64: as Random, but all of A or of B are subnormal, and need not
  /// count.
  Subnormal,
  /// Sparse: the first index of a chunk is the higher one.
  DescendingMetadata
};

const char *name(ProblemKind Kind);
/// Whether more than one result may be right.
bool isLenient(ProblemKind Kind);
/// Whether the ISA leaves something open; it is noted what was seen.
bool isNoted(ProblemKind Kind);
/// Whether all of it is open, so that nothing can be wrong.
bool isOpen(ProblemKind Kind);

/// Problems of the kind RoundedSums of each instruction: so many that ways to
/// add up can be told apart.
constexpr unsigned RoundedProblems = 16;

/// The kinds to try, in order.
std::vector<ProblemKind> problemKinds(const Multiplication &M, bool Ordered);

struct Operands {
  Operands(const Multiplication &M, ProblemKind Kind, Random &R);

  /// For sparse A, what is kept of it, and a nibble for each row and chunk.
  WarpMatrix PackedA;
  std::vector<uint8_t> Nibbles;
  WarpMatrix A, B, C, D;
  WarpMatrix ChainBound;
};

/// The orders of k in which a chain may sum up, by name.
struct ChainOrder {
  std::string Name;
  std::vector<unsigned> K;
};
std::vector<ChainOrder> chainOrders(unsigned K);

/// Expands a packed A.
WarpMatrix expand(const Multiplication &M, const WarpMatrix &Packed,
                  const std::vector<uint8_t> &Nibbles);

/// How many products make up an element of D.
unsigned productsOf(const Multiplication &M);

/// How precise the results are, if these are of f16 or f32.
AccumulationPrecision accumulationPrecision(const Multiplication &M);

/// The sums of floating point numbers as exact as a double is. Zeros of A are
/// left out: a sparse one has none.
WarpMatrix floatSums(const WarpMatrix &A, const WarpMatrix &B,
                     const WarpMatrix &C);

/// D as the instruction has it: with what saturation or wrapping does. A sum
/// that rounds is the nearest to the exact one.
WarpMatrix multiply(const Multiplication &M, const WarpMatrix &A,
                    const WarpMatrix &B, const WarpMatrix &C);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_OPERANDS_H
