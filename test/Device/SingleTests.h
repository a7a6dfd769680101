//===- SingleTests.h - Tests that execute one instruction -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that executes a single instruction, and the instructions to try:
// every N of every type combination, each with every value of each immediate.
// Scale-d and the layout of shared memory vary within each test's batch.
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
    int Metadata = W.metadata(0);
    __nvvm_wgmma_fence_sync_aligned();
    D = W.ss(D, Metadata, 0);
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

/// The immediates of floating point instructions, of two values each, as bits.
enum ImmediateBit : unsigned {
  NegateA = 1,
  NegateB = 2,
  Selector1 = 4,
  TransposeB = 8,
  TransposeA = 16,
  AllBits = 31
};

/// Those that an instruction has.
template <class V, Form Source> constexpr unsigned immediateBits() {
  unsigned Bits = NegateA | NegateB;
  if (V::Sparse && bitWidth(V::A) > 8)
    Bits |= Selector1;
  if (bitWidth(V::A) == 16)
    Bits |= Source == Form::SS ? TransposeA | TransposeB : TransposeB;
  return Bits;
}

template <unsigned N, unsigned Bits>
using FromBits = Immediates<N, (Bits & Selector1) != 0, Bits & NegateA ? -1 : 1,
                            Bits & NegateB ? -1 : 1, (Bits & TransposeA) != 0,
                            (Bits & TransposeB) != 0>;

/// Adds an instruction with the immediates \p Bits, if it has all of these.
template <class V, Form Source, unsigned N, unsigned Bits>
void addIfLegal(Tests &List) {
  if constexpr ((Bits & ~immediateBits<V, Source>()) == 0)
    addOne<V, FromBits<N, Bits>, Source>(List);
}

template <class V, Form Source, unsigned N, unsigned... Bits>
void addAllBits(Tests &List, std::integer_sequence<unsigned, Bits...>) {
  (addIfLegal<V, Source, N, Bits>(List), ...);
}

/// Adds an instruction with those of the immediates \p Bits that it has.
template <class V, Form Source, unsigned N, unsigned... Bits>
void addBits(Tests &List) {
  (addOne<V, FromBits<N, Bits & immediateBits<V, Source>()>, Source>(List),
   ...);
}

/// N to take a closer look at: N = 8 mod 16, numbers of registers that are and
/// are no power of two, the upper end.
constexpr bool isSpecial(unsigned N) {
  return N == 24 || N == 40 || N == 64 || N == 144 || N == 200 || N == 256;
}

/// The smallest N has all combinations of the immediates. Any other has each
/// value of each, and where both matrices can be transposed, all combinations
/// of these.
template <class V, Form Source, unsigned N> void addFloat(Tests &List) {
  constexpr unsigned BothTransposes = TransposeA | TransposeB;
  constexpr bool HasBoth = (BothTransposes & ~immediateBits<V, Source>()) == 0;
  if constexpr (N == 8) {
    addAllBits<V, Source, N>(
        List, std::make_integer_sequence<unsigned, AllBits + 1>());
  } else {
    addBits<V, Source, N, NegateA | Selector1 | TransposeA,
            NegateB | TransposeB>(List);
    if constexpr (HasBoth || isSpecial(N))
      addBits<V, Source, N, 0, AllBits>(List);
  }
}

/// Above 32, integer instructions have every other N only.
template <class V, Form Source, unsigned N> void addInt(Tests &List) {
  if constexpr (N <= 32 || N % 16 == 0) {
    addOne<V, Immediates<N>, Source>(List);
    if constexpr (V::A != Element::b1)
      addOne<V, Immediates<N, 0, 1, 1, false, false, /*Satfinite=*/true>,
             Source>(List);
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
