//===- layouts_run.cu - Runs the examples of layouts ----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs both kernels once on small integers and compares every element.
//
//===----------------------------------------------------------------------===//

#include "layouts/mma_sp_tile.cu"
#include "layouts/wgmma_tile.cu"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

using Halves = std::vector<uint16_t>;

static void check(cudaError_t Error) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(Error));
  std::exit(2);
}

namespace {

/// Memory of both, freed with the program.
template <class T> struct Shared {
  explicit Shared(size_t Bytes) {
    check(cudaMallocManaged(&Data, Bytes));
    std::memset(Data, 0xFF, Bytes); // NaN, unless it is written.
  }
  T *Data;
};

} // namespace

static uint16_t bits(int Value) {
  return __builtin_bit_cast(uint16_t, static_cast<_Float16>(Value));
}

static float value(uint16_t Bits) {
  return static_cast<float>(__builtin_bit_cast(_Float16, Bits));
}

static std::mt19937 Random(1);

static int nonZero() {
  int Value = static_cast<int>(Random() % 16) - 8;
  return Value < 0 ? Value : Value + 1;
}

/// A is row-major, B is column-major. Returns the number of wrong elements.
static int compare(const char *Name, const float *D, const Halves &A,
                   const Halves &B, int M, int N, int K) {
  int Wrong = 0;
  for (int Row = 0; Row < M; ++Row)
    for (int Column = 0; Column < N; ++Column) {
      float Sum = 0;
      for (int I = 0; I < K; ++I)
        Sum += value(A[Row * K + I]) * value(B[Column * K + I]);
      Wrong += D[Row * N + Column] != Sum;
    }
  std::printf("%s: %d of %d elements wrong\n", Name, Wrong, M * N);
  return Wrong;
}

static int testWgmma() {
  Halves A(M * K), B(N * K);
  for (Halves *Matrix : {&A, &B})
    for (uint16_t &Element : *Matrix)
      Element = bits(nonZero());
  Shared<uint4> DeviceA(ABytes), DeviceB(BBytes);
  Shared<float> D(M * N * sizeof(float));
  std::memcpy(DeviceA.Data, A.data(), ABytes);
  std::memcpy(DeviceB.Data, B.data(), BBytes);
  multiply<<<1, 128>>>(D.Data, DeviceA.Data, DeviceB.Data);
  check(cudaDeviceSynchronize());
  return compare("wgmma_tile", D.Data, A, B, M, N, K);
}

static int testMmaSp() {
  using layouts::Columns, layouts::Rows;
  constexpr int SparseN = 8;
  uint16_t Dense[Rows][Columns] = {};
  for (auto &Row : Dense)
    for (int Chunk = 0; Chunk < Columns; Chunk += 4)
      for (unsigned I = Random() % 3; I; --I)
        Row[Chunk + Random() % 4] = bits(nonZero());
  Halves A(&Dense[0][0], &Dense[0][0] + Rows * Columns), B(SparseN * Columns);
  for (uint16_t &Element : B)
    Element = bits(nonZero());
  Shared<layouts::CompressedTile> DeviceA(sizeof(layouts::CompressedTile));
  Shared<int> DeviceB(B.size() * 2);
  Shared<float> D(Rows * SparseN * sizeof(float));
  *DeviceA.Data = layouts::compress(Dense);
  std::memcpy(DeviceB.Data, B.data(), B.size() * 2);
  multiply<<<1, 32>>>(D.Data, DeviceA.Data, DeviceB.Data);
  check(cudaDeviceSynchronize());
  return compare("mma_sp_tile", D.Data, A, B, Rows, SparseN, Columns);
}

int main() { return testWgmma() + testMmaSp() != 0; }
