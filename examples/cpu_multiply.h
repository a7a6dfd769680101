//===- cpu_multiply.h - Matrix multiplication on the CPU --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EXAMPLES_CPU_MULTIPLY_H
#define EXAMPLES_CPU_MULTIPLY_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace reference {

/// Returns A*B, M rows of N, row-major, where \p A is M rows of \p K and \p B
/// is N columns of K, each contiguous. Adds in \p Value.
///
/// A 4x8 block of the result stays in registers while K runs, and a panel of 8
/// columns of B, rearranged so that those of one k are neighbours, stays in the
/// cache while the rows of A run past it. At the ends the blocks go beyond the
/// matrices: there they multiply zeros or the last row again.
template <class Value>
std::vector<Value> multiplyOnCPU(const std::vector<Value> &A,
                                 const std::vector<Value> &B, int M, int N,
                                 int K) {
  constexpr int BlockRows = 4, BlockColumns = 8;
  std::vector<Value> D(size_t(M) * N);

  std::atomic<int> NextColumn = 0;
  auto MultiplyPanels = [&] {
    std::vector<Value> Panel(size_t(K) * BlockColumns);
    for (int Column; (Column = NextColumn.fetch_add(BlockColumns)) < N;) {
      const int Columns = std::min(BlockColumns, N - Column);
      for (int J = 0; J < Columns; ++J)
        for (int I = 0; I < K; ++I)
          Panel[size_t(I) * BlockColumns + J] = B[size_t(Column + J) * K + I];

      for (int Row = 0; Row < M; Row += BlockRows) {
        Value Block[BlockRows][BlockColumns] = {};
        const Value *ARows[BlockRows];
        for (int R = 0; R < BlockRows; ++R)
          ARows[R] = &A[size_t(std::min(Row + R, M - 1)) * K];
        for (int I = 0; I < K; ++I) {
          const Value *BRow = &Panel[size_t(I) * BlockColumns];
          for (int R = 0; R < BlockRows; ++R)
            for (int J = 0; J < BlockColumns; ++J)
              Block[R][J] += ARows[R][I] * BRow[J];
        }
        for (int R = 0; R < std::min(BlockRows, M - Row); ++R)
          std::copy_n(Block[R], Columns, &D[size_t(Row + R) * N + Column]);
      }
    }
  };

  std::vector<std::thread> Threads(
      std::max(1u, std::thread::hardware_concurrency()));
  for (std::thread &Thread : Threads)
    Thread = std::thread(MultiplyPanels);
  for (std::thread &Thread : Threads)
    Thread.join();
  return D;
}

} // namespace reference

#endif // EXAMPLES_CPU_MULTIPLY_H
