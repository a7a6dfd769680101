//===- kernels.cu - Kernels that execute the kernel builtins --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel executes some of the builtins of what sm_90a has around its
// matrix instructions, and leaves a result in memory that TestCases.cpp knows.
// Needs no header of CUDA. utils/gpu_kernel_tests.py reads off the PTX which
// instructions a kernel has.
//
//===----------------------------------------------------------------------===//

#define KERNEL extern "C" __attribute__((global)) void
// Inlined at -O0, too: ptxas 13.0 crashes when a kernel with setmaxnreg calls a
// function.
#define DEVICE static __attribute__((device, always_inline)) inline
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((constant))
#define GRID_CONSTANT __attribute__((grid_constant))
#define SPACE(n) __attribute__((address_space(n)))

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long;

struct alignas(64) TensorMap {
  u64 Opaque[16];
};

/// Where a box starts: coordinates and offsets, as many as the mode has.
struct Place {
  int C[5];
  u16 O[3];
};

extern SHARED u8 DynamicMemory[];

DEVICE u32 thread() { return __nvvm_read_ptx_sreg_tid_x(); }
DEVICE u32 threads() { return __nvvm_read_ptx_sreg_ntid_x(); }
DEVICE u32 block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
DEVICE u32 rank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }

/// The first multiple of 1024 in dynamic shared memory, which a swizzle's
/// pattern needs; the launch asks for as much more.
DEVICE u8 *dynamic() {
  u32 Address = (u32)(u64)(SPACE(3) u8 *)DynamicMemory;
  return DynamicMemory + (-Address & 1023);
}

DEVICE void syncBlock() { __nvvm_barrier_cta_sync_aligned_all(0); }

DEVICE void syncCluster() {
  __nvvm_barrier_cluster_arrive_aligned();
  __nvvm_barrier_cluster_wait_aligned();
}

/// All threads: makes a barrier for \p Arrivals, known to everybody.
DEVICE void initialize(u64 *Bar, u32 Arrivals) {
  if (thread() == 0) {
    __nvvm_mbarrier_init_shared(Bar, Arrivals);
    __nvvm_fence_mbarrier_init_release_cluster();
    __nvvm_fence_proxy_async_shared_cta();
  }
  syncBlock();
}

/// Waits, but not for ever: what did not arrive is then found missing.
DEVICE void wait(u64 *Bar, u32 Parity) {
  u64 Start = __nvvm_read_ptx_sreg_clock64();
  while (!__nvvm_mbarrier_try_wait_parity_scope_cta_space_cta(Bar, Parity))
    if (__nvvm_read_ptx_sreg_clock64() - Start > 1000000000)
      return;
}

DEVICE void fill(u8 *To, u8 Value, u32 Bytes) {
  for (u32 I = thread(); I < Bytes; I += threads())
    To[I] = Value;
}

DEVICE void copy(u8 *To, const u8 *From, u32 Bytes) {
  for (u32 I = thread(); I < Bytes; I += threads())
    To[I] = From[I];
}

constexpr u8 Untouched = 0xAA;
/// What CUTLASS passes for evict_normal.
constexpr u64 Policy = 0x1000000000000000;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Issues a load of \p Bytes to shared memory, waits, and copies it to \p Out.
template <class Issue>
DEVICE void load(u32 Bytes, u8 *Out, const Issue &issue) {
  SHARED static u64 Bar;
  fill(dynamic(), Untouched, Bytes);
  initialize(&Bar, 1);
  __nvvm_fence_proxy_async();
  syncBlock();
  if (thread() == 0) {
    __nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta(&Bar, Bytes);
    issue(dynamic(), &Bar);
  }
  wait(&Bar, 0);
  copy(Out, dynamic(), Bytes);
}

/// Copies \p In to shared memory, issues what stores it, and waits.
template <class Issue>
DEVICE void store(u32 Bytes, const u8 *In, const Issue &issue) {
  copy(dynamic(), In, Bytes);
  __nvvm_fence_proxy_async();
  syncBlock();
  if (thread() == 0) {
    issue(dynamic());
    __nvvm_cp_async_bulk_commit_group();
    __nvvm_cp_async_bulk_wait_group_read(0);
    __nvvm_cp_async_bulk_wait_group(0);
  }
}

#define COORDINATES_1 P.C[0]
#define COORDINATES_2 COORDINATES_1, P.C[1]
#define COORDINATES_3 COORDINATES_2, P.C[2]
#define COORDINATES_4 COORDINATES_3, P.C[3]
#define COORDINATES_5 COORDINATES_4, P.C[4]
#define OFFSETS_3 , P.O[0]
#define OFFSETS_4 OFFSETS_3, P.O[1]
#define OFFSETS_5 OFFSETS_4, P.O[2]

