//===- main.cpp - Tests of warp-level instructions on a GPU ---------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CubinDevice.h"
#include "Program.h"

#include <iostream>

int main(int Argc, char **Argv) {
  return devicetest::runWarpTests(devicetest::makeCubinDevice, Argc, Argv,
                                  std::cout, std::cerr);
}
