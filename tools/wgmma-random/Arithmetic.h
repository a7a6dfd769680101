//===- Arithmetic.h - What a wgmma computes ---------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two meanings for the evaluation of the IR: a function of each thread's
// operands in which every bit counts, and the matrix multiplication of 128
// threads.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_ARITHMETIC_H
#define NVPTX_MMA_WGMMA_RANDOM_ARITHMETIC_H

#include "Memory.h"
#include "Operation.h"

#include "Element.h"

#include <string>

namespace wgmmarandom {

/// The type of this PTX name.
devicetest::Element elementOf(llvm::StringRef Name);

/// The product of two numbers of the type f16, as bits, rounded to nearest. NaN
/// stays as it is, but for its sign, which LLVM may change before or behind.
uint16_t multiplyHalves(uint16_t A, uint16_t B);

/// A number of the type f16 as one of the type f32.
uint32_t extendHalf(uint16_t Half);

/// A number of the type f32 as one of the type f16, rounded to nearest; any NaN
/// as the one that PTX makes.
uint16_t roundToHalf(uint32_t Float);

class Arithmetic {
public:
  virtual ~Arithmetic() = default;

  /// \p Threads are the operands of each thread; \p Results becomes the
  /// accumulator of each. Returns what cannot be computed, or nothing.
  virtual std::string multiply(const Operation &Op,
                               const std::vector<Inputs> &Threads, Memory &M,
                               std::vector<std::vector<uint32_t>> &Results) = 0;
};

class MixingArithmetic : public Arithmetic {
public:
  std::string multiply(const Operation &Op, const std::vector<Inputs> &Threads,
                       Memory &M,
                       std::vector<std::vector<uint32_t>> &Results) override;
};

/// Needs 128 threads. Descriptors must be of K-major matrices without swizzle.
/// Sums that an accumulator does not hold exactly are refused: how they are
/// rounded is not what is compared.
class MatrixArithmetic : public Arithmetic {
public:
  std::string multiply(const Operation &Op, const std::vector<Inputs> &Threads,
                       Memory &M,
                       std::vector<std::vector<uint32_t>> &Results) override;
};

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_ARITHMETIC_H
