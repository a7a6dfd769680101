//===- MmaOperands.cpp - Registers of mma and mma.sp ----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaOperands.h"

using namespace devicetest;

static WarpShape packedShape(const Multiplication &M) {
  WarpShape S = M.Shape;
  if (M.Sparse)
    S.K /= 2;
  return S;
}

MmaRegisters::MmaRegisters(const Multiplication &M, const Kernel &K)
    : M(M), A(packedShape(M), WarpOperand::A, M.A, K.field("alayout") == "col"),
      B(M.Shape, WarpOperand::B, M.B, K.field("blayout") == "col"),
      C(M.Shape, WarpOperand::C, M.C), D(M.Shape, WarpOperand::C, M.D),
      Selector(K.number("selector")) {}

void MmaRegisters::write(const std::vector<Operands> &Computations,
                         uint32_t *Record) const {
  auto WriteOne = [&](const WarpFragment &F, Element Type, unsigned Start,
                      const WarpMatrix Operands::*Matrix) {
    for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
      for (unsigned Index = 0; Index != F.elements(); ++Index) {
        WarpPosition P = F.position(Thread, Index);
        double Value =
            (Computations[P.Computation].*Matrix).at(P.Row, P.Column);
        F.write(Record + Start, words(), Thread, Index,
                encodeExactly(Type, Value));
      }
  };
  WriteOne(A, M.A, 0, &Operands::PackedA);
  WriteOne(B, M.B, startOfB(), &Operands::B);
  WriteOne(C, M.C, startOfC(), &Operands::C);
  if (!M.Sparse)
    return;

  unsigned Chunks = M.Shape.K / warpSparsity(M.A).ChunkWidth;
  for (unsigned Thread = 0; Thread != WarpThreads; ++Thread) {
    uint32_t &Metadata = Record[Thread * words() + startOfMetadata()];
    for (unsigned Nibble = 0; Nibble != 8; ++Nibble) {
      auto Place = warpMetadata(M.A, M.Shape.K, Selector, Thread, Nibble);
      if (!Place)
        continue;
      uint32_t Bits =
          Computations[0].Nibbles[Place->Row * Chunks + Place->Chunk];
      Metadata &= ~(0xFu << 4 * Nibble);
      Metadata |= Bits << 4 * Nibble;
    }
  }
}
