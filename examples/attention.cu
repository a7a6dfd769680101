//===- attention.cu - Attention, forward, on Hopper -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is in attention/kernel.h. Here it is run for f16 and bf16, heads
// of 64 and 128 elements, with a causal mask and without, checked, and timed.
//
//   clang++ -O3 -std=c++17 --cuda-gpu-arch=sm_90a --cuda-path=/usr/local/cuda
//       examples/attention.cu -o attention -L/usr/local/cuda/lib64
//       -lcudart_static -ldl -lrt -lpthread
//
// Exit status 0: right, 1: wrong, 3: no suitable GPU, 4: CUDA failed.
//
//===----------------------------------------------------------------------===//

#include "attention/check.h"
#include "attention/kernel.h"

#include <nvptx_tensor_map.h>

#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <optional>

using namespace attention;
using namespace device;

namespace {

struct F16 {
  using Element = __half;
  static constexpr const char *Name = "f16";
  /// Weights and results are rounded to 11 bits.
  static constexpr double MaxError = 0x1p-9;

  template <bool IsFirst, class Scores>
  static __device__ void scores(Scores &Sum, unsigned long Q, unsigned long K) {
    Sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(
        Sum, Q, K, /*scale_d=*/!IsFirst, /*scale_a=*/1, /*scale_b=*/1,
        /*trans_a=*/false, /*trans_b=*/false);
  }
  template <class Output>
  static __device__ void weigh(Output &Sum, wgmma::a_fragment W,
                               unsigned long V) {
    Sum = __nvvm_wgmma_mma_async_rs_f32_f16_f16(Sum, W, V, /*scale_d=*/true,
                                                /*scale_a=*/1, /*scale_b=*/1,
                                                /*trans_b=*/true);
  }
  template <class Sums> static __device__ auto pack(Sums Sum) {
    return wgmma::to_f16(Sum);
  }
};

struct BF16 {
  using Element = __nv_bfloat16;
  static constexpr const char *Name = "bf16";
  /// Weights and results are rounded to 8 bits.
  static constexpr double MaxError = 0x1p-6;

