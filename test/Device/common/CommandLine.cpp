//===- CommandLine.cpp - Of the programs of device tests ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

using namespace devicetest;

std::string CommandLine::parse(int Argc, const char *const *Argv) {
  const std::map<std::string, bool *> Flags = {
      {"--list", &List}, {"--probe", &Probe}, {"--help", &ShowHelp}};
  for (int Index = 1; Index < Argc; ++Index) {
    std::string Arg = Argv[Index];
    if (auto Flag = Flags.find(Arg); Flag != Flags.end()) {
      *Flag->second = true;
      continue;
    }
    if (Arg.empty() || Arg[0] != '-') {
      Arguments.push_back(Arg);
      continue;
    }
    auto Option = Own.find(Arg);
    if (Arg != "--json" && Arg != "--seed" && Option == Own.end())
      return "unknown option " + Arg;
    if (++Index == Argc)
      return Arg + " needs a value";
    if (Option != Own.end()) {
      Option->second = Argv[Index];
    } else if (Arg == "--json") {
      JSONFile = Argv[Index];
    } else {
      char *End;
      Seed = std::strtoull(Argv[Index], &End, 10);
      if (*End || !std::isdigit(Argv[Index][0]))
        return std::string("not a seed: ") + Argv[Index];
    }
  }
  return "";
}

static bool contains(const std::string &Name, const std::string &Filter) {
  return Name.find(Filter) != std::string::npos;
}

bool devicetest::matches(const std::string &Name,
                         const std::vector<std::string> &Filters) {
  return Filters.empty() ||
         std::any_of(Filters.begin(), Filters.end(), [&](const auto &Filter) {
           return contains(Name, Filter);
         });
}

std::string devicetest::unmatched(const std::vector<std::string> &Filters,
                                  const std::vector<std::string> &Names) {
  for (const std::string &Filter : Filters)
    if (std::none_of(Names.begin(), Names.end(),
                     [&](const auto &Name) { return contains(Name, Filter); }))
      return Filter;
  return "";
}
