//===- main.cpp - Random wgmma programs -----------------------------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma-random run [--seed S] [--count N]   random programs, compiled and
// judged wgmma-random generate [--seed S]          prints one wgmma-random
// check FILE.ll                judges one See README.md.
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Options.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace wgmmarandom;

int main(int ArgC, char **ArgV) {
  InitLLVM Guard(ArgC, ArgV);
  cl::ParseCommandLineOptions(ArgC, ArgV, "random wgmma programs\n");
  return runMode(parseOptions());
}
