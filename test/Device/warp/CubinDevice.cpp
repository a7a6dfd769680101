//===- CubinDevice.cpp - A GPU, through CUDA's driver ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CubinDevice.h"

#include <cuda.h>
#include <dlfcn.h>

using namespace devicetest;

// The header may call a newer version of a function by the plain name.
#define NVPTX_MMA_NAME_OF(Function) #Function

namespace {

class Driver {
public:
  std::string open() {
    Library = dlopen("libcuda.so.1", RTLD_NOW);
    return Library ? "" : std::string("no CUDA driver: ") + dlerror();
  }

  template <class T> T function(const char *Name) {
    return reinterpret_cast<T>(dlsym(Library, Name));
  }

private:
  void *Library = nullptr;
};

/// Device memory that grows as needed.
struct DeviceArray {
  CUdeviceptr Data = 0;
  size_t Bytes = 0;
};

class CubinDevice : public WarpDevice {
public:
  explicit CubinDevice(const std::string &Folder) : Folder(Folder) {}

  std::string open() override;
  std::string launch(const Kernel &K, unsigned Ctas, std::vector<uint32_t> &In,
                     std::vector<uint32_t> &Out) override;

private:
  std::string loadFunctions();
  std::string message(const char *What, CUresult Result);
  std::string fill(DeviceArray &To, const std::vector<uint32_t> &From);
  std::string find(const Kernel &K, CUfunction &Function);

  std::string Folder;
  Driver Library;
  std::map<std::string, CUmodule> Modules;
  DeviceArray InArray, OutArray;

// Each is the driver's function of that name.
#define NVPTX_MMA_DRIVER_FUNCTIONS(F)                                          \
  F(cuInit)                                                                    \
  F(cuGetErrorString)                                                          \
  F(cuDeviceGetCount)                                                          \
  F(cuDeviceGet)                                                               \
  F(cuDeviceGetName)                                                           \
  F(cuDeviceGetAttribute)                                                      \
  F(cuDevicePrimaryCtxRetain)                                                  \
  F(cuCtxSetCurrent)                                                           \
  F(cuCtxSynchronize)                                                          \
  F(cuModuleLoad)                                                              \
  F(cuModuleGetFunction)                                                       \
  F(cuMemAlloc)                                                                \
  F(cuMemFree)                                                                 \
  F(cuMemcpyHtoD)                                                              \
  F(cuMemcpyDtoH)                                                              \
  F(cuLaunchKernel)
#define NVPTX_MMA_DECLARE(Name) decltype(&Name) Name##Ptr = nullptr;
  NVPTX_MMA_DRIVER_FUNCTIONS(NVPTX_MMA_DECLARE)
#undef NVPTX_MMA_DECLARE
};

} // namespace

std::string CubinDevice::loadFunctions() {
  if (std::string Error = Library.open(); !Error.empty())
    return Error;
#define NVPTX_MMA_LOAD(Name)                                                   \
  Name##Ptr = Library.function<decltype(&Name)>(NVPTX_MMA_NAME_OF(Name));      \
  if (!Name##Ptr)                                                              \
    return "the CUDA driver has no " NVPTX_MMA_NAME_OF(Name);
  NVPTX_MMA_DRIVER_FUNCTIONS(NVPTX_MMA_LOAD)
#undef NVPTX_MMA_LOAD
  return "";
}

std::string CubinDevice::message(const char *What, CUresult Result) {
  if (Result == CUDA_SUCCESS)
    return "";
  const char *Text = nullptr;
  cuGetErrorStringPtr(Result, &Text);
  return std::string(What) + ": " + (Text ? Text : "unknown error");
}

std::string CubinDevice::open() {
  if (std::string Error = loadFunctions(); !Error.empty())
    return Error;
  int Devices = 0;
  if (CUresult Error = cuInitPtr(0))
    return message("no usable GPU", Error);
  if (CUresult Error = cuDeviceGetCountPtr(&Devices))
    return message("counting the GPUs", Error);
  std::string Found;
  for (int Ordinal = 0; Ordinal != Devices; ++Ordinal) {
    CUdevice Device;
    int Major = 0, Minor = 0;
    char Name[256] = "";
    for (CUresult Error :
         {cuDeviceGetPtr(&Device, Ordinal),
          cuDeviceGetNamePtr(Name, sizeof(Name), Device),
          cuDeviceGetAttributePtr(
              &Major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, Device),
          cuDeviceGetAttributePtr(
              &Minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, Device)})
      if (Error)
        return message("asking for a GPU", Error);
    // Code for sm_90 runs on other 9.x, too, but there are none.
    if (Major == 9) {
      CUcontext Context;
      if (CUresult Error = cuDevicePrimaryCtxRetainPtr(&Context, Device))
        return message("opening the GPU", Error);
      return message("opening the GPU", cuCtxSetCurrentPtr(Context));
    }
    Found += std::string(Found.empty() ? "" : ", ") + Name;
  }
  return "no GPU of compute capability 9.0, found " +
         (Found.empty() ? "none" : Found);
}

std::string CubinDevice::fill(DeviceArray &To,
                              const std::vector<uint32_t> &From) {
  size_t Bytes = From.size() * sizeof(uint32_t);
  if (Bytes > To.Bytes) {
    if (To.Data)
      cuMemFreePtr(To.Data);
    To = DeviceArray();
    if (CUresult Error = cuMemAllocPtr(&To.Data, Bytes))
      return message("reserving memory", Error);
    To.Bytes = Bytes;
  }
  return message("copying to the GPU",
                 cuMemcpyHtoDPtr(To.Data, From.data(), Bytes));
}

std::string CubinDevice::find(const Kernel &K, CUfunction &Function) {
  auto [Module, New] = Modules.try_emplace(K.Module);
  if (New) {
    std::string File = Folder + "/" + K.Module;
    if (CUresult Error = cuModuleLoadPtr(&Module->second, File.c_str())) {
      Modules.erase(Module);
      return message(("loading " + K.Module).c_str(), Error);
    }
  }
  return message(
      ("finding the kernel " + K.Name).c_str(),
      cuModuleGetFunctionPtr(&Function, Module->second, K.Name.c_str()));
}

std::string CubinDevice::launch(const Kernel &K, unsigned Ctas,
                                std::vector<uint32_t> &In,
                                std::vector<uint32_t> &Out) {
  CUfunction Function;
  for (const std::string &Error :
       {find(K, Function), fill(InArray, In), fill(OutArray, Out)})
    if (!Error.empty())
      return Error;

  CUdeviceptr InRecords = InArray.Data + GuardWords * sizeof(uint32_t);
  CUdeviceptr OutRecords = OutArray.Data + GuardWords * sizeof(uint32_t);
  void *Arguments[] = {&InRecords, &OutRecords};
  if (CUresult Error = cuLaunchKernelPtr(Function, Ctas, 1, 1, WarpThreads, 1,
                                         1, 0, nullptr, Arguments, nullptr))
    return message("launching the kernel", Error);
  if (CUresult Error = cuCtxSynchronizePtr())
    return message("running the kernel", Error);
  if (CUresult Error = cuMemcpyDtoHPtr(In.data(), InArray.Data,
                                       In.size() * sizeof(uint32_t)))
    return message("copying from the GPU", Error);
  return message("copying from the GPU",
                 cuMemcpyDtoHPtr(Out.data(), OutArray.Data,
                                 Out.size() * sizeof(uint32_t)));
}

std::unique_ptr<WarpDevice>
devicetest::makeCubinDevice(const std::string &Folder) {
  return std::make_unique<CubinDevice>(Folder);
}