  template <bool IsFirst, class Scores>
  static __device__ void scores(Scores &Sum, unsigned long Q, unsigned long K) {
    Sum = __nvvm_wgmma_mma_async_ss_f32_bf16_bf16(
        Sum, Q, K, /*scale_d=*/!IsFirst, /*scale_a=*/1, /*scale_b=*/1,
        /*trans_a=*/false, /*trans_b=*/false);
  }
  template <class Output>
  static __device__ void weigh(Output &Sum, wgmma::a_fragment W,
                               unsigned long V) {
    Sum = __nvvm_wgmma_mma_async_rs_f32_bf16_bf16(Sum, W, V, /*scale_d=*/true,
                                                  /*scale_a=*/1, /*scale_b=*/1,
                                                  /*trans_b=*/true);
  }
  template <class Sums> static __device__ auto pack(Sums Sum) {
    return wgmma::to_bf16(Sum);
  }
};

/// Rows of one head after those of another, in boxes of 64 elements.
template <class T>
nvptx::tensor_map mapOf(const T *Start, int Head, int Length, int Heads,
                        int BoxRows) {
  nvptx::tensor_map Map;
  unsigned long long Row = Head * sizeof(T);
  check(nvptx::make_tensor_map(Map, nvptx::tensor_type::u16, Start,
                               {static_cast<unsigned long long>(Head),
                                static_cast<unsigned long long>(Length),
                                static_cast<unsigned long long>(Heads)},
                               {Row, Row * Length},
                               {64, static_cast<unsigned>(BoxRows), 1},
                               wgmma::swizzle::bytes_128),
        "make_tensor_map");
  return Map;
}

/// Attention to matrices that are in memory: each call launches the kernel that
/// is expected to be done first.
template <class Type, int Head, bool IsCausal> class Attention {
  using T = typename Type::Element;

public:
  Attention(const T *Q, const T *K, const T *V, T *O, int Length, int Heads) {
    constexpr int Fewer = Head == 128 ? 2 : 3;
    consider<Sizes<Head, Fewer>>(Length, Heads);
    consider<Sizes<Head, Fewer + 1>>(Length, Heads);
    Args.Tiles = Fastest.Tiles;
    Args.Q = mapOf(Q, Head, Length, Heads, Args.Tiles.TallRows);
    Args.K = mapOf(K, Head, Length, Heads, KeyRows);
    Args.V = mapOf(V, Head, Length, Heads, KeyRows);
    Args.O = mapOf(O, Head, Length, Heads, 64);
    Args.Scale = float(M_LOG2E / std::sqrt(double(Head)));
  }

  void operator()() const { (*Kernel)(Args); }

  const Schedule &tiles() const { return Args.Tiles; }

private:
  Arguments Args = {};
  std::optional<ClusterLauncher<Arguments>> Kernel;
  Plan Fastest = {};
  int KeyRows = 0;

  /// Takes the kernel of these sizes if it is the first one, or faster.
  template <class S> void consider(int Length, int Heads) {
    ClusterLauncher<Arguments> Other(attend<Type, S, IsCausal>, 1,
                                     S::Registers::threads, S::SharedBytes,
                                     /*Blocks=*/0, /*OverlapsOthers=*/true);
    Plan Its = fastestPlan<IsCausal>(Length, Heads,
                                     {S::QRows, S::KeyRows, S::Microseconds},
                                     Other.mostClusters());
    if (Kernel && Its.Microseconds >= Fastest.Microseconds)
      return;
    Kernel = Other;
    Fastest = Its;
    KeyRows = S::KeyRows;
  }
};

template <class Type, int Head, bool IsCausal>
bool runProblem(int Length, int Heads, float Growth) {
  using T = typename Type::Element;
  const size_t Count = size_t(Length) * Heads * Head;
  Buffer<T> Q(Count), K(Count), V(Count), O(Count);
  fillNormal<<<1024, 256>>>(Q.get(), Count, 1);
  fillNormal<<<1024, 256>>>(K.get(), Count, 2, Head, Length, Growth);
  fillNormal<<<1024, 256>>>(V.get(), Count, 3);

  Attention<Type, Head, IsCausal> Launch(Q.get(), K.get(), V.get(), O.get(),
                                         Length, Heads);
  Launch();
  check(cudaDeviceSynchronize(), "the kernel");

  double Error = largestError<T, Head>(Q, K, V, O, Length, Heads, IsCausal);
  bool IsRight = Error <= Type::MaxError && O.isMarginUntouched();
  double Milliseconds = medianTime(Launch);
  double Operations = 4.0 * Length * Length * Head * Heads / (IsCausal ? 2 : 1);
  std::printf("%s %s, head %d, length %d, %d heads, %s%s: largest error %.2e "
              "(at most %.2e); %.4f ms, %.0f TFLOP/s\n",
              IsRight ? "PASSED" : "FAILED", Type::Name, Head, Length, Heads,
              IsCausal ? "causal" : "all", Growth > 1 ? ", growing" : "", Error,
              Type::MaxError, Milliseconds, 1e-9 * Operations / Milliseconds);
  std::fflush(stdout);
  return IsRight;
}

template <class Type, int Head>
bool runBoth(int Length, int Heads, float Growth) {
  bool IsRight = runProblem<Type, Head, false>(Length, Heads, Growth);
  return runProblem<Type, Head, true>(Length, Heads, Growth) && IsRight;
}

} // namespace

int main() {
  requireHopper();
  bool IsRight = true;
  struct {
    int Length, Heads;
    float Growth;
  } const Problems[] = {// One tile, ends within tiles, scores that grow.
                        {128, 1, 1},
                        {1, 3, 1},
                        {1000, 5, 1},
                        {2077, 12, 1},
                        {3000, 7, 30},
                        // To take the time of.
                        {4096, 32, 1},
                        {16384, 16, 1}};
  for (const auto &P : Problems) {
    IsRight &= runBoth<F16, 128>(P.Length, P.Heads, P.Growth);
    IsRight &= runBoth<BF16, 128>(P.Length, P.Heads, P.Growth);
    IsRight &= runBoth<F16, 64>(P.Length, P.Heads, P.Growth);
    IsRight &= runBoth<BF16, 64>(P.Length, P.Heads, P.Growth);
  }
  return IsRight ? 0 : 1;
}
