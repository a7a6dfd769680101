//===- tiles.cu - The kernel of step 6 with other sizes -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/tutorial/choosing.md explains it. N and K are multiples of 8.
//
//===----------------------------------------------------------------------===//

#include "persistent.h"

#include <string>

using namespace tutorial;

namespace {

template <int Columns, int Stages, int ClusterSize>
bool measure(int M, int N, int K) {
  std::string Name = "tiles 128x" + std::to_string(Columns) + ", stages " +
                     std::to_string(Stages) + ", cluster " +
                     std::to_string(ClusterSize) + ",";
  return runProblem(Name.c_str(), M, N, K,
                    prepare<Shape<Columns, Stages, ClusterSize>>);
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 1 && Argc != 4) {
    std::fprintf(stderr, "usage: tiles [M N K]\n");
    return 2;
  }
  int Size[3] = {8192, 8192, 8192};
  for (int I = 1; I < Argc; ++I)
    Size[I - 1] = std::atoi(Argv[I]);
  auto [M, N, K] = Size;
  if (M <= 0 || N <= 0 || K <= 0 || N % 8 || K % 8) {
    std::fprintf(stderr, "error: N and K must be multiples of 8\n");
    return 2;
  }
  device::requireHopper();
  // Columns, with the copies ahead that fit, up to 192 KiB.
  bool IsRight = measure<64, 8, 2>(M, N, K);
  IsRight &= measure<128, 6, 2>(M, N, K);
  IsRight &= measure<192, 4, 2>(M, N, K);
  IsRight &= measure<256, 4, 2>(M, N, K);
  // Stages.
  IsRight &= measure<256, 2, 2>(M, N, K);
  IsRight &= measure<256, 3, 2>(M, N, K);
  // Clusters.
  IsRight &= measure<256, 4, 1>(M, N, K);
  IsRight &= measure<256, 4, 4>(M, N, K);
  return IsRight ? 0 : 1;
}
