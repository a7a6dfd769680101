//===- main.cpp - Runs random wgmma kernels on a GPU ----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches the kernels of a folder that `wgmma-random emit-device` wrote, and
// compares the hash of what each leaves with the one that the evaluation of its
// IR gives. One that is wrong is launched again, to tell machine code that is
// wrong from what happened once. Needs CUDA's driver, and neither LLVM nor the
// CUDA runtime.
//
//===----------------------------------------------------------------------===//

#include "DeviceSizes.h"
#include "Mix.h"

#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace wgmmarandom;

// The header may call a newer version of a function by the plain name.
#define NAME_OF(Function) #Function
#define DRIVER_FUNCTIONS(F)                                                    \
  F(cuInit)                                                                    \
  F(cuDeviceGet)                                                               \
  F(cuDeviceGetName)                                                           \
  F(cuDevicePrimaryCtxRetain)                                                  \
  F(cuCtxSetCurrent)                                                           \
  F(cuCtxSynchronize)                                                          \
  F(cuModuleLoad)                                                              \
  F(cuModuleUnload)                                                            \
  F(cuModuleGetFunction)                                                       \
  F(cuMemAlloc)                                                                \
  F(cuMemsetD8)                                                                \
  F(cuMemcpyHtoD)                                                              \
  F(cuMemcpyDtoH)                                                              \
  F(cuLaunchKernel)                                                            \
  F(cuGetErrorString)

namespace {
#define DECLARE(Name) decltype(&Name) Name##Ptr;
DRIVER_FUNCTIONS(DECLARE)
#undef DECLARE

/// One line of the manifest.
struct KernelLaunch {
  std::string Kernel, Cubin, Data;
  unsigned Scalars[5];
  uint64_t Hash;
};

[[noreturn]] void stop(const std::string &Why) {
  fprintf(stderr, "random: %s\n", Why.c_str());
  exit(2);
}

void check(CUresult Result, const std::string &What) {
  if (Result == CUDA_SUCCESS)
    return;
  const char *Text = nullptr;
  cuGetErrorStringPtr(Result, &Text);
  stop(What + ": " + (Text ? Text : "unknown error"));
}

class Runner {
public:
  explicit Runner(std::string Folder) : Folder(std::move(Folder)) {}
  int run();

private:
  void readManifest();
  std::string open();
  void load(const KernelLaunch &L);
  bool launch(const KernelLaunch &L);
  std::string describeAgain(const KernelLaunch &L);

  std::string Folder;
  std::vector<KernelLaunch> Launches;
  std::vector<uint8_t> Result; ///< What the last launch left.
  CUmodule Module = nullptr;
  std::string Loaded;
  std::map<std::string, CUdeviceptr> Data; ///< The tiles, and then the input.
  CUdeviceptr Out = 0;
};
} // namespace

void Runner::readManifest() {
  std::ifstream In(Folder + "/manifest.txt");
  if (!In)
    stop("cannot read " + Folder + "/manifest.txt");
  std::string Line;
  while (std::getline(In, Line)) {
    std::istringstream Words(Line);
    KernelLaunch L;
    Words >> L.Kernel >> L.Cubin >> L.Data;
    for (unsigned &Scalar : L.Scalars)
      Words >> Scalar;
    if (!(Words >> std::hex >> L.Hash))
      stop("not a line of a manifest: " + Line);
    Launches.push_back(L);
  }
  if (Launches.empty())
    stop("no kernels in " + Folder);
}

/// The device's name.
std::string Runner::open() {
  void *Library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!Library)
    stop(std::string("no CUDA driver: ") + dlerror());
#define LOAD(Name)                                                             \
  Name##Ptr =                                                                  \
      reinterpret_cast<decltype(&Name)>(dlsym(Library, NAME_OF(Name)));        \
  if (!Name##Ptr)                                                              \
    stop("the CUDA driver has no " NAME_OF(Name));
  DRIVER_FUNCTIONS(LOAD)
#undef LOAD
  CUdevice Device;
  CUcontext Context;
  char Name[256] = "";
  check(cuInitPtr(0), "no usable GPU");
  check(cuDeviceGetPtr(&Device, 0), "no GPU");
  check(cuDeviceGetNamePtr(Name, sizeof(Name), Device), "the GPU's name");
  check(cuDevicePrimaryCtxRetainPtr(&Context, Device), "a context");
  check(cuCtxSetCurrentPtr(Context), "a context");
  check(cuMemAllocPtr(&Out, DeviceThreads * OutputBytes), "memory");
  return Name;
}

