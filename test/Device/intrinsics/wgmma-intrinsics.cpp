//===- wgmma-intrinsics.cpp - All wgmma, from LLVM's intrinsics -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels are not made by Clang, but come from wgmma_kernels.py and llc:
// kernels.inc lists them, and wgmma.fatbin holds them.
//
//===----------------------------------------------------------------------===//

#include "../CudaBackend.h"
#include "../harness/Driver.h"

#include <iostream>

using namespace devicetest;

alignas(64) static const unsigned char Image[] = {
#embed "wgmma.fatbin"
};

namespace {

struct NamedKernel {
  Instruction I;
  const char *Name;
};

/// Takes the name of a kernel for the kernel.
class FatbinBackend : public CudaBackend {
public:
  std::string open() override {
    std::string Error = CudaBackend::open();
    if (!Error.empty())
      return Error;
    return message("loading the kernels",
                   cudaLibraryLoadData(&Library, Image, nullptr, nullptr, 0,
                                       nullptr, nullptr, 0));
  }

  std::string launch(const DeviceTest &T, Output &Out) override {
    cudaKernel_t Kernel;
    if (cudaError_t Error = cudaLibraryGetKernel(
            &Kernel, Library, static_cast<const char *>(T.Kernel)))
      return message("finding the kernel", Error);
    return CudaBackend::launch({T.I, T.S, Kernel}, Out);
  }

private:
  cudaLibrary_t Library;
};

} // namespace

static const NamedKernel Kernels[] = {
#include "kernels.inc"
};

int main(int Argc, char **Argv) {
  std::vector<DeviceTest> List;
  for (const NamedKernel &K : Kernels)
    List.push_back({K.I, {"single", /*Steps=*/1, /*Accumulators=*/1}, K.Name});
  FatbinBackend Device;
  return runTests(List, Device, Argc, Argv, std::cout, std::cerr);
}
