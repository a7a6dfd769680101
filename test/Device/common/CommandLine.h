//===- CommandLine.h - Of the programs of device tests ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_COMMON_COMMANDLINE_H
#define NVPTX_MMA_TEST_DEVICE_COMMON_COMMANDLINE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace devicetest {

enum ExitCode { Passed = 0, Failed = 1, Usage = 2, NoDevice = 3 };

struct CommandLine {
  /// Returns what is wrong, or nothing. What the program has besides the
  /// options here stands in Own before, and takes a value.
  std::string parse(int Argc, const char *const *Argv);

  bool List = false;
  bool Probe = false;
  bool ShowHelp = false;
  std::string JSONFile;
  uint64_t Seed = 0;
  std::map<std::string, std::string> Own;
  std::vector<std::string> Arguments;
};

/// Whether the name contains one of the filters, or there is none.
bool matches(const std::string &Name, const std::vector<std::string> &Filters);

/// The first filter that no name contains; nothing if each is in one.
std::string unmatched(const std::vector<std::string> &Filters,
                      const std::vector<std::string> &Names);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_COMMON_COMMANDLINE_H
