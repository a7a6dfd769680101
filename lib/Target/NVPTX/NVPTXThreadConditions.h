//===- NVPTXThreadConditions.h - Which threads come to a block --*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Tells, where it follows from threadIdx.x and constants alone, which threads
/// of a block of threads cannot come to a basic block.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXTHREADCONDITIONS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXTHREADCONDITIONS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Constant;
class DominatorTree;
class Function;
class Instruction;
class LLVMContext;
class Value;

/// Computes conditions for each thread by itself: comparisons of threadIdx.x,
/// of the lane, of what is computed from them, or taken from another lane.
class ThreadConditions {
public:
  ThreadConditions(const Function &F, const DominatorTree &DT);

  /// The threads, by threadIdx.x, that may come to \p BB, as far as the
  /// branches tell that alone lead there. All of them if none tells anything.
  BitVector getThreadsAt(const BasicBlock &BB);

private:
  /// For each thread; null where it is not known. Empty if nothing is.
  using Values = SmallVector<Constant *, 0>;

  const Values &evaluate(const Value *V, unsigned Depth = 0);
  Values computeValues(const Value *V, unsigned Depth);
  Values getElected(LLVMContext &Context);
  Values foldOperation(const Instruction &I, unsigned Depth);
  Values readOtherLane(const Instruction &Shuffle, unsigned Depth);
  void excludeByBranch(const BasicBlock &From, const BasicBlock &To,
                       BitVector &Threads);
  void excludeUnless(const Value *Condition, bool Is, BitVector &Threads);

  const Function &F;
  const DominatorTree &DT;
  unsigned NumThreads;
  DenseMap<const Value *, Values> Known;
};

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXTHREADCONDITIONS_H
