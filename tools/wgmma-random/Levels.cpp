//===- Levels.cpp - Which programs, compiled how --------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Levels.h"
#include "Operation.h"

using namespace llvm;
using namespace wgmmarandom;

static const Level AllLevels[] = {{'s', 0}, {'s', 1}, {'s', 2},
                                  {'s', 3}, {'0', 0}, {'1', 1},
                                  {'2', 2}, {'3', 3}, {'3', 0}};

std::vector<Level> wgmmarandom::levelsOf(StringRef Names, uint64_t Seed) {
  if (Names == "all")
    return {std::begin(AllLevels), std::end(AllLevels)};
  if (Names == "random")
    return {AllLevels[mix(Seed, 77) % std::size(AllLevels)]};
  std::vector<Level> Levels;
  SmallVector<StringRef, 8> Split;
  Names.split(Split, ',');
  for (StringRef Name : Split)
    if (Name.size() == 4 && Name.substr(1, 2) == "/O")
      Levels.push_back({Name[0], unsigned(Name[3] - '0')});
  return Levels;
}

std::string wgmmarandom::makeProgram(uint64_t Seed, const GeneratorOptions &O,
                                     Compiler &C) {
  std::string Text = generate(Seed, O);
  if (mix(Seed, 5) & 1)
    return Text;
  LLVMContext Context;
  std::string Error;
  std::unique_ptr<Module> M = C.parse(Text, Context, Error);
  return M ? promoteAllocas(*M) : Text;
}
