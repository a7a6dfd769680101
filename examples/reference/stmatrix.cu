//===- stmatrix.cu - A tile of results to memory --------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
using Halves = vec<int, 4>; // Eight of them, neighbours in memory.

// Writes a 16x16 tile of f32 sums as f16, its rows stride pieces of eight
// halves apart. left and right are results of mma.m16n8k*: elements 0 and 1 lie
// in row lane / 4, 2 and 3 eight rows below. Straight to memory each thread
// would write 4 bytes here and there; by way of shared memory they become 16 in
// a row.
__device__ void storeTile(Halves *d, int stride, vec<float, 4> left,
                          vec<float, 4> right) {
  __shared__ Halves tile[16][3];
  int lane = threadIdx.x % 32;

  // The four 8x8 matrices, one register each: upper left, lower left, ...
  auto sums = __builtin_shufflevector(left, right, 0, 1, 2, 3, 4, 5, 6, 7);
  auto halves = __builtin_convertvector(sums, vec<_Float16, 8>);
  __nvvm_stmatrix_sync_aligned_m8n8_x4_b16(
      &tile[lane % 16][lane / 16], __builtin_bit_cast(vec<int, 4>, halves));
  __syncwarp();

  d[lane / 2 * stride + lane % 2] = tile[lane / 2][lane % 2];
}

// One warp.
__global__ void store(Halves *d, int stride, const vec<float, 4> *sums) {
  storeTile(d, stride, sums[threadIdx.x], sums[32 + threadIdx.x]);
}
