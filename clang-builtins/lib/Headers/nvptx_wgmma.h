//===-- nvptx_wgmma.h - Warpgroup matrix multiply-accumulate --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel needs around Clang's wgmma builtins: the types of their
// operands, the descriptor of a matrix in shared memory, the instructions that
// order the asynchronous multiplications, and the map from registers to matrix
// elements. The multiplications have no wrapper: the builtins are already
// generic over N, which they take from the accumulator's type.
//
// C++17 or later: CUDA; OpenMP, in code for the device; C++ for nvptx64.
//
//   #include <nvptx_wgmma.h>
//   using namespace nvptx::wgmma;
//
//   accumulator_f32<128> d = {};
//   fence_operand(d);
//   fence();
//   d = __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16(
//       d, a_desc, b_desc, metadata, /*sp_sel=*/0, /*scale_d=*/true,
//       /*scale_a=*/1, /*scale_b=*/1, /*trans_a=*/false, /*trans_b=*/false);
//   commit_group();
//   wait_group<0>();
//   fence_operand(d); // From here on d may be read.
//
// Everything that issues an instruction is executed by the 128 threads of a
// warpgroup (four consecutive warps, the first one's index a multiple of four)
// together, and needs the target sm_90a and PTX 8.0; the sparse multiplications
// need PTX 8.2. On another target Clang reports the missing feature where the
// function is used. The reference is the PTX ISA, section 9.7.15,
// "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_WGMMA_H
#define __NVPTX_WGMMA_H

#if !defined(__clang__) || !defined(__cplusplus) || __cplusplus < 201703L
#error "nvptx_wgmma.h needs Clang compiling C++17 or later: -std=c++17"
#endif

// The host's compilation of a program for both includes the header, too, in
// OpenMP without what only the device can execute.
#if !defined(__CUDA__) && !defined(__NVPTX__) && !defined(_OPENMP)
#error                                                                         \
    "nvptx_wgmma.h needs CUDA (-x cuda --cuda-gpu-arch=sm_90a), OpenMP (-fopenmp --offload-arch=sm_90a) or NVPTX as the target (--target=nvptx64-nvidia-cuda -march=sm_90a)"
#endif

// Only the compilation for sm_90a can tell: for the host and for any other
// target, __has_builtin denies a builtin that the target cannot execute.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) &&                                      \
    !__has_builtin(__nvvm_wgmma_mma_async_sp_ss_f32_f16_f16)
#if __has_builtin(__nvvm_wgmma_mma_async_ss_f32_f16_f16)
#error                                                                         \
    "nvptx_wgmma.h needs PTX 8.2: CUDA 12.2 or later (--cuda-path), or -Xclang -target-feature -Xclang +ptx82"
#else
#error                                                                         \
    "nvptx_wgmma.h needs a Clang with the __nvvm_wgmma builtins, and PTX 8.2: CUDA 12.2 or later (--cuda-path), or -Xclang -target-feature -Xclang +ptx82"
#endif
#endif

// The instructions between fence() and wait_group() must form one straight
// piece of code: around a call ptxas serializes the multiplications, so that
// these functions are inlined even at -O0.
#pragma push_macro("__WGMMA_DEVICE")
#pragma push_macro("__WGMMA_CONSTEXPR")
#ifdef __CUDA__
#define __WGMMA_DEVICE inline __attribute__((device, always_inline))
#define __WGMMA_CONSTEXPR constexpr __attribute__((host, device))
#else
#define __WGMMA_DEVICE inline __attribute__((always_inline))
#define __WGMMA_CONSTEXPR constexpr
#endif

