// Relocatable device code is linked with the tools of the CUDA that was found, or of the
// one that is named, as it is compiled with them.

// RUN: rm -rf %t && split-file %s %t

// DEFINE: %{flags} =
// DEFINE: %{clang} = %clang -### --target=x86_64-unknown-linux-gnu -fgpu-rdc --offload-arch=sm_90 \
// DEFINE:   --offload-link %{flags} %t/a.o

// REDEFINE: %{flags} = --sysroot=%t/root --cuda-path-ignore-env
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=FOUND
// FOUND: clang-linker-wrapper{{.*}} "--cuda-path={{[^"]*}}root/usr/local/cuda"

// REDEFINE: %{flags} = --sysroot=%t/root --cuda-path=%t/named
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: clang-linker-wrapper{{.*}} "--cuda-path={{[^"]*}}named"

//--- a.o

//--- named/include/cuda.h
#define CUDA_VERSION 12090

//--- named/bin/ptxas

//--- named/nvvm/libdevice/libdevice.10.bc

//--- root/usr/local/cuda/include/cuda.h
#define CUDA_VERSION 12090

//--- root/usr/local/cuda/bin/ptxas

//--- root/usr/local/cuda/nvvm/libdevice/libdevice.10.bc
