// REQUIRES: nvptx-registered-target
// Wrong calls of the builtins around the matrix builtins: one error each, which
// names the builtin, the argument, what it must be and what it is.
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device \
// RUN:   -target-cpu sm_100a -target-feature +ptx90 -fsyntax-only -verify %s

#define __device__ __attribute__((device))
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
template <class T, T V> struct constant {
  constexpr operator T() const { return V; }
};

using u64 = unsigned long;

// The address space of a pointer: the instruction's, or none.
__device__ void pointers(u64 *bar, __attribute__((address_space(1))) u64 *global, __attribute__((address_space(3))) u64 *shared,
                         __attribute__((address_space(7))) u64 *cluster, __attribute__((address_space(5))) u64 *local, int *ints,
                         const u64 *constant, u64 number) {
  __nvvm_mbarrier_init_shared(bar, 1);
  __nvvm_mbarrier_init_shared(shared, 1);
  __nvvm_mbarrier_init_shared(ints, 1);
  __nvvm_mbarrier_init_shared(nullptr, 1);
  __nvvm_mbarrier_init(shared, 1);
  __nvvm_mbarrier_init_shared(global, 1); // expected-error {{argument 1 of '__nvvm_mbarrier_init_shared' must be a pointer to shared memory, or a generic pointer, but is of type '__attribute__((address_space(1))) u64 *'}}
  __nvvm_mbarrier_init_shared(cluster, 1); // expected-error {{argument 1 of '__nvvm_mbarrier_init_shared' must be a pointer to shared memory, or a generic pointer, but is of type '__attribute__((address_space(7))) u64 *'}}
  __nvvm_mbarrier_init_shared(number, 1); // expected-error {{argument 1 of '__nvvm_mbarrier_init_shared' must be a pointer to shared memory, or a generic pointer, but is of type 'u64'}}
  __nvvm_mbarrier_init_shared(*bar, 1); // expected-error {{argument 1 of '__nvvm_mbarrier_init_shared' must be a pointer to shared memory, or a generic pointer, but is of type 'u64'}}
  __nvvm_mbarrier_arrive_scope_cluster_space_cluster(shared, 1);
  __nvvm_mbarrier_arrive_scope_cluster_space_cluster(local, 1); // expected-error {{argument 1 of '__nvvm_mbarrier_arrive_scope_cluster_space_cluster' must be a pointer to shared memory or shared memory of the cluster, or a generic pointer, but is of type '__attribute__((address_space(5))) u64 *'}}
  __nvvm_tensormap_replace_rank(global, number);
  __nvvm_tensormap_replace_rank(local, number); // expected-error {{argument 1 of '__nvvm_tensormap_replace_rank' must be a pointer to global memory or shared memory, or a generic pointer, but is of type '__attribute__((address_space(5))) u64 *'}}
  __nvvm_prefetch_tensormap(constant);
  __nvvm_prefetch_tensormap(global); // expected-error {{argument 1 of '__nvvm_prefetch_tensormap' must be a pointer to constant memory or kernel parameters, or a generic pointer, but is of type '__attribute__((address_space(1))) u64 *'}}
  __nvvm_mbarrier_init(constant, 1); // expected-error {{cannot initialize a parameter of type 'void *' with an rvalue of type 'const u64 *'}}
  __nvvm_mbarrier_init(bar); // expected-error {{too few arguments to function call, expected 2, have 1}} expected-note {{'__nvvm_mbarrier_init' is a builtin with type 'void (void *, int)'}}
  __nvvm_mbarrier_init(bar, 1, 2); // expected-error {{too many arguments to function call, expected 2, have 3}} expected-note {{'__nvvm_mbarrier_init' is a builtin with type 'void (void *, int)'}}
  __nvvm_mbarrier_init(bar, ints); // expected-error {{cannot initialize a parameter of type 'int' with an lvalue of type 'int *'}}
}

