//===- Variants.h - The builtins, as types ----------------------*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a struct sp_<D>_<A>_<B> of each type combination of
// wgmma.mma_async.sp, so that a kernel can be a template over it. The list is
// that of the PTX ISA's syntax, and on purpose not made from the project's
// tables: one mistake there must not hide itself.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_VARIANTS_H
#define NVPTX_MMA_TEST_DEVICE_VARIANTS_H

#include "model/Instruction.h"

namespace devicetest {

/// A vector in the registers of one thread.
template <class T, unsigned Count>
using Vector = T __attribute__((ext_vector_type(Count)));

/// One thread's fragment of an A in registers.
using Fragment = Vector<int, OperandRegisters>;

/// N and the immediate operands of an instruction.
template <unsigned NValue, unsigned SelectorValue = 0, int ScaleAValue = 1,
          int ScaleBValue = 1, bool TransAValue = false,
          bool TransBValue = false, bool SatfiniteValue = false>
struct Immediates {
  static constexpr unsigned N = NValue;
  static constexpr unsigned Selector = SelectorValue;
  static constexpr int ScaleA = ScaleAValue;
  static constexpr int ScaleB = ScaleBValue;
  static constexpr bool TransA = TransAValue;
  static constexpr bool TransB = TransBValue;
  static constexpr bool Satfinite = SatfiniteValue;
};

/// The register type of an accumulator.
template <Element D> struct AccumulatorElement {
  using Type = int; // also of two halves
};
template <> struct AccumulatorElement<Element::f32> {
  using Type = float;
};

/// What all combinations share: the types.
template <Element DType, Element AType, Element BType> struct Combination {
  static constexpr Element D = DType;
  static constexpr Element A = AType;
  static constexpr Element B = BType;

  using AccumulatorElement = typename devicetest::AccumulatorElement<D>::Type;
  static constexpr unsigned registers(unsigned N) {
    return D == Element::f16 ? N / 4 : N / 2;
  }
  template <unsigned N>
  using Accumulator = Vector<AccumulatorElement, registers(N)>;
};

// The operands that follow scale-d differ.
#define SS_HALF I::ScaleA, I::ScaleB, I::TransA, I::TransB
#define RS_HALF I::ScaleA, I::ScaleB, I::TransB
#define SS_FLOAT I::ScaleA, I::ScaleB
#define RS_FLOAT I::ScaleA, I::ScaleB
#define SS_INT I::Satfinite
#define RS_INT I::Satfinite

#define COMBINATION(KIND, DTYPE, ATYPE, BTYPE)                                 \
  struct sp_##DTYPE##_##ATYPE##_##BTYPE                                        \
      : Combination<Element::DTYPE, Element::ATYPE, Element::BTYPE> {          \
    template <class I, class Acc>                                              \
    static __device__ __forceinline__ Acc ss(Acc D, uint64_t A, uint64_t B,    \
                                             int Metadata, bool ScaleD) {      \
      return __nvvm_wgmma_mma_async_sp_ss_##DTYPE##_##ATYPE##_##BTYPE(         \
          D, A, B, Metadata, I::Selector, ScaleD, SS_##KIND);                  \
    }                                                                          \
    template <class I, class Acc>                                              \
    static __device__ __forceinline__ Acc rs(Acc D, Fragment A, uint64_t B,    \
                                             int Metadata, bool ScaleD) {      \
      return __nvvm_wgmma_mma_async_sp_rs_##DTYPE##_##ATYPE##_##BTYPE(         \
          D, A, B, Metadata, I::Selector, ScaleD, RS_##KIND);                  \
    }                                                                          \
  };

COMBINATION(HALF, f16, f16, f16)
COMBINATION(HALF, f32, f16, f16)
COMBINATION(HALF, f32, bf16, bf16)
COMBINATION(FLOAT, f32, tf32, tf32)
COMBINATION(FLOAT, f16, e4m3, e4m3)
COMBINATION(FLOAT, f16, e4m3, e5m2)
COMBINATION(FLOAT, f16, e5m2, e4m3)
COMBINATION(FLOAT, f16, e5m2, e5m2)
COMBINATION(FLOAT, f32, e4m3, e4m3)
COMBINATION(FLOAT, f32, e4m3, e5m2)
COMBINATION(FLOAT, f32, e5m2, e4m3)
COMBINATION(FLOAT, f32, e5m2, e5m2)
COMBINATION(INT, s32, s8, s8)
COMBINATION(INT, s32, s8, u8)
COMBINATION(INT, s32, u8, s8)
COMBINATION(INT, s32, u8, u8)

#undef COMBINATION
#undef SS_HALF
#undef RS_HALF
#undef SS_FLOAT
#undef RS_FLOAT
#undef SS_INT
#undef RS_INT

/// The host's description of an instruction that a kernel executes.
template <class V, class I> Instruction instruction(Form Source) {
  return {Source,    V::D,      V::A,      V::B,      I::N,        I::Selector,
          I::ScaleA, I::ScaleB, I::TransA, I::TransB, I::Satfinite};
}

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_VARIANTS_H
