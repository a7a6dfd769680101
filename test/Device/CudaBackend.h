//===- CudaBackend.h - Launches test kernels on the GPU ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_CUDABACKEND_H
#define NVPTX_MMA_TEST_DEVICE_CUDABACKEND_H

#include "KernelArgs.h"
#include "harness/Driver.h"

#include <cuda_runtime_api.h>

namespace devicetest {

/// Device memory that grows as needed.
class DeviceBuffer {
public:
  DeviceBuffer() = default;
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() { cudaFree(Data); }

  template <class T> cudaError_t fill(const std::vector<T> &Host) {
    size_t Bytes = Host.size() * sizeof(T);
    if (Bytes > Capacity) {
      cudaFree(Data);
      Data = nullptr;
      Capacity = 0;
      if (cudaError_t Error = cudaMalloc(&Data, Bytes))
        return Error;
      Capacity = Bytes;
    }
    return cudaMemcpy(Data, Host.data(), Bytes, cudaMemcpyHostToDevice);
  }

  template <class T> cudaError_t fetch(std::vector<T> &Host) const {
    return cudaMemcpy(Host.data(), Data, Host.size() * sizeof(T),
                      cudaMemcpyDeviceToHost);
  }

  template <class T> T *as() const { return static_cast<T *>(Data); }

private:
  void *Data = nullptr;
  size_t Capacity = 0;
};

class CudaBackend : public Backend {
public:
  std::string open() override {
    int Devices = 0;
    if (cudaError_t Error = cudaGetDeviceCount(&Devices))
      return std::string("no usable GPU: ") + cudaGetErrorString(Error);
    std::string Found;
    for (int Device = 0; Device != Devices; ++Device) {
      cudaDeviceProp Properties;
      if (cudaError_t Error = cudaGetDeviceProperties(&Properties, Device))
        return cudaGetErrorString(Error);
      if (Properties.major == 9 && Properties.minor == 0) {
        Multiprocessors = Properties.multiProcessorCount;
        return message("choosing the GPU", cudaSetDevice(Device));
      }
      Found += std::string(Found.empty() ? "" : ", ") + Properties.name;
    }
    return "no GPU of compute capability 9.0, found " + Found;
  }

  std::string upload(const Batch &Inputs) override {
    Args.SharedWords = Inputs.SharedBytes / sizeof(uint32_t);
    Args.Problems = Inputs.Problems;
    Args.Steps = Inputs.Steps;
    Args.Zero = 0;
    for (cudaError_t Error :
         {Shared.fill(Inputs.Shared), Accumulator.fill(Inputs.Accumulator),
          Fragment.fill(Inputs.Fragment), Metadata.fill(Inputs.Metadata),
          Descriptor.fill(Inputs.Descriptor), ScaleD.fill(Inputs.ScaleD)})
      if (Error)
        return message("copying the inputs", Error);
    Args.Shared = Shared.as<uint32_t>();
    Args.Accumulator = Accumulator.as<uint32_t>();
    Args.Fragment = Fragment.as<uint32_t>();
    Args.Metadata = Metadata.as<uint32_t>();
    Args.Descriptor = Descriptor.as<uint64_t>();
    Args.ScaleD = ScaleD.as<uint32_t>();
    return "";
  }

  std::string launch(const DeviceTest &T, Output &Out) override {
    if (cudaError_t Error = Results.fill(Out.Words))
      return message("poisoning the output", Error);
    Args.Out = Results.as<uint32_t>() + Out.offset();

    size_t SharedBytes = Args.SharedWords * sizeof(uint32_t);
    if (cudaError_t Error = cudaFuncSetAttribute(
            T.Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SharedBytes))
      return message("reserving shared memory", Error);
    void *Parameters[] = {&Args};
    if (cudaError_t Error = cudaLaunchKernel(T.Kernel, Out.ctas(), Threads,
                                             Parameters, SharedBytes, nullptr))
      return message("launching the kernel", Error);
    if (cudaError_t Error = cudaDeviceSynchronize())
      return message("running the kernel", Error);
    return message("fetching the output", Results.fetch(Out.Words));
  }

  unsigned multiprocessors() const override { return Multiprocessors; }

protected:
  static std::string message(const char *What, cudaError_t Error) {
    if (!Error)
      return "";
    return std::string(What) + ": " + cudaGetErrorString(Error);
  }

private:
  unsigned Multiprocessors = 0;
  KernelArgs Args;
  DeviceBuffer Shared, Accumulator, Fragment, Metadata, Descriptor, ScaleD;
  DeviceBuffer Results;
};

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_CUDABACKEND_H