// Arrays and results as pointers; the types of results.
__device__ void results(__attribute__((address_space(3))) u64 *shared, int rank) {
  u64 bars[2];
  __nvvm_mbarrier_init(bars, 1);
  __attribute__((address_space(7))) void *remote = __nvvm_mapa_shared_cluster(shared, rank);
  void *generic = __nvvm_mapa(bars, rank);
  __nvvm_mbarrier_arrive_scope_cluster_space_cluster(__nvvm_mapa_shared_cluster(shared, rank), 1);
  __nvvm_mbarrier_arrive_scope_cluster_space_cluster(__nvvm_mapa(shared, rank), 1);
  vec<int, 2> elected = __nvvm_elect_sync(0xffffffff);
  bool done = __nvvm_mbarrier_try_wait_parity_scope_cta_space_cta(shared, 0);
  long state = __nvvm_mbarrier_arrive_scope_cta_space_cta(shared, 1);
  __attribute__((address_space(3))) void *wrong = __nvvm_mapa_shared_cluster(shared, rank); // expected-error {{cannot initialize a variable of type '__attribute__((address_space(3))) void *' with an rvalue of type '__attribute__((address_space(7))) void *'}}
}

// Immediates: constants, and in range.
__device__ void immediates(void *smem, void *map, void *bar, int n, bool flag) {
  __nvvm_cp_async_bulk_tensor_g2s_tile_1d(smem, bar, map, n, 0, 0, false, false, 0);
  __nvvm_cp_async_bulk_tensor_g2s_tile_1d(smem, bar, map, n, 0, 0, 1, 0, 2);
  __nvvm_cp_async_bulk_tensor_g2s_tile_1d(smem, bar, map, n, 0, 0, flag, false, 0); // expected-error {{argument 7 of '__nvvm_cp_async_bulk_tensor_g2s_tile_1d' must be a constant from 0 to 1, but is not a constant}}
  __nvvm_cp_async_bulk_tensor_g2s_tile_1d(smem, bar, map, n, 0, 0, false, 2, 0); // expected-error {{argument 8 of '__nvvm_cp_async_bulk_tensor_g2s_tile_1d' must be a constant from 0 to 1, but is 2}}
  __nvvm_cp_async_bulk_tensor_g2s_tile_1d(smem, bar, map, n, 0, 0, false, false, 3); // expected-error {{argument 9 of '__nvvm_cp_async_bulk_tensor_g2s_tile_1d' must be a constant from 0 to 2, but is 3}}
  __nvvm_cp_async_bulk_wait_group(0);
  __nvvm_cp_async_bulk_wait_group(constant<int, 3>());
  __nvvm_cp_async_bulk_wait_group(-1); // expected-error {{argument 1 of '__nvvm_cp_async_bulk_wait_group' must be a constant from 0 to 2147483646, but is -1}}
  __nvvm_cp_async_bulk_wait_group(n); // expected-error {{argument 1 of '__nvvm_cp_async_bulk_wait_group' must be a constant from 0 to 2147483646, but is not a constant}}
  __nvvm_discard_L2(smem, 128);
  __nvvm_discard_L2(smem, 64); // expected-error {{argument 2 of '__nvvm_discard_L2' must be the constant 128, but is 64}}
  __nvvm_st_bulk(smem, 64, 0);
  __nvvm_st_bulk(smem, 64, 1); // expected-error {{argument 3 of '__nvvm_st_bulk' must be the constant 0, but is 1}}
  __nvvm_setmaxnreg_inc_sync_aligned_u32(240);
  __nvvm_setmaxnreg_inc_sync_aligned_u32(264); // expected-error {{argument 1 of '__nvvm_setmaxnreg_inc_sync_aligned_u32' must be a constant, a multiple of 8, from 24 to 256, but is 264}}
  __nvvm_setmaxnreg_dec_sync_aligned_u32(42); // expected-error {{argument 1 of '__nvvm_setmaxnreg_dec_sync_aligned_u32' must be a constant, a multiple of 8, from 24 to 256, but is 42}}
  __nvvm_tensormap_replace_swizzle_mode(map, 5); // expected-error {{argument 2 of '__nvvm_tensormap_replace_swizzle_mode' must be a constant from 0 to 4, but is 5}}
}

