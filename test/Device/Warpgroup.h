//===- Warpgroup.h - A kernel's view of its problem -------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves raw register and shared memory images. That is all the kernels know:
// where which element stands is the host's business.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARPGROUP_H
#define NVPTX_MMA_TEST_DEVICE_WARPGROUP_H

#include "KernelArgs.h"
#include "Variants.h"
#include "harness/Batch.h"

namespace devicetest {

/// One CTA, which is one warpgroup, at work on its problem with instructions of
/// the type combination \p V and the immediates \p I.
template <class V, class I, unsigned Accumulators = 1> class Warpgroup {
public:
  using Accumulator = typename V::template Accumulator<I::N>;

  /// Brings the problem's image into shared memory.
  __device__ __forceinline__ explicit Warpgroup(const KernelArgs &Args)
      : Args(Args), Problem(blockIdx.x % Args.Problems), Thread(threadIdx.x) {
    // Swizzles depend on the address.
    extern __shared__ __attribute__((aligned(1024))) uint32_t Image[];
    const uint32_t *From = Args.Shared + size_t(Problem) * Args.SharedWords;
    for (uint32_t Word = Thread; Word < Args.SharedWords; Word += Threads)
      Image[Word] = From[Word];
    // wgmma reads through the async proxy, to which ordinary stores become
    // visible by this fence only.
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    ImageAddress = static_cast<uint32_t>(__cvta_generic_to_shared(Image));
  }

  __device__ __forceinline__ Accumulator accumulator(unsigned Index = 0) const {
    const uint32_t *From = Args.Accumulator + place(Problem, Index);
    Accumulator D;
#pragma unroll
    for (unsigned Register = 0; Register != Registers; ++Register)
      D[Register] =
          __builtin_bit_cast(typename V::AccumulatorElement, From[Register]);
    return D;
  }

  __device__ __forceinline__ void store(Accumulator D,
                                        unsigned Index = 0) const {
    uint32_t *To = Args.Out + place(blockIdx.x, Index);
#pragma unroll
    for (unsigned Register = 0; Register != Registers; ++Register)
      To[Register] = __builtin_bit_cast(
          uint32_t, typename V::AccumulatorElement(D[Register]));
  }

  __device__ __forceinline__ Fragment fragment(uint32_t Step) const {
    return reinterpret_cast<const Fragment *>(
        Args.Fragment)[stored(Step) * Threads + Thread];
  }

  __device__ __forceinline__ int metadata(uint32_t Step) const {
    return Args.Metadata[stored(Step) * Threads + Thread];
  }

  /// Returns its operand by an instruction. Stands for what a kernel does to
  /// the data that it has loaded, a conversion say, before it multiplies them.
  template <class T> __device__ __forceinline__ T convert(T Loaded) const {
    return Loaded ^ static_cast<int>(Args.Zero);
  }

  __device__ __forceinline__ uint64_t descriptorA(uint32_t Step) const {
    return descriptor(2 * Step);
  }
  __device__ __forceinline__ uint64_t descriptorB(uint32_t Step) const {
    return descriptor(2 * Step + 1);
  }

  /// Whether a step adds to its accumulator.
  __device__ __forceinline__ bool scaleD(uint32_t Step) const {
    return Args.ScaleD[Problem] || Step >= Accumulators;
  }

  __device__ __forceinline__ Accumulator ss(Accumulator D, int Metadata,
                                            uint32_t Step) const {
    return V::template ss<I>(D, descriptorA(Step), descriptorB(Step), Metadata,
                             scaleD(Step));
  }

  __device__ __forceinline__ Accumulator rs(Accumulator D, Fragment A,
                                            int Metadata, uint32_t Step) const {
    return V::template rs<I>(D, A, descriptorB(Step), Metadata, scaleD(Step));
  }

  /// Either of these.
  template <Form Source>
  __device__ __forceinline__ Accumulator multiply(Accumulator D, Fragment A,
                                                  int Metadata,
                                                  uint32_t Step) const {
    if constexpr (Source == Form::SS)
      return ss(D, Metadata, Step);
    else
      return rs(D, A, Metadata, Step);
  }

private:
  static constexpr unsigned Registers = V::registers(I::N);

  /// Where this thread's registers of an accumulator start.
  __device__ __forceinline__ size_t place(uint32_t Block,
                                          unsigned Index) const {
    return ((size_t(Block) * Accumulators + Index) * Threads + Thread) *
           Registers;
  }

  __device__ __forceinline__ size_t stored(uint32_t Step) const {
    return size_t(Problem) * (Args.Steps + StepsAhead) + Step;
  }

  __device__ __forceinline__ uint64_t descriptor(uint32_t Index) const {
    // The start address is the lowest field, in units of 16 bytes.
    return Args.Descriptor[size_t(Problem) * Args.Steps * 2 + Index] +
           (ImageAddress >> 4);
  }

  const KernelArgs &Args;
  uint32_t Problem;
  uint32_t Thread;
  uint32_t ImageAddress;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARPGROUP_H
