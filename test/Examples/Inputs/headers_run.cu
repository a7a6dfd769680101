//===- headers_run.cu - What the headers of kernels leave in memory -------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of nvptx_epilogue.h what the examples do not use: boxes of each swizzle by
// TMA, added and stored, and sums of fp8 that become A again. Prints a line for
// each.
//
//===----------------------------------------------------------------------===//

#include "device.h"

#include <cuda_fp8.h>
#include <nvptx_epilogue.h>
#include <nvptx_tensor_map.h>

using namespace device;
using namespace nvptx;

namespace {

constexpr int Rows = 64, Columns = 64;

/// A number that f16 has, another one for each element.
__host__ __device__ constexpr float valueAt(int Row, int Column) {
  return float(Row * 32 + Column % 32) / 2 - float(Column / 32) * 1000;
}

__device__ char *align(char *Memory) {
  return Memory + (-__cvta_generic_to_shared(Memory) & 1023);
}

/// One warpgroup: stores 64 rows and columns of f16 in boxes of the swizzle's
/// width.
template <wgmma::swizzle Mode>
__global__ void storeHalves(const __grid_constant__ tensor_map Map) {
  extern __shared__ char Dynamic[];
  constexpr int Width = 128 >> int(Mode);
  char *Boxes = align(Dynamic);
  wgmma::accumulator_f32<Columns> Sum;
  wgmma::for_each_element<Columns / 2>(
      threadIdx.x,
      [&](auto R, int Row, int Column) { Sum[R()] = valueAt(Row, Column); });
  auto Halves = wgmma::to_f16(Sum);
  wgmma::static_for<Columns / Width>([&](auto Box) {
    wgmma::store_box<Mode, Box() * Width>(Boxes + Box() * Rows * Width * 2,
                                          Halves, threadIdx.x);
  });
  wgmma::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int Box = 0; Box < Columns / Width; ++Box)
      tma::store(Map, Boxes + Box * Rows * Width * 2, Box * Width, 0);
    tma::commit_group();
    tma::wait_group<0>();
  }
}

/// The same of f32, added twice to what is there.
__global__ void addFloats(const __grid_constant__ tensor_map Map) {
  extern __shared__ char Dynamic[];
  char *Box = align(Dynamic);
  wgmma::accumulator_f32<Columns> Sum;
  wgmma::for_each_element<Columns / 2>(
      threadIdx.x,
      [&](auto R, int Row, int Column) { Sum[R()] = valueAt(Row, Column); });
  wgmma::store_box_32<0>(Box, Sum, threadIdx.x);
  wgmma::store_box_32<32>(Box + 64 * 128, Sum, threadIdx.x);
  wgmma::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int I = 0; I < 4; ++I)
      tma::reduce_add(Map, Box + I % 2 * 64 * 128, I % 2 * 32, 0);
    tma::commit_group();
    tma::wait_group<0>();
  }
}

/// Small integers, which e4m3 and e5m2 have.
__host__ __device__ constexpr int weightAt(int Row, int Column) {
  return (Row * 7 + Column * 5) % 9 - 4;
}

/// One warpgroup: multiplies 64x64 weights, converted to fp8 in registers, by
/// the matrix of the map: 8 columns of 64, in the order of fp8_column().
template <bool IsE5M2>
__global__ void multiplyAgain(const __grid_constant__ tensor_map Map,
                              float *Out) {
  extern __shared__ char Dynamic[];
  __shared__ mbarrier Full;
  char *B = align(Dynamic);
  if (threadIdx.x == 0) {
    Full.init(1);
    fence_mbarrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    Full.arrive_expect_tx(8 * 64);
    tma::load(B, Full, Map, 0, 0);
  }
  Full.wait(0);
  wgmma::accumulator_f32<64> Weights;
  wgmma::for_each_element<32>(threadIdx.x, [&](auto R, int Row, int Column) {
    Weights[R()] = float(weightAt(Row, Column));
  });
  wgmma::accumulator_f32<8> Sum = {};
  wgmma::fence_operand(Sum);
  wgmma::fence();
  unsigned long Descriptor =
      wgmma::descriptor(B, 16, 512, wgmma::swizzle::bytes_64);
  wgmma::static_for<2>([&](auto Step) {
    unsigned long Part = wgmma::advance(Descriptor, 32 * Step());
    if constexpr (IsE5M2)
      Sum = __nvvm_wgmma_mma_async_rs_f32_e5m2_e4m3(
          Sum, wgmma::as_a_fragment<Step()>(wgmma::to_e5m2(Weights)), Part,
          true, 1, 1);
    else
      Sum = __nvvm_wgmma_mma_async_rs_f32_e4m3_e4m3(
          Sum, wgmma::as_a_fragment<Step()>(wgmma::to_e4m3(Weights)), Part,
          true, 1, 1);
  });
  wgmma::commit_group();
  wgmma::wait_group<0>();
  wgmma::fence_operand(Sum);
  wgmma::for_each_element<4>(threadIdx.x, [&](auto R, int Row, int Column) {
    Out[Row * 8 + Column] = Sum[R()];
  });
}

