//===- fast_cu.cu - fast.cu's matrix products -----------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels 2 to 7 of fast.cu's steps towards a fast product of bf16
// matrices: from one wgmma per thread block to clusters with multicast. Kernel
// 1 has no wgmma. From kernel 8 on a thread block signals its neighbour in the
// cluster without knowing that it is still there: one ended with an error in
// each of the ways, nvcc's included.
//
// C[N][M] = B[N][K] * A[M][K]^T. The elements are integers of at most 8, so
// that the sums are exact in f32 and only the rounding to bf16 is left, which
// is to the nearest even one.
//
//===----------------------------------------------------------------------===//

#include "harness.h"

#include <cassert>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda_bf16.h>

// fast.cu's headers count on their includer for these.
using bf16 = __nv_bfloat16;
#define CEIL_DIV(Dividend, Divisor) (((Dividend) + (Divisor) - 1) / (Divisor))
inline void cudaCheck(cudaError_t Error) {
  harness::expectSuccess(Error, "fast.cu");
}
#ifdef __clang__
// nvcc declares it for the host, too.
using std::max;
#endif

#include "examples/matmul/matmul_2.cuh"

#include "examples/matmul/matmul_3.cuh"

#include "examples/matmul/matmul_4.cuh"

#include "examples/matmul/matmul_5.cuh"

#include "examples/matmul/matmul_6.cuh"

#include "examples/matmul/matmul_7.cuh"

using namespace harness;

namespace {

struct Shape {
  int M, N, K;

  double operations() const { return 2.0 * M * N * K; }
};

/// One of fast.cu's steps.
struct Step {
  const char *Name;
  /// Calls fast.cu's own launcher.
  void (*Launch)(const Shape &S, bf16 *A, bf16 *B, bf16 *C);
  /// The launchers keep the tensor maps of their first call; this makes them
  /// forget them, as the next one has other matrices.
  void (*Forget)();
};

/// Matrices of a shape; they serve several kernels.
class Problem {
public:
  Problem(const Shape &S, uint64_t Seed)
      : S(S), Generator(Seed),
        HostA(integers<bf16>(size_t(S.M) * S.K, 8, Generator)),
        HostB(integers<bf16>(size_t(S.N) * S.K, 8, Generator)), A(HostA),
        B(HostB), C(size_t(S.M) * S.N) {}

  void setWanted() {
    std::vector<int16_t> ShortA = shorts(HostA), ShortB = shorts(HostB);
    Wanted.resize(C.size());
    parallelFor(S.N, [&](size_t Column) {
      for (int Row = 0; Row != S.M; ++Row)
        Wanted[Column * S.M + Row] = {roundToBF16(float(dotProduct(
            &ShortA[size_t(Row) * S.K], &ShortB[Column * S.K], S.K)))};
    });
  }

  Comparison compare(const Step &Kernel) {
    C.poison();
    Kernel.Forget();
    launch(Kernel);
    expectSuccess(cudaDeviceSynchronize(), Kernel.Name);
    Comparison Result;
    Result.add(C.get(), Wanted);
    return Result;
  }

  double time(const Step &Kernel, unsigned Rounds) {
    Kernel.Forget();
    return medianTime([&] { launch(Kernel); }, Rounds);
  }

  const Shape S;

private:
  static std::vector<int16_t> shorts(const std::vector<bf16> &Values) {
    std::vector<int16_t> Result;
    Result.reserve(Values.size());
    for (bf16 Value : Values)
      Result.push_back(int16_t(float(Value)));
    return Result;
  }

  void launch(const Step &Kernel) {
    Kernel.Launch(S, A.data(), B.data(), C.data());
    expectSuccess(cudaGetLastError(), Kernel.Name);
  }

  std::mt19937_64 Generator;
  std::vector<bf16> HostA, HostB;
  Buffer<bf16> A, B, C;
  std::vector<Expected> Wanted;
};

/// The launchers 2 to 5 make tensor maps where they have none, the later ones
/// where M is another.
#define STEP(Number, ...)                                                      \
  Step {                                                                       \
    "kernel " #Number,                                                         \
        [](const Shape &S, bf16 *A, bf16 *B, bf16 *C) {                        \
          runKernel##Number(S.M, S.N, S.K, A, B, C __VA_ARGS__);               \
        },                                                                     \
        [] { forget(M##Number::d_tma_map_A, M##Number::_prev_m); }             \
  }
#define NO_DEBUG_OUTPUT , nullptr

void forget(CUtensorMap *&Map, int &) { Map = nullptr; }
void forget(CUtensorMap &, int &PreviousM) { PreviousM = 0; }

/// Compares with each of \p Problems, and measures with \p Usual.
bool run(const Step &Kernel, const std::vector<Problem *> &Problems,
         Problem &Usual, const Options &Arguments) {
  bool Right = true;
  for (Problem *P : Problems) {
    std::string Case = std::string(Kernel.Name) + ", " +
                       std::to_string(P->S.M) + " x " + std::to_string(P->S.N) +
                       " x " + std::to_string(P->S.K);
    bool First = P == Problems.front();
    Comparison Result = P->compare(Kernel);
    double Time = First ? Usual.time(Kernel, Arguments.Rounds) : 0;
    Right &= report(Case, Result, Time, Usual.S.operations());
  }
  return Right;
}

} // namespace

int main(int Argc, char **Argv) {
  Options Arguments(Argc, Argv);
  // 16 x 16 tiles of 128 x 256 for 128 thread blocks, and 11 rounds of 64, not
  // a multiple of the stages. Kernels 6 and 7 want 2048 or a multiple.
  Problem Even({2048, 4096, 704}, Arguments.Seed);
  // With edges. Rows come in 64s, and columns in 16s where no tensor map
  // stores them. The kernels assert an even number of whole tiles of rows,
  // those with a fixed order also that rounded up there are 8 or 16 of them.
  Problem Edges7({4032, 1808, 448}, Arguments.Seed + 1);
  for (Problem *P : {&Even, &Edges7})
    P->setWanted();
  Problem Usual({8192, 8192, 8192}, Arguments.Seed);
  bool Right = true;
  auto Run = [&](const Step &Kernel, const std::vector<Problem *> &Problems) {
    Right &= run(Kernel, Problems, Usual, Arguments);
  };
  Run(STEP(2), {&Even});
  Run(STEP(3, NO_DEBUG_OUTPUT), {&Even});
  Run(STEP(4, NO_DEBUG_OUTPUT), {&Even});
  Run(STEP(5, NO_DEBUG_OUTPUT), {&Even});
  Run(STEP(6, NO_DEBUG_OUTPUT), {&Even});
  Run(STEP(7, NO_DEBUG_OUTPUT), {&Even, &Edges7});
  return Right ? 0 : 1;
}
