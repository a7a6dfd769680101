//===- main.cpp - Runs the kernels of kernels.cu and checks them ----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: kernel CUBIN [PART OF A NAME]
//
// Prints a line for each kernel: "pass NAME" or "fail NAME: what is wrong".
// Exit status: 0, 1 when one failed, 2 when the device cannot be used.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Reduction.h"
#include "Tensor.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <random>

using namespace kernel_tests;

namespace {

/// Runs kernels, and reports.
class Suite {
public:
  Suite(Device &GPU, std::string Filter)
      : GPU(GPU), Filter(std::move(Filter)) {}

  bool wants(const std::string &Kernel) const {
    return Kernel.find(Filter) != std::string::npos;
  }
  void report(const std::string &Kernel, const std::string &Fault) {
    std::printf(Fault.empty() ? "pass %s\n" : "fail %s: %s\n", Kernel.c_str(),
                Fault.c_str());
    std::fflush(stdout);
    Failed |= !Fault.empty();
    ++Count;
    GPU.freeAll();
  }

  Device &GPU;
  bool Failed = false;
  unsigned Count = 0;
  std::mt19937 Random{20260101};

private:
  std::string Filter;
};

std::string compare(const Bytes &Got, const Bytes &Wanted) {
  for (size_t I = 0; I != Wanted.size(); ++I)
    if (Got[I] != Wanted[I]) {
      size_t Wrong = 0;
      for (size_t J = I; J != Wanted.size(); ++J)
        Wrong += Got[J] != Wanted[J];
      return "byte " + std::to_string(I) + " is " + std::to_string(Got[I]) +
             " instead of " + std::to_string(Wanted[I]) + ", " +
             std::to_string(Wrong) + " of " + std::to_string(Wanted.size()) +
             " are wrong";
    }
  return "";
}

Bytes randomBytes(Suite &S, size_t Size) {
  Bytes Result(Size);
  for (uint8_t &Byte : Result)
    // None is what the kernels fill memory with.
    Byte = static_cast<uint8_t>(S.Random() % 160);
  return Result;
}

/// As in kernels.cu.
struct Place {
  int32_t C[5];
  uint16_t O[3];
};

struct Swizzle {
  CUtensorMapSwizzle Mode;
  unsigned Bytes;
};
const Swizzle Swizzles[] = {{CU_TENSOR_MAP_SWIZZLE_NONE, 0},
                            {CU_TENSOR_MAP_SWIZZLE_32B, 32},
                            {CU_TENSOR_MAP_SWIZZLE_64B, 64},
                            {CU_TENSOR_MAP_SWIZZLE_128B, 128}};

struct ElementType {
  CUtensorMapDataType Type;
  size_t Bytes;
};
const ElementType ElementTypes[] = {{CU_TENSOR_MAP_DATA_TYPE_UINT8, 1},
                                    {CU_TENSOR_MAP_DATA_TYPE_UINT16, 2},
                                    {CU_TENSOR_MAP_DATA_TYPE_UINT32, 4},
                                    {CU_TENSOR_MAP_DATA_TYPE_UINT64, 8}};

/// The tensors of the tests: odd sizes, rows with a gap, \p More elements in a
/// row than 160 bytes have.
Tensor makeTensor(size_t ElementBytes, unsigned Rank, unsigned More = 3) {
  std::vector<uint64_t> Dims = {160 / ElementBytes + More, 13, 7, 5, 3};
  Dims.resize(Rank);
  uint64_t Row = (Dims[0] * ElementBytes + 15) / 16 * 16 + 16;
  return Tensor(ElementBytes, Dims, Row);
}

std::vector<uint64_t> outerStrides(const Tensor &T) {
  return std::vector<uint64_t>(T.Strides.begin() + 1, T.Strides.end());
}

/// The bytes that a load of what \p Visit enumerates leaves in shared memory.
template <class Part>
Bytes loaded(const Tensor &T, const Bytes &Memory, const Part &P,
             unsigned SwizzleBytes) {
  Bytes Result;
  P.forEach([&](const std::vector<int64_t> &Element) {
    std::optional<size_t> From = T.offset(Element);
    for (size_t I = 0; I != T.ElementBytes; ++I)
      // Zeros outside of the tensor.
      Result.push_back(From ? Memory[*From + I] : 0);
  });
  Bytes Swizzled(Result.size());
  for (size_t I = 0; I != Result.size(); ++I)
    Swizzled[swizzled(I, SwizzleBytes)] = Result[I];
  return Swizzled;
}

/// The kinds of load, and how many boxes they load for how many CTAs.
const char *const LoadKinds[] = {"load_", "load_hint_", "load_cta_",
                                 "load_cta_hint_", "load_multicast_"};

template <class Part>
std::string runLoad(Suite &S, const std::string &Kernel, const Tensor &T,
                    const CUtensorMap &Map, CUdeviceptr, const Bytes &Memory,
                    Part P, const std::vector<uint16_t> &Offsets,
                    unsigned SwizzleBytes) {
  bool IsMulticast = Kernel.find("multicast") != std::string::npos;
  Bytes Wanted = loaded(T, Memory, P, SwizzleBytes);
  uint32_t Size = static_cast<uint32_t>(Wanted.size());
  Place Start = {};
  for (size_t I = 0; I != P.Start.size(); ++I)
    Start.C[I] = static_cast<int32_t>(P.Start[I]);
  std::copy(Offsets.begin(), Offsets.end(), Start.O);
  if (IsMulticast) {
    // The second box, and the same for the other CTA.
    P.Start.back() += P.Start.size() == 1 ? 16 : 1;
    Bytes Second = loaded(T, Memory, P, SwizzleBytes);
    Wanted.insert(Wanted.end(), Second.begin(), Second.end());
    Bytes Both = Wanted;
    Wanted.insert(Wanted.end(), Both.begin(), Both.end());
  }

  CUdeviceptr Out = S.GPU.allocate(Wanted.size());
  S.GPU.fill(Out, 0x55, Wanted.size());
  Launch How;
  How.DynamicBytes = IsMulticast ? 2 * Size : Size;
  How.Blocks = How.Cluster = IsMulticast ? 2 : 1;
  S.GPU.launch(Kernel, How,
               {const_cast<CUtensorMap *>(&Map), &Start, &Size, &Out});
  if (std::string Error = S.GPU.finish(); !Error.empty())
    return Error;
  return compare(S.GPU.read(Out, Wanted.size()), Wanted);
}

std::string describeCase(size_t ElementBytes, unsigned SwizzleBytes,
                         const std::vector<int64_t> &Start) {
  std::string Text = std::to_string(8 * ElementBytes) + "-bit elements, " +
                     "swizzle " + std::to_string(SwizzleBytes) + ", box at";
  for (int64_t Coordinate : Start)
    Text += " " + std::to_string(Coordinate);
  return Text;
}

/// Boxes inside of the tensor, across its ends, and outside of it. In memory
/// they start at a multiple of 16 bytes, or the device finds an illegal
/// instruction.
std::vector<std::vector<int64_t>> starts(const Tensor &T) {
  int64_t Unit = 16 / static_cast<int64_t>(T.ElementBytes);
  int64_t Length = static_cast<int64_t>(T.Dims[0]);
  std::vector<int64_t> Inside = {Unit}, Before = {-Unit},
                       Across = {(Length - 1) / Unit * Unit},
                       Outside = {(Length / Unit + 1) * Unit};
  for (size_t I = 1; I != T.Dims.size(); ++I) {
    Inside.push_back(1);
    Before.push_back(-static_cast<int64_t>(I) - 2);
    Across.push_back(static_cast<int64_t>(T.Dims[I]) - 2);
    Outside.push_back(static_cast<int64_t>(T.Dims[I]) + 5);
  }
  return {Inside, Before, Across, Outside};
}

/// Loads boxes of all places out of a tensor of this type and rank. False if
/// the boxes are not of a size that the kernel takes.
bool loadTiles(Suite &S, const std::string &Kernel, unsigned Rank,
               const ElementType &Type, const Swizzle &Mode,
               std::string &Fault) {
  bool IsMulticast = Kernel.find("multicast") != std::string::npos;
  Tensor T = makeTensor(Type.Bytes, Rank);
  // A line of a swizzled box is as long as the swizzle.
  unsigned Line = Mode.Bytes ? Mode.Bytes : IsMulticast ? 128 : 48;
  std::vector<uint32_t> Sizes = {Line / static_cast<uint32_t>(Type.Bytes), 16,
                                 2, 2, 2};
  Sizes.resize(Rank);
  size_t BoxBytes = Type.Bytes;
  for (uint32_t Size : Sizes)
    BoxBytes *= Size;
  // The second box begins where the first one ends.
  if (IsMulticast && BoxBytes % (Mode.Bytes ? 8 * Mode.Bytes : 128))
    return false;
  Bytes Memory = randomBytes(S, T.size());
  CUdeviceptr Address = S.GPU.allocate(T.size());
  S.GPU.write(Address, Memory.data(), T.size());
  CUtensorMap Map =
      S.GPU.encodeTiled(Type.Type, Address, T.Dims, outerStrides(T), Sizes,
                        CU_TENSOR_MAP_INTERLEAVE_NONE, Mode.Mode);
  for (const std::vector<int64_t> &Start : starts(T)) {
    Fault = runLoad(S, Kernel, T, Map, Address, Memory, Box{Sizes, Start}, {},
                    Mode.Bytes);
    if (!Fault.empty()) {
      Fault = describeCase(Type.Bytes, Mode.Bytes, Start) + ": " + Fault;
      return true;
    }
  }
  S.GPU.freeAll();
  return true;
}

std::string loadAllTiles(Suite &S, const std::string &Kernel, unsigned Rank) {
  std::string Fault;
  bool HasRun = false;
  for (const ElementType &Type : ElementTypes)
    for (const Swizzle &Mode : Swizzles) {
      HasRun |= loadTiles(S, Kernel, Rank, Type, Mode, Fault);
      if (!Fault.empty())
        return Fault;
    }
  return HasRun ? "" : "nothing was run";
}

void testTileLoads(Suite &S) {
  for (unsigned Rank = 1; Rank <= 5; ++Rank)
    for (const char *Kind : LoadKinds) {
      std::string Kernel = Kind + ("tile_" + std::to_string(Rank)) + "d";
      if (S.wants(Kernel))
        S.report(Kernel, loadAllTiles(S, Kernel, Rank));
    }
}

/// A tensor of pixels with 64 channels of 16 bits, for im2col.
struct PixelTensor {
  Tensor T;
  std::vector<int> Lower, Upper;
  std::vector<uint16_t> Offsets;

