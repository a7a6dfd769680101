//===- main.cpp - Tests of warp-level instructions on a GPU ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
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
