//===- NVVMBlockScale.cpp - Selectors of block-scaled mma -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/NVVMBlockScale.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::nvvm;

std::string BlockScaleSelector::getAllowedList() const {
  if (Allowed.size() > 2)
    return std::to_string(Allowed.front()) + " to " +
           std::to_string(Allowed.back());
  std::string Str;
  raw_string_ostream OS(Str);
  interleave(Allowed, OS, " or ");
  return Str;
}

SmallVector<BlockScaleSelector, 4>
nvvm::getBlockScaleSelectors(unsigned ScaleVec) {
  if (!ScaleVec)
    return {};

  // The scales of A are in two of the four threads that have the elements of a
  // row, those of B in any of the four.
  static constexpr int64_t Any[] = {0, 1, 2, 3};
  static constexpr int64_t Even[] = {0, 2};
  ArrayRef<int64_t> Bytes =
      ScaleVec == 2 ? ArrayRef(Even) : ArrayRef(Any).take_front(4 / ScaleVec);
  return {{"byte id of A", 5, Bytes},
          {"thread id of A", 4, ArrayRef(Any).take_front(2)},
          {"byte id of B", 2, Bytes},
          {"thread id of B", 1, Any}};
}
