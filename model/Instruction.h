//===- Instruction.h - One wgmma.mma_async.sp instruction -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What names an instruction: the types, N and the immediates. M is 64 always;
// K and the granularity of the sparsity follow from the type of A.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_INSTRUCTION_H
#define NVPTX_MMA_MODEL_INSTRUCTION_H

#include "Element.h"

#include <string>

namespace devicetest {

constexpr unsigned Threads = 128;
constexpr unsigned Rows = 64;
/// Registers of a thread's fragment of A, whatever the type.
constexpr unsigned OperandRegisters = 4;

/// Where A comes from: shared memory or registers.
enum class Form { SS, RS };

/// K-wide rows of A consist of chunks with a fixed number of elements each that
/// are stored, the non-zeros. A dense A stores all: its chunks are one wide.
struct OperandShape {
  unsigned K;
  unsigned ChunkWidth;
  unsigned NonZerosPerChunk;

  unsigned chunks() const { return K / ChunkWidth; }
  unsigned packedK() const { return chunks() * NonZerosPerChunk; }
};

OperandShape operandShape(bool Sparse, Element A);

struct Instruction {
  bool Sparse;
  Form Source;
  Element D, A, B;
  unsigned N;
  unsigned Selector = 0;
  int ScaleA = 1, ScaleB = 1;
  bool TransA = false, TransB = false;
  bool Satfinite = false;

  OperandShape shape() const { return operandShape(Sparse, A); }
  /// Elements of D in one register: two packed halves, or one.
  unsigned elementsPerRegister() const { return 32 / bitWidth(D); }
  unsigned accumulatorRegisters() const {
    return N / 2 / elementsPerRegister();
  }
  /// For example "sp.ss.f32.f16.f16.n24.sel1.neg-a.trans-b".
  std::string name() const;
};

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_INSTRUCTION_H