#define LOADS(MODE, DIM, OFFSETS)                                              \
  KERNEL load_##MODE##_##DIM##d(GRID_CONSTANT const TensorMap Map, Place P,    \
                                u32 Bytes, u8 *Out) {                          \
    load(Bytes, Out, [&](u8 *Dst, u64 *Bar) {                                  \
      __nvvm_cp_async_bulk_tensor_g2s_##MODE##_##DIM##d(                       \
          Dst, Bar, &Map, COORDINATES_##DIM OFFSETS, 0, 0, false, false, 0);   \
    });                                                                        \
  }                                                                            \
  KERNEL load_hint_##MODE##_##DIM##d(GRID_CONSTANT const TensorMap Map,        \
                                     Place P, u32 Bytes, u8 *Out) {            \
    load(Bytes, Out, [&](u8 *Dst, u64 *Bar) {                                  \
      __nvvm_cp_async_bulk_tensor_prefetch_##MODE##_##DIM##d(                  \
          &Map, COORDINATES_##DIM OFFSETS, Policy, true);                      \
      __nvvm_cp_async_bulk_tensor_g2s_##MODE##_##DIM##d(                       \
          Dst, Bar, &Map, COORDINATES_##DIM OFFSETS, 0, Policy, false, true,   \
          0);                                                                  \
    });                                                                        \
  }                                                                            \
  KERNEL load_cta_##MODE##_##DIM##d(GRID_CONSTANT const TensorMap Map,         \
                                    Place P, u32 Bytes, u8 *Out) {             \
    load(Bytes, Out, [&](u8 *Dst, u64 *Bar) {                                  \
      __nvvm_cp_async_bulk_tensor_prefetch_##MODE##_##DIM##d(                  \
          &Map, COORDINATES_##DIM OFFSETS, 0, false);                          \
      __nvvm_cp_async_bulk_tensor_g2s_cta_##MODE##_##DIM##d(                   \
          Dst, Bar, &Map, COORDINATES_##DIM OFFSETS, 0, false);                \
    });                                                                        \
  }                                                                            \
  KERNEL load_cta_hint_##MODE##_##DIM##d(GRID_CONSTANT const TensorMap Map,    \
                                         Place P, u32 Bytes, u8 *Out) {        \
    load(Bytes, Out, [&](u8 *Dst, u64 *Bar) {                                  \
      __nvvm_cp_async_bulk_tensor_g2s_cta_##MODE##_##DIM##d(                   \
          Dst, Bar, &Map, COORDINATES_##DIM OFFSETS, Policy, true);            \
    });                                                                        \
  }                                                                            \
  /* The two CTAs of a cluster each load half a box for both. */               \
  KERNEL load_multicast_##MODE##_##DIM##d(GRID_CONSTANT const TensorMap Map,   \
                                          Place P, u32 Bytes, u8 *Out) {       \
    SHARED static u64 Bar;                                                     \
    fill(dynamic(), Untouched, 2 * Bytes);                                     \
    initialize(&Bar, 1);                                                       \
    __nvvm_fence_proxy_async();                                                \
    if (thread() == 0)                                                         \
      __nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta(&Bar, 2 * Bytes);   \
    syncCluster();                                                             \
    if (thread() == 0) {                                                       \
      /* 16 elements are a multiple of 16 bytes. */                            \
      P.C[DIM - 1] += DIM == 1 ? 16 * rank() : rank();                         \
      u8 *Dst = dynamic() + rank() * Bytes;                                    \
      if (rank() == 0)                                                         \
        __nvvm_cp_async_bulk_tensor_g2s_##MODE##_##DIM##d(                     \
            Dst, &Bar, &Map, COORDINATES_##DIM OFFSETS, 3, 0, true, false, 0); \
      else                                                                     \
        __nvvm_cp_async_bulk_tensor_g2s_##MODE##_##DIM##d(                     \
            Dst, &Bar, &Map, COORDINATES_##DIM OFFSETS, 3, Policy, true, true, \
            0);                                                                \
    }                                                                          \
    wait(&Bar, 0);                                                             \
    copy(Out + rank() * 2 * Bytes, dynamic(), 2 * Bytes);                      \
    syncCluster();                                                             \
  }

#define REDUCTION(OP, MODE, DIM)                                               \
  KERNEL reduce_##OP##_##MODE##_##DIM##d(GRID_CONSTANT const TensorMap Map,    \
                                         Place P, u32 Bytes, const u8 *In) {   \
    store(Bytes, In, [&](u8 *Src) {                                            \
      __nvvm_cp_async_bulk_tensor_reduce_##OP##_##MODE##_##DIM##d(             \
          Src, &Map, COORDINATES_##DIM, 0, false);                             \
    });                                                                        \
  }                                                                            \
  KERNEL reduce_hint_##OP##_##MODE##_##DIM##d(                                 \
      GRID_CONSTANT const TensorMap Map, Place P, u32 Bytes, const u8 *In) {   \
    store(Bytes, In, [&](u8 *Src) {                                            \
      __nvvm_cp_async_bulk_tensor_reduce_##OP##_##MODE##_##DIM##d(             \
          Src, &Map, COORDINATES_##DIM, Policy, true);                         \
    });                                                                        \
  }

#define STORES(MODE, DIM)                                                      \
  KERNEL store_##MODE##_##DIM##d(GRID_CONSTANT const TensorMap Map, Place P,   \
                                 u32 Bytes, const u8 *In) {                    \
    store(Bytes, In, [&](u8 *Src) {                                            \
      __nvvm_cp_async_bulk_tensor_s2g_##MODE##_##DIM##d(                       \
          Src, &Map, COORDINATES_##DIM, 0, false);                             \
    });                                                                        \
  }                                                                            \
  KERNEL store_hint_##MODE##_##DIM##d(GRID_CONSTANT const TensorMap Map,       \
                                      Place P, u32 Bytes, const u8 *In) {      \
    store(Bytes, In, [&](u8 *Src) {                                            \
      __nvvm_cp_async_bulk_tensor_s2g_##MODE##_##DIM##d(                       \
          Src, &Map, COORDINATES_##DIM, Policy, true);                         \
    });                                                                        \
  }                                                                            \
  REDUCTION(add, MODE, DIM)                                                    \
  REDUCTION(min, MODE, DIM)                                                    \
  REDUCTION(max, MODE, DIM)                                                    \
  REDUCTION(inc, MODE, DIM)                                                    \
  REDUCTION(dec, MODE, DIM)                                                    \
  REDUCTION(and, MODE, DIM)                                                    \
  REDUCTION(or, MODE, DIM)                                                     \
  REDUCTION(xor, MODE, DIM)

#define NOTHING
LOADS(tile, 1, NOTHING)
LOADS(tile, 2, NOTHING)
LOADS(tile, 3, NOTHING)
LOADS(tile, 4, NOTHING)
LOADS(tile, 5, NOTHING)
LOADS(im2col, 3, OFFSETS_3)
LOADS(im2col, 4, OFFSETS_4)
LOADS(im2col, 5, OFFSETS_5)
STORES(tile, 1)
STORES(tile, 2)
STORES(tile, 3)
STORES(tile, 4)
STORES(tile, 5)
STORES(im2col, 3)
STORES(im2col, 4)
STORES(im2col, 5)

/// Changes each field of a copy of \p Template so that it becomes \p Wanted's
/// map of a tensor in two dimensions, and loads with it.
struct Wanted {
  u64 Address;
  u64 Stride;
  u32 Dims[2], Box[2];
};

