//===- NVPTXImpliedConditions.h - What a branch tells -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What the branches that have led to a place tell of a condition, beyond what
/// isImpliedCondition knows.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXIMPLIEDCONDITIONS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXIMPLIEDCONDITIONS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CmpPredicate.h"
#include "llvm/IR/ConstantRange.h"
#include <optional>

namespace llvm {
class AssumptionCache;
class BasicBlock;
class BasicBlockEdge;
class DataLayout;
class DominatorTree;
class Function;
class Loop;
class Value;

namespace NVPTX {

/// Whether \p L, if any, and all loops around it have one latch each. Where
/// ScalarEvolution is asked about a place it takes that for granted: of a loop
/// with more it takes what holds in a later round for what holds in the first
/// one, from which anything follows.
bool haveOneLatch(const Loop *L);

/// Whether the instructions of \p BB ahead of its branch may be executed in a
/// block of their own: they are few, and do not ask which threads come along.
bool mayBeThreaded(const BasicBlock &BB);

/// Has \p Visit see \p Condition and the parts of it that are true or false if
/// it \p IsTrue. Returns whether it has seen enough.
bool visitParts(const Value &Condition, bool IsTrue,
                function_ref<bool(const Value &Condition, bool IsTrue)> Visit);

/// Shows \p Visit the conditions of all branches that control has come through
/// where it takes \p Edge, and those that they are made of as far as these are
/// known then, and whether they are true, the last one first, until it has seen
/// enough. An edge that nothing leads to has come through none.
void visitKnownConditions(
    const BasicBlockEdge &Edge, const DominatorTree &DT,
    function_ref<bool(const Value &Condition, bool IsTrue)> Visit);

/// What \p Condition is, if it compares with the same number as \p Known, which
/// \p IsTrue tells the answer of, what is so and so much less or more. A branch
/// by what has wrapped all the same is undefined behavior.
std::optional<bool> isImpliedBySum(const Value &Known, bool IsTrue,
                                   const Value &Condition);

/// What \p Condition is, if \p Known, which \p IsTrue tells the answer of,
/// tells it of single bits: if none of a mask is set, none of a part of it is.
std::optional<bool> isImpliedByBits(const Value &Known, bool IsTrue,
                                    const Value &Condition,
                                    const DataLayout &DL);

/// What \p Predicate says of \p V and \p Limit, if that follows from how \p V
/// is counted: from a number that is not negative, up, and set back to such a
/// one.
std::optional<bool> decideByCounting(CmpPredicate Predicate, const Value &V,
                                     const APInt &Limit, const DataLayout &DL);

/// What all branches that an edge has come through tell of their conditions,
/// and of the values that these compare with constants: which are left for one
/// that is neither 1 nor 2, say.
class KnownRanges {
public:
  KnownRanges(const BasicBlockEdge &Edge, const DominatorTree &DT);

  /// What \p Condition is there, if that is known.
  std::optional<bool> decide(const Value &Condition) const;

  /// The least that \p V may be there, as a signed number.
  APInt getSignedMin(const Value &V) const;

private:
  void add(const Value &Condition, bool IsTrue);
  void add(const Value &V, const ConstantRange &Range);
  std::optional<bool> decide(const Value &V, const ConstantRange &Asked) const;
  ConstantRange getRange(const Value &V, unsigned Depth = 0) const;
  bool isOneOf(const Value &Condition) const;

  /// What a value may be: in a range, but not one of these.
  struct Left {
    ConstantRange Range;
    SmallVector<APInt, 2> Excluded;

    bool mayBeIn(const ConstantRange &Asked) const;
  };

  DenseMap<const Value *, Left> Ranges;
};

/// Has ScalarEvolution know that what the loops of \p F compare with is
/// positive, where the way into the loop tells: LLVM tests \c n > 127 ahead of
/// a loop of \c n / 128 rounds. Returns whether it has added any assumption.
bool assumeLoopBounds(Function &F, AssumptionCache &AC);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXIMPLIEDCONDITIONS_H
