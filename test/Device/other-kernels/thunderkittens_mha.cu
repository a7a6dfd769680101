//===- thunderkittens_mha.cu - ThunderKittens' attention ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forward and the backward pass of kernels/attention/mha_h100. Tensors are
// [batch][head][row][dimension]. The forward pass has tiles of 192 rows and 128
// keys, the backward pass of 256 and 128, and neither checks for an end, so
// that lengths are multiples.
//
// How far a result may be off is derived from the roundings on its way:
// - A tensor core keeps at least 23 bits of the largest of the 17 numbers that
//   it adds, one of which is the sum so far. Over the 8 steps of a dot product
//   of 128 elements it loses at most 2^-16 of the magnitudes' sum, over the 96
//   steps of all rows of two heads 2^-13: a partial sum is half of the whole
//   one on average. For a dot product, the product of the norms stands for the
//   magnitudes' sum, which is no larger. Other sums in f32 lose less.
// - Weights and their gradients are rounded to bf16, by at most 2^-8, before
//   they are multiplied.
// - An error of a score is the relative error of its weight. Exponentials and
//   logarithms are approximated, of arguments that are f32: 2^-16 of the
//   arguments is more than that.
//
//===----------------------------------------------------------------------===//

#include "harness.h"

#include <cassert>
#include <chrono>
#include <fstream>
#include <iostream>

#include "kittens.cuh"

#ifdef __clang__
// nvcc declares them for the host, too.
using std::isnan;
#endif

// The kernels' file ends with a program of its own.
#define main thunderKittensMain

#include "kernels/attention/mha_h100/mha_h100.cu"

#undef main

using namespace harness;

namespace {

constexpr double BF16Rounding = 0x1p-8;
constexpr double DotProduct = 0x1p-16;
constexpr double LongSum = 0x1p-13;

struct Shape {
  int Batch, Heads, HeadsKV, Length;
  bool Causal;

  size_t rows() const { return size_t(Batch) * Heads * Length; }
  size_t rowsKV() const { return size_t(Batch) * HeadsKV * Length; }
  int groupSize() const { return Heads / HeadsKV; }
  /// Which row of the keys is the first one of a row's sequence.
  size_t firstKey(size_t Row) const {
    return Row / Length / groupSize() * Length;
  }
  int keys(size_t Row) const { return Causal ? Row % Length + 1 : Length; }
  /// Two matrix products.
  double forwardOperations(int Dim) const {
    return 4.0 * rows() * Length * Dim * (Causal ? 0.5 : 1);
  }
};

/// Normally distributed, with a period of 2^20, which is quickly made.
std::vector<bf16> values(size_t Count, std::mt19937_64 &Generator) {
  constexpr size_t Period = 1 << 20;
  std::vector<bf16> Values = normal<bf16>(std::min(Count, Period), Generator);
  Values.resize(Count);
  for (size_t I = Period; I < Count; ++I)
    Values[I] = Values[I - Period];
  return Values;
}

/// A tensor on the host.
template <int Dim> class Rows {
public:
  Rows() = default;
  explicit Rows(const std::vector<bf16> &Values)
      : Values(Values.begin(), Values.end()), Norms(Values.size() / Dim) {
    for (size_t I = 0; I != Norms.size(); ++I)
      Norms[I] = std::sqrt(dot((*this)[I], (*this)[I]));
  }

  const float *operator[](size_t Row) const { return &Values[Row * Dim]; }
  double norm(size_t Row) const { return Norms[Row]; }
  double largestNorm() const {
    return *std::max_element(Norms.begin(), Norms.end());
  }

  static double dot(const float *A, const float *B) {
    double Sum = 0;
    for (int I = 0; I != Dim; ++I)
      Sum += double(A[I]) * B[I];
    return Sum;
  }

private:
  std::vector<float> Values;
  std::vector<double> Norms;
};

/// A sum of rows, each with a factor and the factor's error.
template <int Dim> struct WeightedSum {
  double Value[Dim] = {}, Allowed[Dim] = {};

  void add(double Factor, double Error, const float *Row) {
    Error += std::abs(Factor) * LongSum;
    for (int I = 0; I != Dim; ++I) {
      Value[I] += Factor * Row[I];
      Allowed[I] += Error * std::abs(double(Row[I]));
    }
  }
  /// \p Rounding is what writing the sum rounds by.
  void write(Expected *Wanted, double Rounding) const {
    for (int I = 0; I != Dim; ++I)
      Wanted[I] = {Value[I], Allowed[I] + std::abs(Value[I]) * Rounding};
  }
};

/// The attention as it would be without roundings.
template <int Dim> class Reference {
public:
  Reference(const Shape &S, const std::vector<bf16> &HostQ,
            const std::vector<bf16> &HostK, const std::vector<bf16> &HostV)
      : S(S), Q(HostQ), K(HostK), V(HostV), LargestK(K.largestNorm()),
        LargestV(V.largestNorm()), LSE(S.rows()) {
    parallelFor(S.rows(), [this](size_t Row) { LSE[Row] = logSumExp(Row); });
  }

  void forward(std::vector<Expected> &WantedO,
               std::vector<Expected> &WantedL) const {
    WantedO.resize(S.rows() * Dim);
    WantedL.resize(S.rows());
    parallelFor(S.rows(), [&](size_t Row) {
      WeightedSum<Dim> Sum;
      // The sum of the weights is off, too, but by less than each of them.
      double Error = BF16Rounding + 2 * weightError(Row);
      for (int Key = 0; Key != S.keys(Row); ++Key) {
        double P = weight(Row, S.firstKey(Row) + Key);
        Sum.add(P, P * Error, V[S.firstKey(Row) + Key]);
      }
      Sum.write(&WantedO[Row * Dim], BF16Rounding);
      // The backward pass wants it without the scale.
      WantedL[Row] = {-LSE[Row] / Scale, 2 * weightError(Row) / Scale};
    });
  }

  /// \p HostO is what the forward pass returned, which is given to the backward
  /// pass.
  void setBackward(const std::vector<bf16> &HostO,
                   const std::vector<bf16> &HostDO) {
    O = Rows<Dim>(HostO);
    DO = Rows<Dim>(HostDO);
    Delta.resize(S.rows());
    parallelFor(S.rows(), [&](size_t Row) {
      Delta[Row] = {Rows<Dim>::dot(O[Row], DO[Row]),
                    O.norm(Row) * DO.norm(Row) * DotProduct};
    });
  }

  const std::vector<Expected> &delta() const { return Delta; }

  std::vector<Expected> gradientQ() const {
    std::vector<Expected> Wanted(S.rows() * Dim);
    parallelFor(S.rows(), [&](size_t Row) {
      WeightedSum<Dim> Sum;
      for (int I = 0; I != S.keys(Row); ++I) {
        size_t Key = S.firstKey(Row) + I;
        Expected DS = scoreGradient(Row, Key, weight(Row, Key));
        Sum.add(DS.Value, DS.Allowed, K[Key]);
      }
      Sum.write(&Wanted[Row * Dim], 0);
    });
    return Wanted;
  }

  void gradientKV(std::vector<Expected> &WantedK,
                  std::vector<Expected> &WantedV) const {
    WantedK.resize(S.rowsKV() * Dim);
    WantedV.resize(S.rowsKV() * Dim);
    parallelFor(S.rowsKV(), [&](size_t Key) {
      WeightedSum<Dim> SumK, SumV;
      int Position = Key % S.Length;
      size_t Sequence = Key / S.Length * S.groupSize();
      for (int I = 0; I != S.groupSize(); ++I)
        for (int J = S.Causal ? Position : 0; J != S.Length; ++J)
          addRow((Sequence + I) * S.Length + J, Key, SumK, SumV);
      SumK.write(&WantedK[Key * Dim], 0);
      SumV.write(&WantedV[Key * Dim], 0);
    });
  }

private:
  double score(size_t Row, size_t Key) const {
    return Rows<Dim>::dot(Q[Row], K[Key]) * Scale;
  }

  double weight(size_t Row, size_t Key) const {
    return std::exp(score(Row, Key) - LSE[Row]);
  }

  double logSumExp(size_t Row) const {
    std::vector<double> Scores(S.keys(Row));
    for (size_t I = 0; I != Scores.size(); ++I)
      Scores[I] = score(Row, S.firstKey(Row) + I);
    double Most = *std::max_element(Scores.begin(), Scores.end()), Sum = 0;
    for (double Score : Scores)
      Sum += std::exp(Score - Most);
    return Most + std::log(Sum);
  }

  /// The relative error of a weight before it is rounded to bf16. No score's
  /// magnitude is larger than the norms' product.
  double weightError(size_t Row) const {
    double LargestScore = Q.norm(Row) * LargestK * Scale;
    return (2 * LargestScore + std::abs(LSE[Row]) + 1) * DotProduct;
  }

  Expected scoreGradient(size_t Row, size_t Key, double P) const {
    double Difference = Rows<Dim>::dot(DO[Row], V[Key]) - Delta[Row].Value;
    double Error = DO.norm(Row) * LargestV * DotProduct + Delta[Row].Allowed;
    double DS = P * Difference * Scale;
    // The weight includes the logarithm that the forward pass wrote.
    return {DS, P * Error * Scale +
                    std::abs(DS) * (BF16Rounding + 3 * weightError(Row))};
  }

  void addRow(size_t Row, size_t Key, WeightedSum<Dim> &SumK,
              WeightedSum<Dim> &SumV) const {
    double P = weight(Row, Key);
    Expected DS = scoreGradient(Row, Key, P);
    SumK.add(DS.Value, DS.Allowed, Q[Row]);
    SumV.add(P, P * (BF16Rounding + 3 * weightError(Row)), DO[Row]);
  }

  const double Scale = 1 / std::sqrt(double(Dim));
  Shape S;
  Rows<Dim> Q, K, V, O, DO;
  double LargestK, LargestV;
  std::vector<double> LSE;
  std::vector<Expected> Delta;
};

template <typename KernelT, typename GlobalsT>
void launch(KernelT *Kernel, dim3 Grid, int NumThreads, int SharedMemory,
            const GlobalsT &Globals) {
  expectSuccess(
      cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           SharedMemory),
      "cudaFuncSetAttribute");
  Kernel<<<Grid, NumThreads, SharedMemory>>>(Globals);
  expectSuccess(cudaGetLastError(), "launch");
}

