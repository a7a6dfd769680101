//===-- nvptx_sparse.h - 2:4 compression ----------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix A of which half is zero, compressed for wgmma.mma_async.sp: the kept
// elements, and the words of metadata as the threads of a warpgroup pass them.
// For device code and, the same, for the host.
//
//   // A warpgroup, one tile of 64 rows and 128 bytes of dense f16.
//   bool fits = true;
//   metadata[tile * 128 + tid] = nvptx::sparse::compress_tile<f16>(
//       dense, dense_row_bytes, kept, kept_row_bytes, tid, fits);
//
// Which thread has which nibble: PTX ISA 9.7.15, "Sparse matrix storage".
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_SPARSE_H
#define __NVPTX_SPARSE_H

#include <__nvptx_macros.h>

namespace nvptx {
namespace sparse {

/// The type of A. Of f16, bf16 and the 8-bit types two of four neighbours are
/// kept, of tf32 one of two; of s4 and u4, which only mma.sp has, two of four
/// pairs.
enum class type { f16, bf16, tf32, e4m3, e5m2, s8, u8, s4, u4 };

/// What is left of one chunk.
struct chunk {
  unsigned kept;   ///< The kept elements, the first one in the low bits.
  unsigned nibble; ///< Four bits of metadata: which ones they are.
  bool fits;       ///< No element that was left out is other than zero.
};

/// Bytes of a chunk: 8 of f16, bf16 and tf32, otherwise 4. Half is kept.
[[nodiscard]] __NVPTX_CONSTEXPR unsigned chunk_bytes(type __t) {
  return __t == type::f16 || __t == type::bf16 || __t == type::tf32 ? 8 : 4;
}

/// Bytes of dense A in a row of the tile that compress_tile() takes: 128 (64 of
/// f16, 32 of tf32) or 64 of the narrower types.
[[nodiscard]] __NVPTX_CONSTEXPR unsigned tile_bytes(type __t) {
  return 16 * chunk_bytes(__t);
}

namespace __detail {
/// 16 bytes of elements of any type.
using __piece = unsigned __attribute__((ext_vector_type(4), may_alias));

/// The bits of an element that make it other than zero: of floating point all
/// but the sign.
template <type __t> constexpr unsigned __value_mask() {
  switch (__t) {
  case type::f16:
  case type::bf16:
    return 0x7fff;
  case type::tf32:
    return 0x7fffffff;
  case type::e4m3:
  case type::e5m2:
    return 0x7f;
  default:
    return 0xff;
  }
}
} // namespace __detail

/// Compresses the bits of one chunk, the first element in the low bits. Where
/// fewer are other than zero, others fill their places: the two are always
/// different and in ascending order.
template <type __t>
[[nodiscard]] __NVPTX_CONSTEXPR chunk
compress_chunk(unsigned long long __bits) {
  constexpr unsigned long long __mask = __detail::__value_mask<__t>();
  if constexpr (__t == type::tf32) {
    bool __high = (__bits & __mask) == 0;
    unsigned __kept = static_cast<unsigned>(__high ? __bits >> 32 : __bits);
    return {__kept, __high ? 14u : 4u, __high || (__bits >> 32 & __mask) == 0};
  } else {
    constexpr unsigned __width = 2 * chunk_bytes(__t);
    constexpr unsigned long long __element = (1ull << __width) - 1;
    unsigned __non_zeros = 0;
    for (unsigned __i = 0; __i != 4; ++__i)
      __non_zeros |= ((__bits >> __i * __width & __mask) != 0) << __i;
    // The first non-zero but not the last place; the last one after it.
    unsigned __first = __non_zeros & 1 ? 0 : __non_zeros & 2 ? 1 : 2;
    unsigned __second = __non_zeros & 8                  ? 3
                        : __non_zeros & 4 && __first < 2 ? 2
                                                         : __first + 1;
    return {static_cast<unsigned>((__bits >> __first * __width & __element) |
                                  (__bits >> __second * __width & __element)
                                      << __width),
            __first | __second << 2,
            (__non_zeros & ~(1u << __first | 1u << __second)) == 0};
  }
}

/// Compresses a thread's part of a tile: 64 rows of tile_bytes(), by the 128
/// threads of a warpgroup, each for itself.
///
/// \param __dense, __dense_stride The tile's first element, a multiple of 16
///        bytes, and the bytes from one row to the next, another one.
/// \param __kept, __kept_stride Where the kept elements go, half as many bytes
///        in each row; both multiples of 16.
/// \param __fits Becomes false where more than half of a chunk is not zero;
///        what is too much is lost.
/// \returns The thread's word of metadata. Of f16, bf16 and tf32 it serves two
///          instructions, the first with the selector 0 and the second with 1;
///          of the narrower types one, with 0.
template <type __t>
#ifdef __CUDA__
__attribute__((host, device))
#endif
inline unsigned compress_tile(const void *__dense, long __dense_stride,
                              void *__kept, long __kept_stride, int __tid,
                              bool &__fits) {
  constexpr unsigned __bytes = chunk_bytes(__t);
  // Wide elements: four chunks in each of two rows. Narrow ones: eight in one.
  constexpr unsigned __rows = __bytes == 8 ? 2 : 1;
  constexpr unsigned __chunks = 8 / __rows;
  unsigned __number = static_cast<unsigned>(__tid);
  unsigned __row = __number / 32 * 16 + __number % 32 / 4 +
                   (__rows == 1 ? __number % 2 * 8 : 0);
  unsigned __part = __rows == 1 ? __number % 4 / 2 : __number % 4;
  unsigned __word = 0;
#pragma unroll
  for (unsigned __r = 0; __r != __rows; ++__r) {
    long __line = static_cast<long>(__row + 8 * __r);
    auto *__from = reinterpret_cast<const __detail::__piece *>(
        static_cast<const char *>(__dense) + __line * __dense_stride +
        __part * 32);
    __detail::__piece __in[2] = {__from[0], __from[1]}, __out = {};
#pragma unroll
    for (unsigned __i = 0; __i != __chunks; ++__i) {
      unsigned long long __bits =
          __bytes == 8
              ? __in[__i / 2][__i % 2 * 2] | static_cast<unsigned long long>(
                                                 __in[__i / 2][__i % 2 * 2 + 1])
                                                 << 32
              : __in[__i / 4][__i % 4];
      chunk __c = compress_chunk<__t>(__bits);
      if constexpr (__bytes == 8)
        __out[__i] = __c.kept;
      else
        __out[__i / 2] |= __c.kept << __i % 2 * 16;
      __word |= __c.nibble << 4 * (__r * __chunks + __i);
      __fits &= __c.fits;
    }
    *reinterpret_cast<__detail::__piece *>(
        static_cast<char *>(__kept) + __line * __kept_stride + __part * 16) =
        __out;
  }
  return __word;
}

} // namespace sparse
} // namespace nvptx

#endif // __NVPTX_SPARSE_H