template <class Replace>
DEVICE void replaceAndLoad(const TensorMap &Template, TensorMap *Copy,
                           u32 Bytes, u8 *Out, bool IsShared,
                           const Replace &replace) {
  SHARED static TensorMap InShared __attribute__((aligned(128)));
  if (thread() < 16) {
    (IsShared ? InShared : *Copy).Opaque[thread()] = Template.Opaque[thread()];
  }
  syncBlock();
  if (thread() == 0)
    replace(IsShared ? &InShared : Copy);
  syncBlock();
  if (IsShared && thread() < 16)
    Copy->Opaque[thread()] = InShared.Opaque[thread()];
  // The map was written through the generic proxy, by this CTA.
  if (thread() == 0)
    __nvvm_fence_proxy_tensormap_generic_release_gpu();
  __nvvm_membar_gl();
  syncBlock();
  load(Bytes, Out, [&](u8 *Dst, u64 *Bar) {
    __nvvm_fence_proxy_tensormap_generic_acquire_gpu(Copy, 128);
    __nvvm_cp_async_bulk_tensor_g2s_tile_2d(Dst, Bar, Copy, 0, 0, 0, 0, false,
                                            false, 0);
  });
}

template <class Pointer> DEVICE void replaceAll(Pointer Map, const Wanted &W) {
  __nvvm_tensormap_replace_global_address(Map, W.Address);
  __nvvm_tensormap_replace_rank(Map, 1);
  __nvvm_tensormap_replace_global_dim(Map, 0, W.Dims[0]);
  __nvvm_tensormap_replace_global_dim(Map, 1, W.Dims[1]);
  __nvvm_tensormap_replace_global_stride(Map, 0, W.Stride);
  __nvvm_tensormap_replace_box_dim(Map, 0, W.Box[0]);
  __nvvm_tensormap_replace_box_dim(Map, 1, W.Box[1]);
  __nvvm_tensormap_replace_element_stride(Map, 0, 1);
  __nvvm_tensormap_replace_element_stride(Map, 1, 1);
  __nvvm_tensormap_replace_elemtype(Map, 2); // .u32
  __nvvm_tensormap_replace_interleave_layout(Map, 0);
  __nvvm_tensormap_replace_swizzle_mode(Map, 0);
  __nvvm_tensormap_replace_fill_mode(Map, 0);
}

KERNEL replace_generic(GRID_CONSTANT const TensorMap Template, TensorMap *Copy,
                       Wanted W, u32 Bytes, u8 *Out) {
  // Never, but the compiler does not know: the address is a generic one.
  bool IsShared = Bytes == 1;
  replaceAndLoad(Template, Copy, Bytes, Out, IsShared,
                 [&](TensorMap *Map) { replaceAll(Map, W); });
}
KERNEL replace_global(GRID_CONSTANT const TensorMap Template, TensorMap *Copy,
                      Wanted W, u32 Bytes, u8 *Out) {
  replaceAndLoad(
      Template, Copy, Bytes, Out, /*IsShared=*/false,
      [&](TensorMap *Map) { replaceAll((SPACE(1) TensorMap *)Map, W); });
}
KERNEL replace_shared(GRID_CONSTANT const TensorMap Template, TensorMap *Copy,
                      Wanted W, u32 Bytes, u8 *Out) {
  replaceAndLoad(
      Template, Copy, Bytes, Out, /*IsShared=*/true,
      [&](TensorMap *Map) { replaceAll((SPACE(3) TensorMap *)Map, W); });
}

/// The same in shared memory, from where a warp copies the map to \p Copy.
template <class CopyMap, class Acquire>
DEVICE void replaceCopyAndLoad(const TensorMap &Template, TensorMap *Copy,
                               const Wanted &W, u32 Bytes, u8 *Out,
                               const CopyMap &copyMap, const Acquire &acquire) {
  SHARED static TensorMap InShared __attribute__((aligned(128)));
  if (thread() < 16)
    InShared.Opaque[thread()] = Template.Opaque[thread()];
  syncBlock();
  if (thread() == 0)
    replaceAll((SPACE(3) TensorMap *)&InShared, W);
  syncBlock();
  if (thread() < 32)
    copyMap(&InShared);
  syncBlock();
  load(Bytes, Out, [&](u8 *Dst, u64 *Bar) {
    acquire();
    __nvvm_cp_async_bulk_tensor_g2s_tile_2d(Dst, Bar, Copy, 0, 0, 0, 0, false,
                                            false, 0);
  });
}

// clang-format off
#define COPY_MAP(SCOPE)                                                        \
  __nvvm_tensormap_cp_fenceproxy_global_shared_cta_tensormap_generic_release_##SCOPE##_sync_aligned
// clang-format on
#define REPLACE_COPY(SCOPE)                                                    \
  KERNEL replace_copy_##SCOPE(GRID_CONSTANT const TensorMap Template,          \
                              TensorMap *Copy, Wanted W, u32 Bytes, u8 *Out) { \
    replaceCopyAndLoad(                                                        \
        Template, Copy, W, Bytes, Out,                                         \
        [&](TensorMap *Map) { COPY_MAP(SCOPE)(Copy, Map, 128); },              \
        [&] {                                                                  \
          __nvvm_fence_proxy_tensormap_generic_acquire_##SCOPE(Copy, 128);     \
        });                                                                    \
  }
REPLACE_COPY(cta)
REPLACE_COPY(cluster)
REPLACE_COPY(gpu)
REPLACE_COPY(sys)

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

#define BULK(NAME, CALL)                                                       \
  KERNEL NAME(u8 *Out, u8 *In, u32 Bytes) {                                    \
    load(Bytes, Out, [&](u8 *Dst, u64 *Bar) { CALL; });                        \
  }
BULK(bulk_load,
     __nvvm_cp_async_bulk_global_to_shared_cluster(Dst, Bar, In, Bytes, 0, 0,
                                                   false, false))
BULK(bulk_load_hint,
     (__nvvm_cp_async_bulk_prefetch_L2(In, Bytes, Policy, true),
      __nvvm_cp_async_bulk_global_to_shared_cluster(Dst, Bar, In, Bytes, 0,
                                                    Policy, false, true)))
BULK(bulk_load_cta,
     (__nvvm_cp_async_bulk_prefetch_L2(In, Bytes, 0, false),
      __nvvm_cp_async_bulk_global_to_shared_cta(Dst, Bar, In, Bytes, 0, false)))
BULK(bulk_load_cta_hint,
     __nvvm_cp_async_bulk_global_to_shared_cta(Dst, Bar, In, Bytes, Policy,
                                               true))

KERNEL bulk_store(u8 *Out, u8 *In, u32 Bytes) {
  store(Bytes, In, [&](u8 *Src) {
    __nvvm_cp_async_bulk_shared_cta_to_global(Out, Src, Bytes, 0, false);
  });
}
KERNEL bulk_store_hint(u8 *Out, u8 *In, u32 Bytes) {
  store(Bytes, In, [&](u8 *Src) {
    __nvvm_cp_async_bulk_shared_cta_to_global(Out, Src, Bytes, Policy, true);
  });
}

