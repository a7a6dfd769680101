//===- Fragment.h - Which register holds which element ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The register fragments of wgmma.mma_async, dense and sparse. Those of D and
// of a dense A are in the PTX ISA, "Register Fragments and Shared Memory Matrix
// Layouts". Those of a sparse A and of the metadata are there as pictures only:
// these formulas were read off an H200, one element and one metadata nibble at
// a time. It turned out that a packed A is laid out as a dense one.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_FRAGMENT_H
#define NVPTX_MMA_MODEL_FRAGMENT_H

#include "Element.h"

#include <optional>

namespace devicetest {

/// A place in a matrix of 64 rows. What a column is, the user says.
struct Position {
  unsigned Row;
  unsigned Column;
};

/// The place in D of a thread's \p Index-th accumulator element, where f16
/// elements count singly: register i holds elements 2i (low half) and 2i + 1.
Position accumulatorPosition(unsigned Thread, unsigned Index);

/// The place in A, which if sparse is packed, so that its columns are the
/// non-zeros of a row in order, of the \p Index-th element (from the low bits
/// up) of a register. In any type, a row has 32 bytes.
Position operandPosition(Element A, unsigned Thread, unsigned Register,
                         unsigned Index);

/// The row and chunk that bits 4*Nibble .. 4*Nibble+3 of a thread's sp-meta
/// describe, or nothing when the selector passes that thread over.
std::optional<Position> metadataPosition(Element A, unsigned Selector,
                                         unsigned Thread, unsigned Nibble);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_FRAGMENT_H
