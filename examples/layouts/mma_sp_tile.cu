//===- mma_sp_tile.cu - A 16x8 tile of D with mma.sp ----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worked example of docs/sparsity.md: D = A * B for a 2:4 sparse 16x32 A
// and a 32x8 B of f16, by one warp.
//
//===----------------------------------------------------------------------===//

#include "compress.h"

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

// A is what compress() made on the host. B is column-major: 8 columns of 32
// halves, of which a register holds two neighbours.
__global__ void multiply(float *D, const layouts::CompressedTile *A,
                         const int *B) {
  constexpr int Selector = 0;
  int Lane = threadIdx.x;
  vec<int, 4> AFragment, BFragment;
  for (int R = 0; R < 4; ++R) {
    AFragment[R] = layouts::fragment(*A, Lane, R);
    BFragment[R] = B[Lane / 4 * 16 + Lane % 4 + 4 * R];
  }
  vec<float, 4> Sum = 0;
  Sum = __nvvm_mma_sp_ordered_metadata_m16n8k32_row_col_f32_f32(
      __builtin_bit_cast(vec<_Float16, 8>, AFragment),
      __builtin_bit_cast(vec<_Float16, 8>, BFragment), Sum,
      layouts::metadata(*A, Lane, Selector), Selector);
  for (int R = 0; R < 4; ++R)
    D[(Lane / 4 + 8 * (R / 2)) * 8 + 2 * (Lane % 4) + R % 2] = Sum[R];
}
