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

#include "sparse_gemm/compress.h"
#include "sparse_gemm/options.h"
#include "sparse_gemm/reference.h"

#include "gtest/gtest.h"

#include <random>

using namespace sparse_gemm;

namespace {

/// Reads a compressed matrix as the instruction does: one thread, word and
/// nibble after the other, each saying which row and columns it speaks of. The
/// compression goes the opposite way, from elements to nibbles.
std::vector<uint16_t> decompress(const CompressedMatrix &Matrix, int M, int K) {
  std::vector<uint16_t> Dense(size_t(M) * K);
  const uint32_t *Word = Matrix.Metadata.data();
  for (int Row0 = 0; Row0 < M; Row0 += 64)
    for (int Column0 = 0; Column0 < K; Column0 += 128)
      for (int Thread = 0; Thread < 128; ++Thread)
        for (int I = 0; I < 2; ++I, ++Word) {
          int Q = Thread % 32 / 4, P = Thread % 4;
          int Selector = P / 2, T = P % 2;
          for (int J = 0; J < 8; ++J) {
            int Row = Row0 + 16 * (Thread / 32) + Q + 8 * (J / 4);
            int Column =
                Column0 + 32 * (2 * I + Selector) + 4 * (4 * T + J % 4);
            int Low = *Word >> 4 * J & 3, High = *Word >> (4 * J + 2) & 3;
            EXPECT_LT(Low, High) << "row " << Row << " column " << Column;
            const uint16_t *Values =
                &Matrix.Values[(size_t(Row) * K + Column) / 2];
            uint16_t *Chunk = &Dense[size_t(Row) * K + Column];
            Chunk[Low] = Values[0];
            Chunk[High] = Values[1];
          }
        }
  return Dense;
}

/// A matrix with at most \p NonZeros non-zeros, each a random bit pattern, in
/// each chunk of four.
std::vector<uint16_t> randomSparse(int M, int K, int NonZeros, unsigned Seed) {
  std::mt19937 Random(Seed);
  std::vector<uint16_t> Dense(size_t(M) * K);
  for (size_t Chunk = 0; Chunk < Dense.size(); Chunk += 4)
    for (int I = 0; I < NonZeros; ++I)
      Dense[Chunk + Random() % 4] = Random() % 0x7fff + 1;
  return Dense;
}

CompressedMatrix compressOrFail(const std::vector<uint16_t> &Dense, int M,
                                int K) {
  std::string Error;
  std::optional<CompressedMatrix> Matrix = compress(Dense, M, K, Error);
  EXPECT_TRUE(Matrix) << Error;
  return Matrix.value_or(CompressedMatrix());
}

TEST(CompressTest, RoundTrip) {
  for (int NonZeros = 0; NonZeros <= 2; ++NonZeros) {
    const int M = 192, K = 384;
    std::vector<uint16_t> Dense = randomSparse(M, K, NonZeros, NonZeros);
    CompressedMatrix Matrix = compressOrFail(Dense, M, K);
    ASSERT_EQ(Matrix.Values.size(), Dense.size() / 2);
    ASSERT_EQ(Matrix.Metadata.size(), Dense.size() / 32);
    EXPECT_EQ(decompress(Matrix, M, K), Dense);
  }
}

TEST(CompressTest, EveryPlaceOfTwo) {
  const int M = 64, K = 128;
  for (int First = 0; First < 4; ++First) {
    for (int Second = 0; Second < 4; ++Second) {
      std::vector<uint16_t> Dense(size_t(M) * K);
      for (size_t Chunk = 0; Chunk < Dense.size(); Chunk += 4) {
        Dense[Chunk + First] = 0x3c00 + Chunk / 4 % 1024;
        Dense[Chunk + Second] = 0x4000 + Chunk / 4 % 1024;
      }
      EXPECT_EQ(decompress(compressOrFail(Dense, M, K), M, K), Dense)
          << First << " and " << Second;
    }
  }
}

TEST(CompressTest, NegativeZeroIsZero) {
  std::vector<uint16_t> Dense(64 * 128, 0x8000);
  CompressedMatrix Matrix = compressOrFail(Dense, 64, 128);
  EXPECT_EQ(Matrix.Metadata, std::vector<uint32_t>(256, 0x44444444));
}

TEST(CompressTest, RejectsThreeNonZeros) {
  const int M = 128, K = 256;
  std::vector<uint16_t> Dense(size_t(M) * K);
  for (int I = 0; I < 3; ++I)
    Dense[size_t(77) * K + 132 + I] = 0x3c00;
  std::string Error;
  EXPECT_FALSE(compress(Dense, M, K, Error));
  EXPECT_EQ(Error, "A is not 2:4 sparse: row 77, columns 132 to 135 have 3 "
                   "non-zeros");
}

TEST(ReferenceTest, MatchesTheDefinition) {
  const int M = 12, N = 40, K = 37;
  std::mt19937 Random(1);
  auto Fill = [&](size_t Size) {
    std::vector<float> Values(Size);
    for (float &Value : Values)
      Value = float(int(Random() % 33) - 16) / 16;
    return Values;
  };
  std::vector<float> A = Fill(M * K), B = Fill(N * K);
  std::vector<float> D = multiplyOnCPU(A, B, M, N, K);
  for (int Row = 0; Row < M; ++Row) {
    for (int Column = 0; Column < N; ++Column) {
      float Sum = 0;
      for (int I = 0; I < K; ++I)
        Sum += A[Row * K + I] * B[Column * K + I];
      EXPECT_EQ(D[Row * N + Column], Sum) << Row << " " << Column;
    }
  }
}

TEST(OptionsTest, Accepts) {
  Options Opts;
  std::string Error;
  EXPECT_EQ(parseOptions({}, Opts, Error), ParseResult::Run);
  EXPECT_EQ(Opts.M, 4096);
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
      {{"512", "512", "12x"},
       "K must be a multiple of 128 from 128 to 131072, "
       "not '12x'"},
      {{"--m", "100"},
       "M must be a multiple of 256 from 256 to 131072, not "
       "'100'"},
      {{"--n", "0"}, "N must be a multiple of 128 from 128 to 131072, not '0'"},
      {{"--n", "-128"},
       "N must be a multiple of 128 from 128 to 131072, not "
       "'-128'"},
      {{"--k", "131200"},
       "K must be a multiple of 128 from 128 to 131072, not "
       "'131200'"},
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
