//===- gmma_atoms.hpp - CuTe's wgmma atoms on Clang's builtins --*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What CuTe calls an atom of SM90 is one wgmma instruction: a class with the
// types of its registers and a function fma() that takes a reference to each of
// them. Here an atom is a builtin (a template for each, from
// gmma_builtins.def), an N and the immediates that CuTe has as template
// arguments (Flags). The names that CuTe gives them are made by the headers in
// cute/arch, from gmma_dense.def and gmma_sparse.def.
//
// All atoms need the target sm_90a; PTX ISA 9.7.15, "Asynchronous Warpgroup
// Level Matrix Multiply-Accumulate Instructions". They are called by the 128
// threads of a warpgroup together.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <cute/config.hpp>
#include <cute/numeric/integer_sequence.hpp>

#include <cutlass/arch/synclog.hpp>

#include <cstdint>

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
// CuTe's own name for it, which its other headers ask for.
#define CUTE_ARCH_MMA_SM90A_ENABLED
#if !__has_builtin(__nvvm_wgmma_mma_async_sp_ss_s32_s8_u8)
#error "the wgmma atoms need Clang with the __nvvm_wgmma builtins, and PTX 8.4"
#endif
#endif

// To debuggers, and in warnings, the functions of these headers are part of
// what calls them: they do nothing but call a builtin. Unoptimized code is
// compiled sooner without the places of thousands of inlined copies.
#define NVPTX_MMA_INLINE CUTE_HOST_DEVICE __attribute__((nodebug))

namespace cute::SM90::GMMA {

// Which dimension of an operand is contiguous in shared memory.
enum class Major { K = 0, MN = 1 };
// Whether the accumulator is added to, or overwritten.
enum class ScaleOut { Zero = 0, One = 1 };
// Whether an operand is negated.
enum class ScaleIn { Neg = -1, One = 1 };
// Which threads' sparsity metadata is used.
enum class SparseSel { Zero = 0, One = 1 };

} // namespace cute::SM90::GMMA

namespace nvptx_mma::gmma {

using cute::SM90::GMMA::Major;
using cute::SM90::GMMA::ScaleIn;
using cute::SM90::GMMA::ScaleOut;
using cute::SM90::GMMA::SparseSel;

// The immediates of an instruction, as the builtins want them.
template <Major TnspA, Major TnspB, ScaleIn ScaleA, ScaleIn ScaleB,
          SparseSel Selector, bool Saturate>
struct Flags {
  static constexpr bool trans_a = TnspA == Major::MN;
  static constexpr bool trans_b = TnspB == Major::MN;
  static constexpr int scale_a = static_cast<int>(ScaleA);
  static constexpr int scale_b = static_cast<int>(ScaleB);
  static constexpr int sp_sel = static_cast<int>(Selector);
  static constexpr bool satfinite = Saturate;
};

template <class T, int Count>
using Vector = T __attribute__((ext_vector_type(Count)));

// The type of each of an accumulator's registers.
template <class T, size_t> using Register = T;

// The types of an atom's registers, by where A is.
template <class T, int Count> struct DenseSS {
  using DRegisters = void;
  using ARegisters = uint64_t[1];
  using BRegisters = uint64_t[1];
  using CRegisters = T[Count];
};
template <class T, int Count> struct DenseRS : DenseSS<T, Count> {
  using ARegisters = uint32_t[4];
};
template <class T, int Count> struct SparseSS : DenseSS<T, Count> {
  using ERegisters = uint32_t[1];
};
template <class T, int Count> struct SparseRS : DenseRS<T, Count> {
  using ERegisters = uint32_t[1];
};

// The operands, under the names that the calls in gmma_builtins.def have. Each
// register is a parameter of its own because CuTe unpacks its tensors into
// arguments.
#define NVPTX_MMA_DenseSS(REGISTER)                                            \
  uint64_t const &a_desc, uint64_t const &b_desc, Register<REGISTER, I> &...d
#define NVPTX_MMA_DenseRS(REGISTER)                                            \
  uint32_t const &a0, uint32_t const &a1, uint32_t const &a2,                  \
      uint32_t const &a3, uint64_t const &b_desc, Register<REGISTER, I> &...d
#define NVPTX_MMA_SparseSS(REGISTER)                                           \
  NVPTX_MMA_DenseSS(REGISTER), uint32_t const &sp_meta
#define NVPTX_MMA_SparseRS(REGISTER)                                           \
  NVPTX_MMA_DenseRS(REGISTER), uint32_t const &sp_meta

// CUTLASS's log of events, which nothing need be inlined for where it is off.
#if defined(CUTLASS_ENABLE_SYNCLOG)
#define NVPTX_MMA_LOG_SS                                                       \
  cutlass::arch::synclog_emit_wgmma_smem_smem(__LINE__, a_desc, b_desc)
#define NVPTX_MMA_LOG_RS                                                       \
  cutlass::arch::synclog_emit_wgmma_reg_smem(__LINE__, b_desc)
#else
#define NVPTX_MMA_LOG_SS
#define NVPTX_MMA_LOG_RS
#endif

#if defined(CUTE_ARCH_MMA_SM90A_ENABLED)
#define NVPTX_MMA_MULTIPLY(FORM, REGISTER, ...)                                \
  NVPTX_MMA_LOG_##FORM;                                                        \
  using Sum = Vector<REGISTER, sizeof...(I)>;                                  \
  Sum const sum = __VA_ARGS__;                                                 \
  ((d = sum[I]), ...)
#else
#define NVPTX_MMA_MULTIPLY(FORM, REGISTER, ...)                                \
  CUTE_INVALID_CONTROL_PATH("wgmma needs the target sm_90a")
#endif

#define NVPTX_MMA_CHECK_SS
#define NVPTX_MMA_CHECK_RS                                                     \
  static_assert(!Imm::trans_a, "an A in registers is K-major");

// A builtin's atoms. CuTe needs fma() to be a function, and no template. It
// does all by itself: CUTLASS has thousands of these functions to be inlined.
#define NVPTX_MMA_BUILTIN(SPACE, FORM, TYPES, REGISTER, REGISTERS_PER_8N, ...) \
  template <int N, class Imm,                                                  \
            class = cute::make_index_sequence<N / 8 * REGISTERS_PER_8N>>       \
  struct SPACE##FORM##_##TYPES;                                                \
  template <int N, class Imm, size_t... I>                                     \
  struct SPACE##FORM##_##TYPES<N, Imm, cute::index_sequence<I...>>             \
      : SPACE##FORM<REGISTER, sizeof...(I)> {                                  \
    NVPTX_MMA_CHECK_##FORM NVPTX_MMA_INLINE static void                        \
    fma(NVPTX_MMA_##SPACE##FORM(REGISTER),                                     \
        ScaleOut const scale_d = ScaleOut::One) {                              \
      NVPTX_MMA_MULTIPLY(FORM, REGISTER, __VA_ARGS__);                         \
    }                                                                          \
  };
#include <nvptx_mma/gmma_builtins.def>
#undef NVPTX_MMA_BUILTIN
#undef NVPTX_MMA_MULTIPLY
#undef NVPTX_MMA_LOG_SS
#undef NVPTX_MMA_LOG_RS
#undef NVPTX_MMA_DenseSS
#undef NVPTX_MMA_DenseRS
#undef NVPTX_MMA_SparseSS
#undef NVPTX_MMA_SparseRS

} // namespace nvptx_mma::gmma
