//===- Operation.h - One wgmma.mma_async, by its names ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a wgmma.mma_async is, written down from the syntax sections of the PTX
// ISA (9.7.15.5.2, 9.7.15.6.3) and not from the compiler's tables: how the
// intrinsic and how the instruction spell it, and a function of its operands
// that stands for what it computes.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_OPERATION_H
#define NVPTX_MMA_WGMMA_RANDOM_OPERATION_H

#include "Mix.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wgmmarandom {

/// The types of an instruction, and what PTX allows with them.
struct Family {
  llvm::StringRef D, A, B;
  llvm::StringRef Suffix; ///< ".and.popc", or nothing.
  unsigned DenseK;
  bool HasSparse;
  bool HasScale;
  bool HasTranspose;
  bool HasSatfinite;
  unsigned NumSelectors;

  bool isInteger() const { return D == "s32"; }
  bool hasN(unsigned N) const;
  /// The registers of a thread's accumulator.
  unsigned accumulatorRegisters(unsigned N) const {
    return D == "f16" ? N / 4 : N / 2;
  }
  /// "f32.f16.f16", "s32.b1.b1.and.popc".
  std::string types() const;
  /// The IR type of a thread's accumulator, and its mangling.
  std::string accumulatorType(unsigned N) const;
  std::string mangledType(unsigned N) const;
};

llvm::ArrayRef<Family> families();

struct Operation {
  const Family *Types = nullptr;
  bool Sparse = false;
  bool AFromRegisters = false;
  unsigned N = 8;
  int Selector = 0;
  int ScaleA = 1, ScaleB = 1;
  bool TransA = false, TransB = false;
  bool Satfinite = false;

  unsigned k() const { return Types->DenseK << Sparse; }
  unsigned accumulatorRegisters() const {
    return Types->accumulatorRegisters(N);
  }
  bool hasTransA() const { return Types->HasTranspose && !AFromRegisters; }

  /// Accumulators of one shape may follow each other without a fence or a wait.
  std::string shape() const;
  /// "llvm.nvvm.wgmma.mma_async.ss.f32.f16.f16.v4f32"
  std::string intrinsic() const;
  /// "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
  std::string instruction() const;
  uint64_t hash() const;
};

/// The operation of an intrinsic: types, forms and N, no immediates.
std::optional<Operation> parseIntrinsic(llvm::StringRef Name);
/// The same of a PTX opcode; .satfinite is part of it.
std::optional<Operation> parseInstruction(llvm::StringRef Opcode);

/// How many immediate operands come after scale-d, without satfinite.
unsigned numImmediates(const Operation &Op);
/// Sets those; the order is that of PTX and of the intrinsic.
void setImmediates(Operation &Op, llvm::ArrayRef<int64_t> Values);

/// What a wgmma reads. Only one of ADescriptor and A is.
struct Inputs {
  std::vector<uint32_t> Accumulator;
  bool ScaleD = true;
  uint64_t ADescriptor = 0;
  uint32_t A[4] = {};
  uint64_t BDescriptor = 0;
  uint32_t Metadata = 0;
};

/// Register \p Register of the result. Not arithmetic: a function in which
/// every operand counts, so that a wrong one shows. As in the instruction, one
/// register depends on its own old value only, and on that only if scale-d is
/// set.
uint32_t result(const Operation &Op, const Inputs &In, unsigned Register);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_OPERATION_H
