//===- step6_persistent.cu - One block for each multiprocessor ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/tutorial/gemm.md explains it. N and K are multiples of 8.
//
//===----------------------------------------------------------------------===//

#include "persistent.h"

using namespace tutorial;

int main(int Argc, char **Argv) {
  using Sizes = Shape</*Columns=*/256, /*StageCount=*/4, /*ClusterSize=*/2>;
  return run("step6_persistent", Argc, Argv, {1, 8, 8}, prepare<Sizes>);
}
