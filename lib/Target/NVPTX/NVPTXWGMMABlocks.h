//===- NVPTXWGMMABlocks.h - Blocks with steps of wgmma in IR ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What those passes ask that copy paths with and without a wgmma: whether a
/// way of a branch alone leads to a wgmma, whether that is left in flight, and
/// what may be copied.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMABLOCKS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMABLOCKS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class BasicBlockEdge;
class BranchInst;
class DominatorTree;
class Function;
class Instruction;
class Loop;
class Value;

/// Looks through the function once. The steps must stay where they are.
class WGMMABlocks {
public:
  explicit WGMMABlocks(const Function &F);

  /// Whether \p Way alone leads to a wgmma.
  bool leadsToWGMMA(const BasicBlockEdge &Way, const DominatorTree &DT) const;

  /// Whether \p Way alone leads to a wgmma, or to a wait for one.
  bool leadsToWGMMAOrWait(const BasicBlockEdge &Way,
                          const DominatorTree &DT) const;

  /// Whether \p Way alone leads to a wait for all.
  bool leadsToWaitForAll(const BasicBlockEdge &Way,
                         const DominatorTree &DT) const;

  /// Whether one way of \p Branch alone leads to a wgmma or a wait for one.
  bool decidesSteps(const BranchInst &Branch, const DominatorTree &DT) const;

  /// Whether \p Condition, or what it is a part of, decides such a branch, in
  /// this round of a loop or later.
  bool decidesSteps(const Value &Condition, const DominatorTree &DT) const;

  /// Whether a wgmma that \p Way alone leads to may be in flight where that
  /// meets others: none waits for all on some way there.
  bool leavesInFlight(const BasicBlockEdge &Way, const DominatorTree &DT) const;

  /// The same of a block, and of what it alone leads to.
  bool leavesInFlight(const BasicBlock &Start, const DominatorTree &DT) const;

  /// Whether, for all that the graph tells, anything but a wgmma may read a
  /// result of one in \p L, or the function may return, in the loop or later,
  /// with no wait for all since.
  bool mayMissWait(const Loop &L) const;

private:
  bool
  leavesInFlight(function_ref<bool(const BasicBlock &)> IsReachedAlone) const;

  SmallVector<const BasicBlock *, 8> WithWGMMA, WithWait;
  /// Those with a wgmma after their last wait for all, and those with such a
  /// wait.
  SmallVector<const BasicBlock *, 8> InFlightAtEnd;
  SmallPtrSet<const BasicBlock *, 8> WaitForAll;
};

namespace NVPTX {

using InstructionSet = SmallSetVector<const Instruction *, 16>;

/// What reads the results of \p WGMMAs, by way of phis and fence_operand, and
/// is no wgmma of the same shape.
InstructionSet findReads(const InstructionSet &WGMMAs);

/// Whether the instructions of \p BB may stand there once more.
bool mayBeCopied(const BasicBlock &BB);

/// Removes what nothing leads to any more, and joins what nothing parts.
void removeDeadBlocks(Function &F);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMABLOCKS_H
