//===- LoopTests.h - Tests that keep instructions in flight -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over K in the manner of real kernels. An instruction in flight reads
// its fragment of A and updates its accumulator at its own time: should the
// compiler let another use of these registers in before the wait, results are
// wrong at times. Hence these run often, with many CTAs.
//
// Two things about ptxas 13.0 shape these loops, since without them it gives up
// on asynchrony, waiting for each instruction (notes C7510 and C7513):
// - They run at least once. One that might not would merge the accumulator
//   before the loop with the one in flight after it.
// - What a load writes between a fence and the next wait is no operand of a
//   later wgmma until an instruction other than a move has taken it up; hence
//   convert().
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_LOOPTESTS_H
#define NVPTX_MMA_TEST_DEVICE_LOOPTESTS_H

#include "CudaBackend.h"
#include "Warpgroup.h"
#include "harness/Driver.h"

#include <iostream>

namespace devicetest {

constexpr unsigned LoopSteps = 16;

/// While an instruction is in flight, loads the next fragment into registers of
/// its own, and converts it after the wait.
template <class V, class I>
__global__ void __launch_bounds__(Threads) rsWait0(KernelArgs Args) {
  Warpgroup<V, I> W(Args);
  auto D = W.accumulator();
  Fragment A = W.fragment(0);
  int Metadata = W.metadata(0);
  uint32_t Step = 0;
  do {
    __nvvm_wgmma_fence_sync_aligned();
    D = W.rs(D, A, Metadata, Step);
    __nvvm_wgmma_commit_group_sync_aligned();
    Fragment NextA = W.fragment(Step + 1);
    int NextMetadata = W.metadata(Step + 1);
    __nvvm_wgmma_wait_group_sync_aligned(0);
    D = __nvvm_wgmma_fence_operand(D);
    A = __nvvm_wgmma_fence_operand(A);
    A = W.convert(NextA);
    Metadata = W.convert(NextMetadata);
  } while (++Step != Args.Steps);
  W.store(D);
}

/// Two sets of registers take turns: one is loaded once the wait has released
/// it, while the instruction that reads the other is in flight. Takes an even
/// number of steps, at least four.
template <class V, class I, Form Source>
__global__ void __launch_bounds__(Threads) wait1(KernelArgs Args) {
  Warpgroup<V, I> W(Args);
  auto D = W.accumulator();
  // The fragments are unused where A is in shared memory.
  Fragment Even = W.fragment(0), Odd = W.fragment(1);
  int EvenMetadata = W.metadata(0), OddMetadata = W.metadata(1);
  auto Reload = [&](Fragment &A, int &Metadata, uint32_t Step) {
    if constexpr (Source == Form::RS) {
      A = __nvvm_wgmma_fence_operand(A);
      A = W.fragment(Step);
    }
    Metadata = W.metadata(Step);
  };

  __nvvm_wgmma_fence_sync_aligned();
  D = W.template multiply<Source>(D, Even, EvenMetadata, 0);
  __nvvm_wgmma_commit_group_sync_aligned();
  uint32_t Step = 1;
  do {
    __nvvm_wgmma_fence_sync_aligned();
    D = W.template multiply<Source>(D, Odd, OddMetadata, Step);
    __nvvm_wgmma_commit_group_sync_aligned();
    __nvvm_wgmma_wait_group_sync_aligned(1);
    Reload(Even, EvenMetadata, Step + 1);

    __nvvm_wgmma_fence_sync_aligned();
    D = W.template multiply<Source>(D, Even, EvenMetadata, Step + 1);
    __nvvm_wgmma_commit_group_sync_aligned();
    __nvvm_wgmma_wait_group_sync_aligned(1);
    Reload(Odd, OddMetadata, Step + 2);
    Step += 2;
  } while (Step != Args.Steps - 1);
  __nvvm_wgmma_fence_sync_aligned();
  D = W.template multiply<Source>(D, Odd, OddMetadata, Step);
  __nvvm_wgmma_commit_group_sync_aligned();
  __nvvm_wgmma_wait_group_sync_aligned(0);
  D = __nvvm_wgmma_fence_operand(D);
  if constexpr (Source == Form::RS) {
    Even = __nvvm_wgmma_fence_operand(Even);
    Odd = __nvvm_wgmma_fence_operand(Odd);
  }
  W.store(D);
}

/// Two instructions in a group, to one accumulator or to two.
template <class V, class I, unsigned Accumulators>
__global__ void __launch_bounds__(Threads) rsPair(KernelArgs Args) {
  Warpgroup<V, I, Accumulators> W(Args);
  typename V::template Accumulator<I::N> D[Accumulators];
#pragma unroll
  for (unsigned Index = 0; Index != Accumulators; ++Index)
    D[Index] = W.accumulator(Index);
  auto &D0 = D[0], &D1 = D[Accumulators - 1];
  Fragment A0 = W.fragment(0), A1 = W.fragment(1);
  int Metadata0 = W.metadata(0), Metadata1 = W.metadata(1);
  uint32_t Step = 0;
  do {
    __nvvm_wgmma_fence_sync_aligned();
    D0 = W.rs(D0, A0, Metadata0, Step);
    D1 = W.rs(D1, A1, Metadata1, Step + 1);
    __nvvm_wgmma_commit_group_sync_aligned();
    Fragment Next0 = W.fragment(Step + 2), Next1 = W.fragment(Step + 3);
    int NextMetadata0 = W.metadata(Step + 2);
    int NextMetadata1 = W.metadata(Step + 3);
    __nvvm_wgmma_wait_group_sync_aligned(0);
#pragma unroll
    for (unsigned Index = 0; Index != Accumulators; ++Index)
      D[Index] = __nvvm_wgmma_fence_operand(D[Index]);
    A0 = __nvvm_wgmma_fence_operand(A0);
    A1 = __nvvm_wgmma_fence_operand(A1);
    A0 = W.convert(Next0);
    A1 = W.convert(Next1);
    Metadata0 = W.convert(NextMetadata0);
    Metadata1 = W.convert(NextMetadata1);
    Step += 2;
  } while (Step != Args.Steps);
#pragma unroll
  for (unsigned Index = 0; Index != Accumulators; ++Index)
    W.store(D[Index], Index);
}

/// A in shared memory, one instruction at a time.
template <class V, class I>
__global__ void __launch_bounds__(Threads) ssWait0(KernelArgs Args) {
  Warpgroup<V, I> W(Args);
  auto D = W.accumulator();
  uint32_t Step = 0;
  do {
    int Metadata = W.metadata(Step);
    __nvvm_wgmma_fence_sync_aligned();
    D = W.ss(D, Metadata, Step);
    __nvvm_wgmma_commit_group_sync_aligned();
    __nvvm_wgmma_wait_group_sync_aligned(0);
    D = __nvvm_wgmma_fence_operand(D);
  } while (++Step != Args.Steps);
  W.store(D);
}

/// Loads the next metadata, and the next fragments of an A in registers,
/// straight into the registers that the group in flight has yet to read.
/// Nothing in the source forbids that: it is up to the compiler to wait before,
/// which it does right after the commit (NVPTXProtectWGMMA).
///
/// This takes two things to go wrong without that wait:
/// - The loads are in a branch, as real kernels have them. Where they are not,
///   ptxas 13.0 sees what they do and waits by itself (note C7513).
/// - The last instruction of a group has to start later than its next metadata
///   takes to arrive: hence groups of several.
template <class V, class I, Form Source, unsigned GroupSize>
__global__ void __launch_bounds__(Threads) loadAhead(KernelArgs Args) {
  Warpgroup<V, I> W(Args);
  auto D = W.accumulator();
  Fragment A[GroupSize]; // unused where A is in shared memory
  int Metadata[GroupSize];
  auto Load = [&](uint32_t Step) {
#pragma unroll
    for (unsigned Index = 0; Index != GroupSize; ++Index) {
      A[Index] = W.fragment(Step + Index);
      Metadata[Index] = W.metadata(Step + Index);
    }
  };

  Load(0);
  uint32_t Step = 0;
#pragma unroll 1
  do {
    // Ahead of the group, so that its instructions follow each other closely.
    uint64_t DescriptorA[GroupSize], DescriptorB[GroupSize];
#pragma unroll
    for (unsigned Index = 0; Index != GroupSize; ++Index) {
      DescriptorA[Index] = W.descriptorA(Step + Index);
      DescriptorB[Index] = W.descriptorB(Step + Index);
    }
    bool ScaleD = W.scaleD(Step);
    __nvvm_wgmma_fence_sync_aligned();
#pragma unroll
    for (unsigned Index = 0; Index != GroupSize; ++Index)
      if constexpr (Source == Form::RS)
        D = V::template rs<I>(D, A[Index], DescriptorB[Index], Metadata[Index],
                              ScaleD || Index);
      else
        D = V::template ss<I>(D, DescriptorA[Index], DescriptorB[Index],
                              Metadata[Index], ScaleD || Index);
    __nvvm_wgmma_commit_group_sync_aligned();
    Step += GroupSize;
    if (Step != Args.Steps)
      Load(Step);
    __nvvm_wgmma_wait_group_sync_aligned(1);
  } while (Step != Args.Steps);
  __nvvm_wgmma_wait_group_sync_aligned(0);
  D = __nvvm_wgmma_fence_operand(D);
  W.store(D);
}

using Tests = std::vector<DeviceTest>;

template <class V, unsigned N> void addLoops(Tests &List) {
  using I = Immediates<N>;
  auto Add = [&](Form Source, const char *Schedule, unsigned Accumulators,
                 void (*Kernel)(KernelArgs)) {
    List.push_back({instruction<V, I>(Source),
                    {Schedule, LoopSteps, Accumulators},
                    reinterpret_cast<const void *>(Kernel)});
  };
  Add(Form::RS, "loop-wait0", 1, rsWait0<V, I>);
  Add(Form::RS, "loop-wait1", 1, wait1<V, I, Form::RS>);
  Add(Form::RS, "loop-pair", 1, rsPair<V, I, 1>);
  // Two accumulators of N = 256 would need more registers than there are.
  if constexpr (V::registers(N) <= 64)
    Add(Form::RS, "loop-pair-apart", 2, rsPair<V, I, 2>);
  Add(Form::SS, "loop-wait0", 1, ssWait0<V, I>);
  Add(Form::SS, "loop-wait1", 1, wait1<V, I, Form::SS>);
  Add(Form::RS, "loop-ahead", 1, loadAhead<V, I, Form::RS, 1>);
  Add(Form::RS, "loop-ahead-group", 1, loadAhead<V, I, Form::RS, 4>);
  // With both matrices in shared memory, only metadata are in registers.
  if constexpr (V::Sparse) {
    Add(Form::SS, "loop-ahead", 1, loadAhead<V, I, Form::SS, 1>);
    Add(Form::SS, "loop-ahead-group", 1, loadAhead<V, I, Form::SS, 4>);
  }
}

/// The main function of a program with the loops of a type combination.
template <class V> int runLoopTests(int Argc, char **Argv) {
  Tests List;
  addLoops<V, 8>(List);
  addLoops<V, 24>(List);
  addLoops<V, 64>(List);
  addLoops<V, 256>(List);
  CudaBackend Device;
  return runTests(List, Device, Argc, Argv, std::cout, std::cerr);
}

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_LOOPTESTS_H
