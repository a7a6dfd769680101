//===- sparse_gemm_host.cpp - Tests of sparse_gemm's host code ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs neither CUDA nor a GPU.
//
// REQUIRES: gtest
// RUN: clang++ -std=c++17 -O2 -Wall -Wextra -Werror -I%S/../../examples %s \
// RUN:     -o %t -lgtest -lgtest_main -lpthread
// RUN: %t
//
//===----------------------------------------------------------------------===//

#include "cpu_multiply.h"
#include "sparse_gemm/options.h"

#include "gtest/gtest.h"

#include <random>

using namespace sparse_gemm;

namespace {

/// Numbers from -16 to 16, divided by \p Divisor.
template <class Value> void testReference(int M, int N, int K, Value Divisor) {
  std::mt19937 Random(1);
  auto Fill = [&](size_t Size) {
    std::vector<Value> Values(Size);
    for (Value &Element : Values)
      Element = Value(int(Random() % 33) - 16) / Divisor;
    return Values;
  };
  std::vector<Value> A = Fill(M * K), B = Fill(N * K);
  std::vector<Value> D = reference::multiplyOnCPU(A, B, M, N, K);
  for (int Row = 0; Row < M; ++Row) {
    for (int Column = 0; Column < N; ++Column) {
      Value Sum = 0;
      for (int I = 0; I < K; ++I)
        Sum += A[Row * K + I] * B[Column * K + I];
      EXPECT_EQ(D[Row * N + Column], Sum) << Row << " " << Column;
    }
  }
}

TEST(ReferenceTest, MatchesTheDefinition) {
  testReference<float>(12, 40, 37, 16);
  testReference<int>(12, 40, 37, 1);
}

TEST(ReferenceTest, EndsWithinBlocks) {
  for (int M : {1, 6, 15})
    for (int N : {1, 7, 41})
      testReference<float>(M, N, 5, 16);
}

TEST(OptionsTest, Accepts) {
  Options Opts;
  std::string Error;
  EXPECT_EQ(parseOptions({}, Opts, Error), ParseResult::Run);
  EXPECT_EQ(Opts.M, 4096);
  EXPECT_EQ(Opts.Type, "f16");
  EXPECT_FALSE(Opts.HasNormalData);
  EXPECT_FALSE(Opts.CheckOnly);

  EXPECT_EQ(parseOptions({"512", "256", "128", "--check-only"}, Opts, Error),
            ParseResult::Run);
  EXPECT_EQ(Opts.M, 512);
  EXPECT_EQ(Opts.N, 256);
  EXPECT_EQ(Opts.K, 128);
  EXPECT_TRUE(Opts.CheckOnly);

  EXPECT_EQ(parseOptions({"--k", "1024", "--repeat", "5"}, Opts, Error),
            ParseResult::Run);
  EXPECT_EQ(Opts.K, 1024);
  EXPECT_EQ(Opts.Repeat, 5);

  EXPECT_EQ(parseOptions({"--type", "e4m3", "--data", "normal", "3", "5", "7"},
                         Opts, Error),
            ParseResult::Run);
  EXPECT_EQ(Opts.Type, "e4m3");
  EXPECT_TRUE(Opts.HasNormalData);
  EXPECT_EQ(Opts.K, 7);
  EXPECT_EQ(parseOptions({"--type", "all", "--data", "exact"}, Opts, Error),
            ParseResult::Run);
  EXPECT_EQ(Opts.Type, "all");
  EXPECT_FALSE(Opts.HasNormalData);

  EXPECT_EQ(parseOptions({"--bogus", "--help"}, Opts, Error),
            ParseResult::Error);
  EXPECT_EQ(parseOptions({"--help"}, Opts, Error), ParseResult::Help);
}

TEST(OptionsTest, Rejects) {
  struct {
    std::vector<const char *> Arguments;
    const char *Error;
  } Cases[] = {
      {{"--bogus"}, "unknown option '--bogus'"},
      {{"512", "512"}, "expected no size or all three of M N K, got 2"},
      {{"512", "512", "512", "512"}, "unexpected argument '512'"},
      {{"512", "512", "12x"}, "K must be from 1 to 131072, not '12x'"},
      {{"--m", "131073"}, "M must be from 1 to 131072, not '131073'"},
      {{"--n", "0"}, "N must be from 1 to 131072, not '0'"},
      {{"--n", "-128"}, "N must be from 1 to 131072, not '-128'"},
      {{"--type", "tf32"},
       "--type must be f16, bf16, e4m3, s8 or all, not 'tf32'"},
      {{"--data", "all"}, "--data must be exact or normal, not 'all'"},
      {{"--type"}, "--type needs a value"},
      {{"--k"}, "--k needs a value"},
      {{"--repeat", "0"}, "--repeat must be from 1 to 1000000, not '0'"},
  };
  for (const auto &Case : Cases) {
    Options Opts;
    std::string Error;
    EXPECT_EQ(parseOptions(Case.Arguments, Opts, Error), ParseResult::Error);
    EXPECT_EQ(Error, Case.Error);
  }
}

} // namespace