// Reductions, cache policies, and copies of tensor maps.
__device__ void reductions(void *generic, __attribute__((address_space(1))) void *global, __attribute__((address_space(3))) void *shared,
                           __attribute__((address_space(7))) void *cluster, int n, bool flag) {
  u64 policy = __nvvm_createpolicy_fractional_L2_evict_first(0.5, true);
  policy = __nvvm_createpolicy_range_L2_evict_last(generic, n, n, false);
  __nvvm_createpolicy_fractional_L2_evict_first(1, 2); // expected-error {{argument 2 of '__nvvm_createpolicy_fractional_L2_evict_first' must be a constant from 0 to 1, but is 2}}
  __nvvm_createpolicy_range_global_L2_evict_last(shared, n, n, false); // expected-error {{argument 1 of '__nvvm_createpolicy_range_global_L2_evict_last' must be a pointer to global memory, or a generic pointer, but is of type '__attribute__((address_space(3))) void *'}}
  __nvvm_createpolicy_cvt_L2(generic); // expected-error {{cannot initialize a parameter of type 'long' with an lvalue of type 'void *'}}
  __nvvm_cp_reduce_async_bulk_shared_cta_to_global_add_f32(global, shared, n, 0, false);
  __nvvm_cp_reduce_async_bulk_shared_cta_to_global_add_noftz_f16(generic, generic, n, policy, true);
  __nvvm_cp_reduce_async_bulk_shared_cta_to_global_add_f32(shared, shared, n, 0, false); // expected-error {{argument 1 of '__nvvm_cp_reduce_async_bulk_shared_cta_to_global_add_f32' must be a pointer to global memory, or a generic pointer, but is of type '__attribute__((address_space(3))) void *'}}
  __nvvm_cp_reduce_async_bulk_shared_cta_to_global_add_f32(global, shared, n, 0, flag); // expected-error {{argument 5 of '__nvvm_cp_reduce_async_bulk_shared_cta_to_global_add_f32' must be a constant from 0 to 1, but is not a constant}}
  __nvvm_cp_reduce_async_bulk_shared_cta_to_cluster_add_u32(shared, cluster, shared, n);
  __nvvm_cp_reduce_async_bulk_shared_cta_to_cluster_add_u32(cluster, shared, cluster, n); // expected-error {{argument 3 of '__nvvm_cp_reduce_async_bulk_shared_cta_to_cluster_add_u32' must be a pointer to shared memory, or a generic pointer, but is of type '__attribute__((address_space(7))) void *'}}
  __nvvm_red_async_add_u64(cluster, policy, generic);
  __nvvm_red_async_add_u32(global, 1, cluster); // expected-error {{argument 1 of '__nvvm_red_async_add_u32' must be a pointer to shared memory or shared memory of the cluster, or a generic pointer, but is of type '__attribute__((address_space(1))) void *'}}
  __nvvm_st_async(cluster, 1, cluster);
  __nvvm_st_async(generic, 1.0, shared);
  __nvvm_st_async(shared, vec<float, 4>(), cluster);
  __nvvm_st_async(cluster, vec<u64, 2>(), cluster);
  __nvvm_st_async(cluster, static_cast<short>(n), cluster); // expected-error {{argument 2 of '__nvvm_st_async' must be a number of 32 or 64 bits, or a vector of 2 or 4 numbers of 32 bits or of 2 of 64 bits, but is of type 'short'}}
  __nvvm_st_async(cluster, vec<int, 3>(), cluster); // expected-error {{argument 2 of '__nvvm_st_async' must be a number of 32 or 64 bits, or a vector of 2 or 4 numbers of 32 bits or of 2 of 64 bits, but is of type 'vec<int, 3>' (vector of 3 'int' values)}}
  __nvvm_st_async(cluster, vec<double, 4>(), cluster); // expected-error {{argument 2 of '__nvvm_st_async' must be}}
  __nvvm_st_async(cluster, generic, cluster); // expected-error {{argument 2 of '__nvvm_st_async' must be a number of 32 or 64 bits, or a vector of 2 or 4 numbers of 32 bits or of 2 of 64 bits, but is of type 'void *'}}
  __nvvm_st_async(global, 1, cluster); // expected-error {{argument 1 of '__nvvm_st_async' must be a pointer to shared memory or shared memory of the cluster, or a generic pointer, but is of type '__attribute__((address_space(1))) void *'}}
  __nvvm_st_async(cluster, 1); // expected-error {{too few arguments to function call, expected 3, have 2}} expected-note {{'__nvvm_st_async' is a builtin with type 'void (void *, int, void *)'}}
  __nvvm_tensormap_cp_fenceproxy_global_shared_cta_tensormap_generic_release_gpu_sync_aligned(global, shared, 128);
  __nvvm_tensormap_cp_fenceproxy_global_shared_cta_tensormap_generic_release_gpu_sync_aligned(global, shared, 64); // expected-error {{argument 3 of '__nvvm_tensormap_cp_fenceproxy_global_shared_cta_tensormap_generic_release_gpu_sync_aligned' must be the constant 128, but is 64}}
}