/// Each CTA of a cluster of two loads half of \p In for both. Out has what each
/// of them saw.
KERNEL bulk_multicast(u8 *Out, u8 *In, u32 Bytes) {
  SHARED static u64 Bar;
  fill(dynamic(), Untouched, Bytes);
  initialize(&Bar, 1);
  __nvvm_fence_proxy_async();
  if (thread() == 0)
    __nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta(&Bar, Bytes);
  syncCluster();
  u32 Half = Bytes / 2, Start = rank() * Half;
  if (thread() == 0 && rank() == 0)
    __nvvm_cp_async_bulk_global_to_shared_cluster(
        dynamic() + Start, &Bar, In + Start, Half, 3, 0, true, false);
  if (thread() == 0 && rank() == 1)
    __nvvm_cp_async_bulk_global_to_shared_cluster(
        dynamic() + Start, &Bar, In + Start, Half, 3, Policy, true, true);
  wait(&Bar, 0);
  copy(Out + rank() * Bytes, dynamic(), Bytes);
  syncCluster();
}

/// Each CTA of a cluster of two copies its half of \p In to the other one.
KERNEL bulk_to_cluster(u8 *Out, u8 *In, u32 Bytes) {
  SHARED static u64 Bar;
  u32 Half = Bytes / 2;
  copy(dynamic(), In + rank() * Half, Half);
  initialize(&Bar, 1);
  __nvvm_fence_proxy_async();
  if (thread() == 0)
    __nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta(&Bar, Half);
  syncCluster();
  if (thread() == 0) {
    // The barrier is that of the CTA that the bytes go to.
    u32 Other = rank() ^ 1;
    __nvvm_cp_async_bulk_shared_cta_to_cluster(
        __nvvm_mapa(dynamic() + Half, Other), __nvvm_mapa(&Bar, Other),
        dynamic(), Half);
  }
  wait(&Bar, 0);
  copy(Out + rank() * Half, dynamic() + Half, Half);
  syncCluster();
}

//===----------------------------------------------------------------------===//
// Asynchronous reductions
//===----------------------------------------------------------------------===//

/// The second half has a cache hint.
#define REDUCE_GLOBAL(NAME)                                                    \
  KERNEL reduce_global_##NAME(u8 *Out, const u8 *In, u32 Bytes) {              \
    store(Bytes, In, [&](u8 *Src) {                                            \
      u32 Half = Bytes / 2;                                                    \
      __nvvm_cp_reduce_async_bulk_shared_cta_to_global_##NAME(Out, Src, Half,  \
                                                              0, false);       \
      u64 Last = __nvvm_createpolicy_fractional_L2_evict_last(1.0f, false);    \
      __nvvm_cp_reduce_async_bulk_shared_cta_to_global_##NAME(                 \
          Out + Half, Src + Half, Half, Last, true);                           \
    });                                                                        \
  }

REDUCE_GLOBAL(add_u32)
REDUCE_GLOBAL(add_s32)
REDUCE_GLOBAL(add_u64)
REDUCE_GLOBAL(add_f32)
REDUCE_GLOBAL(add_f64)
REDUCE_GLOBAL(add_noftz_f16)
REDUCE_GLOBAL(add_noftz_bf16)
REDUCE_GLOBAL(min_u32)
REDUCE_GLOBAL(min_s32)
REDUCE_GLOBAL(min_u64)
REDUCE_GLOBAL(min_s64)
REDUCE_GLOBAL(min_f16)
REDUCE_GLOBAL(min_bf16)
REDUCE_GLOBAL(max_u32)
REDUCE_GLOBAL(max_s32)
REDUCE_GLOBAL(max_u64)
REDUCE_GLOBAL(max_s64)
REDUCE_GLOBAL(max_f16)
REDUCE_GLOBAL(max_bf16)
REDUCE_GLOBAL(inc_u32)
REDUCE_GLOBAL(dec_u32)
REDUCE_GLOBAL(and_b32)
REDUCE_GLOBAL(and_b64)
REDUCE_GLOBAL(or_b32)
REDUCE_GLOBAL(or_b64)
REDUCE_GLOBAL(xor_b32)
REDUCE_GLOBAL(xor_b64)

/// Waits for what threads of other CTAs did without the async proxy, too.
DEVICE void waitInCluster(u64 *Bar, u32 Parity) {
  u64 Start = __nvvm_read_ptx_sreg_clock64();
  while (!__nvvm_mbarrier_try_wait_parity_scope_cluster_space_cta(Bar, Parity))
    if (__nvvm_read_ptx_sreg_clock64() - Start > 1000000000)
      return;
}

/// Each CTA of a cluster of two has its \p Bytes of \p Old in shared memory,
/// and
/// \p issue combines there those of \p New, which the other CTA has. All
/// threads call it. \p Out has what became of them.
template <class Issue>
DEVICE void reduceInCluster(u8 *Out, const u8 *Old, const u8 *New, u32 Bytes,
                            const Issue &issue) {
  SHARED static u64 Bar;
  u8 *Dst = dynamic(), *Src = dynamic() + Bytes;
  u32 Other = rank() ^ 1;
  copy(Dst, Old + rank() * Bytes, Bytes);
  copy(Src, New + Other * Bytes, Bytes);
  initialize(&Bar, 1);
  __nvvm_fence_proxy_async();
  if (thread() == 0)
    __nvvm_mbarrier_arrive_expect_tx_scope_cta_space_cta(&Bar, Bytes);
  syncCluster();
  issue((u8 *)__nvvm_mapa(Dst, Other), (u64 *)__nvvm_mapa(&Bar, Other), Src);
  waitInCluster(&Bar, 0);
  copy(Out + rank() * Bytes, Dst, Bytes);
  syncCluster();
}

