//===- MovedMatrix.cpp - What ldmatrix and its kin move -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovedMatrix.h"

#include <cstdlib>
#include <utility>

using namespace devicetest;

MovedPosition MovedMatrix::position(unsigned Thread, unsigned Register,
                                    unsigned Index) const {
  unsigned Group = Thread / 4, InGroup = Thread % 4;
  MovedPosition P = {Register / registersOfMatrix(), Group, 0};
  if (Shape == MovedShape::M16N8) {
    // As mma leaves its results: two neighbours, and those eight rows below.
    P.Row += 8 * (Index / 2);
    P.Column = 2 * InGroup + Index % 2;
  } else {
    P.Row += 8 * (Register % registersOfMatrix());
    P.Column = elementsPerRegister() * InGroup + Index;
  }
  if (Transposed)
    std::swap(P.Row, P.Column);
  return P;
}

WarpPlace MovedMatrix::place(const MovedPosition &P) const {
  for (unsigned Thread = 0; Thread != WarpThreads; ++Thread)
    for (unsigned Register = 0; Register != registers(); ++Register)
      for (unsigned Index = 0; Index != elementsPerRegister(); ++Index)
        if (position(Thread, Register, Index) == P)
          return {Thread, Register, Index * elementBits()};
  std::abort(); // There is no such element.
}
