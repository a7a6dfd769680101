// A library's wrapper of wgmma, included as a system header.
template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
using accumulator = vec<float, 4>;

__attribute__((device, always_inline)) inline accumulator
library_step(accumulator d, unsigned long a, int meta) {
  __nvvm_wgmma_fence_sync_aligned();
  d = __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16(d, a, a, meta, 1, true, 1, 1, 0, 0);
  __nvvm_wgmma_commit_group_sync_aligned();
  return d;
}