// What goes to the memory of several GPUs, and asynchronously to global memory.
__device__ void several(void *generic, __attribute__((address_space(1))) void *global, __attribute__((address_space(3))) void *shared, int n) {
  vec<float, 4> sum = __nvvm_multimem_ld_reduce_weak_add_v4_f32(generic);
  sum = __nvvm_multimem_ld_reduce_add_v4_f32(global, 1, 3);
  vec<_Float16, 8> halves = __nvvm_multimem_ld_reduce_add_acc_f32_v4_f16x2(generic, 0, 0);
  vec<__bf16, 2> pair = __nvvm_multimem_ld_reduce_weak_max_bf16x2(generic);
  __nvvm_multimem_red_add_bf16x2(generic, pair, 1, 2);
  __nvvm_multimem_st_weak_v8_f16(generic, halves);
  __nvvm_multimem_st_weak_v4_f16(generic, halves); // expected-error {{cannot initialize a parameter of type '_Float16 __attribute__((ext_vector_type(4)))' (vector of 4 '_Float16' values) with an lvalue of type 'vec<_Float16, 8>' (vector of 8 '_Float16' values)}}
  __nvvm_multimem_ld_reduce_weak_add_v4_f32(shared); // expected-error {{argument 1 of '__nvvm_multimem_ld_reduce_weak_add_v4_f32' must be a pointer to global memory, or a generic pointer, but is of type '__attribute__((address_space(3))) void *'}}
  __nvvm_multimem_red_add_f32(generic, 1, 2, 0); // expected-error {{argument 3 of '__nvvm_multimem_red_add_f32' must be a constant from 0 to 1, but is 2}}
  __nvvm_multimem_red_add_f32(generic, 1, 0, 4); // expected-error {{argument 4 of '__nvvm_multimem_red_add_f32' must be a constant from 0 to 3, but is 4}}
  __nvvm_multimem_red_add_f32(generic, 1, 0, n); // expected-error {{argument 4 of '__nvvm_multimem_red_add_f32' must be a constant from 0 to 3, but is not a constant}}
  __nvvm_red_async_sys_add_u64(generic, n);
  __nvvm_red_async_sys_add_u64(shared, n); // expected-error {{argument 1 of '__nvvm_red_async_sys_add_u64' must be a pointer to global memory, or a generic pointer, but is of type '__attribute__((address_space(3))) void *'}}
  __nvvm_st_async_gpu(generic, static_cast<char>(n), false);
  __nvvm_st_async_sys(global, 1.0, false);
  __nvvm_st_async_mmio_sys(global, static_cast<short>(n));
  __nvvm_st_async_gpu(generic, vec<int, 2>(), false); // expected-error {{argument 2 of '__nvvm_st_async_gpu' must be a number of 8, 16, 32 or 64 bits, but is of type 'vec<int, 2>' (vector of 2 'int' values)}}
  __nvvm_st_async_gpu(generic, n == 0, false); // expected-error {{argument 2 of '__nvvm_st_async_gpu' must be a number of 8, 16, 32 or 64 bits, but is of type 'bool'}}
  __nvvm_st_async_gpu(generic, n, n); // expected-error {{argument 3 of '__nvvm_st_async_gpu' must be a constant from 0 to 1, but is not a constant}}
}