  explicit PixelTensor(unsigned Rank, size_t ElementBytes = 2, int Corner = -1)
      : T(ElementBytes, dims(Rank), 64 * ElementBytes) {
    for (unsigned I = 0; I + 2 < Rank; ++I) {
      Lower.push_back(Corner);
      Upper.push_back(Corner);
      Offsets.push_back(static_cast<uint16_t>(I == 1 ? 2 : 1));
    }
  }
  static std::vector<uint64_t> dims(unsigned Rank) {
    std::vector<uint64_t> Dims = {64};
    const uint64_t Spatial[] = {7, 5, 4};
    Dims.insert(Dims.end(), Spatial, Spatial + Rank - 2);
    Dims.push_back(3);
    return Dims;
  }
  PixelBox box(uint32_t Channels, uint32_t Pixels, bool HasOffsets) const {
    PixelBox Result;
    Result.Channels = Channels;
    Result.Pixels = Pixels;
    Result.Lower = Lower;
    Result.Upper = Upper;
    Result.Dims = T.Dims;
    Result.Start.assign(T.Dims.size(), 0);
    Result.Start[1] = 1;
    if (HasOffsets)
      Result.Offsets = Offsets;
    return Result;
  }
};

void testIm2colLoads(Suite &S) {
  for (unsigned Rank = 3; Rank <= 5; ++Rank)
    for (const char *Kind : LoadKinds) {
      std::string Kernel = Kind + ("im2col_" + std::to_string(Rank)) + "d";
      if (!S.wants(Kernel))
        continue;
      PixelTensor P(Rank);
      Bytes Memory = randomBytes(S, P.T.size());
      CUdeviceptr Address = S.GPU.allocate(P.T.size());
      S.GPU.write(Address, Memory.data(), P.T.size());
      std::string Fault;
      for (const Swizzle &Swizzle : Swizzles) {
        uint32_t Channels = Swizzle.Bytes ? Swizzle.Bytes / 2 : 64;
        PixelBox B = P.box(Channels, 32, /*HasOffsets=*/true);
        CUtensorMap Map = S.GPU.encodeIm2col(
            CU_TENSOR_MAP_DATA_TYPE_UINT16, Address, P.T.Dims,
            outerStrides(P.T), P.Lower, P.Upper, Channels, 32, Swizzle.Mode);
        Fault = runLoad(S, Kernel, P.T, Map, Address, Memory, B, P.Offsets,
                        Swizzle.Bytes);
        if (!Fault.empty()) {
          Fault = "swizzle " + std::to_string(Swizzle.Bytes) + ": " + Fault;
          break;
        }
      }
      S.report(Kernel, Fault);
    }
}

template <class Part>
std::string runStore(Suite &S, const std::string &Kernel,
                     const std::string &Operation, const Tensor &T,
                     const CUtensorMap &Map, CUdeviceptr Address, Bytes Memory,
                     const Part &P, unsigned SwizzleBytes) {
  Bytes Linear, Wanted = Memory;
  P.forEach([&](const std::vector<int64_t> &Element) {
    uint32_t New = static_cast<uint32_t>(S.Random());
    const auto *From = reinterpret_cast<const uint8_t *>(&New);
    Linear.insert(Linear.end(), From, From + 4);
    if (std::optional<size_t> To = T.offset(Element)) {
      uint32_t Old;
      std::memcpy(&Old, &Memory[*To], 4);
      uint64_t Result = Operation == "store"
                            ? New
                            : reduce(Operation, ReductionType("u32"), Old, New);
      std::memcpy(&Wanted[*To], &Result, 4);
    }
  });
  Bytes Source(Linear.size());
  for (size_t I = 0; I != Linear.size(); ++I)
    Source[swizzled(I, SwizzleBytes)] = Linear[I];

  S.GPU.write(Address, Memory.data(), Memory.size());
  CUdeviceptr In = S.GPU.allocate(Source.size());
  S.GPU.write(In, Source.data(), Source.size());
  uint32_t Size = static_cast<uint32_t>(Source.size());
  Place Start = {};
  for (size_t I = 0; I != P.Start.size(); ++I)
    Start.C[I] = static_cast<int32_t>(P.Start[I]);
  Launch How;
  How.DynamicBytes = Size;
  S.GPU.launch(Kernel, How,
               {const_cast<CUtensorMap *>(&Map), &Start, &Size, &In});
  if (std::string Error = S.GPU.finish(); !Error.empty())
    return Error;
  return compare(S.GPU.read(Address, Memory.size()), Wanted);
}

const char *const Operations[] = {"store", "add", "min", "max", "inc",
                                  "dec",   "and", "or",  "xor"};

std::string storeKernel(const std::string &Operation, bool HasHint,
                        const std::string &Mode) {
  std::string Hint = HasHint ? "hint_" : "";
  return Operation == "store" ? "store_" + Hint + Mode
                              : "reduce_" + Hint + Operation + "_" + Mode;
}

void testTileStores(Suite &S) {
  for (unsigned Rank = 1; Rank <= 5; ++Rank)
    for (const char *Operation : Operations)
      for (bool HasHint : {false, true}) {
        std::string Kernel = storeKernel(Operation, HasHint,
                                         "tile_" + std::to_string(Rank) + "d");
        if (!S.wants(Kernel))
          continue;
        std::string Fault;
        for (const Swizzle &Swizzle : Swizzles) {
          // A store goes on after a row's end to the next multiple of 16
          // bytes, which is the row's end here.
          Tensor T = makeTensor(4, Rank, /*More=*/4);
          CUdeviceptr Address = S.GPU.allocate(T.size());
          unsigned Line = Swizzle.Bytes ? Swizzle.Bytes : 48;
          std::vector<uint32_t> Sizes = {Line / 4, 8, 2, 2, 2};
          Sizes.resize(Rank);
          CUtensorMap Map = S.GPU.encodeTiled(
              CU_TENSOR_MAP_DATA_TYPE_UINT32, Address, T.Dims, outerStrides(T),
              Sizes, CU_TENSOR_MAP_INTERLEAVE_NONE, Swizzle.Mode);
          for (const std::vector<int64_t> &Start : starts(T)) {
            // The device finds a store before the tensor's start illegal.
            if (Start[0] < 0)
              continue;
            Bytes Memory = randomBytes(S, T.size());
            Fault = runStore(S, Kernel, Operation, T, Map, Address, Memory,
                             Box{Sizes, Start}, Swizzle.Bytes);
            if (!Fault.empty()) {
              Fault = describeCase(4, Swizzle.Bytes, Start) + ": " + Fault;
              break;
            }
          }
          if (!Fault.empty())
            break;
          S.GPU.freeAll();
        }
        S.report(Kernel, Fault);
      }
}

void testIm2colStores(Suite &S) {
  for (unsigned Rank = 3; Rank <= 5; ++Rank)
    for (const char *Operation : Operations)
      for (bool HasHint : {false, true}) {
        std::string Kernel = storeKernel(
            Operation, HasHint, "im2col_" + std::to_string(Rank) + "d");
        if (!S.wants(Kernel))
          continue;
        PixelTensor P(Rank, /*ElementBytes=*/4, /*Corner=*/0);
        CUdeviceptr Address = S.GPU.allocate(P.T.size());
        CUtensorMap Map =
            S.GPU.encodeIm2col(CU_TENSOR_MAP_DATA_TYPE_UINT32, Address,
                               P.T.Dims, outerStrides(P.T), P.Lower, P.Upper,
                               32, 16, CU_TENSOR_MAP_SWIZZLE_128B);
        S.report(Kernel, runStore(S, Kernel, Operation, P.T, Map, Address,
                                  randomBytes(S, P.T.size()),
                                  P.box(32, 16, /*HasOffsets=*/false), 128));
      }
}

/// A map of one tensor that the kernel changes to one of another.
void testReplace(Suite &S) {
  struct {
    uint64_t Address, Stride;
    uint32_t Dims[2], Box[2];
  } Wanted;
  for (const char *Kernel :
       {"replace_generic", "replace_global", "replace_shared",
        "replace_copy_cta", "replace_copy_cluster", "replace_copy_gpu",
        "replace_copy_sys"}) {
    if (!S.wants(Kernel))
      continue;
    Tensor Before(2, {64, 32, 2}, 128), After = makeTensor(4, 2);
    CUdeviceptr Unused = S.GPU.allocate(Before.size());
    CUdeviceptr Address = S.GPU.allocate(After.size());
    Bytes Memory = randomBytes(S, After.size());
    S.GPU.write(Address, Memory.data(), Memory.size());
    CUtensorMap Template = S.GPU.encodeTiled(
        CU_TENSOR_MAP_DATA_TYPE_UINT16, Unused, Before.Dims,
        outerStrides(Before), {32, 4, 1}, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_64B);
    Wanted = {Address,
              After.Strides[1],
              {static_cast<uint32_t>(After.Dims[0]),
               static_cast<uint32_t>(After.Dims[1])},
              {8, 4}};
    uint32_t Size = 8 * 4 * 4;
    CUdeviceptr Copy = S.GPU.allocate(128), Out = S.GPU.allocate(Size);
    Launch How;
    How.DynamicBytes = Size;
    S.GPU.launch(Kernel, How, {&Template, &Copy, &Wanted, &Size, &Out});
    std::string Fault = S.GPU.finish();
    if (Fault.empty())
      Fault = compare(S.GPU.read(Out, Size),
                      loaded(After, Memory, Box{{8, 4}, {0, 0}}, 0));
    S.report(Kernel, Fault);
  }
}

void testBulk(Suite &S) {
  for (const char *Name :
       {"bulk_load", "bulk_load_hint", "bulk_load_cta", "bulk_load_cta_hint",
        "bulk_store", "bulk_store_hint", "bulk_multicast", "bulk_to_cluster"}) {
    std::string Kernel = Name;
    if (!S.wants(Kernel))
      continue;
    uint32_t Size = 4096;
    Bytes Memory = randomBytes(S, Size), Wanted = Memory;
    Launch How;
    How.DynamicBytes = Size;
    if (Kernel == "bulk_multicast" || Kernel == "bulk_to_cluster")
      How.Blocks = How.Cluster = 2;
    if (Kernel == "bulk_multicast")
      // Both see all of it.
      Wanted.insert(Wanted.end(), Memory.begin(), Memory.end());
    if (Kernel == "bulk_to_cluster")
      // Each has got the other one's half.
      std::rotate(Wanted.begin(), Wanted.begin() + Size / 2, Wanted.end());
    CUdeviceptr In = S.GPU.allocate(Size), Out = S.GPU.allocate(Wanted.size());
    S.GPU.write(In, Memory.data(), Size);
    S.GPU.fill(Out, 0x55, Wanted.size());
    S.GPU.launch(Kernel, How, {&Out, &In, &Size});
    std::string Fault = S.GPU.finish();
    if (Fault.empty())
      Fault = compare(S.GPU.read(Out, Wanted.size()), Wanted);
    S.report(Kernel, Fault);
  }
}

/// Elements in memory, others, and what the operation makes of both.
struct Reduction {
  Bytes Old, New, Wanted;
};

Reduction makeReduction(Suite &S, const std::string &Operation,
                        ReductionType Type, size_t Size) {
  Reduction R;
  auto append = [&](Bytes &To, uint64_t Bits) {
    const auto *From = reinterpret_cast<const uint8_t *>(&Bits);
    To.insert(To.end(), From, From + Type.size());
  };
  while (R.Old.size() != Size) {
    auto [Old, New] = randomElements(Type, S.Random);
    append(R.Old, Old);
    append(R.New, New);
    append(R.Wanted, reduce(Operation, Type, Old, New));
  }
  return R;
}

/// An operation in PTX's words, and its types.
struct Operation {
  std::string Name;
  std::vector<const char *> GlobalTypes, ClusterTypes;
};
const Operation AsyncReductions[] = {
    {"add", {"u32", "s32", "u64", "f32", "f64"}, {"u32", "s32", "u64"}},
    {"add.noftz", {"f16", "bf16"}, {}},
    {"min", {"u32", "s32", "u64", "s64", "f16", "bf16"}, {"u32", "s32"}},
    {"max", {"u32", "s32", "u64", "s64", "f16", "bf16"}, {"u32", "s32"}},
    {"inc", {"u32"}, {"u32"}},
    {"dec", {"u32"}, {"u32"}},
    {"and", {"b32", "b64"}, {"b32"}},
    {"or", {"b32", "b64"}, {"b32"}},
    {"xor", {"b32", "b64"}, {"b32"}},
};

std::string reductionKernel(const char *Prefix, std::string Operation,
                            const char *Type) {
  std::replace(Operation.begin(), Operation.end(), '.', '_');
  return Prefix + Operation + "_" + Type;
}

/// From shared memory to global memory, half of it with a cache hint.
void testGlobalReductions(Suite &S) {
  for (const Operation &Op : AsyncReductions)
    for (const char *Type : Op.GlobalTypes) {
      std::string Kernel = reductionKernel("reduce_global_", Op.Name, Type);
      if (!S.wants(Kernel))
        continue;
      uint32_t Size = 4096;
      Reduction R = makeReduction(S, Op.Name, ReductionType(Type), Size);
      CUdeviceptr Memory = S.GPU.allocate(Size), In = S.GPU.allocate(Size);
      S.GPU.write(Memory, R.Old.data(), Size);
      S.GPU.write(In, R.New.data(), Size);
      Launch How;
      How.DynamicBytes = Size;
      S.GPU.launch(Kernel, How, {&Memory, &In, &Size});
      std::string Fault = S.GPU.finish();
      if (Fault.empty())
        Fault = compare(S.GPU.read(Memory, Size), R.Wanted);
      S.report(Kernel, Fault);
    }
}

/// What two CTAs do in each other's shared memory, \p Size bytes of each.
std::string runInCluster(Suite &S, const std::string &Kernel,
                         const Reduction &R, uint32_t Size) {
  // What both CTAs have: first what is there, then what comes.
  CUdeviceptr Old = S.GPU.allocate(2 * Size), New = S.GPU.allocate(2 * Size),
              Out = S.GPU.allocate(2 * Size);
  S.GPU.write(Old, R.Old.data(), 2 * Size);
  S.GPU.write(New, R.New.data(), 2 * Size);
  S.GPU.fill(Out, 0x55, 2 * Size);
  Launch How;
  How.DynamicBytes = 2 * Size;
  How.Blocks = How.Cluster = 2;
  S.GPU.launch(Kernel, How, {&Out, &Old, &New, &Size});
  if (std::string Error = S.GPU.finish(); !Error.empty())
    return Error;
  return compare(S.GPU.read(Out, 2 * Size), R.Wanted);
}

/// Into the shared memory of the other CTA of a cluster of two, from shared
/// memory and from registers.
void testClusterReductions(Suite &S) {
  const uint32_t Size = 2048;
  for (const char *Prefix : {"reduce_cluster_", "red_async_"})
    for (const Operation &Op : AsyncReductions)
      for (const char *Type : Op.ClusterTypes) {
        std::string Kernel = reductionKernel(Prefix, Op.Name, Type);
        if (!S.wants(Kernel))
          continue;
        S.report(Kernel,
                 runInCluster(
                     S, Kernel,
                     makeReduction(S, Op.Name, ReductionType(Type), 2 * Size),
                     Size));
      }
}

/// The same with stores.
void testAsyncStores(Suite &S) {
  const uint32_t Size = 2048;
  for (const char *Kernel :
       {"st_async_b32", "st_async_v2_b32", "st_async_v4_b32", "st_async_b64",
        "st_async_v2_b64"}) {
    if (!S.wants(Kernel))
      continue;
    Reduction R{randomBytes(S, 2 * Size), randomBytes(S, 2 * Size), {}};
    R.Wanted = R.New;
    S.report(Kernel, runInCluster(S, Kernel, R, Size));
  }
}

/// What ptxas 13.0 computes for createpolicy on sm_90a, read off its machine
/// code; the PTX ISA leaves a policy's bits open.
uint64_t fractionalPolicy(uint64_t Priority, float Fraction) {
  auto Sixteenths = static_cast<uint64_t>(Fraction * 15.99f) & 15;
  return (0x100 | Priority << 4 | Sixteenths) << 52;
}

uint64_t rangePolicy(uint64_t Priority, uint64_t Address, uint32_t Primary,
                     uint32_t Total) {
  unsigned Shift = 12;
  while (Total > uint64_t(128) << Shift)
    ++Shift;
  uint64_t Block = uint64_t(1) << Shift, First = Address >> Shift;
  uint64_t Count = ((Address + Primary + Block - 1) >> Shift) - First;
  return ((((0x180 | Priority << 4 | (Shift - 12)) << 8 | (First & 127)) << 7 |
           std::min<uint64_t>(Count, 127))
          << 5)
         << 32;
}

void testPolicies(Suite &S) {
  if (!S.wants("policies"))
    return;
  // evict_last, evict_normal, evict_first, evict_unchanged; one more for
  // evict_first as the second priority.
  const uint64_t Priorities[] = {4, 6, 2, 0};
  float Fraction = 0.4f;
  uint32_t Primary = 3 << 16, Total = 1 << 20;
  CUdeviceptr Memory = S.GPU.allocate(Total), Out = S.GPU.allocate(8 * 25);
  uint64_t Property = 0x123456789abcdef0;
  std::vector<uint64_t> Wanted;
  for (uint64_t First : Priorities)
    for (uint64_t Priority : {First, First + 1}) {
      Wanted.push_back(fractionalPolicy(Priority, Fraction));
      uint64_t Range = rangePolicy(Priority, Memory, Primary, Total);
      Wanted.insert(Wanted.end(), 2, Range); // generic, global
    }
  Wanted.push_back(Property);
  const auto *From = reinterpret_cast<const uint8_t *>(Wanted.data());
  S.GPU.fill(Out, 0x55, 8 * 25);
  Launch How;
  How.Threads = 1;
  S.GPU.launch("policies", How,
               {&Out, &Memory, &Fraction, &Primary, &Total, &Property});
  std::string Fault = S.GPU.finish();
  if (Fault.empty())
    Fault = compare(S.GPU.read(Out, 8 * 25), Bytes(From, From + 8 * 25));
  S.report("policies", Fault);
}

/// Runs a kernel that writes 1 for each check that holds.
std::string runChecks(Suite &S, const std::string &Kernel, Launch How,
                      unsigned Checks, std::vector<void *> More = {}) {
  // After the checks there is a place for the kernel's own use.
  size_t Size = 4096;
  CUdeviceptr Out = S.GPU.allocate(Size);
  S.GPU.fill(Out, 0, Size);
  std::vector<void *> Parameters = {&Out};
  Parameters.insert(Parameters.end(), More.begin(), More.end());
  S.GPU.launch(Kernel, How, Parameters);
  if (std::string Error = S.GPU.finish(); !Error.empty())
    return Error;
  Bytes Got = S.GPU.read(Out, Size);
  for (unsigned I = 0; I != Checks; ++I) {
    uint32_t Value;
    std::memcpy(&Value, &Got[4 * I], 4);
    if (Value != 1)
      return "check " + std::to_string(I + 1) + " of " +
             std::to_string(Checks) + " does not hold";
  }
  return "";
}

void testSynchronization(Suite &S) {
  struct {
    const char *Kernel;
    unsigned Cluster, Threads, Checks;
  } Cases[] = {
      {"mbarrier_generic", 1, 1, 13},
      {"mbarrier_shared", 1, 1, 13},
      {"mbarrier_waits_cta", 1, 1, 14},
      {"mbarrier_waits_cluster", 1, 1, 14},
      {"mbarrier_waits_relaxed_cta", 1, 1, 14},
      {"mbarrier_waits_relaxed_cluster", 1, 1, 14},
      {"mbarrier_arrivals_cta", 1, 1, 8},
      {"mbarrier_arrivals_cluster", 1, 1, 8},
      {"mbarrier_arrivals_relaxed_cta", 1, 1, 8},
      {"mbarrier_arrivals_relaxed_cluster", 1, 1, 8},
      {"mbarrier_remote_cta", 2, 1, 8},
      {"mbarrier_remote_cluster", 2, 1, 8},
      {"mbarrier_remote_relaxed_cta", 2, 1, 8},
      {"mbarrier_remote_relaxed_cluster", 2, 1, 8},
      {"fences", 2, 1, 24},
      {"clusters", 2, 1, 12},
      {"barriers", 1, 128, 128},
      {"election", 1, 128, 128},
  };
  for (const auto &Case : Cases) {
    if (!S.wants(Case.Kernel))
      continue;
    Launch How;
    How.Blocks = How.Cluster = Case.Cluster;
    How.Threads = Case.Threads;
    S.report(Case.Kernel, runChecks(S, Case.Kernel, How, Case.Checks));
  }
}

void testRegisters(Suite &S) {
  if (!S.wants("registers"))
    return;
  uint32_t Rounds = 20;
  std::vector<uint32_t> In(Rounds * 160);
  for (uint32_t &Value : In)
    Value = static_cast<uint32_t>(S.Random());
  Bytes Wanted;
  for (uint32_t Thread = 128; Thread != 384; ++Thread)
    for (uint32_t I = 0; I != 160; ++I) {
      uint32_t Sum = 0;
      for (uint32_t Round = 0; Round != Rounds; ++Round)
        Sum += In[Round * 160 + I] * (Thread + I);
      const auto *From = reinterpret_cast<const uint8_t *>(&Sum);
      Wanted.insert(Wanted.end(), From, From + 4);
    }
  CUdeviceptr Input = S.GPU.allocate(4 * In.size());
  CUdeviceptr Out = S.GPU.allocate(Wanted.size());
  S.GPU.write(Input, In.data(), 4 * In.size());
  Launch How;
  How.Threads = 384;
  S.GPU.launch("registers", How, {&Out, &Input, &Rounds});
  std::string Fault = S.GPU.finish();
  if (Fault.empty())
    Fault = compare(S.GPU.read(Out, Wanted.size()), Wanted);
  S.report("registers", Fault);
}

/// One grid that depends on another, many times.
void testDependentLaunch(Suite &S) {
  if (!S.wants("primary") && !S.wants("secondary"))
    return;
  std::string Fault;
  for (unsigned Repetition = 0; Repetition != 20 && Fault.empty();
       ++Repetition) {
    Launch How;
    How.Blocks = 8;
    CUdeviceptr Between = S.GPU.allocate(4 * 1024);
    S.GPU.fill(Between, 0, 4 * 1024);
    CUdeviceptr Out = S.GPU.allocate(4 * 1024);
    S.GPU.fill(Out, 0, 4 * 1024);
    uint32_t Delay = 100000;
    S.GPU.launch("primary", How, {&Between, &Delay});
    How.IsDependent = true;
    S.GPU.launch("secondary", How, {&Out, &Between});
    Fault = S.GPU.finish();
    Bytes Got = S.GPU.read(Out, 4 * 1024);
    for (size_t I = 0; I != 1024 && Fault.empty(); ++I)
      if (Got[4 * I] != 1)
        Fault = "thread " + std::to_string(I) + " did not wait";
    S.GPU.freeAll();
  }
  S.report("primary", Fault);
  S.report("secondary", Fault);
}

void testCaches(Suite &S) {
  if (!S.wants("caches"))
    return;
  std::vector<uint32_t> Lines(128 * 32);
  std::iota(Lines.begin(), Lines.end(), 0);
  CUdeviceptr Memory = S.GPU.allocate(4 * Lines.size());
  S.GPU.write(Memory, Lines.data(), 4 * Lines.size());
  CUtensorMap Map = S.GPU.encodeTiled(
      CU_TENSOR_MAP_DATA_TYPE_UINT32, Memory, {32, 128}, {128}, {32, 8},
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE);
  S.GPU.writeGlobal("ConstantMap", &Map, sizeof(Map));
  S.report("caches", runChecks(S, "caches", Launch(), 128, {&Memory, &Map}));
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 2 || Argc > 3) {
    std::fprintf(stderr, "usage: %s CUBIN [PART OF A NAME]\n", Argv[0]);
    return 2;
  }
  Device GPU;
  GPU.loadModule(Argv[1]);
  std::printf("device %s\n", GPU.name().c_str());
  Suite S(GPU, Argc == 3 ? Argv[2] : "");
  testSynchronization(S);
  testRegisters(S);
  testDependentLaunch(S);
  testCaches(S);
  testBulk(S);
  testGlobalReductions(S);
  testClusterReductions(S);
  testAsyncStores(S);
  testPolicies(S);
  testTileLoads(S);
  testTileStores(S);
  testReplace(S);
  testIm2colLoads(S);
  testIm2colStores(S);
  if (!S.Count) {
    std::fprintf(stderr, "error: no such kernel\n");
    return 2;
  }
  return S.Failed;
}
