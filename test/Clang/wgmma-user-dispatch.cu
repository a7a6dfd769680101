// A copy of the loop for each value of a number, so that it is a constant there: the
// columns that have the first scale where a tile of B has scales of two blocks, as
// DeepGEMM's FP8 kernel has it. No loop selects between the scales.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx -Werror=nvptx-wgmma
// DEFINE: %{verify} = sed "s/^.version .*/.version 8.0/" %t.ptx | %ptxas-verify -arch=sm_90a -v 2>&1 | FileCheck %s --implicit-check-not=C75
// REDEFINE: %{level} = -O2 -gline-tables-only
// RUN: %{compile} && %{verify} && FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// REDEFINE: %{level} = -O3
// RUN: %{compile} && %{verify} && FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// CHECK: accepts it

#include <nvptx_wgmma.h>
using namespace nvptx::wgmma;

constexpr unsigned BlockN = 96, BlockK = 128, Columns = 8;
constexpr unsigned Step = 32 / Columns;

struct Arguments {
  uint64_t A, B;
  const float *Scales;
  float *Out;
  unsigned Rounds, Tile;
};

template <unsigned Former, class Body> __device__ void dispatch(unsigned Number, const Body &Run) {
  if (Number == Former)
    Run();
  else if constexpr (Former + Step <= BlockK / Columns)
    dispatch<Former + Step>(Number, Run);
}

// PTX-LABEL: .entry scales(
// PTX-NOT: selp
// PTX-COUNT-3: wgmma.mma_async
// PTX-NOT: selp
// PTX-NOT: wgmma.mma_async
// PTX: ret;
extern "C" __global__ void __launch_bounds__(128) scales(Arguments Args) {
  const unsigned Former = min(BlockN, BlockK - Args.Tile * BlockN % BlockK) / Columns;
  accumulator_f32<BlockN> Part;
  float Sum[BlockN / 2] = {};
  dispatch<0>(Former, [&] {
#pragma unroll 1
    for (unsigned K = 0; K != Args.Rounds; ++K) {
      const float First = Args.Scales[K], Second = Args.Scales[K + Args.Rounds];
      fence();
      Part = __nvvm_wgmma_mma_async_ss_f32_e4m3_e4m3(Part, Args.A + 2 * K, Args.B + 2 * K, false, 1, 1);
      commit_group();
      wait_group<0>();
      fence_operand(Part);
#pragma unroll
      for (unsigned I = 0; I != BlockN / Columns; ++I) {
        const bool IsFirst = I < Former;
#pragma unroll
        for (unsigned J = 0; J != 4; ++J)
          Sum[4 * I + J] += (IsFirst ? First : Second) * Part[4 * I + J];
      }
    }
  });
#pragma unroll
  for (unsigned I = 0; I != BlockN / 2; ++I)
    Args.Out[I * 128 + threadIdx.x] = Sum[I];
}
