//===- SingleTests.h - Tests that execute one instruction -------*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that executes a single instruction, and the instructions to try:
// every N of every type combination, and at some N more of the immediates.
// Scale-d and the arrangement of shared memory vary within each test's batch.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_SINGLETESTS_H
#define NVPTX_MMA_TEST_DEVICE_SINGLETESTS_H

#include "CudaBackend.h"
#include "Warpgroup.h"
#include "harness/Driver.h"

#include <iostream>
#include <utility>

namespace devicetest {

template <class V, class I, Form Source>
__global__ void __launch_bounds__(Threads) single(KernelArgs Args) {
  Warpgroup<V, I> W(Args);
  auto D = W.accumulator();
  if constexpr (Source == Form::SS) {
    __nvvm_wgmma_fence_sync_aligned();
    D = W.ss(D, 0);
    __nvvm_wgmma_commit_group_sync_aligned();
    __nvvm_wgmma_wait_group_sync_aligned(0);
  } else {
    Fragment A = W.fragment(0);
    int Metadata = W.metadata(0);
    __nvvm_wgmma_fence_sync_aligned();
    D = W.rs(D, A, Metadata, 0);
    __nvvm_wgmma_commit_group_sync_aligned();
    __nvvm_wgmma_wait_group_sync_aligned(0);
    A = __nvvm_wgmma_fence_operand(A);
  }
  D = __nvvm_wgmma_fence_operand(D);
  W.store(D);
}

using Tests = std::vector<DeviceTest>;

template <class V, class I, Form Source> void addOne(Tests &List) {
  List.push_back({instruction<V, I>(Source),
                  {"single", /*Steps=*/1, /*Accumulators=*/1},
                  reinterpret_cast<const void *>(&single<V, I, Source>)});
}

/// How many immediates of two values a floating point instruction has: the
/// signs of A and B, the selector, the transposes of B and, in shared memory,
/// A.
template <class V, Form Source>
constexpr unsigned ImmediateBits = bitWidth(V::A) == 8    ? 2
                                   : bitWidth(V::A) == 32 ? 3
                                   : Source == Form::RS   ? 4
                                                          : 5;

/// These immediates, in this order, from the bits of a number.
template <unsigned N, unsigned Bits>
using FromBits =
    Immediates<N, (Bits & 4) != 0, Bits & 1 ? -1 : 1, Bits & 2 ? -1 : 1,
               (Bits & 16) != 0, (Bits & 8) != 0>;

template <class V, Form Source, unsigned N, unsigned... Bits>
void addBits(Tests &List, std::integer_sequence<unsigned, Bits...>) {
  constexpr unsigned Mask = (1u << ImmediateBits<V, Source>)-1;
  (addOne<V, FromBits<N, Bits & Mask>, Source>(List), ...);
}

/// N to take a closer look at: N = 8 mod 16, numbers of registers that are and
/// are no power of two, the upper end.
constexpr bool isSpecial(unsigned N) {
  return N == 24 || N == 40 || N == 64 || N == 144 || N == 200 || N == 256;
}

/// The smallest N has all combinations of the immediates, a special one enough
/// for each immediate to take both values.
template <class V, Form Source, unsigned N> void addFloat(Tests &List) {
  if constexpr (N == 8)
    addBits<V, Source, N>(
        List,
        std::make_integer_sequence<unsigned, 1u << ImmediateBits<V, Source>>());
  else if constexpr (isSpecial(N))
    addBits<V, Source, N>(
        List,
        std::integer_sequence<unsigned, 0b00000, 0b10101, 0b01010, 0b11111>());
  else
    addBits<V, Source, N>(List, std::integer_sequence<unsigned, 0b01010>());
}

/// Above 32, integer instructions have every other N only.
template <class V, Form Source, unsigned N> void addInt(Tests &List) {
  if constexpr (N <= 32 || N % 16 == 0) {
    addOne<V, Immediates<N>, Source>(List);
    addOne<V, Immediates<N, 0, 1, 1, false, false, /*Satfinite=*/true>, Source>(
        List);
  }
}

template <class V, Form Source, unsigned... Index>
void addEachN(Tests &List, std::integer_sequence<unsigned, Index...>) {
  if constexpr (isInteger(V::D))
    (addInt<V, Source, 8 * (Index + 1)>(List), ...);
  else
    (addFloat<V, Source, 8 * (Index + 1)>(List), ...);
}

/// The tests of a type combination, with A from shared memory and registers.
template <class V> void add(Tests &List) {
  std::make_integer_sequence<unsigned, 32> Indices;
  addEachN<V, Form::SS>(List, Indices);
  addEachN<V, Form::RS>(List, Indices);
}

/// The main function of a program with the tests of type combinations.
template <class... Combinations> int runSingleTests(int Argc, char **Argv) {
  Tests List;
  (add<Combinations>(List), ...);
  CudaBackend Device;
  return runTests(List, Device, Argc, Argv, std::cout, std::cerr);
}

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_SINGLETESTS_H