namespace nvptx {
namespace wgmma {

namespace __detail {
// Without the check a wrong N would be rounded down to a valid one.
template <int __n, int __elements_per_register> struct __accumulator_registers {
  static_assert(__n >= 8 && __n <= 256 && __n % 8 == 0,
                "the N of wgmma is a multiple of 8 from 8 to 256");
  // An m64nNkK accumulator has 64 * N elements, spread over 128 threads.
  static constexpr int __value = __n / 2 / __elements_per_register;
};
} // namespace __detail

/// One thread's part of a 64xN accumulator of f32: N/2 registers.
///
/// accumulator_row() and accumulator_col() say which element each register
/// holds. N is a multiple of 8 from 8 to 256, checked here.
template <int __n>
using accumulator_f32 = float __attribute__((
    ext_vector_type(__detail::__accumulator_registers<__n, 1>::__value)));

/// One thread's part of a 64xN accumulator of s32: N/2 registers, distributed
/// like those of accumulator_f32.
///
/// N is 8, 24 or a multiple of 16 up to 256. Here only multiples of 8 are
/// checked, the rest by the builtin.
template <int __n>
using accumulator_s32 = int __attribute__((
    ext_vector_type(__detail::__accumulator_registers<__n, 1>::__value)));

/// One thread's part of a 64xN accumulator of f16: N/4 registers of two halves.
///
/// The low half of register \c r is the element that register \c 2*r of an
/// accumulator_f32 would hold (an even column), the high half that of register
/// \c 2*r+1 (the next column). N is a multiple of 8 from 8 to 256, checked
/// here.
template <int __n>
using accumulator_f16 = int __attribute__((
    ext_vector_type(__detail::__accumulator_registers<__n, 2>::__value)));

/// One thread's part of A where A comes from registers (the "rs" builtins): 64
/// rows, and the K columns of one instruction; of a sparse A, its K/2 packed
/// columns.
///
/// Lane \c l of warp \c w holds elements of rows \c 16*w+l/4 (registers 0 and
/// 2) and \c 16*w+l/4+8 (registers 1 and 3). A fragment that a multiplication
/// in flight still reads must not change: pass it through fence_operand() after
/// the wait.
using a_fragment = int __attribute__((ext_vector_type(4)));

/// How the 16-byte pieces of a matrix are permuted in shared memory, by the
/// descriptor's encoding.
///
/// With a swizzle of W bytes a row of the tile (for a matrix whose K is
/// contiguous) is W bytes long, and the address bits from 4 on are XORed with
/// those from 7 on: three bits for 128 bytes, two for 64, one for 32.
enum class swizzle : unsigned {
  none = 0,
  bytes_128 = 1,
  bytes_64 = 2,
  bytes_32 = 3,
};

/// Returns \p __descriptor with its start moved up by \p __bytes, a multiple of
/// 16: to the next K step inside a swizzled row, or to another tile of the same
/// shape.
///
/// Nothing is checked; the new start must lie in shared memory. Executed by
/// each thread for itself.
[[nodiscard]] __WGMMA_CONSTEXPR unsigned long
advance(unsigned long __descriptor, unsigned __bytes) {
  return __descriptor + (__bytes >> 4);
}

/// The bytes of registers: a vector's elements, without what is added to make
/// its size a power of two.
template <class _Tp> struct __register_bytes {
  static const unsigned long value = sizeof(_Tp);
};
template <class _Tp, int _Np>
struct __register_bytes<_Tp __attribute__((ext_vector_type(_Np)))> {
  static const unsigned long value = _Np * sizeof(_Tp);
};

/// Returns the bits of \p __from, registers of one type, as another type of as
/// many registers: to pass halves that are kept as \c __half2, \c
/// __nv_bfloat162, bytes of fp8 or arrays of them, and back.
///
/// \code
///   __half2 h[4] = ...;
///   a_fragment a = register_cast<a_fragment>(h);
/// \endcode
///
/// Unlike __builtin_bit_cast, which CUDA's types do not allow, it asks for no
/// more than that their values are their bytes. It issues no instruction.
template <class _To, class _From>
[[nodiscard]] __WGMMA_DEVICE _To register_cast(const _From &__from) {
  static_assert(__register_bytes<_To>::value == __register_bytes<_From>::value,
                "register_cast needs types of the same size");
  _To __to;
  __builtin_memcpy(static_cast<void *>(&__to),
                   static_cast<const void *>(&__from),
                   __register_bytes<_To>::value);
  return __to;
}

#if defined(__CUDA__) || defined(__NVPTX__)

/// Returns the descriptor of a matrix in shared memory.
///
/// \param __smem The matrix's first element: an address in shared memory, a
///        multiple of 16 bytes. The pattern of a swizzle starts at a multiple
///        of 1024, 512 or 256 bytes (128, 64, 32-byte swizzle), unless
///        \p __base_offset says otherwise.
/// \param __leading_byte_offset Bytes from one atom of the matrix to the next
///        along K. An atom is 8 lines of 16 bytes, or of the swizzle's width; a
///        line runs along K (K-major) or along M or N (MN-major). Ignored where
///        one line has all of the instruction's K.
/// \param __stride_byte_offset Bytes from one atom to the next along M or N.
///        For an MN-major matrix with a swizzle the two change places.
/// \param __base_offset Of a swizzled matrix whose pattern starts at another
///        multiple of 128 bytes: that address divided by 128, modulo 8.
///        Otherwise 0.
///
/// The leading and the stride byte offset are multiples of 16 below 2^18.
/// Nothing is checked: an address or an offset outside these rules silently
/// describes another matrix. All threads of the warpgroup must pass the same
/// descriptor to a multiplication. Executed by each thread for itself. PTX ISA
/// 9.7.15, "Matrix Descriptor Format".
[[nodiscard]] __WGMMA_DEVICE unsigned long
descriptor(const void *__smem, unsigned __leading_byte_offset,
           unsigned __stride_byte_offset, swizzle __swizzle,
           unsigned __base_offset = 0) {
  unsigned long __address = reinterpret_cast<unsigned long>(
      (const __attribute__((address_space(3))) void *)__smem);
  auto __field = [](unsigned long __bytes) { return __bytes >> 4 & 0x3fff; };
  return __field(__address) | __field(__leading_byte_offset) << 16 |
         __field(__stride_byte_offset) << 32 |
         static_cast<unsigned long>(__base_offset & 7) << 49 |
         static_cast<unsigned long>(__swizzle) << 62;
}

/// wgmma.fence: orders this warpgroup's earlier accesses to registers before
/// the multiplications that follow.
///
/// Needed before the first multiplication and whenever an accumulator or a
/// fragment of A was written since; not between multiplications of one shape
/// into the same accumulator. ptxas inserts it where it finds none, also at the
/// start of each round of a loop.
/// Target sm_90a, PTX 8.0.
__WGMMA_DEVICE void fence() { __nvvm_wgmma_fence_sync_aligned(); }

/// wgmma.commit_group: closes the group of all multiplications that the
/// warpgroup has issued since the last group.
/// Target sm_90a, PTX 8.0.
__WGMMA_DEVICE void commit_group() { __nvvm_wgmma_commit_group_sync_aligned(); }

/// wgmma.wait_group: waits until at most \p __pending of the newest groups are
/// in flight; with 0 until none is.
///
/// Until a multiplication's group has been waited for, neither its accumulator
/// nor its fragment of A may be read or written, except as the accumulator of
/// another multiplication of the same shape. A multiplication reads its
/// sparsity metadata late, too; where either would be overwritten in flight,
/// the compiler waits for the group as soon as it is committed.
/// Target sm_90a, PTX 8.0.
template <int __pending> __WGMMA_DEVICE void wait_group() {
  __nvvm_wgmma_wait_group_sync_aligned(__pending);
}

/// Keeps accesses to \p __operand, an accumulator or an a_fragment, on their
/// side of fence(), commit_group() and wait_group(). It issues no instruction.
///
/// Use it before fence() on operands that were written, and after wait_group()
/// on those that are read or written next: without it the compiler, which sees
/// only values, may move their use above the wait.
/// Target sm_90a, PTX 8.0.
template <class _Tp> __WGMMA_DEVICE void fence_operand(_Tp &__operand) {
  __operand = __nvvm_wgmma_fence_operand(__operand);
}

/// fence.proxy.async of shared memory: makes this thread's earlier ordinary
/// writes to shared memory (st.shared, finished cp.async) visible to
/// multiplications, which read it through the async proxy.
///
/// Each writing thread executes it after its writes and before the barrier that
/// precedes the multiplications. Unlike the functions above, it may be called
/// in divergent code.
/// Target sm_90, PTX 8.0. PTX ISA, "membar / fence".
__WGMMA_DEVICE void fence_proxy_async() {
  __nvvm_fence_proxy_async_shared_cta();
}

#endif // defined(__CUDA__) || defined(__NVPTX__)

/// Returns the row, 0 to 63, of the element that register \p __reg of an
/// accumulator_f32 or accumulator_s32 holds in thread \p __tid, 0 to 127, of
/// the warpgroup. Nothing is checked.
/// PTX ISA 9.7.15, "Register Fragments", accumulator D.
[[nodiscard]] __WGMMA_CONSTEXPR int accumulator_row(int __tid, int __reg) {
  return 16 * (__tid / 32) + __tid % 32 / 4 + 8 * (__reg / 2 % 2);
}

/// Returns the column, 0 to N-1, of the element that accumulator_row()
/// describes. Registers \c 2*i and \c 2*i+1 hold neighbours in one row.
[[nodiscard]] __WGMMA_CONSTEXPR int accumulator_col(int __tid, int __reg) {
  return 8 * (__reg / 4) + 2 * (__tid % 4) + __reg % 2;
}

} // namespace wgmma
} // namespace nvptx

#pragma pop_macro("__WGMMA_CONSTEXPR")
#pragma pop_macro("__WGMMA_DEVICE")

#endif // __NVPTX_WGMMA_H
