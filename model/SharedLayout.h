//===- SharedLayout.h - Matrices in shared memory ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layouts of A and B in shared memory. A matrix is cut into atoms of 8 rows
// of some bytes each, which are contiguous: without swizzle 16 bytes (a "core
// matrix"), else as many as the swizzle's name says. A matrix is K-major, where
// these bytes run along K and the 8 rows are of M or N; or, transposed, for
// 16-bit types only, MN-major, where the bytes run along M or N and the 8 rows
// are of K.
//
// Two steps, both multiples of 16 bytes, lead from an atom to the next along K
// and along M or N. The descriptor has them as "leading dimension byte offset"
// and "stride dimension byte offset" (PTX ISA, "Strides"):
// - without swizzle, the leading offset steps along K, the stride along M or N;
// - with a swizzle, the leading offset steps in the direction of an atom's rows
//   (where that is K, a dense matrix has one atom only and no such step), the
//   stride across them.
//
// A swizzle permutes the 16-byte units of each row by exclusive or of their
// number with the row's. Both are bits of the address, not of the offset from
// the matrix's start: units are numbered by bits 4 and up, as many as it takes,
// rows of 128 bytes by bits 7 and up. (The ISA shows this in pictures; as
// formula it is the Swizzle<1, 4, 3>, <2, 4, 3> and <3, 4, 3> of CUTLASS.) So a
// matrix may start at any unit of an atom's row, as steps along K do.
//
// This pattern repeats after the bytes of an atom, and starts at a multiple of
// them. Where it starts at another multiple of 128, the descriptor's base
// offset has bits 7 to 9 of the address at which it starts (PTX ISA, "Matrix
// Descriptor Format"). The ISA does not say how that is used. It is subtracted
// from the row's number, so that the layout is that of the aligned matrix,
// moved: the probe read so off an H200, of A and of B, K-major and transposed,
// with each swizzle. Steps along a row keep the base offset there, too.
//
// Here, A's K counts the elements that are stored.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_MODEL_SHAREDLAYOUT_H
#define NVPTX_MMA_MODEL_SHAREDLAYOUT_H

#include "Element.h"

#include <cstdint>

namespace devicetest {

/// How the atoms follow one another. A gap shows whether both offsets are
/// obeyed, as with no gap one of them may pass for the other. Shifted is KFirst
/// with a base offset; without swizzle there is nothing to shift.
enum class Arrangement { KFirst, MNFirst, Gapped, Shifted };

const char *name(Arrangement A);

/// The mode of the swizzle, by the bytes in a row of its atoms.
enum class Swizzle { None = 16, B32 = 32, B64 = 64, B128 = 128 };

const char *name(Swizzle Mode);

/// A number of matrices of one size, one after the other. Swizzled K-major
/// matrices that are narrower than an atom share atoms, save with gaps, where
/// each starts as late in its atoms' rows as possible.
class SharedLayout {
public:
  SharedLayout(Element Type, bool Transposed, unsigned MN, unsigned K,
               Arrangement A, Swizzle Mode);

  /// The byte at which a matrix starts.
  uint32_t start(unsigned Matrix) const;
  /// The bytes from the start of the first of so many matrices to the end.
  uint32_t size(unsigned Matrices) const;

  /// The bit offset of an element of the matrix that starts at byte \p Start.
  /// All offsets count from an address that is a multiple of 1024.
  uint64_t bitOffset(uint32_t Start, unsigned MN, unsigned K) const;
  /// The descriptor of that matrix.
  uint64_t descriptor(uint32_t Start) const;

private:
  unsigned ElementBits;
  bool Transposed;
  Swizzle Mode;
  uint32_t AtomBytes;
  /// From a multiple of the pattern's bytes to where the atoms start.
  uint32_t Shift;
  /// From the first byte of an atom's row to a matrix's first.
  uint32_t FirstByte;
  /// Matrices that share atoms, and how far apart they are.
  unsigned PerAtom;
  uint32_t BytesApart;
  /// Steps from an atom to the next, and how far the atoms of a matrix reach.
  uint32_t KStep, MNStep;
  uint32_t Extent;

  uint32_t rowBytes() const { return static_cast<uint32_t>(Mode); }
};

} // namespace devicetest

#endif // NVPTX_MMA_MODEL_SHAREDLAYOUT_H
