//===- options.h - Command line of sparse_gemm ------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SPARSE_GEMM_OPTIONS_H
#define SPARSE_GEMM_OPTIONS_H

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace sparse_gemm {

/// Exact inputs of 16 bits are multiples of 1/16 of magnitude at most 1, so
/// that products are multiples of 1/256 and a sum of K/2 of them, in units of
/// 1/256, is at most 128 * K. Up to 2^24 f32 holds every such sum exactly, in
/// any order of addition. M and N have the same limit, only for the sake of one
/// rule.
constexpr int MaxSize = (1 << 24) / 128;

/// What can be multiplied, as the command line has it.
constexpr std::string_view TypeNames[] = {"f16", "bf16", "e4m3", "s8"};

struct Options {
  int M = 4096, N = 4096, K = 4096;
  int Repeat = 20;
  bool CheckOnly = false;
  bool HasNormalData = false;
  /// One of TypeNames, or "all".
  std::string_view Type = "f16";
};

enum class ParseResult { Run, Help, Error };

inline std::string helpText() {
  return "Usage: sparse_gemm [options] [M N K]\n"
         "\n"
         "Multiplies D = A*B on a GPU of compute capability 9.0 with\n"
         "wgmma.mma_async.sp and checks every element of D against the CPU.\n"
         "A is M x K, 2:4 sparse; B is K x N. D is M x N, of the same type,\n"
         "of e4m3 in f16, of s8 in s32. M, N and K are from 1 to " +
         std::to_string(MaxSize) +
         ".\n"
         "\n"
         "  --m M, --n N, --k K  sizes one by one (default 4096)\n"
         "  --type TYPE          f16 (default), bf16, e4m3, s8 or all\n"
         "  --data DATA          exact (default): sums are exact, and each\n"
         "                       element must be the rounded sum; normal:\n"
         "                       normally distributed, right within rounding\n"
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
  // Reads a number from 1 to Max.
  auto ParseNumber = [&](std::string_view Text, const char *Name, int Max,
                         int &Number) {
    const char *End = Text.data() + Text.size();
    auto [Rest, Code] = std::from_chars(Text.data(), End, Number);
    if (Code == std::errc() && Rest == End && Number >= 1 && Number <= Max)
      return true;
    Error = std::string(Name) + " must be from 1 to " + std::to_string(Max) +
            ", not '" + std::string(Text) + "'";
    return false;
  };
  auto ParseWord = [&](std::string_view Option, std::string_view Word) {
    if (Option == "--data" && (Word == "exact" || Word == "normal")) {
      Opts.HasNormalData = Word == "normal";
      return true;
    }
    if (Option == "--type" &&
        (Word == "all" || std::find(std::begin(TypeNames), std::end(TypeNames),
                                    Word) != std::end(TypeNames))) {
      Opts.Type = Word;
      return true;
    }
    Error = std::string(Option) + " must be " +
            (Option == "--data" ? "exact or normal"
                                : "f16, bf16, e4m3, s8 or all") +
            ", not '" + std::string(Word) + "'";
    return false;
  };

  struct {
    const char *Option, *Name;
    int Max;
    int &Number;
  } Numbers[] = {{"--m", "M", MaxSize, Opts.M},
                 {"--n", "N", MaxSize, Opts.N},
                 {"--k", "K", MaxSize, Opts.K},
                 {"--repeat", "--repeat", 1000000, Opts.Repeat}};

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
    bool IsWord = Argument == "--type" || Argument == "--data";
    if (IsWord || Index < std::size(Numbers)) {
      if (I + 1 == Arguments.size()) {
        Error = std::string(Argument) + " needs a value";
        return ParseResult::Error;
      }
      std::string_view Value = Arguments[++I];
      if (IsWord && !ParseWord(Argument, Value))
        return ParseResult::Error;
      if (IsWord)
        continue;
      Argument = Value;
    } else if (Argument.substr(0, 1) == "-") {
      Error = "unknown option '" + std::string(Argument) + "'";
      return ParseResult::Error;
    } else if (Sizes == 3) {
      Error = "unexpected argument '" + std::string(Argument) + "'";
      return ParseResult::Error;
    } else {
      Index = Sizes++;
    }

    auto &[Option, Name, Max, Number] = Numbers[Index];
    if (!ParseNumber(Argument, Name, Max, Number))
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
