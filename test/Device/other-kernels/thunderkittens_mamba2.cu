//===- thunderkittens_mamba2.cu - ThunderKittens' Mamba-2 -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// kernels/mamba2: attention without softmax, whose weights decay,
//
//   O[t] = sum over s <= t of (Q[t] * K[s]) * exp(A[s + 1] + ... + A[t]) * V[s]
//
// computed in chunks of 64 rows. What earlier chunks contribute is in a state,
// K^T * V with decays. All heads share Q and K.
//
// Without decays, and with small integers, nothing but the output is rounded:
// weights are at most 64, and the reference checks that the state stays below
// 256. With decays, the roundings to bf16 are counted, 2^-8 each:
// - within a chunk, the weight;
// - from earlier chunks five: the decays of K and of Q, their products, and the
//   state.
// Then there are approximated exponentials, of sums in f32, and the rounding of
// a tensor core's sums, as in thunderkittens_mha.cu.
//
//===----------------------------------------------------------------------===//

#include "harness.h"

#include <cassert>
#include <chrono>
#include <fstream>
#include <iostream>

#include "kittens.cuh"
#include "prototype.cuh"

#ifdef __clang__
// nvcc declares them for the host, too.
using std::isinf;
using std::isnan;
#endif

// The kernel's file ends with a program of its own.
#define main thunderKittensMain

#include "kernels/mamba2/mamba2.cu"

#undef main

using namespace harness;

namespace {

constexpr int Dim = 64;
constexpr int ChunkLength = 64;
constexpr double BF16Rounding = 0x1p-8;
constexpr double DotProduct = 0x1p-16;
constexpr double LongSum = 0x1p-13;

struct Shape {
  int Batch, Heads, Length;

  size_t sequences() const { return size_t(Batch) * Heads; }
  /// Four products of 64 x 64 matrices for each chunk.
  double operations() const {
    return sequences() * Length / ChunkLength * 8.0 * 64 * 64 * 64;
  }
};

/// A chunk's rows in one sequence.
struct Chunk {
  const float *Q, *K, *V, *A;
};

/// What one sequence returns, chunk by chunk.
class Sequence {
public:
  explicit Sequence(int NumChunks)
      : NumChunks(NumChunks), State(Dim * Dim), Magnitudes(Dim * Dim) {}

  void next(const Chunk &C, Expected *Wanted) {
    double Sum = 0;
    for (int Row = 0; Row != ChunkLength; ++Row)
      Decays[Row] = Sum += C.A[Row];
    // Six additions, a subtraction, an exponential; at most all decays'.
    ExpError = (2 * std::abs(Sum) + 1) * 0x1p-19;
    for (int Row = 0; Row != ChunkLength; ++Row) {
      std::fill_n(Value, Dim, 0);
      std::fill_n(Allowed, Dim, 0);
      addChunk(C, Row);
      addState(C.Q + Row * Dim, std::exp(Decays[Row]));
      for (int I = 0; I != Dim; ++I)
        Wanted[Row * Dim + I] = {Value[I], Allowed[I] + std::abs(Value[I]) *
                                                            BF16Rounding};
    }
    update(C);
  }

  double largestState() const { return LargestState; }

private:
  void addChunk(const Chunk &C, int Row) {
    for (int J = 0; J <= Row; ++J) {
      double Weight = 0, Squares[2] = {};
      for (int I = 0; I != Dim; ++I) {
        double Q = C.Q[Row * Dim + I], K = C.K[J * Dim + I];
        Weight += Q * K;
        Squares[0] += Q * Q;
        Squares[1] += K * K;
      }
      double Decay = std::exp(Decays[Row] - Decays[J]);
      double Error = (std::abs(Weight) * (BF16Rounding + ExpError + LongSum) +
                      std::sqrt(Squares[0] * Squares[1]) * DotProduct) *
                     Decay;
      for (int I = 0; I != Dim; ++I) {
        Value[I] += Weight * Decay * C.V[J * Dim + I];
        Allowed[I] += Error * std::abs(C.V[J * Dim + I]);
      }
    }
  }

  /// An error of the state's decay counts again in each chunk. The fraction is
  /// for products of the five roundings.
  void addState(const float *Q, double Decay) {
    double Error = 5.1 * BF16Rounding + LongSum + NumChunks * ExpError;
    for (int J = 0; J != Dim; ++J)
      for (int I = 0; I != Dim; ++I) {
        Value[I] += Q[J] * Decay * State[J * Dim + I];
        Allowed[I] += std::abs(Q[J]) * Decay * Error * Magnitudes[J * Dim + I];
      }
  }

  void update(const Chunk &C) {
    double Last = Decays[ChunkLength - 1];
    for (int I = 0; I != Dim * Dim; ++I) {
      State[I] *= std::exp(Last);
      Magnitudes[I] *= std::exp(Last);
    }
    for (int Row = 0; Row != ChunkLength; ++Row)
      for (int J = 0; J != Dim; ++J) {
        double K = C.K[Row * Dim + J] * std::exp(Last - Decays[Row]);
        for (int I = 0; I != Dim; ++I) {
          State[J * Dim + I] += K * C.V[Row * Dim + I];
          Magnitudes[J * Dim + I] += std::abs(K * C.V[Row * Dim + I]);
        }
      }
    for (double Element : State)
      LargestState = std::max(LargestState, std::abs(Element));
  }

