//===-- nvptx_epilogue.h - What becomes of accumulators -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accumulators of wgmma converted to narrower elements, stored to shared memory
// as TMA and the next multiplication want them, or multiplied again as A.
//
//   accumulator_f32<128> d = ...;
//   auto halves = to_f16(d);
//   store_box<swizzle::bytes_128, 0>(box, halves, tid);   // columns 0 to 63
//   fence_proxy_async();
//   ... a barrier of the warpgroup; one thread then:
//   nvptx::tma::store(d_map, box, column, row);
//
// Registers are indexed by constants here, so that none of this takes an
// accumulator to local memory. \c tid is the thread's number in its warpgroup,
// 0 to 127, throughout.
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_EPILOGUE_H
#define __NVPTX_EPILOGUE_H

#include <__nvptx_header.h>
#include <nvptx_wgmma.h>

namespace nvptx {
namespace wgmma {

/// An int that is a constant expression, although it is passed as an argument:
/// called, as in sum[i()].
template <int __n> struct constant {
  __NVPTX_CONSTEXPR int operator()() const { return __n; }
};

namespace __detail {
template <class, int... __indices> struct __each_index {
  template <class _Fn> static __NVPTX_CONSTEXPR void __call(_Fn &__fn) {
    // Not a fold expression, whose length is limited.
    const char __done[] = {(__fn(constant<__indices>()), char())..., char()};
    (void)__done;
  }
};
} // namespace __detail

/// Calls \p __fn with constant<0>, constant<1>, ..., constant<__count - 1>: a
/// loop whose counter is a constant expression, at -O0, too.
///
/// \code
///   static_for<64>([&](auto i) { sum[i()] *= scale[i() / 2 % 2]; });
/// \endcode
template <int __count, class _Fn>
__NVPTX_CONSTEXPR void static_for(_Fn &&__fn) {
  __make_integer_seq<__detail::__each_index, int, __count>::__call(__fn);
}

/// Calls \p __fn with the register (a constant), the row and the column of each
/// element of an f32 or s32 accumulator of \p __registers registers that thread
/// \p __tid holds.
template <int __registers, class _Fn>
__NVPTX_CONSTEXPR void for_each_element(int __tid, _Fn &&__fn) {
  static_for<__registers>([&](auto __r) {
    __fn(__r, accumulator_row(__tid, __r()), accumulator_col(__tid, __r()));
  });
}

/// Elements of an accumulator converted to narrower ones, several in a
/// register.
template <int __registers>
using packed_registers = int __attribute__((ext_vector_type(__registers)));

#ifdef __NVPTX_HAS_DEVICE

/// Converts an accumulator of f32 to f16, rounding to nearest even. The result
/// is laid out as accumulator_f16: in register i the elements of registers 2i
/// and 2i + 1. One instruction (cvt.rn.f16x2.f32) for each two elements.
template <int __registers>
[[nodiscard]] __NVPTX_DEVICE packed_registers<__registers / 2>
to_f16(float __attribute__((ext_vector_type(__registers))) __sums) {
  packed_registers<__registers / 2> __packed;
  static_for<__registers / 2>([&](auto __i) {
    __packed[__i()] = register_cast<int>(
        __nvvm_ff2f16x2_rn(__sums[2 * __i() + 1], __sums[2 * __i()]));
  });
  return __packed;
}

/// The same to bf16.
template <int __registers>
[[nodiscard]] __NVPTX_DEVICE packed_registers<__registers / 2>
to_bf16(float __attribute__((ext_vector_type(__registers))) __sums) {
  packed_registers<__registers / 2> __packed;
  static_for<__registers / 2>([&](auto __i) {
    __packed[__i()] = register_cast<int>(
        __nvvm_ff2bf16x2_rn(__sums[2 * __i() + 1], __sums[2 * __i()]));
  });
  return __packed;
}

namespace __detail {
// Two pairs of neighbours: of the same row in two blocks of eight columns.
template <int __registers, class _Convert>
__NVPTX_DEVICE packed_registers<__registers / 4>
__to_fp8(float __attribute__((ext_vector_type(__registers))) __sums,
         _Convert __convert) {
  static_assert(__registers % 8 == 0, "N must be a multiple of 16");
  packed_registers<__registers / 4> __packed;
  static_for<__registers / 4>([&](auto __i) {
    constexpr int __first = 8 * (__i() / 2) + 2 * (__i() % 2);
    unsigned __low = static_cast<unsigned short>(
        __convert(__sums[__first + 1], __sums[__first]));
    unsigned __high = static_cast<unsigned short>(
        __convert(__sums[__first + 5], __sums[__first + 4]));
    __packed[__i()] = static_cast<int>(__low | __high << 16);
  });
  return __packed;
}
} // namespace __detail

/// Converts an accumulator of f32 to e4m3, to the nearest finite value.
/// Register 2i + h holds row tid % 32 / 4 + 8 * h of the warp's 16, and of
/// columns 16 * i to 16 * i + 15 those that fp8_column() says for its four
/// bytes. N is a multiple of 16.
template <int __registers>
[[nodiscard]] __NVPTX_DEVICE packed_registers<__registers / 4>
to_e4m3(float __attribute__((ext_vector_type(__registers))) __sums) {
  return __detail::__to_fp8(
      __sums, [](float __high, float __low) __attribute__((always_inline)) {
        return __nvvm_ff_to_e4m3x2_rn(__high, __low);
      });
}

/// The same to e5m2.
template <int __registers>
[[nodiscard]] __NVPTX_DEVICE packed_registers<__registers / 4>
to_e5m2(float __attribute__((ext_vector_type(__registers))) __sums) {
  return __detail::__to_fp8(
      __sums, [](float __high, float __low) __attribute__((always_inline)) {
        return __nvvm_ff_to_e5m2x2_rn(__high, __low);
      });
}

/// A of the next multiplication from an accumulator: columns 16 * \p __step to
/// 16 * \p __step + 15 of what to_f16() or to_bf16() made (or of an
/// accumulator_f16) are the K of one instruction. No instruction.
///
/// Of what to_e4m3() or to_e5m2() made, columns 32 * \p __step and on, in
/// another order: its k is column fp8_column(k), and the rows of B must be in
/// the same order.
template <int __step, int __registers>
[[nodiscard]] __NVPTX_DEVICE a_fragment
as_a_fragment(packed_registers<__registers> __packed) {
  static_assert(__step >= 0 && 4 * __step + 3 < __registers,
                "the accumulator has no such columns");
  a_fragment __a;
  static_for<4>([&](auto __r) { __a[__r()] = __packed[4 * __step + __r()]; });
  return __a;
}

namespace __detail {
/// Where row \p __line, 16-byte unit \p __unit of a box lies, whose lines are
/// as long as the swizzle: the shared address of the box, which is a multiple
/// of its pattern, and the offset.
template <swizzle __mode>
__NVPTX_DEVICE unsigned __place(const void *__box, unsigned __line,
                                unsigned __unit) {
  static_assert(__mode != swizzle::none,
                "a box without swizzle has lines of 16 bytes");
  constexpr unsigned __width = 256u >> static_cast<unsigned>(__mode);
  unsigned __address = static_cast<unsigned>(
      reinterpret_cast<unsigned long>((const __NVPTX_SHARED void *)__box));
  unsigned __row = __line * __width;
  return __address + __row + (__unit ^ __row / 128 % (__width / 16)) * 16;
}

template <class _Tp>
__NVPTX_DEVICE __NVPTX_SHARED _Tp *__shared(unsigned __at) {
  return (__NVPTX_SHARED _Tp *)static_cast<unsigned long>(__at);
}
} // namespace __detail

/// Stores 64 rows of an accumulator of 16-bit elements to a box in shared
/// memory with a row in each line: by stmatrix, without bank conflicts with a
/// swizzle of 128 bytes, one instruction for each 16 columns.
///
/// \tparam __mode The swizzle, whose width is that of a line: 64, 32 or 16
///         columns. The box starts at a multiple of 1024, 512 or 256 bytes.
/// \tparam __first The first column, a multiple of 16.
///
/// A tensor map with the same swizzle and a box of as many columns, 64, 32 or
/// 16, by 64 rows stores it; a descriptor with the same swizzle and a stride of
/// eight lines, 1024, 512 or 256 bytes, multiplies it. All threads of the
/// warpgroup. Target sm_90, PTX 7.8.
template <swizzle __mode, int __first, int __registers>
__NVPTX_DEVICE void
store_box(void *__box, packed_registers<__registers> __packed, int __tid) {
  constexpr int __steps =
      __mode == swizzle::none ? 0 : (128 >> static_cast<int>(__mode)) / 16;
  static_assert(__first >= 0 && __first % 16 == 0 &&
                    __first / 16 + __steps <= __registers / 4,
                "the accumulator has no such columns");
  // Of the four matrices of an instruction, each quarter of the warp's lanes
  // passes the lines of one.
  unsigned __lane = static_cast<unsigned>(__tid) % 32;
  unsigned __start = __detail::__place<__mode>(
      __box, static_cast<unsigned>(__tid) / 32 * 16 + __lane % 16, __lane / 16);
  static_for<__steps>([&](auto __i) {
    constexpr int __r = __first / 4 + 4 * __i();
    __nvvm_stmatrix_sync_aligned_m8n8_x4_b16(
        __detail::__shared<void>(__start ^ 32u * __i()),
        packed_registers<4>{__packed[__r], __packed[__r + 1], __packed[__r + 2],
                            __packed[__r + 3]});
  });
}

/// Stores 32 columns of an accumulator of f32 or s32, from column \p __first
/// on, to a box of 64 lines of 128 bytes that is swizzled by 128 bytes and
/// starts at a multiple of 1024: two elements in each store.
///
/// A tensor map with the box {32, 64} stores it. Each thread for itself.
template <int __first, class _Tp, int __registers>
__NVPTX_DEVICE void
store_box_32(void *__box, _Tp __attribute__((ext_vector_type(__registers))) __d,
             int __tid) {
  static_assert(sizeof(_Tp) == 4, "elements have 32 bits");
  static_assert(__first >= 0 && __first % 8 == 0 &&
                    __first / 2 + 16 <= __registers,
                "the accumulator has no such columns");
  using __pair = _Tp __attribute__((ext_vector_type(2)));
  unsigned __lane = static_cast<unsigned>(__tid) % 32;
  unsigned __start =
      __detail::__place<swizzle::bytes_128>(
          __box, static_cast<unsigned>(__tid) / 32 * 16 + __lane / 4,
          __lane % 4 / 2) +
      __lane % 2 * 8;
  static_for<4>([&](auto __i) {
    constexpr int __r = __first / 2 + 4 * __i();
    unsigned __at = __start ^ 32u * __i();
    *__detail::__shared<__pair>(__at) = __pair{__d[__r], __d[__r + 1]};
    *__detail::__shared<__pair>(__at + 8 * 128) =
        __pair{__d[__r + 2], __d[__r + 3]};
  });
}

#endif // __NVPTX_HAS_DEVICE

/// The column, of 32, that is k \p __k, 0 to 31, of an A that as_a_fragment()
/// made of fp8: within each 16 the pairs of the two blocks of eight alternate.
[[nodiscard]] __NVPTX_CONSTEXPR int fp8_column(int __k) {
  return __k / 16 * 16 + __k % 4 / 2 * 8 + __k % 16 / 4 * 2 + __k % 2;
}

} // namespace wgmma
} // namespace nvptx

#endif // __NVPTX_EPILOGUE_H