/// The tensors on the GPU, and the launches.
template <int Dim, bool Causal> class Attention {
public:
  Attention(const Shape &S, uint64_t Seed)
      : S(S), Generator(Seed), HostQ(values(S.rows() * Dim, Generator)),
        HostK(values(S.rowsKV() * Dim, Generator)),
        HostV(values(S.rowsKV() * Dim, Generator)),
        HostDO(values(S.rows() * Dim, Generator)), Q(HostQ), K(HostK), V(HostV),
        DO(HostDO), O(S.rows() * Dim), L(S.rows()), Delta(S.rows()),
        DQ(S.rows() * Dim), DK(S.rowsKV() * Dim), DV(S.rowsKV() * Dim) {}

  void compare(Comparison &Forward, Comparison &Backward) {
    launchForward();
    expectSuccess(cudaDeviceSynchronize(), "forward");
    Reference<Dim> Exact(S, HostQ, HostK, HostV);
    std::vector<Expected> First, Second;
    Exact.forward(First, Second);
    std::vector<bf16> HostO = O.get();
    Forward.add(HostO, First);
    Forward.add(L.get(), Second);

    // It adds to them.
    DQ.fill(0);
    DK.fill(0);
    DV.fill(0);
    launchBackward();
    expectSuccess(cudaDeviceSynchronize(), "backward");
    Exact.setBackward(HostO, HostDO);
    Backward.add(Delta.get(), Exact.delta());
    Backward.add(DQ.get(), Exact.gradientQ());
    Exact.gradientKV(First, Second);
    Backward.add(DK.get(), First);
    Backward.add(DV.get(), Second);
  }

  void launchForward() {
    using Globals = fwd_globals<Dim>;
    Globals Arguments{rows<typename Globals::q_gl>(Q),
                      rowsKV<typename Globals::k_gl>(K),
                      rowsKV<typename Globals::v_gl>(V),
                      vector<typename Globals::l_gl>(L),
                      rows<typename Globals::o_gl>(O),
                      S.Length,
                      S.groupSize()};
    launch(fwd_attend_ker<Dim, Causal>, dim3(S.Length / 192, S.Heads, S.Batch),
           NUM_WORKERS * WARP_THREADS, MAX_SHARED_MEMORY - 1024, Arguments);
  }

  /// Both of its kernels.
  void launchBackward() {
    launchPreparation();
    using Globals = bwd_globals<Dim>;
    Globals Arguments{rows<typename Globals::q_gl>(Q),
                      rowsKV<typename Globals::k_gl>(K),
                      rowsKV<typename Globals::v_gl>(V),
                      rows<typename Globals::og_gl>(DO),
                      rows<typename Globals::qg_gl>(DQ),
                      rowsKV<typename Globals::kg_gl>(DK),
                      rowsKV<typename Globals::vg_gl>(DV),
                      vector<typename Globals::l_gl>(L),
                      vector<typename Globals::d_gl>(Delta),
                      S.Length,
                      S.groupSize()};
    launch(bwd_attend_ker<Dim, Causal>, dim3(S.Length / 128, S.Heads, S.Batch),
           BWD_NUM_WORKERS * WARP_THREADS, Dim == 64 ? 117760 : 183296,
           Arguments);
  }

private:
  void launchPreparation() {
    using Globals = bwd_prep_globals<Dim>;
    Globals Arguments{rows<typename Globals::og_gl>(DO),
                      rows<typename Globals::o_gl>(O),
                      vector<typename Globals::d_gl>(Delta)};
    int Tiles = 4 * (sizeof(typename Globals::og_tile) +
                     sizeof(typename Globals::o_tile) +
                     sizeof(typename Globals::d_tile));
    launch(bwd_attend_prep_ker<Dim>, dim3(S.Length / 256, S.Heads, S.Batch),
           4 * WARP_THREADS, Tiles + 4096, Arguments);
  }

  template <typename LayoutT, typename T> LayoutT rows(Buffer<T> &Data) {
    return LayoutT(Data.data(), S.Batch, S.Heads, S.Length, Dim);
  }
  template <typename LayoutT, typename T> LayoutT rowsKV(Buffer<T> &Data) {
    return LayoutT(Data.data(), S.Batch, S.HeadsKV, S.Length, Dim);
  }
  /// An element for each row.
  template <typename LayoutT, typename T> LayoutT vector(Buffer<T> &Data) {
    return LayoutT(Data.data(), S.Batch, S.Heads, 1, S.Length);
  }

  Shape S;
  std::mt19937_64 Generator;
  std::vector<bf16> HostQ, HostK, HostV, HostDO;
  Buffer<bf16> Q, K, V, DO, O;
  Buffer<float> L, Delta, DQ, DK, DV;
};

