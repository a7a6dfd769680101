//===- Device.cpp - The GPU through CUDA's driver -------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

using namespace kernel_tests;

static void *getSymbol(const char *Name) {
  static void *Library = dlopen("libcuda.so.1", RTLD_NOW);
  void *Symbol = Library ? dlsym(Library, Name) : nullptr;
  if (!Symbol) {
    std::fprintf(stderr, "error: %s\n", dlerror());
    std::exit(2);
  }
  return Symbol;
}

#define STRING_OF(X) #X
#define STRING(X) STRING_OF(X)
// cuda.h gives some functions the name of a newer version, by macros.
#define DRIVER(FUNCTION)                                                       \
  (reinterpret_cast<decltype(&FUNCTION)>(getSymbol(STRING(FUNCTION))))

static std::string describe(CUresult Result) {
  const char *Text = nullptr;
  DRIVER(cuGetErrorString)(Result, &Text);
  return Text ? Text : "error " + std::to_string(Result);
}

static void check(CUresult Result, const char *What) {
  if (Result == CUDA_SUCCESS)
    return;
  std::fprintf(stderr, "error: %s: %s\n", What, describe(Result).c_str());
  std::exit(2);
}

/// A function of the driver by its name and the version that it came with.
static void *getEntryPoint(const char *Name) {
  void *Function = nullptr;
  check(DRIVER(cuGetProcAddress)(Name, &Function, 12000,
                                 CU_GET_PROC_ADDRESS_DEFAULT, nullptr),
        Name);
  return Function;
}

Device::Device() {
  check(DRIVER(cuInit)(0), "cuInit");
  check(DRIVER(cuDeviceGet)(&Handle, 0), "cuDeviceGet");
  CUcontext Context;
  check(DRIVER(cuDevicePrimaryCtxRetain)(&Context, Handle),
        "cuDevicePrimaryCtxRetain");
  check(DRIVER(cuCtxSetCurrent)(Context), "cuCtxSetCurrent");
}

std::string Device::name() const {
  char Name[256] = "";
  check(DRIVER(cuDeviceGetName)(Name, sizeof(Name), Handle), "cuDeviceGetName");
  return Name;
}

void Device::loadModule(const std::string &CubinPath) {
  check(DRIVER(cuModuleLoad)(&Module, CubinPath.c_str()), CubinPath.c_str());
}

bool Device::hasKernel(const std::string &Name) const {
  CUfunction Function;
  return DRIVER(cuModuleGetFunction)(&Function, Module, Name.c_str()) ==
         CUDA_SUCCESS;
}

CUdeviceptr Device::allocate(size_t Size) {
  CUdeviceptr Address = 0;
  check(DRIVER(cuMemAlloc)(&Address, Size), "cuMemAlloc");
  Allocations.push_back(Address);
  return Address;
}

void Device::freeAll() {
  for (CUdeviceptr Address : Allocations)
    check(DRIVER(cuMemFree)(Address), "cuMemFree");
  Allocations.clear();
}

void Device::write(CUdeviceptr To, const void *From, size_t Size) {
  check(DRIVER(cuMemcpyHtoD)(To, From, Size), "cuMemcpyHtoD");
}

Bytes Device::read(CUdeviceptr From, size_t Size) {
  Bytes To(Size);
  check(DRIVER(cuMemcpyDtoH)(To.data(), From, Size), "cuMemcpyDtoH");
  return To;
}

void Device::fill(CUdeviceptr To, uint8_t Value, size_t Size) {
  check(DRIVER(cuMemsetD8)(To, Value, Size), "cuMemsetD8");
}

void Device::writeGlobal(const char *Name, const void *From, size_t Size) {
  CUdeviceptr Address = 0;
  size_t Have = 0;
  check(DRIVER(cuModuleGetGlobal)(&Address, &Have, Module, Name), Name);
  write(Address, From, Size);
}

void Device::launch(const std::string &Kernel, const Launch &How,
                    std::vector<void *> Parameters) {
  CUfunction Function;
  check(DRIVER(cuModuleGetFunction)(&Function, Module, Kernel.c_str()),
        Kernel.c_str());
  // The kernels align it themselves.
  unsigned Dynamic = How.DynamicBytes ? How.DynamicBytes + 1024 : 0;
  check(DRIVER(cuFuncSetAttribute)(
            Function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            static_cast<int>(Dynamic)),
        "cuFuncSetAttribute");

  CUlaunchAttribute Attributes[2] = {};
  Attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  Attributes[0].value.clusterDim = {How.Cluster, 1, 1};
  Attributes[1].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  Attributes[1].value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig Config = {};
  Config.gridDimX = How.Blocks;
  Config.gridDimY = Config.gridDimZ = 1;
  Config.blockDimX = How.Threads;
  Config.blockDimY = Config.blockDimZ = 1;
  Config.sharedMemBytes = Dynamic;
  Config.attrs = Attributes;
  Config.numAttrs = How.IsDependent ? 2 : 1;
  check(DRIVER(cuLaunchKernelEx)(&Config, Function, Parameters.data(), nullptr),
        Kernel.c_str());
}

std::string Device::finish() {
  CUresult Result = DRIVER(cuCtxSynchronize)();
  return Result == CUDA_SUCCESS ? "" : describe(Result);
}

CUtensorMap Device::encodeTiled(CUtensorMapDataType Type, CUdeviceptr Address,
                                const std::vector<uint64_t> &Dims,
                                const std::vector<uint64_t> &Strides,
                                const std::vector<uint32_t> &Box,
                                CUtensorMapInterleave Interleave,
                                CUtensorMapSwizzle Swizzle) {
  static const auto Encode =
      reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(
          getEntryPoint("cuTensorMapEncodeTiled"));
  CUtensorMap Map;
  std::vector<uint32_t> ElementStrides(Dims.size(), 1);
  // One dimension has no stride, but the driver does not take a null pointer.
  const uint64_t None = 0;
  check(Encode(&Map, Type, static_cast<uint32_t>(Dims.size()),
               reinterpret_cast<void *>(Address), Dims.data(),
               Strides.empty() ? &None : Strides.data(), Box.data(),
               ElementStrides.data(), Interleave, Swizzle,
               CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
        "cuTensorMapEncodeTiled");
  return Map;
}

CUtensorMap Device::encodeIm2col(CUtensorMapDataType Type, CUdeviceptr Address,
                                 const std::vector<uint64_t> &Dims,
                                 const std::vector<uint64_t> &Strides,
                                 const std::vector<int> &Lower,
                                 const std::vector<int> &Upper,
                                 uint32_t Channels, uint32_t Pixels,
                                 CUtensorMapSwizzle Swizzle) {
  static const auto Encode =
      reinterpret_cast<decltype(&cuTensorMapEncodeIm2col)>(
          getEntryPoint("cuTensorMapEncodeIm2col"));
  CUtensorMap Map;
  std::vector<uint32_t> ElementStrides(Dims.size(), 1);
  // One dimension has no stride, but the driver does not take a null pointer.
  const uint64_t None = 0;
  check(Encode(&Map, Type, static_cast<uint32_t>(Dims.size()),
               reinterpret_cast<void *>(Address), Dims.data(),
               Strides.empty() ? &None : Strides.data(), Lower.data(),
               Upper.data(), Channels, Pixels, ElementStrides.data(),
               CU_TENSOR_MAP_INTERLEAVE_NONE, Swizzle,
               CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
        "cuTensorMapEncodeIm2col");
  return Map;
}
