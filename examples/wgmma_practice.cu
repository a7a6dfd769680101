//===- wgmma_practice.cu - Three habits of kernels with wgmma -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptors that are known to be uniform, accumulators that are indexed by
// constants, and code that is compiled for other architectures, too.
// docs/wgmma.md describes them.
//
//===----------------------------------------------------------------------===//

#include <nvptx_wgmma.h>

namespace wgmma = nvptx::wgmma;

extern __shared__ __align__(1024) char Tiles[];

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
// Each warpgroup multiplies a 64x64 tile of its own by one 64x64 tile that all
// share, Steps times, and writes the sum to its part of Out.
__device__ void multiplyTiles(float *Out, int Steps) {
  // The same number in all threads of a warp, which the shuffle tells ptxas.
  unsigned Warpgroup = __shfl_sync(0xffffffff, threadIdx.x / 128, 0);
  unsigned long A = wgmma::descriptor(Tiles + 8192 * Warpgroup, 16, 1024,
                                      wgmma::swizzle::bytes_128);
  unsigned long B = wgmma::descriptor(Tiles + 8192 * (blockDim.x / 128), 16,
                                      1024, wgmma::swizzle::bytes_128);
  wgmma::accumulator_f32<64> Sum = {};
  for (int Step = 0; Step != Steps; ++Step) {
    wgmma::fence_operand(Sum);
    wgmma::fence();
#pragma unroll
    for (int K = 0; K != 4; ++K)
      Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(
          Sum, wgmma::advance(A, 32 * K), wgmma::advance(B, 32 * K),
          /*scale_d=*/true, /*scale_a=*/1, /*scale_b=*/1, /*trans_a=*/false,
          /*trans_b=*/false);
    wgmma::commit_group();
    wgmma::wait_group<0>();
    wgmma::fence_operand(Sum);
  }

  // Unrolled, so that each element is a register of its own.
  int Thread = threadIdx.x % 128;
#pragma unroll
  for (int I = 0; I != 32; ++I)
    Out[4096 * Warpgroup + 64 * wgmma::accumulator_row(Thread, I) +
        wgmma::accumulator_col(Thread, I)] = Sum[I];
}
#endif

// Compiled for sm_80 as well, where it does nothing.
__global__ void kernel(float *Out, int Steps) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  multiplyTiles(Out, Steps);
#endif
}
