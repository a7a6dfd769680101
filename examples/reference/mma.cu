//===- mma.cu - mma with operands from shared memory ----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));
using Halves = vec<int, 4>; // Eight of them, neighbours in memory.

// D = A * B for a 16xK matrix A and a Kx8 matrix B, by one warp. A is
// row-major, B is given column by column, both of f16; K is a multiple of 16.
__global__ void multiply(float *d, const Halves *a, const Halves *b, int k) {
  // With rows of 48 bytes, eight rows do not meet in a bank.
  __shared__ Halves aTile[16][3], bTile[8][3];
  int lane = threadIdx.x;
  int row = lane / 2, column = lane % 2;

  vec<float, 4> sum = 0;
  for (int i = 0; i < k / 8; i += 2) {
    aTile[row][column] = a[row * (k / 8) + i + column];
    if (row < 8)
      bTile[row][column] = b[row * (k / 8) + i + column];
    __syncwarp();

    // Each thread gives the address of one row of one of the 8x8 matrices.
    auto aPart =
        __nvvm_ldmatrix_sync_aligned_m8n8_x4_b16(&aTile[lane % 16][lane / 16]);
    auto bPart = __nvvm_ldmatrix_sync_aligned_m8n8_x2_b16(
        &bTile[lane % 8][lane / 8 % 2]);
    sum = __nvvm_mma_m16n8k16_row_col_f32_f32(
        __builtin_bit_cast(vec<_Float16, 8>, aPart),
        __builtin_bit_cast(vec<_Float16, 4>, bPart), sum);
    __syncwarp();
  }

  // Elements 0 and 1 lie in row lane / 4, 2 and 3 eight rows below.
  auto *dPairs = (vec<float, 2> *)d + lane;
  dPairs[0] = sum.xy;
  dPairs[8 * 4] = sum.zw;
}