#define REDUCE_CLUSTER(NAME, TYPE)                                             \
  KERNEL reduce_cluster_##NAME(u8 *Out, const u8 *Old, const u8 *New,          \
                               u32 Bytes) {                                    \
    reduceInCluster(Out, Old, New, Bytes, [&](u8 *Dst, u64 *Bar, u8 *Src) {    \
      if (thread() == 0)                                                       \
        __nvvm_cp_reduce_async_bulk_shared_cta_to_cluster_##NAME(Dst, Bar,     \
                                                                 Src, Bytes);  \
    });                                                                        \
  }                                                                            \
  KERNEL red_async_##NAME(u8 *Out, const u8 *Old, const u8 *New, u32 Bytes) {  \
    reduceInCluster(Out, Old, New, Bytes, [&](u8 *Dst, u64 *Bar, u8 *Src) {    \
      for (u32 I = thread(); I < Bytes / sizeof(TYPE); I += threads())         \
        __nvvm_red_async_##NAME((TYPE *)Dst + I, ((TYPE *)Src)[I], Bar);       \
    });                                                                        \
  }

REDUCE_CLUSTER(add_u32, u32)
REDUCE_CLUSTER(add_s32, u32)
REDUCE_CLUSTER(add_u64, u64)
REDUCE_CLUSTER(min_u32, u32)
REDUCE_CLUSTER(min_s32, u32)
REDUCE_CLUSTER(max_u32, u32)
REDUCE_CLUSTER(max_s32, u32)
REDUCE_CLUSTER(inc_u32, u32)
REDUCE_CLUSTER(dec_u32, u32)
REDUCE_CLUSTER(and_b32, u32)
REDUCE_CLUSTER(or_b32, u32)
REDUCE_CLUSTER(xor_b32, u32)

template <class T, int N> using Vector = T __attribute__((ext_vector_type(N)));

/// Replaces what is there by what comes.
#define STORE_CLUSTER(NAME, ...)                                               \
  KERNEL st_async_##NAME(u8 *Out, const u8 *Old, const u8 *New, u32 Bytes) {   \
    using Type = __VA_ARGS__;                                                  \
    reduceInCluster(Out, Old, New, Bytes, [&](u8 *Dst, u64 *Bar, u8 *Src) {    \
      for (u32 I = thread(); I < Bytes / sizeof(Type); I += threads())         \
        __nvvm_st_async((Type *)Dst + I, ((Type *)Src)[I], Bar);               \
    });                                                                        \
  }

STORE_CLUSTER(b32, float)
STORE_CLUSTER(v2_b32, Vector<u32, 2>)
STORE_CLUSTER(v4_b32, Vector<float, 4>)
STORE_CLUSTER(b64, u64)
STORE_CLUSTER(v2_b64, Vector<u64, 2>)

//===----------------------------------------------------------------------===//
// Cache policies
//===----------------------------------------------------------------------===//

#define POLICIES(PRIORITY, SECOND)                                             \
  *Out++ = __nvvm_createpolicy_fractional_L2_##PRIORITY(Fraction, SECOND);     \
  *Out++ =                                                                     \
      __nvvm_createpolicy_range_L2_##PRIORITY(Memory, Primary, Total, SECOND); \
  *Out++ = __nvvm_createpolicy_range_global_L2_##PRIORITY(Memory, Primary,     \
                                                          Total, SECOND);

/// One thread.
KERNEL policies(u64 *Out, u8 *Memory, float Fraction, u32 Primary, u32 Total,
                u64 Property) {
  POLICIES(evict_last, false)
  POLICIES(evict_last, true)
  POLICIES(evict_normal, false)
  POLICIES(evict_normal, true)
  POLICIES(evict_first, false)
  POLICIES(evict_first, true)
  POLICIES(evict_unchanged, false)
  POLICIES(evict_unchanged, true)
  *Out = __nvvm_createpolicy_cvt_L2(Property);
}

//===----------------------------------------------------------------------===//
// mbarrier
//===----------------------------------------------------------------------===//
// One thread; Out has 1 for what is as it should be, and 0 otherwise, one after
// the other. Results of functions go through Next.

struct Log {
  u32 *Next;
  __attribute__((device)) void operator()(bool Right) { *Next++ = Right; }
};

/// The phases of a barrier for two arrivals, by state and by parity.
#define PHASES(NAME, INIT, ARRIVE, NOCOMPLETE, DROP, DROP_NOCOMPLETE, TEST,    \
               INVAL)                                                          \
  KERNEL NAME(u32 *Out) {                                                      \
    SHARED static u64 Bar;                                                     \
    Log check{Out};                                                            \
    INIT(&Bar, 4);                                                             \
    u64 State = ARRIVE(&Bar);                                                  \
    check(__nvvm_mbarrier_pending_count(State) == 4);                          \
    check(!TEST(&Bar, State));                                                 \
    u64 Second = NOCOMPLETE(&Bar, 2);                                          \
    check(__nvvm_mbarrier_pending_count(Second) == 3);                         \
    check(!TEST(&Bar, State));                                                 \
    /* The last of the phase; the next one is for one less. */                 \
    u64 Third = DROP(&Bar);                                                    \
    check(__nvvm_mbarrier_pending_count(Third) == 1);                          \
    check(TEST(&Bar, State));                                                  \
    u64 Fourth = DROP_NOCOMPLETE(&Bar, 1);                                     \
    check(__nvvm_mbarrier_pending_count(Fourth) == 3);                         \
    check(!TEST(&Bar, Fourth));                                                \
    ARRIVE(&Bar);                                                              \
    check(!TEST(&Bar, Fourth));                                                \
    ARRIVE(&Bar);                                                              \
    check(TEST(&Bar, Fourth));                                                 \
    /* Two are left. */                                                        \
    State = ARRIVE(&Bar);                                                      \
    check(__nvvm_mbarrier_pending_count(State) == 2);                          \
    ARRIVE(&Bar);                                                              \
    check(TEST(&Bar, State));                                                  \
    INVAL(&Bar);                                                               \
    check(true);                                                               \
  }

PHASES(mbarrier_generic, __nvvm_mbarrier_init, __nvvm_mbarrier_arrive,
       __nvvm_mbarrier_arrive_noComplete, __nvvm_mbarrier_arrive_drop,
       __nvvm_mbarrier_arrive_drop_noComplete, __nvvm_mbarrier_test_wait,
       __nvvm_mbarrier_inval)
PHASES(mbarrier_shared, __nvvm_mbarrier_init_shared,
       __nvvm_mbarrier_arrive_shared, __nvvm_mbarrier_arrive_noComplete_shared,
       __nvvm_mbarrier_arrive_drop_shared,
       __nvvm_mbarrier_arrive_drop_noComplete_shared,
       __nvvm_mbarrier_test_wait_shared, __nvvm_mbarrier_inval_shared)

