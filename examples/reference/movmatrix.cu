//===- movmatrix.cu - A result as an operand ------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

// The result of one multiplication is the B of the next. Of a 16x8 result of
// f16 a thread holds pairs of neighbours in a row; as B of mma.m16n8k16 it has
// to hold pairs of neighbours in a column. So each 8x8 half is transposed, in
// registers.
__device__ vec<_Float16, 4> resultAsB(vec<_Float16, 4> result) {
  auto halves = __builtin_bit_cast(vec<int, 2>, result);
  halves.x = __nvvm_movmatrix_sync_aligned_m8n8_trans_b16(halves.x);
  halves.y = __nvvm_movmatrix_sync_aligned_m8n8_trans_b16(halves.y);
  return __builtin_bit_cast(vec<_Float16, 4>, halves);
}

// D = A2 * (A1 * B). The fragments lie in memory as the threads hold them.
__global__ void multiplyTwice(vec<float, 4> *d, const vec<_Float16, 8> *a2,
                              const vec<_Float16, 8> *a1,
                              const vec<_Float16, 4> *b) {
  int lane = threadIdx.x;
  auto first = __nvvm_mma_m16n8k16_row_col_f16_f16(a1[lane], b[lane],
                                                   vec<_Float16, 4>{});
  d[lane] = __nvvm_mma_m16n8k16_row_col_f32_f32(a2[lane], resultAsB(first),
                                                vec<float, 4>{});
}
