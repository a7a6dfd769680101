//===- host.h - The host side of the matrix multiplications -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes matrices, runs a kernel, checks every element, and takes the time.
//
//===----------------------------------------------------------------------===//

#ifndef GEMM_HOST_H
#define GEMM_HOST_H

#include "check.h"
#include "kernel.h"

#include <nvptx_sparse.h>
#include <nvptx_tensor_map.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>

namespace gemm {

using namespace device;

/// Rows begin at multiples of 16 bytes, as TMA needs.
template <class T> size_t paddedStride(int Columns) {
  size_t Multiple = 16 / sizeof(T);
  return (size_t(Columns) + Multiple - 1) / Multiple * Multiple;
}

/// The map of a matrix whose rows are contiguous, in boxes as wide as the
/// swizzle. The L2 cache fetches lines of 128 bytes: of rows that begin in the
/// middle of one, more would be fetched in vain.
template <class T>
nvptx::tensor_map mapOf(const T *Matrix, size_t Rows, size_t Columns,
                        size_t Stride, int BoxRows,
                        wgmma::swizzle Swizzle = wgmma::swizzle::bytes_128) {
  nvptx::tensor_map Map;
  constexpr nvptx::tensor_type Type = sizeof(T) == 1 ? nvptx::tensor_type::u8
                                      : sizeof(T) == 2
                                          ? nvptx::tensor_type::u16
                                          : nvptx::tensor_type::u32;
  check(nvptx::make_tensor_map(
            Map, Type, Matrix,
            {static_cast<unsigned long long>(Columns),
             static_cast<unsigned long long>(Rows)},
            {static_cast<unsigned long long>(Stride * sizeof(T))},
            {static_cast<unsigned>((256 >> int(Swizzle)) / sizeof(T)),
             static_cast<unsigned>(BoxRows)},
            Swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B),
        "make_tensor_map");
  return Map;
}

/// Whether the CPU agrees with the reference, of which it computes some
/// elements in double, up to what f32 loses in so many additions.
template <class Type>
bool isReferenceRight(const Matrices<Type> &P,
                      const Buffer<typename Type::Element> &A,
                      const Buffer<typename Type::Element> &B,
                      const Buffer<typename Type::Value> &Wanted) {
  constexpr int Samples = 40;
  for (int I = 0; I < Samples; ++I) {
    size_t Row = randomBits(I, 5) % unsigned(P.M);
    size_t Column = randomBits(I, 6) % unsigned(P.N);
    auto ARow = A.read(Row * P.AStride, size_t(P.K));
    auto BColumn = B.read(Column * P.BStride, size_t(P.K));
    double Sum = 0, Magnitude = 0;
    for (int K = 0; K < P.K; ++K) {
      double Product =
          double(Type::value(ARow[K])) * double(Type::value(BColumn[K]));
      Sum += Product;
      Magnitude += std::fabs(Product);
    }
    double Got = double(Wanted.read(Row * P.N + Column, 1)[0]);
    if (!(std::fabs(Got - Sum) <= Magnitude * std::ldexp(1, -20)))
      return false;
  }
  return true;
}

template <class Type> using SparseSizes = Sizes<Type, WideTiling>;

/// A warpgroup for each 64 rows and stage: compresses what it multiplies.
template <class Type>
__global__ void compress(const char *Dense, size_t DenseStride, char *Kept,
                         unsigned *Metadata, int Stages, int *Fits) {
  namespace sparse = nvptx::sparse;
  using S = SparseSizes<Type>;
  const int Stage = blockIdx.x, Row = blockIdx.y * 64, Thread = threadIdx.x;
  constexpr int Parts = S::BLine / sparse::tile_bytes(Type::Sparsity);
  const size_t Block = size_t(Row / S::TileM) * Stages + Stage;
  unsigned *Words = Metadata + Block * (S::MetadataBytes / 4) +
                    Row % S::TileM * 2 * Type::MetadataWords + Thread;
  bool DoFit = true;
  for (int I = 0; I < Parts; ++I) {
    size_t Column = Stage * S::BLine + I * sparse::tile_bytes(Type::Sparsity);
    Words[I * 128] = sparse::compress_tile<Type::Sparsity>(
        Dense + Row * DenseStride + Column, long(DenseStride),
        Kept + Row * DenseStride / 2 + Column / 2, long(DenseStride / 2),
        Thread, DoFit);
  }
  if (!DoFit)
    *Fits = 0;
}

/// A as the kernel wants it: what was kept of a sparse one, and its metadata.
template <class Type> struct Compressed {
  using S = SparseSizes<Type>;
  Buffer<char> Kept, Metadata;

  Compressed(const Matrices<Type> &P, size_t Rows)
      : Kept(Rows * P.AStride * sizeof(typename Type::Element) / 2),
        Metadata(Rows / S::TileM * (P.AStride / S::TileK) * S::MetadataBytes) {
    Buffer<int> Fits(1);
    int DoFit = 1;
    check(cudaMemcpy(Fits.get(), &DoFit, 4, cudaMemcpyHostToDevice),
          "cudaMemcpy");
    int Stages = int(P.AStride / S::TileK);
    compress<Type><<<dim3(Stages, Rows / 64), 128>>>(
        reinterpret_cast<const char *>(P.A),
        P.AStride * sizeof(typename Type::Element), Kept.get(),
        reinterpret_cast<unsigned *>(Metadata.get()), Stages, Fits.get());
    if (!Fits.read(0, 1)[0]) {
      std::fprintf(stderr, "error: A is not 2:4 sparse\n");
      std::exit(4);
    }
  }
};

/// D = A * B of matrices that are on the device: each call launches the kernel,
/// with the tiling that seems best for their sizes.
/// Rows begin at multiples of 16 bytes. A sparse A has rows for whole clusters
/// and columns for whole stages, as rowsOfA() and strideOfA() tell, with zeros
/// beyond its own.
template <class Type> class Multiplication {
  using Element = typename Type::Element;
  using Sparse = SparseSizes<Type>;

public:
  static size_t rowsOfA(int M) {
    return size_t(ceilDiv(M, Sparse::ClusterM)) * Sparse::ClusterM;
  }
  static size_t strideOfA(int K) {
    return Sparse::IsSparse ? size_t(stages<Sparse>(K)) * Sparse::TileK
                            : paddedStride<Element>(K);
  }

  explicit Multiplication(const Matrices<Type> &P) {
    considerEach(P, AllTilings());
  }

  void operator()() const { (*Kernel)(Args); }

  /// What a cluster multiplies at a time, in how many parts of K, and how many
  /// of such tiles there are, of which how many at a time.
  struct Cuts {
    int Rows, Columns, Split, Tiles, AtATime;
  };
  const Cuts &cuts() const { return Chosen; }

private:
  template <class S> static int stages(int K) {
    return std::max(ceilDiv(K, S::TileK), S::MinStages);
  }

  std::optional<Compressed<Type>> Packed;
  Arguments Args = {};
  std::optional<ClusterLauncher<Arguments>> Kernel;
  Cuts Chosen = {};
  double Cycles = std::numeric_limits<double>::infinity();

  template <class... Cuts>
  void considerEach(const Matrices<Type> &P, TilingList<Cuts...>) {
    (considerIfPossible<Cuts>(P), ...);
  }
  template <class Cut> void considerIfPossible(const Matrices<Type> &P) {
    if constexpr (Sparse::IsSparse ? std::is_same_v<Cut, WideTiling>
                                   : Cut::Blocks * Cut::TileN <= Type::MaxTileN)
      consider<Cut>(P);
  }

  /// Takes this tiling if it needs fewer cycles than those before.
  template <class Cut> void consider(const Matrices<Type> &P) {
    using S = Sizes<Type, Cut>;
    const Extent D = {P.M, P.N, stages<S>(P.K)};
    const TileGrid Grid = {ceilDiv(P.M, S::ClusterM), ceilDiv(P.N, S::TileN)};
    ClusterLauncher<Arguments> Launcher(
        multiply<Type, Cut>, S::ClusterSize, S::Registers::threads,
        S::SharedBytes, S::SplitsK ? Grid.count() * S::ClusterSize : 0,
        /*OverlapsOthers=*/true);
    const int AtATime = Launcher.mostClusters();
    double Estimate = cyclesOf<Cut>(D, AtATime);
    if (Estimate >= Cycles)
      return;
    Cycles = Estimate;
    Kernel.emplace(Launcher);
    Chosen = {S::ClusterM, S::TileN, S::Split, Grid.count(), AtATime};
    Args.StageBytes = S::StageBytes;
    setOperandA<S>(P);
    Args.B = mapOf(P.B, P.N, P.K, P.BStride, S::BPart);
    Args.D = mapOf(P.D, P.M, P.N, P.DStride, 64, S::BoxSwizzle);
    Args.Grid = Grid;
    Args.Stages = D.Stages;
  }

  template <class S> void setOperandA(const Matrices<Type> &P) {
    if constexpr (S::IsSparse) {
      Packed.emplace(P, rowsOfA(P.M));
      Args.A =
          mapOf(reinterpret_cast<Element *>(Packed->Kept.get()), rowsOfA(P.M),
                P.AStride / 2, P.AStride / 2, S::TileM, S::ASwizzle);
      Args.Metadata = Packed->Metadata.get();
    } else {
      // Rows that a small A does not have are not copied. What is in their
      // place becomes rows of D that are not stored.
      int Rows = std::min(S::TileM, ceilDiv(P.M, 8) * 8);
      Args.StageBytes -= (S::TileM - Rows) * S::ALine;
      Args.A = mapOf(P.A, P.M, P.K, P.AStride, Rows);
    }
  }
};

/// A problem on the device: its matrices, filled, and the kernel for them.
template <class Type> class Problem {
  using Element = typename Type::Element;
  using Output = typename Type::Output;
  using Run = Multiplication<Type>;

  const size_t ARows, AStride, BStride, DStride;

public:
  const Buffer<Element> A, B;
  const Buffer<Output> D;
  const Matrices<Type> P;

  Problem(int M, int N, int K, Data Kind)
      : ARows(Run::rowsOfA(M)), AStride(Run::strideOfA(K)),
        BStride(paddedStride<Element>(K)), DStride(paddedStride<Output>(N)),
        A(ARows * AStride), B(N * BStride), D(M * DStride),
        P{A.get(), B.get(), D.get(), AStride, BStride, DStride, M, N, K} {
    fill<Type><<<1024, 256>>>(P.A, M, K, ARows, P.AStride, Kind,
                              SparseSizes<Type>::IsSparse, 1);
    fill<Type><<<1024, 256>>>(P.B, N, K, N, P.BStride, Kind, false, 2);
    // Compression reads what has been filled in.
    Multiply.emplace(P);
  }

  /// D = A * B.
  void launch() const { (*Multiply)(); }

private:
  std::optional<Run> Multiply;
};

/// Compares all of D with what the plain kernel computes.
template <class Type>
Comparison compareWithReference(const Matrices<Type> &P,
                                const Buffer<typename Type::Value> &Wanted) {
  multiplyPlainly<Type>
      <<<dim3(ceilDiv(P.N, ReferenceTile), ceilDiv(P.M, ReferenceTile)), 256>>>(
          P, Wanted.get());
  Buffer<Comparison> Result(1);
  check(cudaMemset(Result.get(), 0, sizeof(Comparison)), "cudaMemset");
  compare<Type><<<1024, 256>>>(P, Wanted.get(), Result.get());
  check(cudaDeviceSynchronize(), "the reference");
  return Result.read(0, 1)[0];
}

/// Runs, checks and times one problem. Of exact data every element must be the
/// rounded sum, of normal data no error may exceed \p MaxError, a fraction of
/// the largest element. Returns whether all is right.
template <class Type>
bool runProblem(const char *Name, int M, int N, int K, Data Kind,
                double MaxError) {
  Problem<Type> Job(M, N, K, Kind);
  Job.launch();
  check(cudaDeviceSynchronize(), "the kernel");

  Buffer<typename Type::Value> Wanted(size_t(M) * N);
  Comparison Found = compareWithReference<Type>(Job.P, Wanted);
  bool IsRight =
      Kind == Data::Exact ? Found.Different == 0 : Found.error() <= MaxError;
  const char *Fault = "";
  if (!Job.D.isMarginUntouched()) {
    IsRight = false;
    Fault = ", wrote beyond D";
  } else if (!isReferenceRight<Type>(Job.P, Job.A, Job.B, Wanted)) {
    IsRight = false;
    Fault = ", the reference is not what the CPU computes";
  }

  double Milliseconds = medianTime([&] { Job.launch(); });
  std::printf("%s %s %d x %d x %d, %s data: %llu elements other than the "
              "rounded sum, largest error %.2e of the largest sum%s; %.4f ms, "
              "%.0f TFLOP/s\n",
              IsRight ? "PASSED" : "FAILED", Name, M, N, K,
              Kind == Data::Exact ? "exact" : "normal", Found.Different,
              double(Found.error()), Fault, Milliseconds,
              2e-9 * M * N * K / Milliseconds);
  std::fflush(stdout);
  return IsRight;
}

/// The sizes of the command line, or some of all kinds.
template <class Type>
bool runAll(const char *Name, double MaxError, int Argc, char **Argv) {
  if (Argc == 4) {
    int M = std::atoi(Argv[1]), N = std::atoi(Argv[2]), K = std::atoi(Argv[3]);
    bool IsRight = runProblem<Type>(Name, M, N, K, Data::Exact, MaxError);
    return runProblem<Type>(Name, M, N, K, Data::Normal, MaxError) && IsRight;
  }
  bool IsRight = true;
  // One tile; ends within tiles; much K, little K; several tiles for each
  // cluster, of little K and of more; two blocks of a warpgroup; 192 columns;
  // few rows, by each of the tilings that halve K; and two to take the time of.
  const int Problems[][3] = {
      {256, 256, 128},   {1000, 1512, 776},  {77, 3001, 4104},
      {4500, 40, 33},    {1, 8, 264},        {3000, 9001, 33},
      {2000, 8200, 520}, {1000, 4100, 1544}, {1100, 4100, 1544},
      {16, 4100, 2056},  {33, 8200, 1032},   {120, 4000, 1000},
      {250, 4090, 1544}, {4096, 4096, 4096}, {8192, 8192, 8192}};
  for (const auto &P : Problems)
    for (Data Kind : {Data::Exact, Data::Normal})
      IsRight &= runProblem<Type>(Name, P[0], P[1], P[2], Kind, MaxError);
  return IsRight;
}

} // namespace gemm

#endif // GEMM_HOST_H
