//===- cutlass_sparse_library.cu - CUTLASS's sparse GEMM, to call ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What CUTLASS's collective builders make of a 2:4 sparse A of f16, as its
// example 62 has it (D of f32, column-major), in two tiles; and of the larger
// tile with D as our kernel writes it (f16, row-major). Compiled by nvcc. The
// interface is that of gemm_library.h.
//
//===----------------------------------------------------------------------===//

#include "launch.h"

#include "cutlass/cutlass.h"
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/gemm/device/gemm_universal_adapter.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/transform/device/transform_universal_adapter.hpp"
#include "cutlass/transform/kernel/sparse_gemm_compressor.hpp"
#include "cutlass/util/device_memory.h"
#include "cutlass/util/packed_stride.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace cute;
using cutlass::half_t;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Size = Shape<int, int, int, int>;

struct Problem {
  void *A, *B, *D;
  size_t AStride, BStride, DStride;
  int M, N, K;
};

void check(cutlass::Status Status, const char *What) {
  if (Status == cutlass::Status::kSuccess)
    return;
  std::fprintf(stderr, "error: CUTLASS: %s: %s\n", What,
               cutlass::cutlassGetStatusString(Status));
  std::exit(4);
}

template <class Tile, class Cluster, class Output, class Layout>
class SparseLaunch final : public speed::Launch {
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassSparseTensorOp, Tile, Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, Output,
      Layout, 16 / sizeof(Output), Output, Layout, 16 / sizeof(Output),
      cutlass::epilogue::collective::EpilogueScheduleAuto>::CollectiveOp;
  using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassSparseTensorOp, half_t, Row, 8,
      half_t, Column, 8, float, Tile, Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      cutlass::gemm::collective::KernelScheduleAuto>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Size, Mainloop, Epilogue>;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
  using Config = typename Mainloop::SparseConfig;
  using Utility = cutlass::transform::kernel::StructuredSparseCompressorUtility<
      Size, half_t, Row, Config>;
  using Compressor = cutlass::transform::device::TransformUniversalAdapter<
      cutlass::transform::kernel::StructuredSparseCompressor<
          Size, half_t, Row, Config, cutlass::arch::Sm90>>;
  using AStride = cutlass::gemm::TagToStrideA_t<Row>;

public:
  explicit SparseLaunch(const Problem &P) {
    const Size S = make_tuple(P.M, P.N, P.K, 1);
    compress(P, S);
    auto BStride = cutlass::make_cute_packed_stride(typename Kernel::StrideB{},
                                                    make_shape(P.N, P.K, 1));
    auto DStride = cutlass::make_cute_packed_stride(typename Kernel::StrideD{},
                                                    make_shape(P.M, P.N, 1));
    Output *D = static_cast<Output *>(P.D);
    typename Gemm::Arguments Arguments{
        cutlass::gemm::GemmUniversalMode::kGemm,
        S,
        {Kept.get(), Config::fill_layoutA(S), static_cast<half_t *>(P.B),
         BStride, Metadata.get(), Config::fill_layoutE(S)},
        {{1.0f, 0.0f}, D, DStride, D, DStride}};
    Workspace.reset(Gemm::get_workspace_size(Arguments));
    check(Run.can_implement(Arguments), "can_implement");
    check(Run.initialize(Arguments, Workspace.get()), "initialize");
  }

  void operator()() const override { check(Run.run(), "run"); }

private:
  mutable Gemm Run;
  cutlass::DeviceAllocation<half_t> Kept;
  cutlass::DeviceAllocation<typename Mainloop::ElementE> Metadata;
  cutlass::DeviceAllocation<uint8_t> Workspace;

  void compress(const Problem &P, const Size &S) {
    auto Stride =
        cutlass::make_cute_packed_stride(AStride{}, make_shape(P.M, P.K, 1));
    Utility Sizes(S, Stride);
    Kept.reset(size_t(P.M) * Sizes.get_tensorA_k_physical());
    Metadata.reset(size_t(Sizes.get_metadata_m_physical()) *
                   Sizes.get_metadata_k_physical());
    cutlass::KernelHardwareInfo Hardware;
    Hardware.sm_count =
        cutlass::KernelHardwareInfo::query_device_multiprocessor_count(0);
    typename Compressor::Arguments Arguments{
        S,
        {static_cast<half_t *>(P.A), Stride, Kept.get(), Metadata.get()},
        {Hardware}};
    Compressor Run;
    cutlass::DeviceAllocation<uint8_t> Scratch(
        Compressor::get_workspace_size(Arguments));
    check(Run.can_implement(Arguments), "can_implement, compressor");
    check(Run.initialize(Arguments, Scratch.get()), "initialize, compressor");
    check(Run.run(), "run, compressor");
    if (cudaDeviceSynchronize() != cudaSuccess)
      check(cutlass::Status::kErrorInternal, "compressor");
  }
};

using Tile128 = Shape<_128, _128, _128>;
using Tile256 = Shape<_128, _256, _128>;
using As62 = SparseLaunch<Tile128, Shape<_1, _2, _1>, float, Column>;
using As62Wide = SparseLaunch<Tile256, Shape<_2, _1, _1>, float, Column>;
using WideF16 = SparseLaunch<Tile256, Shape<_2, _1, _1>, half_t, Row>;

} // namespace

/// Null where there is no such kernel, or strides are not those of dense
/// packing, which these have.
SPEED_EXPORT void *create(const char *Name, const Problem *P) {
  if (P->AStride != size_t(P->K) || P->BStride != size_t(P->K))
    return nullptr;
  if (!std::strcmp(Name, "128x128"))
    return static_cast<speed::Launch *>(new As62(*P));
  if (!std::strcmp(Name, "128x256"))
    return static_cast<speed::Launch *>(new As62Wide(*P));
  if (!std::strcmp(Name, "128x256 f16"))
    return static_cast<speed::Launch *>(new WideF16(*P));
  return nullptr;
}