/// Compares with 768 rows of two heads for each head of keys, and measures with
/// 6144.
template <int Dim, bool Causal> bool run(const Options &Arguments) {
  Comparison Forward, Backward;
  Attention<Dim, Causal>({2, 4, 2, 768, Causal}, Arguments.Seed)
      .compare(Forward, Backward);
  double ForwardTime = 0, BackwardTime = 0;
  Shape Usual{2, 2048 / Dim, 2048 / Dim, 6144, Causal};
  if (Arguments.Rounds) {
    Attention<Dim, Causal> Large(Usual, Arguments.Seed);
    ForwardTime = medianTime([&] { Large.launchForward(); }, Arguments.Rounds);
    BackwardTime =
        medianTime([&] { Large.launchBackward(); }, Arguments.Rounds);
  }
  std::string Suffix = ", dimension " + std::to_string(Dim);
  if (Causal)
    Suffix += ", causal";
  double Operations = Usual.forwardOperations(Dim);
  bool Right = report("forward" + Suffix, Forward, ForwardTime, Operations);
  // Five matrix products.
  return report("backward" + Suffix, Backward, BackwardTime,
                2.5 * Operations) &&
         Right;
}

} // namespace

int main(int Argc, char **Argv) {
  Options Arguments(Argc, Argv);
  bool Right = true;
  Right &= run<64, false>(Arguments);
  Right &= run<64, true>(Arguments);
  Right &= run<128, false>(Arguments);
  Right &= run<128, true>(Arguments);
  return Right ? 0 : 1;
}
