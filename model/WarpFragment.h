//===- WarpFragment.h - Fragments, warp level -------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which thread's register holds which element, for the operands of mma, mma.sp,
// ldmatrix, stmatrix and movmatrix. The formulas are those of the PTX ISA. It
// gives the places of sparsity metadata as pictures only; these formulas are
// wgmma's, for the shapes of mma.sp. SparseProbe reads the layouts off a device
// directly: an H200 has these in all 152 kernels of mma.sp.
//
// Fragments of wmma are opaque and have no place here.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_WARPFRAGMENT_H
#define NVPTX_MMA_MODEL_WARPFRAGMENT_H

#include "Element.h"

#include <cstdint>
#include <vector>

namespace devicetest {

constexpr unsigned WarpThreads = 32;

struct WarpShape {
  unsigned M, N, K;
};

/// C stands for D as well.
enum class WarpOperand { A, B, C };

/// A place in a matrix. Only mma.m8n8k4 of f16 has more computations than one.
struct WarpPosition {
  unsigned Computation, Row, Column;

  bool operator==(const WarpPosition &Other) const {
    return Computation == Other.Computation && Row == Other.Row &&
           Column == Other.Column;
  }
};

/// A place in the registers of a warp: the element's low bit.
struct WarpPlace {
  unsigned Thread, Register, Bit;
};

class WarpFragment {
public:
  /// For sparse A, the matrix is the packed one: pass half of K. Of A and B of
  /// mma.m8n8k4 of f16, \p ColumnMajor chooses the layout; the other shapes
  /// have one only.
  WarpFragment(WarpShape Shape, WarpOperand Operand, Element Type,
               bool ColumnMajor = false);

  unsigned computations() const { return QuadPairs ? 4 : 1; }
  unsigned rows() const {
    return Operand == WarpOperand::B ? Shape.K : Shape.M;
  }
  unsigned columns() const {
    return Operand == WarpOperand::A ? Shape.K : Shape.N;
  }
  /// Elements that one thread holds.
  unsigned elements() const {
    return computations() * rows() * columns() / WarpThreads;
  }
  unsigned elementsPerRegister() const {
    return registerWidth(Type) / bitWidth(Type);
  }
  /// 32-bit words that one thread holds.
  unsigned words() const { return elements() * bitWidth(Type) / 32; }

  /// Where in the matrix a thread's \p Index-th element is, counted as in the
  /// ISA: a0, a1, ... from the low bits of the first register up.
  WarpPosition position(unsigned Thread, unsigned Index) const;
  WarpPlace place(unsigned Thread, unsigned Index) const;
  /// The inverse of both.
  WarpPlace place(const WarpPosition &P) const;

  /// A fragment's words, [thread][word], and the encoded elements in them.
  uint64_t read(const uint32_t *Words, unsigned Stride, unsigned Thread,
                unsigned Index) const;
  void write(uint32_t *Words, unsigned Stride, unsigned Thread, unsigned Index,
             uint64_t Bits) const;

private:
  WarpPosition quadPairPosition(unsigned Thread, unsigned Index) const;

  WarpShape Shape;
  WarpOperand Operand;
  Element Type;
  bool ColumnMajor;
  /// Each of four computations is that of 4 threads and those 16 above them.
  bool QuadPairs;
};

/// Rows of a sparse A consist of chunks, half of whose elements are kept. One
/// nibble tells which.
struct WarpSparsity {
  unsigned ChunkWidth;
  /// Elements that share an index.
  unsigned Run;

  unsigned kept() const { return ChunkWidth / 2; }
};

WarpSparsity warpSparsity(Element A);

/// The nibbles with a meaning. Indices ascend, as ordered metadata demands.
const std::vector<uint8_t> &warpNibbles(Element A);
/// Those where the first index is the higher one.
const std::vector<uint8_t> &warpDescendingNibbles();

/// The column within its chunk of the \p Index-th kept element.
unsigned warpKeptColumn(Element A, uint8_t Nibble, unsigned Index);

/// The values that the sparsity selector may have: 0 ... warpSelectors() - 1.
unsigned warpSelectors(Element A, unsigned K);

struct WarpChunk {
  unsigned Row, Chunk;
};

/// What bits 4*Nibble .. 4*Nibble+3 of a thread's metadata describe, or nothing
/// when the selector passes that thread over.
std::optional<WarpChunk> warpMetadata(Element A, unsigned K, unsigned Selector,
                                      unsigned Thread, unsigned Nibble);

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_WARPFRAGMENT_H
