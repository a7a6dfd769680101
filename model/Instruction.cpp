//===- Instruction.cpp - One wgmma.mma_async.sp instruction ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instruction.h"

using namespace devicetest;

OperandShape devicetest::operandShape(bool Sparse, Element A) {
  if (!Sparse)
    return {256 / bitWidth(A), 1, 1};
  switch (bitWidth(A)) {
  case 8:
    return {64, 4, 2};
  case 16:
    return {32, 4, 2};
  default:
    return {16, 2, 1};
  }
}

std::string Instruction::name() const {
  std::string Name = Sparse ? "sp." : "";
  Name += Source == Form::SS ? "ss" : "rs";
  for (Element Type : {D, A, B})
    Name += std::string(".") + devicetest::name(Type);
  if (A == Element::b1)
    Name += ".and.popc";
  Name += ".n" + std::to_string(N);
  if (Selector)
    Name += ".sel" + std::to_string(Selector);
  if (ScaleA < 0)
    Name += ".neg-a";
  if (ScaleB < 0)
    Name += ".neg-b";
  if (TransA)
    Name += ".trans-a";
  if (TransB)
    Name += ".trans-b";
  if (Satfinite)
    Name += ".satfinite";
  return Name;
}
