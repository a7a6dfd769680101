//===- ldmatrix.cu - Fragments of a row-major B ---------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
using Halves = vec<int, 4>; // Eight of them, neighbours in memory.

// The part of a thread in two neighbouring 16x8 matrices B for mma.m16n8k16.
// They lie in shared memory side by side, row by row; the instruction wants B's
// columns, so .trans transposes each 8x8 matrix on its way.
struct Fragments {
  vec<int, 2> left, right;
};

__device__ Fragments loadB(const Halves (*tile)[2]) {
  int lane = threadIdx.x % 32;
  // Threads 0 to 7 give the rows of the first 8x8 matrix, 8 to 15 those of the
  // second, below it; 16 to 31 those of the two to the right.
  vec<int, 4> b = __nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16(
      &tile[lane % 16][lane / 16]);
  return {b.xy, b.zw};
}

// One warp; b is 16x16.
__global__ void load(vec<int, 2> *left, vec<int, 2> *right, const Halves *b) {
  __shared__ Halves tile[16][2];
  int lane = threadIdx.x;
  tile[lane / 2][lane % 2] = b[lane];
  __syncwarp();

  Fragments fragments = loadB(tile);
  left[lane] = fragments.left;
  right[lane] = fragments.right;
}
