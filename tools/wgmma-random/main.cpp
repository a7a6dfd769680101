//===- main.cpp - Random wgmma programs -----------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   wgmma-random run          random programs, compiled and judged
//   wgmma-random plant        the same with faults planted into the PTX
//   wgmma-random invalid      invalid programs
//   wgmma-random generate     prints a program
//   wgmma-random check F.ll   judges one
//   wgmma-random emit-device  kernels and results to be taken to a GPU
//   wgmma-random reduce F.ll  makes it as small as its findings allow
//
// See README.md.
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
  return runMode(parseOptions(ArgV[0]));
}
