//===- NVPTXRoundConditions.h - What is known of a loop's rounds -*- C++
//-*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Which conditions of a loop tell its first rounds, or its last ones, from all
/// others: pipelines that are written without a prologue or an epilogue start
/// and wait for wgmma by such conditions. NVPTXPeelWGMMALoops and
/// NVPTXSplitWGMMAPaths share it.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXROUNDCONDITIONS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXROUNDCONDITIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class Loop;
class ScalarEvolution;

namespace NVPTX {

/// Which rounds of a loop are meant, counted from which side.
enum class Rounds { First, Last };

/// A condition that the first or the last rounds of a loop decide.
struct RoundCondition {
  /// Null where it has been dropped since.
  WeakTrackingVH Condition;
  /// What it is in these rounds. In no other one it is that.
  bool IsTrue;
  /// How many these rounds are.
  unsigned NumRounds;
};

/// So many rounds are looked at: as many as a pipeline has stages.
constexpr unsigned MaxRoundsDecided = 3;

/// All such conditions of \p L.
SmallVector<RoundCondition, 4> findRoundConditions(const Loop &L, Rounds Which,
                                                   ScalarEvolution &SE);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXROUNDCONDITIONS_H
