//===- NVPTXWGMMABlocks.h - Blocks with steps of wgmma in IR ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What NVPTXSplitWGMMAPaths and NVPTXPeelWGMMALoops ask of the ways that a
/// branch goes: whether they alone lead to a wgmma, and whether that is left in
/// flight.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMABLOCKS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMABLOCKS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class BasicBlockEdge;
class DominatorTree;
class Function;

/// Looks through the function once. The steps must stay where they are.
class WGMMABlocks {
public:
  explicit WGMMABlocks(const Function &F);

  /// Whether \p Way alone leads to a wgmma.
  bool leadsToWGMMA(const BasicBlockEdge &Way, const DominatorTree &DT) const;

  /// Whether \p Way alone leads to a wgmma, or to a wait for one.
  bool leadsToWGMMAOrWait(const BasicBlockEdge &Way,
                          const DominatorTree &DT) const;

  /// Whether a wgmma that \p Way alone leads to may be in flight where that
  /// meets others: none waits for all on some way there.
  bool leavesInFlight(const BasicBlockEdge &Way, const DominatorTree &DT) const;

private:
  SmallVector<const BasicBlock *, 8> WithWGMMA, WithWait;
  /// Those with a wgmma after their last wait for all, and those with such a
  /// wait.
  SmallVector<const BasicBlock *, 8> InFlightAtEnd;
  SmallPtrSet<const BasicBlock *, 8> WaitForAll;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMABLOCKS_H
