//===- NVPTXWGMMAThreads.h - Who comes to a block together ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Tells which blocks all threads of a warp come to together, as wgmma's steps
/// need it, without knowing which conditions are the same for all of them: by
/// the steps that the program has there already.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMATHREADS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMATHREADS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class MachineBasicBlock;
struct WGMMABlockOrder;

/// Remembers what it has found, so that a question costs as much as the blocks
/// that were not asked for before. The blocks must stay as they are. A step
/// that is left out changes nothing; one that is added may tell more than is
/// remembered, see forget().
class WGMMAThreads {
public:
  explicit WGMMAThreads(const WGMMABlockOrder &Order) : Order(Order) {}

  /// Whether all threads of a warp come to \p MBB together: it has a step of
  /// wgmma itself, or all paths go on to one that has, and that nobody comes to
  /// in another way; or all paths go on to it from such a block, in the same
  /// round of the same loop, or from where the other ways at a branch are such
  /// blocks.
  bool comeTogether(const MachineBasicBlock &MBB);

  /// Whether all threads of a warp go from \p Exit to \p To together, if they
  /// do so: the other ways are for all of them; or it is the only exit of its
  /// loop, and in each round they come through a block that all execute
  /// together, which nobody can have left before; or in each round but the
  /// last, if all come to the loop together, and nobody comes back to it.
  bool leaveTogether(const MachineBasicBlock &Exit,
                     const MachineBasicBlock &To);

  /// Steps were added.
  void forget();

private:
  using Answers = DenseMap<const MachineBasicBlock *, bool>;

  bool isAlwaysBeforeStep(const MachineBasicBlock &MBB) const;
  bool showsAll(const MachineBasicBlock &MBB) const;
  const MachineBasicBlock *getBlockBefore(const MachineBasicBlock &MBB) const;
  bool isAlwaysAfter(const MachineBasicBlock &MBB, Answers &Known,
                     function_ref<bool(const MachineBasicBlock &)> IsForAll);
  bool isOtherWay(const MachineBasicBlock &MBB);

  const WGMMABlockOrder &Order;
  /// Whether a block comes always after one that shows it by its own steps, and
  /// by those or by the other ways at the branch that leads to it.
  Answers AfterSteps, AfterWays;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMATHREADS_H
