//===- main.cpp - Random wgmma programs -----------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What it can do is said in Options.cpp, for --help, and in README.md.
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Options.h"

#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace wgmmarandom;

int main(int ArgC, char **ArgV) {
  InitLLVM Guard(ArgC, ArgV);
  return runMode(parseOptions(ArgC, ArgV));
}
