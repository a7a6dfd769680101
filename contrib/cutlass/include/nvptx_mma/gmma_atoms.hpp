//===- gmma_atoms.hpp - CuTe's wgmma atoms on Clang's builtins --*- C++ -*-===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What CuTe calls an atom of SM90 is one wgmma instruction: a class with the
// types of its registers and a function fma() that takes a reference to each of
// them. Here an atom is a builtin (Op, from gmma_builtins.def), an N and the
// immediates that CuTe has as template arguments (Flags). The names that CuTe
// gives them are made by the headers in cute/arch, from gmma_dense.def and
// gmma_sparse.def.
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

#if defined(CUTE_ARCH_MMA_SM90A_ENABLED)
#define NVPTX_MMA_MULTIPLY(CALL) d = CALL
#else
#define NVPTX_MMA_MULTIPLY(CALL)                                               \
  CUTE_INVALID_CONTROL_PATH("wgmma needs the target sm_90a")
#endif

// A builtin, under the operands' names that the call in gmma_builtins.def has.
// Dense ones ignore the metadata.
#define NVPTX_MMA_BUILTIN(NAME, REGISTER, REGISTERS_PER_8N, CALL)              \
  struct NAME {                                                                \
    using Register = REGISTER;                                                 \
    static constexpr int registers_per_8n = REGISTERS_PER_8N;                  \
    template <class Imm, class D, class A>                                     \
    CUTE_HOST_DEVICE static void mma(D &d, A a, uint64_t b_desc,               \
                                     uint32_t sp_meta, bool scale_d) {         \
      NVPTX_MMA_MULTIPLY(CALL);                                                \
    }                                                                          \
  };
#include <nvptx_mma/gmma_builtins.def>
#undef NVPTX_MMA_BUILTIN
#undef NVPTX_MMA_MULTIPLY

// The type of an accumulator's register; each of them has the same.
template <class Op, size_t> using Register = typename Op::Register;

// The part of an atom that does not depend on where A comes from.
template <class Op, int Count> struct Accumulator {
  using DRegisters = void;
  using BRegisters = uint64_t[1];
  using CRegisters = typename Op::Register[Count];
  using Sum = Vector<typename Op::Register, Count>;
};

// A in shared memory.
template <class Op, int Count> struct SharedA : Accumulator<Op, Count> {
  using ARegisters = uint64_t[1];

  CUTE_HOST_DEVICE static uint64_t operand(uint64_t a_desc, uint64_t b_desc) {
    cutlass::arch::synclog_emit_wgmma_smem_smem(__LINE__, a_desc, b_desc);
    return a_desc;
  }
};

// A in registers.
template <class Op, int Count, class Imm>
struct RegisterA : Accumulator<Op, Count> {
  static_assert(!Imm::trans_a, "an A in registers is K-major");
  using ARegisters = uint32_t[4];

  CUTE_HOST_DEVICE static Vector<uint32_t, 4>
  operand(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint64_t b_desc) {
    cutlass::arch::synclog_emit_wgmma_reg_smem(__LINE__, b_desc);
    return {a0, a1, a2, a3};
  }
};

template <class Op, int N>
using Registers = cute::make_index_sequence<N / 8 * Op::registers_per_8n>;

// The atoms. Each register is a parameter of fma() because CuTe unpacks its
// tensors into arguments; it needs a function, and no template, for that.
template <class Op, int N, class Imm, class = Registers<Op, N>> struct DenseSS;
template <class Op, int N, class Imm, class = Registers<Op, N>> struct DenseRS;
template <class Op, int N, class Imm, class = Registers<Op, N>> struct SparseSS;
template <class Op, int N, class Imm, class = Registers<Op, N>> struct SparseRS;

template <class Op, int N, class Imm, size_t... I>
struct DenseSS<Op, N, Imm, cute::index_sequence<I...>>
    : SharedA<Op, sizeof...(I)> {
  CUTE_HOST_DEVICE static void fma(uint64_t const &desc_a,
                                   uint64_t const &desc_b,
                                   Register<Op, I> &...d,
                                   ScaleOut const scale_d = ScaleOut::One) {
    typename DenseSS::Sum sum = {d...};
    Op::template mma<Imm>(sum, DenseSS::operand(desc_a, desc_b), desc_b, 0,
                          scale_d != ScaleOut::Zero);
    ((d = sum[I]), ...);
  }
};

template <class Op, int N, class Imm, size_t... I>
struct DenseRS<Op, N, Imm, cute::index_sequence<I...>>
    : RegisterA<Op, sizeof...(I), Imm> {
  CUTE_HOST_DEVICE static void fma(uint32_t const &a0, uint32_t const &a1,
                                   uint32_t const &a2, uint32_t const &a3,
                                   uint64_t const &desc_b,
                                   Register<Op, I> &...d,
                                   ScaleOut const scale_d = ScaleOut::One) {
    typename DenseRS::Sum sum = {d...};
    Op::template mma<Imm>(sum, DenseRS::operand(a0, a1, a2, a3, desc_b), desc_b,
                          0, scale_d != ScaleOut::Zero);
    ((d = sum[I]), ...);
  }
};

template <class Op, int N, class Imm, size_t... I>
struct SparseSS<Op, N, Imm, cute::index_sequence<I...>>
    : SharedA<Op, sizeof...(I)> {
  using ERegisters = uint32_t[1];
  CUTE_HOST_DEVICE static void fma(uint64_t const &desc_a,
                                   uint64_t const &desc_b,
                                   Register<Op, I> &...d, uint32_t const &e,
                                   ScaleOut const scale_d = ScaleOut::One) {
    typename SparseSS::Sum sum = {d...};
    Op::template mma<Imm>(sum, SparseSS::operand(desc_a, desc_b), desc_b, e,
                          scale_d != ScaleOut::Zero);
    ((d = sum[I]), ...);
  }
};

template <class Op, int N, class Imm, size_t... I>
struct SparseRS<Op, N, Imm, cute::index_sequence<I...>>
    : RegisterA<Op, sizeof...(I), Imm> {
  using ERegisters = uint32_t[1];
  CUTE_HOST_DEVICE static void fma(uint32_t const &a0, uint32_t const &a1,
                                   uint32_t const &a2, uint32_t const &a3,
                                   uint64_t const &desc_b,
                                   Register<Op, I> &...d, uint32_t const &e,
                                   ScaleOut const scale_d = ScaleOut::One) {
    typename SparseRS::Sum sum = {d...};
    Op::template mma<Imm>(sum, SparseRS::operand(a0, a1, a2, a3, desc_b),
                          desc_b, e, scale_d != ScaleOut::Zero);
    ((d = sum[I]), ...);
  }
};

} // namespace nvptx_mma::gmma
