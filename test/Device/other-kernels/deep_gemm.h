//===- deep_gemm.h - What the programs for DeepGEMM share -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of DeepGEMM's kernels here compute D = A * B^T or add it to D, where the
// rows of A and of B have K contiguous elements. The FP8 kernels scale each 128
// elements of a row.
//
// Every result is exact, and has to be right bit for bit: the elements are
// small integers, and the scales are 1/2, 1 or 2. The host multiplies each
// element by its scales first, so that these are integers too, and then sums
// up in integers; neither tiles nor scales are left in what it does there.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_DEEP_GEMM_H
#define NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_DEEP_GEMM_H

#include "harness.h"
#include <cstring>
#include <cuda.h>
#include <cute/arch/copy_sm90_desc.hpp>
#include <cutlass/bfloat16.h>
#include <cutlass/float8.h>
#include <type_traits>

#ifdef __clang__
// DeepGEMM has it in a template that is for newer GPUs only. nvcc declares it
// for all of them, Clang for none.
__device__ float2 __fmul2_rn(float2 Left, float2 Right);
#endif

namespace deepgemm {

using BFloat = cutlass::bfloat16_t;
using Float8 = cutlass::float_e4m3_t;
using harness::Buffer;
using harness::Expected;
using harness::expectSuccess;

/// The SMs of an H100 SXM or an H200. A kernel has one CTA for each of them, as
/// a constant; on a GPU that has fewer, some would start later, but all would
/// be right.
constexpr uint32_t NumSMs = 132;
constexpr uint32_t NumLoadThreads = 128;
/// The elements that have one scale.
constexpr uint32_t ScaleBlock = 128;
/// The padding of an output's rows, which must stay as it is. It is a multiple
/// of 16 bytes, for the sake of TMA.
constexpr uint32_t Padding = 8;

constexpr uint32_t divideCeil(uint32_t Value, uint32_t Divisor) {
  return (Value + Divisor - 1) / Divisor;
}
constexpr uint32_t alignTo(uint32_t Value, uint32_t Alignment) {
  return divideCeil(Value, Alignment) * Alignment;
}

/// The distance of columns of \p Rows scales, for TMA.
constexpr uint32_t scaleStride(uint32_t Rows) { return alignTo(Rows, 4); }

/// The largest swizzle of a block's rows, in bytes.
constexpr uint32_t swizzleFor(uint32_t RowBytes) {
  return RowBytes % 128 == 0 ? 128 : RowBytes % 64 == 0 ? 64 : 32;
}

/// How much shared memory a kernel gets, and how many stages are in it.
struct SharedMemory {
  uint32_t PerStage;
  /// The output's block, and what else there is once.
  uint32_t Once;

  static constexpr uint32_t Capacity = 227 * 1024;
  static constexpr uint32_t MaxStages = 16;

  static constexpr uint32_t onceFor(uint32_t OutputBytes) {
    // There are two barriers for each stage.
    return alignTo(OutputBytes, 1024) + MaxStages * 16;
  }
  constexpr uint32_t numStages() const {
    return std::min((Capacity - Once) / PerStage, MaxStages);
  }
  constexpr uint32_t size() const { return Once + numStages() * PerStage; }
};

/// The sizes of a case.
struct Sizes {
  uint32_t M, N, K;

