//===- wgmma-loop-f16-f16.cu - Loops, f16 accumulators, f16 -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// REQUIRES: cuda-toolkit
// RUN: %compile-device-test %s -o %t.o 2>&1 | %check-ptxas-notes
// RUN: %if wgmma-gpu %{ clang++ %t.o -o %t %device-libs && %t %}

#include "LoopTests.h"

using namespace devicetest;

int main(int Argc, char **Argv) {
  return runLoopTests<dense_f16_f16_f16>(Argc, Argv);
}
