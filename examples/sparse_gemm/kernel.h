//===- kernel.h - D = A*B with 2:4 sparse A on sm_90a -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread block computes a tile of D, each of its warpgroups 64 rows of it.
// Along K it goes tile by tile: every thread copies a part of the tiles of A
// and B from global to shared memory with cp.async, and the warpgroups multiply
// them from there with wgmma.mma_async.sp.
//
// While tile k is multiplied, tiles k+1 to k+Ahead are being copied, each to a
// stage of its own.
//
// The multiplication reads its metadata register late, like those of its other
// operands: tile k's has to keep its value until tile k has been waited for.
// That is why the metadata goes through shared memory too, and is read from
// there when it is needed, rather than into registers while the tile before is
// in flight.
//
//===----------------------------------------------------------------------===//

#ifndef SPARSE_GEMM_KERNEL_H
#define SPARSE_GEMM_KERNEL_H

#include "compress.h"
#include "tile.h"

#include <nvptx_wgmma.h>

namespace sparse_gemm {

namespace wgmma = nvptx::wgmma;

/// Tiles whose copies are started before they are needed.
constexpr int Ahead = 2;
/// And one that is being multiplied.
constexpr int Stages = Ahead + 1;

/// Shared memory holds rows of 128 bytes, swizzled: A's 64 packed elements of a
/// K tile are one row, B's 128 elements a row in each of two blocks.
constexpr int SwizzledRow = 128;
constexpr int RowsPerPattern = 8;
constexpr int PatternBytes = RowsPerPattern * SwizzledRow;
constexpr int ABytes = TileM * SwizzledRow;
constexpr int BBlockBytes = TileN * SwizzledRow;
/// Behind them, the metadata of each thread.
constexpr int MetadataOffset = ABytes + 2 * BBlockBytes;
constexpr int StageBytes = MetadataOffset + BlockThreads * sizeof(uint2);
static_assert(StageBytes % PatternBytes == 0, "swizzled rows out of place");

/// The swizzle follows the address's bits, so that every block of rows must
/// start at a multiple of the pattern's size. CUDA does not promise that for
/// the start of dynamic shared memory: there is room to move it up.
constexpr int SharedBytes = Stages * StageBytes + PatternBytes;
static_assert(SharedBytes <= 227 * 1024, "more than a thread block can have");

__device__ inline void copyAsync16(void *Shared, const void *Global) {
  __nvvm_cp_async_cg_shared_global_16(
      (__attribute__((address_space(3))) void *)Shared,
      (const __attribute__((address_space(1))) void *)Global);
}

__device__ inline void copyAsync8(void *Shared, const void *Global) {
  __nvvm_cp_async_ca_shared_global_8(
      (__attribute__((address_space(3))) void *)Shared,
      (const __attribute__((address_space(1))) void *)Global);
}

/// Starts copying \p Rows rows of 128 bytes, \p RowBytes apart in global
/// memory, to swizzled rows in shared memory. The whole block takes part.
template <int Rows>
__device__ void copyRows(char *Shared, const char *Global, size_t RowBytes) {
  constexpr int Pieces = SwizzledRow / 16;
  static_assert(Rows * Pieces % BlockThreads == 0, "unequal shares");
#pragma unroll
  for (int I = 0; I < Rows * Pieces / BlockThreads; ++I) {
    int Index = I * BlockThreads + threadIdx.x;
    int Row = Index / Pieces, Piece = Index % Pieces;
    int Place = Piece ^ Row % RowsPerPattern;
    copyAsync16(Shared + Row * SwizzledRow + Place * 16,
                Global + Row * RowBytes + Piece * 16);
  }
}

/// Issues one wgmma: 64 rows of A and TileN columns of B, 32 of K.
template <int Selector>
__device__ void multiply(wgmma::accumulator_f32<TileN> &Sum, unsigned long A,
                         unsigned long B, unsigned Metadata) {
  Sum = __nvvm_wgmma_mma_async_sp_ss_f32_f16_f16(
      Sum, A, B, Metadata, Selector, /*scale_d=*/true, /*scale_a=*/1,
      /*scale_b=*/1, /*trans_a=*/false, /*trans_b=*/false);
}

/// D = A*B. \p AValues (M rows of K/2 halves) and \p AMetadata are a
/// CompressedMatrix; \p B is column-major, that is N columns of K contiguous
/// halves; \p D is M rows of N. The grid is M / TileM by N / TileN blocks of
/// BlockThreads, with SharedBytes of dynamic shared memory.
__global__ void __launch_bounds__(BlockThreads, 1)
    sparseGemm(const char *__restrict__ AValues,
               const uint2 *__restrict__ AMetadata, const char *__restrict__ B,
               float *__restrict__ D, int N, int K) {
  extern __shared__ char Dynamic[];
  char *Shared =
      Dynamic + (-__cvta_generic_to_shared(Dynamic) & (PatternBytes - 1));

  const int Tiles = K / TileK;
  const int Row0 = blockIdx.x * TileM, Column0 = blockIdx.y * TileN;
  const int Thread = threadIdx.x % WarpgroupThreads;
  // The shuffle tells the compiler that a warp agrees on it: descriptors then
  // stay in uniform registers, where wgmma wants them.
  const int Warpgroup =
      __shfl_sync(~0u, static_cast<int>(threadIdx.x) / WarpgroupThreads, 0);

  // K/2 halves and K halves.
  const size_t ARowBytes = K, BRowBytes = size_t(K) * 2;
  const char *ATile = AValues + Row0 * ARowBytes;
  const char *BTile = B + Column0 * BRowBytes;
  static_assert(MetadataWords == 2, "a thread's metadata is copied as a uint2");
  const uint2 *MetadataTile =
      AMetadata +
      size_t(Row0 / WarpgroupRows + Warpgroup) * Tiles * WarpgroupThreads +
      Thread;
  const int MetadataPlace = MetadataOffset + threadIdx.x * sizeof(uint2);
  auto StartCopy = [&](int Tile) {
    if (Tile < Tiles) {
      char *Stage = Shared + Tile % Stages * StageBytes;
      const char *BPart = BTile + size_t(Tile) * 2 * SwizzledRow;
      copyRows<TileM>(Stage, ATile + size_t(Tile) * SwizzledRow, ARowBytes);
      copyRows<TileN>(Stage + ABytes, BPart, BRowBytes);
      copyRows<TileN>(Stage + ABytes + BBlockBytes, BPart + SwizzledRow,
                      BRowBytes);
      copyAsync8(Stage + MetadataPlace,
                 MetadataTile + size_t(Tile) * WarpgroupThreads);
    }
    // An empty group past the end keeps the count for the wait.
    __nvvm_cp_async_commit_group();
  };

  for (int Tile = 0; Tile < Ahead; ++Tile)
    StartCopy(Tile);

  wgmma::accumulator_f32<TileN> Sum = {};
  // Once is enough: inside the loop only multiplications access Sum.
  wgmma::fence_operand(Sum);
  for (int Tile = 0; Tile < Tiles; ++Tile) {
    __nvvm_cp_async_wait_group(Ahead - 1);
    wgmma::fence_proxy_async();
    // Now every thread's copies of this tile are there, and every warpgroup has
    // finished tile Tile-1, whose stage the next copy overwrites.
    __syncthreads();
    StartCopy(Tile + Ahead);

    const char *Stage = Shared + Tile % Stages * StageBytes;
    const uint2 Metadata =
        *reinterpret_cast<const uint2 *>(Stage + MetadataPlace);
    // The leading offset has no meaning where a swizzled row holds all of K.
    unsigned long ADescriptor = wgmma::descriptor(
        Stage + Warpgroup * WarpgroupRows * SwizzledRow,
        /*leading_byte_offset=*/16, PatternBytes, wgmma::swizzle::bytes_128);
    unsigned long BDescriptor =
        wgmma::descriptor(Stage + ABytes, /*leading_byte_offset=*/16,
                          PatternBytes, wgmma::swizzle::bytes_128);

    // The zeros need the fence once; ptxas puts it into each round if it is not
    // there.
    wgmma::fence();
    // 64 columns of K at a time: one block of B, one word of metadata, and in
    // it one selector for each 32 columns. These are 64 bytes of a row of B and
    // 32 of the packed A.
#pragma unroll
    for (int Half = 0; Half < 2; ++Half) {
      unsigned long A = wgmma::advance(ADescriptor, Half * 64);
      unsigned long BHalf = wgmma::advance(BDescriptor, Half * BBlockBytes);
      unsigned Word = Half == 0 ? Metadata.x : Metadata.y;
      multiply<0>(Sum, A, BHalf, Word);
      multiply<1>(Sum, wgmma::advance(A, 32), wgmma::advance(BHalf, 64), Word);
    }
    wgmma::commit_group();
    wgmma::wait_group<0>();
  }
  wgmma::fence_operand(Sum);

  float *DTile = D + size_t(Row0 + Warpgroup * WarpgroupRows) * N + Column0;
#pragma unroll
  for (int I = 0; I < TileN / 2; I += 2) {
    int Row = wgmma::accumulator_row(Thread, I);
    int Column = wgmma::accumulator_col(Thread, I);
    *reinterpret_cast<float2 *>(DTile + size_t(Row) * N + Column) =
        make_float2(Sum[I], Sum[I + 1]);
  }
}

} // namespace sparse_gemm

#endif // SPARSE_GEMM_KERNEL_H