  /// The distance of the output's rows.
  uint32_t stride() const { return N + Padding; }
  uint32_t numScales() const { return divideCeil(K, ScaleBlock); }
  double operations() const { return 2.0 * M * N * K; }
};

/// What the project measures, too. Kernels have N and K as constants there, as
/// they do by default.
constexpr Sizes UsualSizes = {4096, 7168, 2048};

/// No size is a multiple of its block, there are an odd number of blocks in
/// both directions, such that one has no other to share a load with, and more
/// than three for each CTA.
constexpr Sizes oddSizes(uint32_t BlockM, uint32_t BlockN) {
  return {17 * BlockM - 37, 25 * BlockN - 24, 1008};
}

/// Three blocks, for the first three of the CTAs, with half of a round each.
constexpr Sizes smallSizes(uint32_t BlockN) { return {53, 3 * BlockN, 64}; }

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

template <typename T> constexpr CUtensorMapDataType tensorMapType() {
  if (std::is_same<T, float>::value)
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  return std::is_same<T, BFloat>::value ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                        : CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

inline CUtensorMapSwizzle tensorMapSwizzle(uint32_t Bytes) {
  switch (Bytes) {
  case 128:
    return CU_TENSOR_MAP_SWIZZLE_128B;
  case 64:
    return CU_TENSOR_MAP_SWIZZLE_64B;
  case 32:
    return CU_TENSOR_MAP_SWIZZLE_32B;
  default:
    return CU_TENSOR_MAP_SWIZZLE_NONE;
  }
}

/// A matrix or a block of it; columns are contiguous.
struct Extent {
  uint32_t Rows, Columns;
};

/// How TMA copies blocks of a matrix that lies at \p Data. With a swizzle, a
/// block's rows are as long as that.
template <typename T>
cute::TmaDescriptor makeTensorMap(T *Data, Extent Matrix, uint32_t Stride,
                                  Extent Block, uint32_t SwizzleBytes) {
  cute::TmaDescriptor Map;
  static_assert(sizeof(Map) == sizeof(CUtensorMap), "not a tensor map");
  if (SwizzleBytes)
    Block.Columns = SwizzleBytes / sizeof(T);
  cuuint64_t Dimensions[] = {Matrix.Columns, Matrix.Rows};
  cuuint64_t Strides[] = {Stride * sizeof(T)};
  cuuint32_t Box[] = {Block.Columns, Block.Rows};
  cuuint32_t Steps[] = {1, 1};
  CUresult Result = cuTensorMapEncodeTiled(
      reinterpret_cast<CUtensorMap *>(&Map), tensorMapType<T>(), 2, Data,
      Dimensions, Strides, Box, Steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      tensorMapSwizzle(SwizzleBytes), CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (Result != CUDA_SUCCESS) {
    std::fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", int(Result));
    std::exit(2);
  }
  return Map;
}

/// The same for \p Columns of scales, one for each of \p Rows. A block is a
/// part of one column.
inline cute::TmaDescriptor makeScaleMap(float *Data, uint32_t Rows,
                                        uint32_t Columns, uint32_t BlockRows) {
  uint32_t Stride = scaleStride(Rows);
  return makeTensorMap(Data, {Columns, Stride}, Stride, {1, BlockRows}, 0);
}

/// A kernel and how it is launched.
template <typename... ParametersT> class Launcher {
public:
  using KernelT = void (*)(ParametersT...);

  Launcher(KernelT Kernel, uint32_t NumThreads, uint32_t SharedBytes,
           uint32_t ClusterSize)
      : Kernel(Kernel), NumThreads(NumThreads), SharedBytes(SharedBytes),
        ClusterSize(ClusterSize) {
    expectSuccess(
        cudaFuncSetAttribute(reinterpret_cast<const void *>(Kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(SharedBytes)),
        "cudaFuncSetAttribute");
  }

  void operator()(ParametersT... Arguments) const {
    cudaLaunchAttribute Cluster = {};
    Cluster.id = cudaLaunchAttributeClusterDimension;
    Cluster.val.clusterDim.x = ClusterSize;
    Cluster.val.clusterDim.y = 1;
    Cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t Config = {};
    Config.gridDim = dim3(NumSMs);
    Config.blockDim = dim3(NumThreads);
    Config.dynamicSmemBytes = SharedBytes;
    Config.attrs = &Cluster;
    Config.numAttrs = ClusterSize > 1 ? 1 : 0;
    void *Pointers[] = {&Arguments...};
    expectSuccess(cudaLaunchKernelExC(&Config,
                                      reinterpret_cast<const void *>(Kernel),
                                      Pointers),
                  "cudaLaunchKernelExC");
  }

private:
  KernelT Kernel;
  uint32_t NumThreads, SharedBytes, ClusterSize;
};

template <typename... ParametersT>
Launcher<ParametersT...> launcherFor(void (*Kernel)(ParametersT...),
                                     uint32_t NumThreads, uint32_t SharedBytes,
                                     uint32_t ClusterSize) {
  return {Kernel, NumThreads, SharedBytes, ClusterSize};
}

//===----------------------------------------------------------------------===//
// What is right
//===----------------------------------------------------------------------===//

/// Random integers from -\p Most to \p Most. Those of the harness repeat, which
/// would make rows equal that a kernel might confuse.
inline std::vector<int16_t> randomIntegers(size_t Count, int Most,
                                           std::mt19937_64 &Generator) {
  std::vector<int16_t> Values(Count);
  for (int16_t &Value : Values)
    Value = int16_t(Generator() % uint64_t(2 * Most + 1)) - Most;
  return Values;
}

template <typename T>
std::vector<T> convert(const std::vector<int16_t> &Values) {
  std::vector<T> Converted(Values.size());
  for (size_t I = 0; I != Values.size(); ++I)
    Converted[I] = T(float(Values[I]));
  return Converted;
}

/// Random integers 0, 1 and 2, for scales of 1/2, 1 and 2.
inline std::vector<uint8_t> randomScales(size_t Count,
                                         std::mt19937_64 &Generator) {
  std::vector<uint8_t> Scales(Count);
  for (uint8_t &Scale : Scales)
    Scale = Generator() % 3;
  return Scales;
}

inline int twiceTheScale(uint8_t Scale) { return 1 << Scale; }
inline float scaleAsFloat(uint8_t Scale) {
  return float(twiceTheScale(Scale)) / 2;
}

/// A matrix of FP8. Each scale is for 128 elements of a row, or of 128 rows.
class ScaledMatrix {
public:
  ScaledMatrix(uint32_t Rows, uint32_t Columns, uint32_t RowsPerScale,
               int MostElement, std::mt19937_64 &Generator)
      : Rows(Rows), Columns(Columns), RowsPerScale(RowsPerScale),
        ScaleRows(divideCeil(Rows, RowsPerScale)),
        ScaleColumns(divideCeil(Columns, ScaleBlock)),
        Elements(
            randomIntegers(size_t(Rows) * Columns, MostElement, Generator)),
        Scales(randomScales(size_t(ScaleRows) * ScaleColumns, Generator)) {}

  std::vector<Float8> elements() const { return convert<Float8>(Elements); }

  std::vector<float> scalesByRow() const {
    std::vector<float> Floats(Scales.size());
    std::transform(Scales.begin(), Scales.end(), Floats.begin(), scaleAsFloat);
    return Floats;
  }

  /// The scales of a column are contiguous, and as many as TMA needs. Those
  /// that are none are NaN.
  std::vector<float> scalesByColumn() const {
    size_t Stride = scaleStride(ScaleRows);
    std::vector<float> Floats(Stride * ScaleColumns, NAN);
    for (size_t Row = 0; Row != ScaleRows; ++Row)
      for (size_t Column = 0; Column != ScaleColumns; ++Column)
        Floats[Column * Stride + Row] =
            scaleAsFloat(Scales[Row * ScaleColumns + Column]);
    return Floats;
  }

  /// Each element multiplied by twice its scale.
  std::vector<int16_t> twiceTheValues() const {
    std::vector<int16_t> Values = Elements;
    for (size_t Row = 0; Row != Rows; ++Row)
      for (size_t Column = 0; Column != Columns; ++Column)
        Values[Row * Columns + Column] *= twiceTheScale(
            Scales[Row / RowsPerScale * ScaleColumns + Column / ScaleBlock]);
    return Values;
  }

private:
  uint32_t Rows, Columns, RowsPerScale, ScaleRows, ScaleColumns;
  std::vector<int16_t> Elements;
  std::vector<uint8_t> Scales;
};

/// The products of all rows of \p A with all of \p B, row by row.
inline std::vector<int32_t> multiply(const std::vector<int16_t> &A,
                                     const std::vector<int16_t> &B,
                                     const Sizes &Of) {
  // Each row of B is used for several of A while it is cached.
  constexpr uint32_t RowsAtOnce = 8;
  std::vector<int32_t> Products(size_t(Of.M) * Of.N);
  harness::parallelFor(divideCeil(Of.M, RowsAtOnce), [&](size_t Group) {
    uint32_t First = uint32_t(Group) * RowsAtOnce;
    uint32_t Last = std::min(First + RowsAtOnce, Of.M);
    for (uint32_t Column = 0; Column != Of.N; ++Column)
      for (uint32_t Row = First; Row != Last; ++Row)
        Products[size_t(Row) * Of.N + Column] = harness::dotProduct(
            &A[size_t(Row) * Of.K], &B[size_t(Column) * Of.K], Of.K);
  });
  return Products;
}

/// The output, with padding behind each of its rows. All is poisoned at first.
template <typename T> class Output {
public:
  explicit Output(const Sizes &Of)
      : Of(Of), Elements(size_t(Of.M) * Of.stride()) {}

  /// Gives it other \p Values, but not the padding.
  void set(const std::vector<T> &Values) {
    expectSuccess(cudaMemcpy2D(Elements.data(), Of.stride() * sizeof(T),
                               Values.data(), Of.N * sizeof(T),
                               Of.N * sizeof(T), Of.M, cudaMemcpyHostToDevice),
                  "cudaMemcpy2D");
  }
  T *data() { return Elements.data(); }

  /// Adds all elements to \p Result, with the padding's, of which every byte
  /// has to be poison still.
  void compare(const std::vector<Expected> &Wanted,
               harness::Comparison &Result) const {
    std::vector<T> All = Elements.get();
    std::vector<T> Got(size_t(Of.M) * Of.N);
    std::vector<float> ChangedBytes(size_t(Of.M) * Padding);
    for (size_t Row = 0; Row != Of.M; ++Row) {
      const T *From = &All[Row * Of.stride()];
      std::copy_n(From, Of.N, &Got[Row * Of.N]);
      for (size_t I = 0; I != Padding; ++I)
        ChangedBytes[Row * Padding + I] = countChanged(From[Of.N + I]);
    }
    Result.add(Got, Wanted);
    Result.add(ChangedBytes, std::vector<Expected>(ChangedBytes.size(), {0}));
  }

private:
  static float countChanged(const T &Element) {
    uint8_t Bytes[sizeof(T)];
    std::memcpy(Bytes, &Element, sizeof(T));
    return float(sizeof(T) - std::count(Bytes, Bytes + sizeof(T), 0xff));
  }

  Sizes Of;
  Buffer<T> Elements;
};

/// The three cases of a kernel whose blocks have these sizes. \p Check and
/// \p Measure get what N and K are as constants, or 0, and the sizes.
template <typename CheckT, typename MeasureT>
bool runCases(const std::string &Name, uint32_t BlockM, uint32_t BlockN,
              CheckT Check, MeasureT Measure) {
  std::integral_constant<uint32_t, 0> None;
  std::integral_constant<uint32_t, UsualSizes.N> N;
  std::integral_constant<uint32_t, UsualSizes.K> K;
  bool IsRight = harness::report(Name + ", small",
                                 Check(None, None, smallSizes(BlockN)), 0, 0);
  IsRight &= harness::report(Name + ", odd sizes",
                             Check(None, None, oddSizes(BlockM, BlockN)), 0, 0);
  harness::Comparison Usual = Check(N, K, UsualSizes);
  double Time = Measure(N, K, UsualSizes);
  return harness::report(Name, Usual, Time, UsualSizes.operations()) && IsRight;
}

/// Launches a kernel and waits for its result.
inline void launchAndWait(const std::function<void()> &Launch) {
  Launch();
  expectSuccess(cudaDeviceSynchronize(), "kernel");
}

} // namespace deepgemm

#endif // NVPTX_MMA_TEST_DEVICE_OTHER_KERNELS_DEEP_GEMM_H