/// Of all that was tested.
int WrongElements = 0;

void report(const char *What, int Wrong) {
  std::printf("%s: %d elements wrong\n", What, Wrong);
  WrongElements += Wrong;
}

template <wgmma::swizzle Mode> void testHalves(const char *What) {
  Buffer<__half> D(Rows * Columns);
  tensor_map Map;
  check(make_tensor_map(Map, tensor_type::f16, D.get(), {Columns, Rows},
                        {Columns * 2}, {128 >> int(Mode), Rows}, Mode),
        "make_tensor_map");
  storeHalves<Mode><<<1, 128, 1024 + Rows * Columns * 2>>>(Map);
  check(cudaDeviceSynchronize(), What);
  auto Got = D.read(0, Rows * Columns);
  int Wrong = 0;
  for (int I = 0; I < Rows * Columns; ++I)
    Wrong += float(Got[I]) != float(__half(valueAt(I / Columns, I % Columns)));
  report(What, Wrong);
}

void testFloats() {
  Buffer<float> D(Rows * Columns);
  check(cudaMemset(D.get(), 0, Rows * Columns * 4), "cudaMemset");
  tensor_map Map;
  check(make_tensor_map(Map, tensor_type::f32, D.get(), {Columns, Rows},
                        {Columns * 4}, {32, Rows}, wgmma::swizzle::bytes_128),
        "make_tensor_map");
  addFloats<<<1, 128, 1024 + Rows * Columns * 4>>>(Map);
  check(cudaDeviceSynchronize(), "addFloats");
  auto Got = D.read(0, Rows * Columns);
  int Wrong = 0;
  for (int I = 0; I < Rows * Columns; ++I)
    Wrong += Got[I] != 2 * valueAt(I / Columns, I % Columns);
  report("f32 added", Wrong);
}

template <bool IsE5M2> void testFP8(const char *What) {
  constexpr int K = 64, N = 8;
  // Column n of B has, at k, the row fp8_column(k) of it.
  std::vector<__nv_fp8_e4m3> B(N * K);
  for (int Column = 0; Column < N; ++Column)
    for (int I = 0; I < K; ++I)
      B[Column * K + I] = __nv_fp8_e4m3(
          float(weightAt(Column + 3, I / 32 * 32 + wgmma::fp8_column(I % 32))));
  Buffer<__nv_fp8_e4m3> OnDevice(B.size());
  check(cudaMemcpy(OnDevice.get(), B.data(), B.size(), cudaMemcpyHostToDevice),
        "cudaMemcpy");
  tensor_map Map;
  check(make_tensor_map(Map, tensor_type::u8, OnDevice.get(), {K, N}, {K},
                        {K, N}, wgmma::swizzle::bytes_64),
        "make_tensor_map");
  Buffer<float> D(Rows * N);
  multiplyAgain<IsE5M2><<<1, 128, 2048>>>(Map, D.get());
  check(cudaDeviceSynchronize(), What);
  auto Got = D.read(0, Rows * N);
  int Wrong = 0;
  for (int Row = 0; Row < Rows; ++Row)
    for (int Column = 0; Column < N; ++Column) {
      int Sum = 0;
      for (int I = 0; I < K; ++I)
        Sum += weightAt(Row, I) * weightAt(Column + 3, I);
      Wrong += Got[Row * N + Column] != float(Sum);
    }
  report(What, Wrong);
}

} // namespace

int main() {
  requireHopper();
  testHalves<wgmma::swizzle::bytes_128>("f16, 128 bytes");
  testHalves<wgmma::swizzle::bytes_64>("f16, 64 bytes");
  testHalves<wgmma::swizzle::bytes_32>("f16, 32 bytes");
  testFloats();
  testFP8<false>("e4m3 multiplied again");
  testFP8<true>("e5m2 multiplied again");
  return WrongElements != 0;
}
