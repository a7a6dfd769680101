//===- Variants.h - The builtins, as types ----------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a struct sp_<D>_<A>_<B> of each type combination of
// wgmma.mma_async.sp, and dense_<D>_<A>_<B> of wgmma.mma_async, so that a
// kernel can be a template over it. The list is that of the PTX ISA's syntax,
// and on purpose not made from the project's tables: one mistake there must not
// hide itself.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_VARIANTS_H
#define NVPTX_MMA_TEST_DEVICE_VARIANTS_H

#include "Instruction.h"

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
template <bool IsSparse, Element DType, Element AType, Element BType>
struct Combination {
  static constexpr bool Sparse = IsSparse;
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

// What surrounds scale-d among the operands differs.
#define METADATA_SPARSE , Metadata, I::Selector
#define METADATA_DENSE
#define SS_HALF , I::ScaleA, I::ScaleB, I::TransA, I::TransB
#define RS_HALF , I::ScaleA, I::ScaleB, I::TransB
#define SS_FLOAT , I::ScaleA, I::ScaleB
#define RS_FLOAT , I::ScaleA, I::ScaleB
#define SS_INT , I::Satfinite
#define RS_INT , I::Satfinite
#define SS_BIT
#define RS_BIT

// ss() and rs() take the metadata whether or not the instruction does.
#define COMBINATION(STRUCT, SPARSE, INFIX, METADATA, KIND, DT, AT, BT, SUFFIX) \
  struct STRUCT##_##DT##_##AT##_##BT                                           \
      : Combination<SPARSE, Element::DT, Element::AT, Element::BT> {           \
    template <class I, class Acc>                                              \
    static __device__ __forceinline__ Acc ss(Acc D, uint64_t A, uint64_t B,    \
                                             int Metadata, bool ScaleD) {      \
      return __nvvm_wgmma_mma_async_##INFIX##ss_##DT##_##AT##_##BT##SUFFIX(    \
          D, A, B METADATA_##METADATA, ScaleD SS_##KIND);                      \
    }                                                                          \
    template <class I, class Acc>                                              \
    static __device__ __forceinline__ Acc rs(Acc D, Fragment A, uint64_t B,    \
                                             int Metadata, bool ScaleD) {      \
      return __nvvm_wgmma_mma_async_##INFIX##rs_##DT##_##AT##_##BT##SUFFIX(    \
          D, A, B METADATA_##METADATA, ScaleD RS_##KIND);                      \
    }                                                                          \
  };
#define COMBINATIONS(KIND, DT, AT, BT)                                         \
  COMBINATION(sp, true, sp_, SPARSE, KIND, DT, AT, BT, )                       \
  COMBINATION(dense, false, , DENSE, KIND, DT, AT, BT, )

COMBINATIONS(HALF, f16, f16, f16)
COMBINATIONS(HALF, f32, f16, f16)
COMBINATIONS(HALF, f32, bf16, bf16)
COMBINATIONS(FLOAT, f32, tf32, tf32)
COMBINATIONS(FLOAT, f16, e4m3, e4m3)
COMBINATIONS(FLOAT, f16, e4m3, e5m2)
COMBINATIONS(FLOAT, f16, e5m2, e4m3)
COMBINATIONS(FLOAT, f16, e5m2, e5m2)
COMBINATIONS(FLOAT, f32, e4m3, e4m3)
COMBINATIONS(FLOAT, f32, e4m3, e5m2)
COMBINATIONS(FLOAT, f32, e5m2, e4m3)
COMBINATIONS(FLOAT, f32, e5m2, e5m2)
COMBINATIONS(INT, s32, s8, s8)
COMBINATIONS(INT, s32, s8, u8)
COMBINATIONS(INT, s32, u8, s8)
COMBINATIONS(INT, s32, u8, u8)
COMBINATION(dense, false, , DENSE, BIT, s32, b1, b1, _and_popc)

#undef COMBINATIONS
#undef COMBINATION
#undef METADATA_SPARSE
#undef METADATA_DENSE
#undef SS_HALF
#undef RS_HALF
#undef SS_FLOAT
#undef RS_FLOAT
#undef SS_INT
#undef RS_INT
#undef SS_BIT
#undef RS_BIT

/// The host's description of an instruction that a kernel executes.
template <class V, class I> Instruction instruction(Form Source) {
  return {V::Sparse, Source,    V::D,        V::A,
          V::B,      I::N,      I::Selector, I::ScaleA,
          I::ScaleB, I::TransA, I::TransB,   I::Satfinite};
}

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_VARIANTS_H