/// All waits of a scope and semantics, before and after the end of a phase.
#define WAITS(NAME, TAIL)                                                      \
  KERNEL NAME(u32 *Out) {                                                      \
    SHARED static u64 Bar;                                                     \
    Log check{Out};                                                            \
    __nvvm_mbarrier_init_shared(&Bar, 2);                                      \
    u64 State = __nvvm_mbarrier_arrive_shared(&Bar);                           \
    check(!__nvvm_mbarrier_test_wait_##TAIL(&Bar, State));                     \
    check(!__nvvm_mbarrier_test_wait_parity_##TAIL(&Bar, 0));                  \
    check(__nvvm_mbarrier_test_wait_parity_##TAIL(&Bar, 1));                   \
    check(!__nvvm_mbarrier_try_wait_##TAIL(&Bar, State));                      \
    check(!__nvvm_mbarrier_try_wait_parity_##TAIL(&Bar, 0));                   \
    check(!__nvvm_mbarrier_try_wait_tl_##TAIL(&Bar, State, 1000));             \
    check(!__nvvm_mbarrier_try_wait_parity_tl_##TAIL(&Bar, 0, 1000));          \
    __nvvm_mbarrier_arrive_shared(&Bar);                                       \
    check(__nvvm_mbarrier_test_wait_##TAIL(&Bar, State));                      \
    check(__nvvm_mbarrier_test_wait_parity_##TAIL(&Bar, 0));                   \
    check(!__nvvm_mbarrier_test_wait_parity_##TAIL(&Bar, 1));                  \
    check(__nvvm_mbarrier_try_wait_##TAIL(&Bar, State));                       \
    check(__nvvm_mbarrier_try_wait_parity_##TAIL(&Bar, 0));                    \
    check(__nvvm_mbarrier_try_wait_tl_##TAIL(&Bar, State, 1000));              \
    check(__nvvm_mbarrier_try_wait_parity_tl_##TAIL(&Bar, 0, 1000));           \
  }

WAITS(mbarrier_waits_cta, scope_cta_space_cta)
WAITS(mbarrier_waits_cluster, scope_cluster_space_cta)
WAITS(mbarrier_waits_relaxed_cta, relaxed_scope_cta_space_cta)
WAITS(mbarrier_waits_relaxed_cluster, relaxed_scope_cluster_space_cta)

/// Arrivals with a count, and with transactions, that return a state.
#define ARRIVALS(NAME, TAIL, TX)                                               \
  KERNEL NAME(u32 *Out) {                                                      \
    SHARED static u64 Bar;                                                     \
    Log check{Out};                                                            \
    __nvvm_mbarrier_init_shared(&Bar, 7);                                      \
    u64 State = __nvvm_mbarrier_arrive_##TAIL(&Bar, 3);                        \
    check(__nvvm_mbarrier_pending_count(State) == 7);                          \
    /* 4 arrivals are left: one with 64 bytes, two dropped, one dropped with   \
       32 bytes. */                                                            \
    u64 WithBytes = __nvvm_mbarrier_arrive_expect_tx_##TAIL(&Bar, 64);         \
    check(__nvvm_mbarrier_pending_count(WithBytes) == 4);                      \
    u64 Dropped = __nvvm_mbarrier_arrive_drop_##TAIL(&Bar, 2);                 \
    check(__nvvm_mbarrier_pending_count(Dropped) == 3);                        \
    u64 Last = __nvvm_mbarrier_arrive_drop_expect_tx_##TAIL(&Bar, 32);         \
    check(__nvvm_mbarrier_pending_count(Last) == 1);                           \
    check(!__nvvm_mbarrier_test_wait_shared(&Bar, State));                     \
    __nvvm_mbarrier_expect_tx_##TX(&Bar, 16);                                  \
    __nvvm_mbarrier_complete_tx_##TX(&Bar, 96);                                \
    check(!__nvvm_mbarrier_test_wait_shared(&Bar, State));                     \
    __nvvm_mbarrier_complete_tx_##TX(&Bar, 16);                                \
    check(__nvvm_mbarrier_test_wait_shared(&Bar, State));                      \
    /* 3 have been dropped. */                                                 \
    u64 Next = __nvvm_mbarrier_arrive_shared(&Bar);                            \
    check(__nvvm_mbarrier_pending_count(Next) == 4);                           \
  }

ARRIVALS(mbarrier_arrivals_cta, scope_cta_space_cta, scope_cta_space_cta)
ARRIVALS(mbarrier_arrivals_cluster, scope_cluster_space_cta,
         scope_cluster_space_cta)
ARRIVALS(mbarrier_arrivals_relaxed_cta, relaxed_scope_cta_space_cta,
         scope_cta_space_cta)
ARRIVALS(mbarrier_arrivals_relaxed_cluster, relaxed_scope_cluster_space_cta,
         scope_cluster_space_cta)

/// The same on the barrier of the other CTA of a cluster of two, which returns
/// no state. Each CTA writes a part of \p Out of its own.
#define REMOTE_ARRIVALS(NAME, TAIL, TX)                                        \
  KERNEL NAME(u32 *Out) {                                                      \
    SHARED static u64 Bar;                                                     \
    Log check{Out + rank() * 4};                                               \
    initialize(&Bar, 7);                                                       \
    syncCluster();                                                             \
    u64 *Generic = (u64 *)__nvvm_mapa(&Bar, rank() ^ 1);                       \
    auto *Remote = (SPACE(7) u64 *)__nvvm_mapa_shared_cluster(                 \
        (SPACE(3) u64 *)&Bar, rank() ^ 1);                                     \
    if (thread() == 0) {                                                       \
      __nvvm_mbarrier_arrive_##TAIL(Remote, 3);                                \
      __nvvm_mbarrier_arrive_expect_tx_##TAIL(Generic, 64);                    \
      __nvvm_mbarrier_arrive_drop_##TAIL(Remote, 2);                           \
    }                                                                          \
    syncCluster();                                                             \
    check(!__nvvm_mbarrier_test_wait_parity_scope_cluster_space_cta(&Bar, 0)); \
    syncCluster();                                                             \
    if (thread() == 0) {                                                       \
      __nvvm_mbarrier_arrive_drop_expect_tx_##TAIL(Remote, 32);                \
      __nvvm_mbarrier_expect_tx_##TX(Generic, 16);                             \
    }                                                                          \
    syncCluster();                                                             \
    check(!__nvvm_mbarrier_test_wait_parity_scope_cluster_space_cta(&Bar, 0)); \
    syncCluster();                                                             \
    if (thread() == 0)                                                         \
      __nvvm_mbarrier_complete_tx_##TX(Remote, 112);                           \
    syncCluster();                                                             \
    check(__nvvm_mbarrier_test_wait_parity_scope_cluster_space_cta(&Bar, 0));  \
    u64 Next = 0;                                                              \
    if (thread() == 0)                                                         \
      Next = __nvvm_mbarrier_arrive_shared(&Bar);                              \
    if (thread() == 0)                                                         \
      check(__nvvm_mbarrier_pending_count(Next) == 4);                         \
    syncCluster();                                                             \
  }

REMOTE_ARRIVALS(mbarrier_remote_cta, scope_cta_space_cluster,
                scope_cta_space_cluster)
REMOTE_ARRIVALS(mbarrier_remote_cluster, scope_cluster_space_cluster,
                scope_cluster_space_cluster)
REMOTE_ARRIVALS(mbarrier_remote_relaxed_cta, relaxed_scope_cta_space_cluster,
                scope_cta_space_cluster)
REMOTE_ARRIVALS(mbarrier_remote_relaxed_cluster,
                relaxed_scope_cluster_space_cluster,
                scope_cluster_space_cluster)

//===----------------------------------------------------------------------===//
// Fences, barriers, clusters
//===----------------------------------------------------------------------===//

/// Each CTA of a cluster of two stores to the other one, over a barrier and
/// each fence, and reads what it got. That is no proof of the fence, but of its
/// being there and harmless.
KERNEL fences(u32 *Out) {
  SHARED static u32 Value;
  Log check{Out + rank() * 12};
  auto *Remote = (SPACE(7) u32 *)__nvvm_mapa_shared_cluster(
      (SPACE(3) u32 *)&Value, rank() ^ 1);
  u32 Round = 0;
  auto exchange = [&](auto fence) {
    syncCluster();
    if (thread() == 0)
      *Remote = ++Round * 2 + rank();
    fence();
    __nvvm_barrier_cluster_arrive();
    __nvvm_barrier_cluster_wait();
    fence();
    check(thread() != 0 || Value == Round * 2 + (rank() ^ 1));
  };
  exchange([] { __nvvm_fence_sc_cluster(); });
  exchange([] { __nvvm_fence_mbarrier_init_release_cluster(); });
  exchange([] {
    __nvvm_fence_release_sync_restrict_space_cta_scope_cluster();
    __nvvm_fence_acquire_sync_restrict_space_cluster_scope_cluster();
  });
  exchange([] {
    __nvvm_fence_proxy_async_generic_release_sync_restrict_space_cta_scope_cluster();
    __nvvm_fence_proxy_async_generic_acquire_sync_restrict_space_cluster_scope_cluster();
  });
  exchange([] { __nvvm_fence_proxy_alias(); });
  exchange([] { __nvvm_fence_proxy_async(); });
  exchange([] { __nvvm_fence_proxy_async_global(); });
  exchange([] { __nvvm_fence_proxy_async_shared_cta(); });
  exchange([] { __nvvm_fence_proxy_async_shared_cluster(); });
  exchange([] {
    __nvvm_fence_proxy_tensormap_generic_release_cta();
    __nvvm_fence_proxy_tensormap_generic_release_cluster();
    __nvvm_fence_proxy_tensormap_generic_release_gpu();
    __nvvm_fence_proxy_tensormap_generic_release_sys();
  });
  exchange([&] {
    void *Map = Out + 32;
    __nvvm_fence_proxy_tensormap_generic_acquire_cta(Map, 128);
    __nvvm_fence_proxy_tensormap_generic_acquire_cluster(Map, 128);
    __nvvm_fence_proxy_tensormap_generic_acquire_gpu(Map, 128);
    __nvvm_fence_proxy_tensormap_generic_acquire_sys(Map, 128);
  });
  // The barriers' other forms.
  syncCluster();
  if (thread() == 0)
    *Remote = ++Round * 2 + rank();
  __nvvm_fence_sc_cluster();
  __nvvm_barrier_cluster_arrive_relaxed();
  __nvvm_barrier_cluster_wait_aligned();
  __nvvm_fence_sc_cluster();
  check(thread() != 0 || Value == Round * 2 + (rank() ^ 1));
  __nvvm_barrier_cluster_arrive_relaxed_aligned();
  __nvvm_barrier_cluster_wait();
}

/// Where shared memory of the cluster's CTAs is, in all forms.
KERNEL clusters(u32 *Out) {
  SHARED static u32 Value;
  Log check{Out + rank() * 6};
  auto *Own = (SPACE(3) u32 *)&Value;
  u32 Other = rank() ^ 1;
  Value = 100 + rank();
  syncCluster();
  auto *Remote = (u32 *)__nvvm_mapa(&Value, Other);
  auto *Narrow = (SPACE(7) u32 *)__nvvm_mapa_shared_cluster(Own, Other);
  check(*Remote == 100 + Other);
  check(*Narrow == 100 + Other);
  check((u32)__nvvm_getctarank(Remote) == Other);
  check((u32)__nvvm_getctarank(&Value) == rank());
  check((u32)__nvvm_getctarank_shared_cluster(Own) == rank());
  check((u32 *)Narrow == Remote);
  syncCluster();
}

/// Named barriers: 128 threads, of which the second half arrives only.
KERNEL barriers(u32 *Out) {
  SHARED static u32 Values[128];
  u32 T = thread();
  bool Odd = T & 1;
  u32 Wrong = 0;
  auto expect = [&](bool Right) { Wrong += !Right; };
  auto round = [&](u32 Value, auto arrive, auto sync) {
    if (T >= 64) {
      Values[T] = Value + T;
      arrive();
    } else {
      sync();
      expect(Values[T + 64] == Value + T + 64);
    }
    __nvvm_barrier_cta_sync_aligned_all(0);
  };
  round(
      1000, [] { __nvvm_barrier_cta_arrive_aligned_count(1, 128); },
      [] { __nvvm_barrier_cta_sync_aligned_count(1, 128); });
  round(
      2000, [] { __nvvm_barrier_cta_arrive_count(2, 128); },
      [] { __nvvm_barrier_cta_sync_count(2, 128); });
  Values[T] = T;
  __nvvm_barrier_cta_sync_all(3);
  expect(Values[127 - T] == 127 - T);
  expect(__nvvm_barrier_cta_red_popc_aligned_all(0, Odd) == 64);
  expect(__nvvm_barrier_cta_red_popc_all(0, Odd) == 64);
  expect(__nvvm_barrier_cta_red_popc_aligned_count(4, 128, Odd) == 64);
  expect(__nvvm_barrier_cta_red_popc_count(4, 128, Odd) == 64);
  expect(!__nvvm_barrier_cta_red_and_aligned_all(0, Odd));
  expect(__nvvm_barrier_cta_red_and_all(0, T < 128));
  expect(!__nvvm_barrier_cta_red_and_aligned_count(5, 128, T != 77));
  expect(__nvvm_barrier_cta_red_and_count(5, 128, true));
  expect(__nvvm_barrier_cta_red_or_aligned_all(0, T == 77));
  expect(!__nvvm_barrier_cta_red_or_all(0, T > 127));
  expect(__nvvm_barrier_cta_red_or_aligned_count(6, 128, Odd));
  expect(!__nvvm_barrier_cta_red_or_count(6, 128, false));
  Out[T] = Wrong == 0;
}

//===----------------------------------------------------------------------===//
// Registers, election, launches, caches
//===----------------------------------------------------------------------===//

/// Of each warp one thread is elected, of those that take part.
KERNEL election(u32 *Out) {
  using Pair = int __attribute__((ext_vector_type(2)));
  u32 Lane = thread() % 32;
  Pair All = __nvvm_elect_sync(0xffffffff);
  bool Right = All.y == (All.x == (int)Lane) && All.x >= 0 && All.x < 32;
  u32 Elected = __nvvm_barrier_cta_red_popc_aligned_all(0, All.y);
  Right &= Elected == threads() / 32;
  if (Lane >= 16) {
    Pair Some = __nvvm_elect_sync(0xffff0000);
    Right &= Some.y == (Some.x == (int)Lane) && Some.x >= 16;
  }
  Out[thread()] = Right;
}

/// A producer that gives registers back, and two consumers that take them and
/// use them: 160 sums each, kept in registers.
KERNEL __attribute__((launch_bounds(384, 1))) registers(u32 *Out, const u32 *In,
                                                        u32 Rounds) {
  SHARED static u32 Stage[160];
  SHARED static u64 Full, Empty;
  if (thread() == 0) {
    __nvvm_mbarrier_init_shared(&Full, 1);
    __nvvm_mbarrier_init_shared(&Empty, 256);
  }
  syncBlock();
  if (thread() < 128) {
    __nvvm_setmaxnreg_dec_sync_aligned_u32(40);
    if (thread() == 0)
      for (u32 Round = 0; Round != Rounds; ++Round) {
        wait(&Empty, (Round & 1) ^ 1);
        for (u32 I = 0; I != 160; ++I)
          Stage[I] = In[Round * 160 + I];
        __nvvm_mbarrier_arrive_shared(&Full);
      }
  } else {
    __nvvm_setmaxnreg_inc_sync_aligned_u32(232);
    u32 Sums[160];
#pragma unroll
    for (u32 I = 0; I != 160; ++I)
      Sums[I] = 0;
    for (u32 Round = 0; Round != Rounds; ++Round) {
      wait(&Full, Round & 1);
#pragma unroll
      for (u32 I = 0; I != 160; ++I)
        Sums[I] += Stage[I] * (thread() + I);
      __nvvm_mbarrier_arrive_shared(&Empty);
    }
#pragma unroll
    for (u32 I = 0; I != 160; ++I)
      Out[(thread() - 128) * 160 + I] = Sums[I];
  }
}

/// A grid that lets the next one start early, and writes after that.
KERNEL primary(u32 *Out, u32 Delay) {
  __nvvm_griddepcontrol_launch_dependents();
  u64 Start = __nvvm_read_ptx_sreg_clock64();
  while (__nvvm_read_ptx_sreg_clock64() - Start < Delay) {
  }
  Out[block() * threads() + thread()] = block() * threads() + thread() + 1;
}
/// The next grid, which waits for the first one to have written.
KERNEL secondary(u32 *Out, const u32 *In) {
  __nvvm_griddepcontrol_wait();
  u32 I = block() * threads() + thread();
  Out[I] = ((const volatile u32 *)In)[I] == I + 1;
}

CONSTANT TensorMap ConstantMap = {};

/// What is prefetched stays what it is; what is discarded is written anew.
KERNEL caches(u32 *Out, u32 *Memory, GRID_CONSTANT const TensorMap Map) {
  u32 *Line = Memory + thread() * 32;
  auto *Global = (SPACE(1) u32 *)Line;
  u32 Local[32];
  for (u32 I = 0; I != 32; ++I)
    Local[I] = I + thread();
  __nvvm_prefetch_L1(Line);
  __nvvm_prefetch_L2(Line);
  __nvvm_prefetch_global_L1(Global);
  __nvvm_prefetch_global_L2(Global);
  __nvvm_prefetch_global_L2_evict_normal(Global);
  __nvvm_prefetch_global_L2_evict_last(Global);
  __nvvm_prefetch_local_L1(Local);
  __nvvm_prefetch_local_L2(Local);
  __nvvm_prefetchu_L1(Line);
  __nvvm_applypriority_L2_evict_normal(Line, 128);
  __nvvm_applypriority_global_L2_evict_normal(Global, 128);
  __nvvm_prefetch_tensormap(&Map);
  __nvvm_prefetch_tensormap((SPACE(4) const TensorMap *)&ConstantMap);
  __nvvm_prefetch_tensormap((SPACE(101) const TensorMap *)&Map);
  u32 Right = 1;
  for (u32 I = 0; I != 32; ++I)
    Right &= Line[I] == thread() * 32 + I && Local[I] == I + thread();
  __nvvm_discard_L2(Line, 128);
  for (u32 I = 0; I != 32; ++I)
    ((volatile u32 *)Line)[I] = ~I;
  __nvvm_membar_gl();
  for (u32 I = 0; I != 32; ++I)
    Right &= ((volatile u32 *)Line)[I] == ~I;
  __nvvm_discard_global_L2(Global, 128);
  for (u32 I = 0; I != 32; ++I)
    ((volatile u32 *)Line)[I] = I * 3;
  __nvvm_membar_gl();
  for (u32 I = 0; I != 32; ++I)
    Right &= ((volatile u32 *)Line)[I] == I * 3;
  Out[thread()] = Right;
}