  int NumChunks;
  std::vector<double> State, Magnitudes;
  double LargestState = 0, ExpError = 0;
  double Decays[ChunkLength], Value[Dim], Allowed[Dim];
};

class Mamba {
public:
  /// Without decays, the elements are -1, 0, and 1.
  Mamba(const Shape &S, bool Decay, uint64_t Seed)
      : S(S), Decay(Decay), Generator(Seed), HostQ(values(sizeQK())),
        HostK(values(sizeQK())), HostV(values(sizeV())), HostA(decays()),
        Q(HostQ), K(HostK), V(HostV), O(sizeV()), A(HostA) {
    expectSuccess(
        cudaFuncSetAttribute(prototype::lcsf::kernel<mamba2_fwd_template>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SharedMemory),
        "cudaFuncSetAttribute");
  }

  Comparison compare() {
    launch();
    expectSuccess(cudaDeviceSynchronize(), "kernel");
    Comparison Result;
    Result.add(O.get(), wanted());
    return Result;
  }

  double time(unsigned Rounds) {
    return medianTime([this] { launch(); }, Rounds);
  }

private:
  static constexpr int SharedMemory =
      prototype::detail::MAX_SHARED_MEMORY_v<mamba2_fwd_template>;

  size_t sizeQK() const { return size_t(S.Batch) * S.Length * Dim; }
  size_t sizeV() const { return S.sequences() * S.Length * Dim; }

  std::vector<bf16> values(size_t Count) {
    constexpr size_t Period = 1 << 20;
    size_t Length = std::min(Count, Period);
    std::vector<bf16> Values = Decay ? normal<bf16>(Length, Generator)
                                     : integers<bf16>(Length, 1, Generator);
    Values.resize(Count);
    for (size_t I = Period; I < Count; ++I)
      Values[I] = Values[I - Period];
    return Values;
  }

  /// By 4 % a row, on average.
  std::vector<float> decays() {
    size_t Count = S.sequences() * S.Length;
    if (!Decay)
      return std::vector<float>(Count, 0.f);
    std::vector<float> Values = normal<float>(Count, Generator, 0.05f);
    for (float &Value : Values)
      Value = -std::abs(Value);
    return Values;
  }

  std::vector<Expected> wanted() const {
    std::vector<float> FloatQ(HostQ.begin(), HostQ.end());
    std::vector<float> FloatK(HostK.begin(), HostK.end());
    std::vector<float> FloatV(HostV.begin(), HostV.end());
    std::vector<Expected> Wanted(sizeV());
    parallelFor(S.sequences(), [&](size_t I) {
      Sequence Exact(S.Length / ChunkLength);
      for (int Row = 0; Row != S.Length; Row += ChunkLength) {
        size_t Shared = (I / S.Heads * S.Length + Row) * Dim;
        size_t Own = I * S.Length + Row;
        Exact.next(
            {&FloatQ[Shared], &FloatK[Shared], &FloatV[Own * Dim], &HostA[Own]},
            &Wanted[Own * Dim]);
      }
      if (!Decay)
        expectExact(Exact);
    });
    if (!Decay)
      for (Expected &E : Wanted)
        E = {roundToBF16(float(E.Value))};
    return Wanted;
  }

  static void expectExact(const Sequence &Exact) {
    if (Exact.largestState() <= 256)
      return;
    std::fprintf(stderr, "a state that is not exact in bf16\n");
    std::exit(2);
  }

  void launch() {
    using Layout = mamba2_fwd_template::layout;
    Layout::globals Globals{
        Layout::q_global(Q.data(), S.Batch, 1, S.Length, nullptr),
        Layout::k_global(K.data(), S.Batch, 1, S.Length, nullptr),
        Layout::v_global(V.data(), S.Batch, S.Heads, S.Length, nullptr),
        Layout::o_global(O.data(), S.Batch, S.Heads, S.Length, nullptr),
        Layout::a_global(A.data(), S.Batch, S.Heads, nullptr, S.Length)};
    constexpr int NumThreads =
        prototype::detail::NUM_THREADS_v<mamba2_fwd_template>;
    prototype::lcsf::kernel<mamba2_fwd_template>
        <<<132, NumThreads, SharedMemory>>>(Globals);
    expectSuccess(cudaGetLastError(), "launch");
  }

  Shape S;
  bool Decay;
  std::mt19937_64 Generator;
  std::vector<bf16> HostQ, HostK, HostV;
  std::vector<float> HostA;
  Buffer<bf16> Q, K, V, O;
  Buffer<float> A;
};

} // namespace

int main(int Argc, char **Argv) {
  Options Arguments(Argc, Argv);
  // A thread block takes two heads at a time, here 150 for 132 thread blocks,
  // and 8 chunks of each.
  Shape Small{5, 60, 512}, Usual{16, 32, 2048};
  Comparison Exact = Mamba(Small, false, Arguments.Seed).compare();
  Comparison Decaying = Mamba(Small, true, Arguments.Seed).compare();
  double Time = 0;
  if (Arguments.Rounds)
    Time = Mamba(Usual, true, Arguments.Seed).time(Arguments.Rounds);
  bool Right = report("without decay", Exact, 0, 0);
  Right &= report("with decay", Decaying, Time, Usual.operations());
  return Right ? 0 : 1;
}
