//===- wmma.cu - A product of 16x16 tiles ---------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

// D = A * B, all row-major, with sizes that are multiples of 16. Each warp
// computes one 16x16 tile of D: launch blocks of 32 threads, (n / 16, m / 16)
// of them. The fragments are values: no array, no address.
__global__ void multiply(float *d, const _Float16 *a, const _Float16 *b, int n,
                         int k) {
  const _Float16 *aRows = a + 16 * blockIdx.y * k;
  const _Float16 *bColumns = b + 16 * blockIdx.x;

  vec<float, 8> sum = 0;
  for (int i = 0; i < k; i += 16) {
    auto aTile = __nvvm_wmma_m16n16k16_load_a_row_stride_f16(aRows + i, k);
    auto bTile =
        __nvvm_wmma_m16n16k16_load_b_row_stride_f16(bColumns + i * n, n);
    sum = __nvvm_wmma_m16n16k16_mma_row_row_f32_f32(aTile, bTile, sum);
  }

  float *dTile = d + 16 * blockIdx.y * n + 16 * blockIdx.x;
  __nvvm_wmma_m16n16k16_store_d_row_stride_f32(dTile, sum, n);
}
