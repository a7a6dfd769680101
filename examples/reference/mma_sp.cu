//===- mma_sp.cu - A compressed matrix times a dense one ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
using Halves = vec<int, 4>; // Eight of them, neighbours in memory.

// Adds A * B to sum for a 16x32 matrix A of which two in four neighbours of a
// row are zero, and a 32x8 matrix B; by one warp, f16 with an f32 sum.
//
// a: in shared memory, the non-zeros of each row: 16x16, row-major.
// b: in shared memory, 8x32: the columns of B.
// metadata: of this thread; it says where in A the non-zeros stand. Only the
// threads that the selector selects contribute it: with 0, the lower two of
// each four.
__device__ vec<float, 4> multiply(vec<float, 4> sum, const Halves (*a)[2],
                                  const Halves (*b)[4], int metadata) {
  int lane = threadIdx.x % 32;
  auto aPart =
      __nvvm_ldmatrix_sync_aligned_m8n8_x4_b16(&a[lane % 16][lane / 16]);
  auto bPart = __nvvm_ldmatrix_sync_aligned_m8n8_x4_b16(&b[lane % 8][lane / 8]);
  return __nvvm_mma_sp_ordered_metadata_m16n8k32_row_col_f32_f32(
      __builtin_bit_cast(vec<_Float16, 8>, aPart),
      __builtin_bit_cast(vec<_Float16, 8>, bPart), sum, metadata,
      /*selector=*/0);
}

// One warp; d is 16x8.
__global__ void multiplyTile(float *d, const Halves *a, const Halves *b,
                             const int *metadata) {
  __shared__ Halves aTile[16][2], bTile[8][4];
  int lane = threadIdx.x;
  aTile[lane / 2][lane % 2] = a[lane];
  bTile[lane / 4][lane % 4] = b[lane];
  __syncwarp();

  vec<float, 4> sum = multiply(0, aTile, bTile, metadata[lane]);
  auto *dPairs = (vec<float, 2> *)d + lane;
  dPairs[0] = sum.xy;
  dPairs[8 * 4] = sum.zw;
}
