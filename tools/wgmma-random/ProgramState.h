//===- ProgramState.h - What is known where code is added -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variables of a program and the state that each is in, on every path that
// leads to the place where code is being added.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_PROGRAMSTATE_H
#define NVPTX_MMA_WGMMA_RANDOM_PROGRAMSTATE_H

#include "Operation.h"

#include <algorithm>
#include <string>
#include <vector>

namespace wgmmarandom {

/// How far the wgmma that last wrote an accumulator has come: not committed
/// (-1), committed with so many groups after its own (0 on), waited for, or
/// waited for and passed through fence_operand since. What holds on two paths
/// is the smaller.
using Progress = int;
constexpr Progress Uncommitted = -1;
constexpr Progress Retired = 1000;
constexpr Progress Ready = 2000;

/// Stands for a shape that depends on the path.
constexpr char MixedShape[] = "mixed";

/// A variable, and how it is mostly used.
struct AccumulatorVariable {
  std::string Name;
  const Family *Types;
  bool Sparse;
  unsigned N;

  std::string type() const { return Types->accumulatorType(N); }
  unsigned length() const { return Types->accumulatorRegisters(N); }
  std::string shape() const {
    Operation Op;
    Op.Types = Types;
    Op.Sparse = Sparse;
    Op.N = N;
    return Op.shape();
  }
  bool hasShapeOf(const AccumulatorVariable &Other) const {
    return Types == Other.Types && Sparse == Other.Sparse && N == Other.N;
  }
};

struct ProgramState {
  struct Accumulator {
    Progress At = Ready;
    bool Defined = false; ///< Holds a value, not poison.
    bool Dirty = true;    ///< Touched since the last fence.
    std::string Shape;    ///< Of the wgmma that last wrote it, if one did.

    bool inFlight() const { return At < Retired; }
  };
  std::vector<Accumulator> Accumulators;
  std::vector<bool> DirtyFragments, DirtyMetadata;
  /// Something may be in flight that no variable holds any more.
  Progress Lost = Ready;

  bool anyInFlight() const {
    return Lost < Retired ||
           std::any_of(
               Accumulators.begin(), Accumulators.end(),
               [](const Accumulator &A) { return A.inFlight(); });
  }
  bool anyUncommitted() const {
    return Lost == Uncommitted ||
           std::any_of(
               Accumulators.begin(), Accumulators.end(),
               [](const Accumulator &A) { return A.At == Uncommitted; });
  }

  template <class Function> void forEachProgress(Function F) {
    for (Accumulator &A : Accumulators)
      F(A.At);
    F(Lost);
  }
  void commit() {
    forEachProgress([](Progress &At) { At += At < Retired; });
  }
  void wait(int Pending) {
    forEachProgress([=](Progress &At) {
      if (At >= Pending && At != Uncommitted && At < Retired)
        At = Retired;
    });
    if (Lost == Retired)
      Lost = Ready;
  }
  void fence() {
    for (Accumulator &A : Accumulators)
      A.Dirty = false;
    std::fill(DirtyFragments.begin(), DirtyFragments.end(), false);
    std::fill(DirtyMetadata.begin(), DirtyMetadata.end(), false);
  }
  void dirtyAll() {
    for (Accumulator &A : Accumulators)
      A.Dirty = true;
    std::fill(DirtyFragments.begin(), DirtyFragments.end(), true);
    std::fill(DirtyMetadata.begin(), DirtyMetadata.end(), true);
  }

  /// What holds on either path.
  void merge(const ProgramState &Other) {
    for (size_t I = 0; I != Accumulators.size(); ++I) {
      Accumulator &A = Accumulators[I];
      const Accumulator &B = Other.Accumulators[I];
      A = {std::min(A.At, B.At), A.Defined && B.Defined, A.Dirty || B.Dirty,
           A.Shape == B.Shape ? A.Shape : MixedShape};
    }
    for (size_t I = 0; I != DirtyFragments.size(); ++I)
      DirtyFragments[I] = DirtyFragments[I] || Other.DirtyFragments[I];
    for (size_t I = 0; I != DirtyMetadata.size(); ++I)
      DirtyMetadata[I] = DirtyMetadata[I] || Other.DirtyMetadata[I];
    Lost = std::min(Lost, Other.Lost);
  }
};

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_PROGRAMSTATE_H
