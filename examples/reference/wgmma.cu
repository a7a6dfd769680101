//===- wgmma.cu - A step of a warpgroup -----------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <nvptx_wgmma.h>

namespace wgmma = nvptx::wgmma;

// Adds A * B to sum for a 64x64 matrix A and a 64xN matrix B of f16, both in
// shared memory: 64 elements of K, 128 bytes, make a row of A and a column of
// B; eight of them, 1024 bytes, a pattern of the 128-byte swizzle.
template <int N>
__device__ wgmma::accumulator_f32<N> multiply(wgmma::accumulator_f32<N> sum,
                                              const void *a, const void *b) {
  constexpr auto swizzle = wgmma::swizzle::bytes_128;
  unsigned long aDesc = wgmma::descriptor(a, 0, 1024, swizzle);
  unsigned long bDesc = wgmma::descriptor(b, 0, 1024, swizzle);

  wgmma::fence_operand(sum); // It is written before the fence.
  wgmma::fence();
#pragma unroll
  for (int i = 0; i < 4; ++i) // Each takes 16 of K, 32 bytes.
    sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(
        sum, wgmma::advance(aDesc, 32 * i), wgmma::advance(bDesc, 32 * i),
        /*scale_d=*/true, /*scale_a=*/1, /*scale_b=*/1, /*trans_a=*/false,
        /*trans_b=*/false);
  wgmma::commit_group();
  wgmma::wait_group<0>();
  wgmma::fence_operand(sum); // It is read after the wait.
  return sum;
}

// One warpgroup. A and B come as they are to lie in shared memory.
__global__ void multiplyTile(float *d, const int4 *a, const int4 *b) {
  __shared__ alignas(1024) int4 aTile[64 * 8], bTile[128 * 8];
  for (int i = threadIdx.x; i < 64 * 8; i += 128)
    aTile[i] = a[i];
  for (int i = threadIdx.x; i < 128 * 8; i += 128)
    bTile[i] = b[i];
  wgmma::fence_proxy_async(); // What was stored is read by another way.
  __syncthreads();

  wgmma::accumulator_f32<128> sum = multiply<128>(0, aTile, bTile);
#pragma unroll
  for (int i = 0; i < 64; ++i)
    d[wgmma::accumulator_row(threadIdx.x, i) * 128 +
      wgmma::accumulator_col(threadIdx.x, i)] = sum[i];
}
