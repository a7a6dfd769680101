//===- Fragment.cpp - Which register holds which element ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fragment.h"

using namespace devicetest;

namespace {

/// A warp holds 16 rows; within it, lanes form 8 groups of 4.
struct Lane {
  explicit Lane(unsigned Thread)
      : FirstRow(Thread / 32 * 16), Group(Thread % 32 / 4),
        InGroup(Thread % 4) {}

  unsigned FirstRow;
  unsigned Group;
  unsigned InGroup;
};

} // namespace

Position devicetest::accumulatorPosition(unsigned Thread, unsigned Index) {
  Lane L(Thread);
  return {L.FirstRow + L.Group + 8 * (Index / 2 % 2),
          8 * (Index / 4) + 2 * L.InGroup + Index % 2};
}

Position devicetest::operandPosition(Element A, unsigned Thread,
                                     unsigned Register, unsigned Index) {
  Lane L(Thread);
  unsigned Row = L.FirstRow + L.Group + 8 * (Register % 2);
  unsigned Word = L.InGroup + 4 * (Register / 2); // of the row's 8
  return {Row, Word * (32 / bitWidth(A)) + Index};
}

std::optional<Position> devicetest::metadataPosition(Element A,
                                                     unsigned Selector,
                                                     unsigned Thread,
                                                     unsigned Nibble) {
  Lane L(Thread);
  if (bitWidth(A) == 8)
    return Position{L.FirstRow + L.Group + 8 * (L.InGroup % 2),
                    8 * (L.InGroup / 2) + Nibble};
  if (L.InGroup / 2 != Selector)
    return std::nullopt;
  return Position{L.FirstRow + L.Group + 8 * (Nibble / 4),
                  4 * (L.InGroup % 2) + Nibble % 4};
}
