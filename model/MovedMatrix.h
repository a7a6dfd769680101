//===- MovedMatrix.h - What ldmatrix and its kin move -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which thread's register holds which element of the matrices that ldmatrix and
// stmatrix move, by their rows in memory: PTX ISA 9.7.14.5.15 and 9.7.14.5.16.
// m8n8 is what the device tests find on an H200.
//
// The other shapes need sm_100a and have not been run by this project. The ISA
// says that a thread has four neighbours of a row, of m16n16 those of two rows,
// and leaves the rest to figures. What is here is what CUTLASS has
// (copy_sm100.hpp, copy_traits_sm100.hpp) and what CubeCL's tests expect. So
// are the addresses of the 16 rows of m16n16: the ISA's table gives every
// matrix eight.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_MOVEDMATRIX_H
#define NVPTX_MMA_MODEL_MOVEDMATRIX_H

#include "WarpFragment.h"

namespace devicetest {

/// As in the instructions' names. Elements have 16 bits in M8N8, otherwise 8;
/// of .b6x16_p32 and .b4x16_p64 the low 6 or 4 of them are the value.
enum class MovedShape { M8N8, M8N16, M16N16, M16N8 };

/// A place in memory.
struct MovedPosition {
  unsigned Matrix, Row, Column;

  bool operator==(const MovedPosition &Other) const {
    return Matrix == Other.Matrix && Row == Other.Row && Column == Other.Column;
  }
};

class MovedMatrix {
public:
  /// M16N16 and M16N8 are always transposed, M8N16 never.
  MovedMatrix(MovedShape Shape, unsigned Count, bool Transposed)
      : Shape(Shape), Count(Count), Transposed(Transposed) {}

  unsigned count() const { return Count; }
  /// Of a matrix in memory; a row has 16 bytes.
  unsigned rows() const { return Shape == MovedShape::M16N16 ? 16 : 8; }
  unsigned columns() const { return 128 / elementBits(); }
  unsigned elementBits() const { return Shape == MovedShape::M8N8 ? 16 : 8; }
  unsigned elementsPerRegister() const { return 32 / elementBits(); }
  /// Of all matrices, in each thread.
  unsigned registers() const { return Count * registersOfMatrix(); }

  /// The \p Index-th element, from the low bits, of a thread's register.
  MovedPosition position(unsigned Thread, unsigned Register,
                         unsigned Index) const;
  /// The inverse.
  WarpPlace place(const MovedPosition &P) const;

  /// The thread whose address is that of a row.
  unsigned addressThread(unsigned Matrix, unsigned Row) const {
    return Matrix * rows() + Row;
  }

private:
  unsigned registersOfMatrix() const {
    return Shape == MovedShape::M16N16 ? 2 : 1;
  }

  MovedShape Shape;
  unsigned Count;
  bool Transposed;
};

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_MOVEDMATRIX_H
