//===- options.h - Command line of sparse_gemm ------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSE_GEMM_OPTIONS_H
#define SPARSE_GEMM_OPTIONS_H

#include "tile.h"

#include <charconv>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace sparse_gemm {

/// The inputs are multiples of 1/16 of magnitude at most 1, so that products
/// are multiples of 1/256 and a sum of K/2 of them, in units of 1/256, is at
/// most 128 * K. Up to 2^24 f32 holds every such sum exactly, in any order of
/// addition. M and N have the same limit, only for the sake of one rule.
constexpr int MaxSize = (1 << 24) / 128;

struct Options {
  int M = 4096, N = 4096, K = 4096;
  int Repeat = 20;
  bool CheckOnly = false;
};

enum class ParseResult { Run, Help, Error };

inline std::string helpText() {
  const std::string Tile = std::to_string(TileM) + ", " +
                           std::to_string(TileN) + " and " +
                           std::to_string(TileK);
  return "Usage: sparse_gemm [options] [M N K]\n"
         "\n"
         "Multiplies D = A*B on a GPU of compute capability 9.0 with\n"
         "wgmma.mma_async.sp and checks every element of D against the CPU.\n"
         "A is M x K, f16, 2:4 sparse; B is K x N, f16; D is M x N, f32.\n"
         "M, N and K must be multiples of " +
         Tile + ", and at most " + std::to_string(MaxSize) +
         ".\n"
         "\n"
         "  --m M, --n N, --k K  sizes one by one (default 4096)\n"
         "  --repeat COUNT       launches to take the median time of (20)\n"
         "  --check-only         one launch, no timing; --no-time is the same\n"
         "  --help               this text\n"
         "\n"
         "Exit code: 0 right, 1 wrong result, 2 bad command line, 3 no "
         "suitable\n"
         "GPU, 4 CUDA or memory failure.\n";
}

/// Reads \p Arguments (without the program's name) into \p Opts. On
/// ParseResult::Error, \p Error is one line that says what is wrong.
inline ParseResult parseOptions(const std::vector<const char *> &Arguments,
                                Options &Opts, std::string &Error) {
  // Reads a number within [Multiple, Max] that Multiple divides.
  auto ParseNumber = [&](std::string_view Text, const char *Name, int Multiple,
                         int Max, int &Number) {
    const char *End = Text.data() + Text.size();
    auto [Rest, Code] = std::from_chars(Text.data(), End, Number);
    if (Code == std::errc() && Rest == End && Number >= Multiple &&
        Number <= Max && Number % Multiple == 0)
      return true;
    std::string Rule =
        Multiple > 1 ? "a multiple of " + std::to_string(Multiple) + " " : "";
    Error = std::string(Name) + " must be " + Rule + "from " +
            std::to_string(Multiple) + " to " + std::to_string(Max) +
            ", not '" + std::string(Text) + "'";
    return false;
  };

  struct {
    const char *Option, *Name;
    int Multiple, Max;
    int &Number;
  } Numbers[] = {{"--m", "M", TileM, MaxSize, Opts.M},
                 {"--n", "N", TileN, MaxSize, Opts.N},
                 {"--k", "K", TileK, MaxSize, Opts.K},
                 {"--repeat", "--repeat", 1, 1000000, Opts.Repeat}};

  size_t Sizes = 0;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    std::string_view Argument = Arguments[I];
    if (Argument == "--help" || Argument == "-h")
      return ParseResult::Help;
    if (Argument == "--check-only" || Argument == "--no-time") {
      Opts.CheckOnly = true;
      continue;
    }

    size_t Index = 0;
    while (Index < std::size(Numbers) && Argument != Numbers[Index].Option)
      ++Index;
    if (Index < std::size(Numbers)) {
      if (++I == Arguments.size()) {
        Error = std::string(Argument) + " needs a value";
        return ParseResult::Error;
      }
      Argument = Arguments[I];
    } else if (Argument.substr(0, 1) == "-") {
      Error = "unknown option '" + std::string(Argument) + "'";
      return ParseResult::Error;
    } else if (Sizes == 3) {
      Error = "unexpected argument '" + std::string(Argument) + "'";
      return ParseResult::Error;
    } else {
      Index = Sizes++;
    }

    auto &[Option, Name, Multiple, Max, Number] = Numbers[Index];
    if (!ParseNumber(Argument, Name, Multiple, Max, Number))
      return ParseResult::Error;
  }
  if (Sizes != 0 && Sizes != 3) {
    Error =
        "expected no size or all three of M N K, got " + std::to_string(Sizes);
    return ParseResult::Error;
  }
  return ParseResult::Run;
}

} // namespace sparse_gemm

#endif // SPARSE_GEMM_OPTIONS_H
