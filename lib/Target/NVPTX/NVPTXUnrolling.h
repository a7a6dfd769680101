//===- NVPTXUnrolling.h - What loops may be unrolled ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXUNROLLING_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXUNROLLING_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace llvm {
namespace NVPTX {

/// Whether \p L says that it is not to be unrolled. \p IgnoreDisable: but for
/// what the front end says of every loop.
inline bool isUnrollingDisabled(const Loop &L, bool IgnoreDisable) {
  bool IsDisabled =
      IgnoreDisable && getBooleanLoopAttribute(&L, "llvm.loop.unroll.disable");
  return !IsDisabled && (hasUnrollTransformation(&L) & TM_Disable);
}

/// Whether \p Count copies of \p L are no more instructions than `#pragma
/// unroll` allows; see LoopUnrollPass.
inline bool mayBeUnrolledBy(const Loop &L, unsigned Count) {
  constexpr uint64_t MaxUnrolledSize = 16 * 1024;
  uint64_t Size = 0;
  for (const BasicBlock *Block : L.blocks())
    Size += Block->size();
  return Size * Count <= MaxUnrolledSize;
}

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXUNROLLING_H
