//===- Reducer.cpp - Programs as small as can be --------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reducer.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace wgmmarandom;

int wgmmarandom::reduce(const Options &O) {
  ErrorOr<std::string> Tool = sys::findProgramByName("llvm-reduce-22");
  if (!Tool)
    Tool = sys::findProgramByName("llvm-reduce");
  if (!Tool) {
    errs() << "llvm-reduce is not in PATH\n";
    return 2;
  }
  std::string Self = sys::fs::getMainExecutable(O.Program.c_str(), nullptr);
  SmallVector<std::string, 16> Words = {*Tool,
                                        "--test=" + Self,
                                        "--test-arg=interesting",
                                        "--test-arg=--levels=" + O.Levels,
                                        "--test-arg=--only=" + O.Only,
                                        "--test-arg=--seed=" + utostr(O.Seed),
                                        "--test-arg=--executions=" +
                                            utostr(O.Executions),
                                        "-o",
                                        O.Output,
                                        O.Input};
  if (!O.PTXAS.empty())
    Words.insert(Words.begin() + 3, "--test-arg=--ptxas=" + O.PTXAS);
  SmallVector<StringRef, 16> Arguments(Words.begin(), Words.end());
  return sys::ExecuteAndWait(*Tool, Arguments);
}
