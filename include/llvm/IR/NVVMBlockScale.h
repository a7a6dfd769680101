//===- NVVMBlockScale.h - Selectors of block-scaled mma ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// The operands of mma and mma.sp with .block_scale that choose, among the
/// threads' registers and their bytes, those that hold scales: PTX
/// ISA 9.7.14.3, "Block Scaling for mma.sync". For the NVPTX backend and front
/// ends.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_IR_NVVMBLOCKSCALE_H
#define LLVM_IR_NVVMBLOCKSCALE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm::nvvm {

struct BlockScaleSelector {
  /// What a message calls it: "byte id of A".
  StringRef What;
  /// Counted from the end of the operands: 1 is the last one.
  unsigned FromEnd;
  /// The values that have a meaning. They need not be constants.
  ArrayRef<int64_t> Allowed;

  bool allows(int64_t Value) const { return is_contained(Allowed, Value); }
  /// "0 or 2"
  std::string getAllowedList() const;
};

/// The selectors of a block-scaled mma that takes \p ScaleVec scales for each
/// row of A, in bytes that follow each other; none where that is 0. The tables
/// made of NVVMMatrixTargets.td have it, by intrinsic and by builtin.
SmallVector<BlockScaleSelector, 4> getBlockScaleSelectors(unsigned ScaleVec);

} // namespace llvm::nvvm

#endif // LLVM_IR_NVVMBLOCKSCALE_H