// Of a template they are known when it is instantiated.
template <int Registers> __device__ void registers() {
  __nvvm_setmaxnreg_dec_sync_aligned_u32(Registers); // expected-error {{argument 1 of '__nvvm_setmaxnreg_dec_sync_aligned_u32' must be a constant, a multiple of 8, from 24 to 256, but is 20}}
}
template <class T> __device__ void initialize(T bar) {
  __nvvm_mbarrier_init_shared(bar, 1); // expected-error {{argument 1 of '__nvvm_mbarrier_init_shared' must be a pointer to shared memory, or a generic pointer, but is of type 'int'}}
}
__device__ void instances(u64 *bar) {
  registers<40>();
  registers<20>(); // expected-note {{in instantiation of function template specialization 'registers<20>' requested here}}
  initialize(bar);
  initialize(1); // expected-note {{in instantiation of function template specialization 'initialize<int>' requested here}}
}

// An address in tensor memory: what tcgen05.alloc writes, or a pointer.
__device__ void tensors(unsigned address, __attribute__((address_space(6))) void *tensor, void *generic, u64 descriptor,
                        vec<int, 4> v) {
  __nvvm_tcgen05_dealloc_cg1(address, 32);
  __nvvm_tcgen05_dealloc_cg1(tensor, 32);
  __nvvm_tcgen05_dealloc_cg1(generic, 32); // expected-error {{argument 1 of '__nvvm_tcgen05_dealloc_cg1' must be an address in tensor memory, an 'unsigned int' or a pointer of address space 6, but is of type 'void *'}}
  vec<int, 4> loaded = __nvvm_tcgen05_ld_32x32b_x4(address, false);
  __nvvm_tcgen05_st_32x32b_x4(address, loaded, false);
  __nvvm_tcgen05_st_32x32b_x8(address, v, false); // expected-error {{cannot initialize a parameter of type 'int __attribute__((ext_vector_type(8)))' (vector of 8 'int' values) with an lvalue of type 'vec<int, 4>' (vector of 4 'int' values)}}
  vec<int, 5> reduced = __nvvm_tcgen05_ld_red_32x32b_x4_i32(tensor, 1);
  vec<float, 5> greatest = __nvvm_tcgen05_ld_red_16x32bx2_x4_f32(address, 2, 1, true, false);
  vec<float, 4> wrong = __nvvm_tcgen05_ld_red_32x32b_x4_f32(address, 0, false, false); // expected-error {{cannot initialize a variable of type 'vec<float, 4>' (vector of 4 'float' values) with an rvalue of type 'float __attribute__((ext_vector_type(5)))'}}
  __nvvm_tcgen05_ld_red_32x32b_x4_i32(address, 2); // expected-error {{argument 2 of '__nvvm_tcgen05_ld_red_32x32b_x4_i32' must be a constant from 0 to 1, but is 2}}
  __nvvm_tcgen05_ld_red_32x32b_x4_s32(generic, 0); // expected-error {{argument 1 of '__nvvm_tcgen05_ld_red_32x32b_x4_s32' must be an address in tensor memory, an 'unsigned int' or a pointer of address space 6, but is of type 'void *'}}
  __nvvm_tcgen05_ld_red_16x32bx2_x4_f32(address, descriptor, 1, true, false); // expected-error {{argument 2 of '__nvvm_tcgen05_ld_red_16x32bx2_x4_f32' must be a constant, but is not a constant}}
  __nvvm_tcgen05_ld_red_16x32bx2_x4_f32(address, 2, 1, true, 2); // expected-error {{argument 5 of '__nvvm_tcgen05_ld_red_16x32bx2_x4_f32' must be a constant from 0 to 1, but is 2}}
  __nvvm_tcgen05_mma_shared(address, descriptor, descriptor, 0, true, 0, 1, 0);
  __nvvm_tcgen05_mma_shared(address, descriptor, descriptor, 0, true, 4, 1, 0); // expected-error {{argument 6 of '__nvvm_tcgen05_mma_shared' must be a constant from 0 to 3, but is 4}}
  __nvvm_tcgen05_mma_shared(address, descriptor, descriptor, 0, true, 0, 0, 0); // expected-error {{argument 7 of '__nvvm_tcgen05_mma_shared' must be a constant from 1 to 2, but is 0}}
}
