//===- mma_block_scale.cu - mma with scales for blocks of K ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

// Adds A * B to sum for a 16x32 matrix A and a 32x8 matrix B of e4m3. Each row
// of A and each column of B has one scale, an ue8m0: the exponent of a power of
// two.
//
// scaleA and scaleB hold four scales each, of which byteId chooses a byte.
// Which threads contribute them, threadId chooses: 0 or 1 for a pair of four
// threads (scales of A), 0 to 3 for one of four (of B).
__device__ vec<float, 4> multiply(vec<int, 4> a, vec<int, 2> b,
                                  vec<float, 4> sum, int scaleA, int scaleB) {
  return __nvvm_mma_block_scale_m16n8k32_row_col_mxf8f6f4_f32_e4m3_e4m3_f32_ue8m0(
      a, b, sum, scaleA, /*byte_id_a=*/0, /*thread_id_a=*/0, scaleB,
      /*byte_id_b=*/0, /*thread_id_b=*/0);
}

// The fragments lie in memory as the threads hold them.
__global__ void multiplyTile(vec<float, 4> *d, const vec<int, 4> *a,
                             const vec<int, 2> *b, const int *scaleA,
                             const int *scaleB) {
  int lane = threadIdx.x;
  d[lane] = multiply(a[lane], b[lane], 0, scaleA[lane], scaleB[lane]);
}