void Runner::load(const KernelLaunch &L) {
  if (Loaded != L.Cubin) {
    if (Module)
      check(cuModuleUnloadPtr(Module), Loaded);
    check(cuModuleLoadPtr(&Module, (Folder + "/" + L.Cubin).c_str()), L.Cubin);
    Loaded = L.Cubin;
  }
  CUdeviceptr &To = Data[L.Data];
  if (To)
    return;
  std::ifstream In(Folder + "/" + L.Data, std::ios::binary);
  std::vector<char> Bytes((std::istreambuf_iterator<char>(In)),
                          std::istreambuf_iterator<char>());
  if (Bytes.size() != TileBytes + DeviceThreads * InputBytes)
    stop(L.Data + " has another size");
  check(cuMemAllocPtr(&To, Bytes.size()), L.Data);
  check(cuMemcpyHtoDPtr(To, Bytes.data(), Bytes.size()), L.Data);
}

/// Whether it left what it should.
bool Runner::launch(const KernelLaunch &L) {
  Result.resize(DeviceThreads * OutputBytes);
  load(L);
  CUfunction Function;
  check(cuModuleGetFunctionPtr(&Function, Module, L.Kernel.c_str()), L.Kernel);
  check(cuMemsetD8Ptr(Out, 0, Result.size()), L.Kernel);
  CUdeviceptr Tiles = Data[L.Data], In = Tiles + TileBytes;
  unsigned Scalars[5];
  std::copy(std::begin(L.Scalars), std::end(L.Scalars), Scalars);
  void *Arguments[] = {&Out,        &In,         &Tiles,      &Scalars[0],
                       &Scalars[1], &Scalars[2], &Scalars[3], &Scalars[4]};
  check(cuLaunchKernelPtr(Function, 1, 1, 1, DeviceThreads, 1, 1, 0, nullptr,
                          Arguments, nullptr),
        L.Kernel);
  check(cuCtxSynchronizePtr(), L.Kernel);
  check(cuMemcpyDtoHPtr(Result.data(), Out, Result.size()), L.Kernel);
  return hashOf(Result.data(), Result.size()) == L.Hash;
}

/// Of one that was wrong: how often it is if launched again, and which words it
/// left otherwise than when it was right.
std::string Runner::describeAgain(const KernelLaunch &L) {
  constexpr unsigned Times = 10;
  const std::vector<uint8_t> Before = Result;
  unsigned WrongAgain = 0;
  std::string Words;
  for (unsigned Time = 0; Time != Times; ++Time) {
    if (!launch(L)) {
      ++WrongAgain;
      continue;
    }
    Words.clear();
    for (size_t I = 0; I != Before.size(); I += sizeof(uint32_t))
      if (memcmp(&Before[I], &Result[I], sizeof(uint32_t)) != 0)
        Words += " " + std::to_string(I / OutputBytes) + ":" +
                 std::to_string(I % OutputBytes);
  }
  std::string Text = ", and " + std::to_string(WrongAgain) + " of " +
                     std::to_string(Times) + " times again";
  return Words.empty() ? Text : Text + "; thread:byte" + Words.substr(0, 400);
}

int Runner::run() {
  readManifest();
  std::string Device = open();
  unsigned Wrong = 0;
  for (const KernelLaunch &L : Launches) {
    if (launch(L))
      continue;
    ++Wrong;
    printf("wrong: %s of %s with p = %u%s\n", L.Kernel.c_str(), L.Cubin.c_str(),
           L.Scalars[0], describeAgain(L).c_str());
  }
  std::map<std::string, unsigned> Kernels;
  for (const KernelLaunch &L : Launches)
    ++Kernels[L.Kernel];
  printf("%s: %zu kernels, %zu launches, %u wrong\n", Device.c_str(),
         Kernels.size(), Launches.size(), Wrong);
  return Wrong ? 1 : 0;
}

int main(int ArgC, char **ArgV) {
  if (ArgC != 2)
    stop("usage: random FOLDER, one that wgmma-random emit-device wrote");
  return Runner(ArgV[1]).run();
}
