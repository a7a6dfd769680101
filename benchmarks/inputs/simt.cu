// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA code without matrix instructions, of the kinds that most kernels are
// made of: tiles in shared memory, unrolled arithmetic in registers, reductions
// over a warp, integer and bit operations, atomics. Needs none of CUDA's
// headers.

#define DEVICE static inline __attribute__((device))
#define GLOBAL __attribute__((global))
#define SHARED __attribute__((shared))

DEVICE int thread() { return __nvvm_read_ptx_sreg_tid_x(); }
DEVICE int block() { return __nvvm_read_ptx_sreg_ctaid_x(); }

// A tiled product: each thread keeps Rows x Columns sums in registers.
template <class T, int Tile, int Rows, int Columns>
GLOBAL void gemm(const T *a, const T *b, T *c, int n, int k) {
  SHARED static T a_tile[Tile * 16], b_tile[16 * Tile];
  T sums[Rows][Columns] = {};
  int row = thread() / (Tile / Columns) * Rows;
  int column = thread() % (Tile / Columns) * Columns;
  for (int k0 = 0; k0 < k; k0 += 16) {
    for (int i = thread(); i < Tile * 16; i += 256) {
      a_tile[i] = a[(block() * Tile + i / 16) * k + k0 + i % 16];
      b_tile[i] = b[(k0 + i / Tile) * n + i % Tile];
    }
    __nvvm_bar_sync(0);
#pragma unroll
    for (int i = 0; i < 16; ++i)
#pragma unroll
      for (int r = 0; r < Rows; ++r)
#pragma unroll
        for (int s = 0; s < Columns; ++s)
          sums[r][s] +=
              a_tile[(row + r) * 16 + i] * b_tile[i * Tile + column + s];
    __nvvm_bar_sync(0);
  }
#pragma unroll
  for (int r = 0; r < Rows; ++r)
#pragma unroll
    for (int s = 0; s < Columns; ++s)
      c[(block() * Tile + row + r) * n + column + s] = sums[r][s];
}

// The softmax of rows, reduced over a warp and then over the block.
template <int Elements> GLOBAL void softmax(const float *in, float *out) {
  SHARED static float partial[32];
  float values[Elements], sum = 0;
#pragma unroll
  for (int i = 0; i < Elements; ++i) {
    values[i] =
        __nvvm_ex2_approx_f(in[(block() * Elements + i) * 256 + thread()]);
    sum += values[i];
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __nvvm_shfl_sync_bfly_f32(~0u, sum, offset, 31);
  partial[thread() / 32] = sum;
  __nvvm_bar_sync(0);
  sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    sum += partial[i];
#pragma unroll
  for (int i = 0; i < Elements; ++i)
    out[(block() * Elements + i) * 256 + thread()] = values[i] / sum;
}

// A histogram of hashed keys.
template <class T>
GLOBAL void histogram(const T *keys, unsigned *counts, int n) {
  for (int i = block() * 256 + thread(); i < n; i += 65536) {
    T hash = keys[i];
#pragma unroll
    for (int round = 0; round < 6; ++round)
      hash = (hash ^ hash >> 15) * T(0x9e3779b1) + __builtin_popcountll(hash);
    __nvvm_atom_add_gen_i(reinterpret_cast<int *>(&counts[hash % 4096]), 1);
  }
}

template GLOBAL void gemm<float, 128, 8, 8>(const float *, const float *,
                                            float *, int, int);
template GLOBAL void gemm<float, 64, 4, 4>(const float *, const float *,
                                           float *, int, int);
template GLOBAL void gemm<double, 64, 4, 4>(const double *, const double *,
                                            double *, int, int);
template GLOBAL void gemm<int, 64, 4, 4>(const int *, const int *, int *, int,
                                         int);
template GLOBAL void softmax<4>(const float *, float *);
template GLOBAL void softmax<32>(const float *, float *);
template GLOBAL void histogram<unsigned>(const unsigned *, unsigned *, int);
template GLOBAL void histogram<unsigned long>(const unsigned long *, unsigned *,
                                              int);
