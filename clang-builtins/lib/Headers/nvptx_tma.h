//===-- nvptx_tma.h - Tensors copied by TMA -------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk and cp.async.bulk.tensor: one thread copies boxes of a tensor
// between global and shared memory. nvptx_tensor_map.h makes the tensor maps.
//
//   __global__ void kernel(const __grid_constant__ nvptx::tensor_map a) {
//     ...
//     full.arrive_expect_tx(bytes_of_the_box);
//     nvptx::tma::load(tile, full, a, /*innermost coordinate*/ k, row);
//
// Places are in elements, from the innermost dimension on; they may lie
// outside of the tensor, before its start, too: loads give zeros there, stores
// leave it out. Shared memory is aligned to 128 bytes; with a swizzle, to the
// 1024, 512 or 256 bytes after which its pattern repeats, for wgmma to read it.
//
// Executed by each thread for itself. Target sm_90, PTX 8.0. PTX ISA, "Data
// Movement and Conversion Instructions: Asynchronous copy".
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_TMA_H
#define __NVPTX_TMA_H

#include <__nvptx_header.h>
#include <nvptx_mbarrier.h>

namespace nvptx {

/// What TMA needs to know of a tensor in global memory: the bytes of a
/// CUtensorMap. A parameter of a kernel that is declared
/// <tt>const __grid_constant__ nvptx::tensor_map</tt>, or in constant or global
/// memory.
struct alignas(128) tensor_map {
  unsigned long __opaque[16];
};

namespace tma {

/// What the L2 cache does with what is copied.
enum class cache_hint : unsigned long {
  none = 0,
  evict_normal = 0x1000000000000000,
  evict_first = 0x12F0000000000000,
  evict_last = 0x14F0000000000000,
};

#ifdef __NVPTX_HAS_DEVICE

/// prefetch.tensormap: fetches the map into the cache, before the first copy.
__NVPTX_DEVICE void prefetch_map(const tensor_map &__map) {
  __nvvm_prefetch_tensormap(&__map);
}

/// Starts copying the box at \p __place to \p __to in shared memory of this
/// CTA. The bytes of the whole box are told to \p __full, which must have been
/// told to expect them.
template <cache_hint __hint = cache_hint::none, class... _Int>
__NVPTX_DEVICE void load(void *__to, mbarrier &__full, const tensor_map &__map,
                         _Int... __place) {
  static_assert(sizeof...(_Int) >= 1 && sizeof...(_Int) <= 5,
                "a tensor has 1 to 5 dimensions");
  constexpr long __policy = static_cast<long>(__hint);
  constexpr bool __use = __hint != cache_hint::none;
  void *__bar = &__full.__state;
  if constexpr (sizeof...(_Int) == 1)
    __nvvm_cp_async_bulk_tensor_g2s_tile_1d(__to, __bar, &__map,
                                            static_cast<int>(__place)..., 0,
                                            __policy, false, __use, 0);
  else if constexpr (sizeof...(_Int) == 2)
    __nvvm_cp_async_bulk_tensor_g2s_tile_2d(__to, __bar, &__map,
                                            static_cast<int>(__place)..., 0,
                                            __policy, false, __use, 0);
  else if constexpr (sizeof...(_Int) == 3)
    __nvvm_cp_async_bulk_tensor_g2s_tile_3d(__to, __bar, &__map,
                                            static_cast<int>(__place)..., 0,
                                            __policy, false, __use, 0);
  else if constexpr (sizeof...(_Int) == 4)
    __nvvm_cp_async_bulk_tensor_g2s_tile_4d(__to, __bar, &__map,
                                            static_cast<int>(__place)..., 0,
                                            __policy, false, __use, 0);
  else if constexpr (sizeof...(_Int) == 5)
    __nvvm_cp_async_bulk_tensor_g2s_tile_5d(__to, __bar, &__map,
                                            static_cast<int>(__place)..., 0,
                                            __policy, false, __use, 0);
}

/// The same, to the same place in the shared memory of each CTA of the cluster
/// that has a bit in \p __ctas, and told to the mbarrier at the same place as
/// \p __full there. Each of them expects the bytes.
template <cache_hint __hint = cache_hint::none, class... _Int>
__NVPTX_DEVICE void load_multicast(void *__to, mbarrier &__full,
                                   const tensor_map &__map,
                                   unsigned short __ctas, _Int... __place) {
  static_assert(sizeof...(_Int) >= 1 && sizeof...(_Int) <= 5,
                "a tensor has 1 to 5 dimensions");
  constexpr long __policy = static_cast<long>(__hint);
  constexpr bool __use = __hint != cache_hint::none;
  void *__bar = &__full.__state;
  if constexpr (sizeof...(_Int) == 1)
    __nvvm_cp_async_bulk_tensor_g2s_tile_1d(__to, __bar, &__map,
                                            static_cast<int>(__place)...,
                                            __ctas, __policy, true, __use, 0);
  else if constexpr (sizeof...(_Int) == 2)
    __nvvm_cp_async_bulk_tensor_g2s_tile_2d(__to, __bar, &__map,
                                            static_cast<int>(__place)...,
                                            __ctas, __policy, true, __use, 0);
  else if constexpr (sizeof...(_Int) == 3)
    __nvvm_cp_async_bulk_tensor_g2s_tile_3d(__to, __bar, &__map,
                                            static_cast<int>(__place)...,
                                            __ctas, __policy, true, __use, 0);
  else if constexpr (sizeof...(_Int) == 4)
    __nvvm_cp_async_bulk_tensor_g2s_tile_4d(__to, __bar, &__map,
                                            static_cast<int>(__place)...,
                                            __ctas, __policy, true, __use, 0);
  else if constexpr (sizeof...(_Int) == 5)
    __nvvm_cp_async_bulk_tensor_g2s_tile_5d(__to, __bar, &__map,
                                            static_cast<int>(__place)...,
                                            __ctas, __policy, true, __use, 0);
}

/// Starts copying the box at \p __place from \p __from in shared memory.
///
/// What ordinary stores wrote there is made visible by
/// wgmma::fence_proxy_async() in the writing threads and a barrier first.
/// commit_group() and wait_group() follow, in the same thread.
template <cache_hint __hint = cache_hint::none, class... _Int>
__NVPTX_DEVICE void store(const tensor_map &__map, const void *__from,
                          _Int... __place) {
  static_assert(sizeof...(_Int) >= 1 && sizeof...(_Int) <= 5,
                "a tensor has 1 to 5 dimensions");
  constexpr long __policy = static_cast<long>(__hint);
  constexpr bool __use = __hint != cache_hint::none;
  if constexpr (sizeof...(_Int) == 1)
    __nvvm_cp_async_bulk_tensor_s2g_tile_1d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
  else if constexpr (sizeof...(_Int) == 2)
    __nvvm_cp_async_bulk_tensor_s2g_tile_2d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
  else if constexpr (sizeof...(_Int) == 3)
    __nvvm_cp_async_bulk_tensor_s2g_tile_3d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
  else if constexpr (sizeof...(_Int) == 4)
    __nvvm_cp_async_bulk_tensor_s2g_tile_4d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
  else if constexpr (sizeof...(_Int) == 5)
    __nvvm_cp_async_bulk_tensor_s2g_tile_5d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
}

/// Adds the box to what is in the tensor, in the type of its elements.
template <cache_hint __hint = cache_hint::none, class... _Int>
__NVPTX_DEVICE void reduce_add(const tensor_map &__map, const void *__from,
                               _Int... __place) {
  static_assert(sizeof...(_Int) >= 1 && sizeof...(_Int) <= 5,
                "a tensor has 1 to 5 dimensions");
  constexpr long __policy = static_cast<long>(__hint);
  constexpr bool __use = __hint != cache_hint::none;
  if constexpr (sizeof...(_Int) == 1)
    __nvvm_cp_async_bulk_tensor_reduce_add_tile_1d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
  else if constexpr (sizeof...(_Int) == 2)
    __nvvm_cp_async_bulk_tensor_reduce_add_tile_2d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
  else if constexpr (sizeof...(_Int) == 3)
    __nvvm_cp_async_bulk_tensor_reduce_add_tile_3d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
  else if constexpr (sizeof...(_Int) == 4)
    __nvvm_cp_async_bulk_tensor_reduce_add_tile_4d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
  else if constexpr (sizeof...(_Int) == 5)
    __nvvm_cp_async_bulk_tensor_reduce_add_tile_5d(
        __from, &__map, static_cast<int>(__place)..., __policy, __use);
}

/// Starts copying \p __bytes contiguous bytes from global to shared memory of
/// this CTA; both addresses and the number are multiples of 16.
template <cache_hint __hint = cache_hint::none>
__NVPTX_DEVICE void load_bytes(void *__to, mbarrier &__full, const void *__from,
                               unsigned __bytes) {
  __nvvm_cp_async_bulk_global_to_shared_cluster(
      __to, &__full.__state, __from, static_cast<int>(__bytes), 0,
      static_cast<long>(__hint), false, __hint != cache_hint::none);
}

/// Starts copying \p __bytes contiguous bytes from shared to global memory, as
/// store() does boxes.
template <cache_hint __hint = cache_hint::none>
__NVPTX_DEVICE void store_bytes(void *__to, const void *__from,
                                unsigned __bytes) {
  __nvvm_cp_async_bulk_shared_cta_to_global(
      __to, __from, static_cast<int>(__bytes), static_cast<long>(__hint),
      __hint != cache_hint::none);
}

/// Closes the group of all stores that this thread has started since the last.
__NVPTX_DEVICE void commit_group() { __nvvm_cp_async_bulk_commit_group(); }

/// Waits until at most \p __pending of this thread's newest groups are not yet
/// written to memory.
template <int __pending> __NVPTX_DEVICE void wait_group() {
  static_assert(__pending >= 0, "wait_group cannot leave a negative number");
  __nvvm_cp_async_bulk_wait_group(__pending);
}

/// Waits until at most \p __pending of them still read shared memory: then it
/// may be written again. All must have been read before the CTA exits.
template <int __pending> __NVPTX_DEVICE void wait_group_read() {
  static_assert(__pending >= 0,
                "wait_group_read cannot leave a negative number");
  __nvvm_cp_async_bulk_wait_group_read(__pending);
}

#endif // __NVPTX_HAS_DEVICE

} // namespace tma
} // namespace nvptx

#endif // __NVPTX_TMA_H
