// CUDA 13 keeps the headers of CCCL, among them cuda/std/*, in include/cccl. They
// are found as nvcc finds them: by host and device code, after include, and not
// where CUDA's headers are not wanted. CUDA 12 has no such folder.

// RUN: rm -rf %t && split-file %s %t

// DEFINE: %{cuda} = 13
// DEFINE: %{flags} =
// DEFINE: %{clang} = %clang -### --target=x86_64-unknown-linux-gnu -c \
// DEFINE:   --cuda-path=%t/%{cuda} --cuda-gpu-arch=sm_90 %{flags} %t/a.cu

// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=CCCL
// CCCL:      "-cc1" "-triple" "nvptx64-nvidia-cuda"
// CCCL-SAME: "-internal-isystem" "{{[^"]*}}/13/include"
// CCCL-SAME: "-internal-isystem" "{{[^"]*}}/13/include/cccl"
// CCCL:      "-cc1" "-triple" "x86_64-unknown-linux-gnu"
// CCCL-SAME: "-internal-isystem" "{{[^"]*}}/13/include"
// CCCL-SAME: "-internal-isystem" "{{[^"]*}}/13/include/cccl"

// REDEFINE: %{flags} = -nogpuinc
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=NONE --implicit-check-not=include/cccl
// NONE: "-cc1"

// REDEFINE: %{flags} =
// REDEFINE: %{cuda} = 12
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=TWELVE --implicit-check-not=include/cccl
// TWELVE: "-internal-isystem" "{{[^"]*}}/12/include"

//--- a.cu
#include <cuda/std/version>
__attribute__((global)) void kernel() {}

//--- 12/include/cuda.h
#define CUDA_VERSION 12090

//--- 12/bin/ptxas

//--- 12/nvvm/libdevice/libdevice.10.bc

//--- 13/include/cuda.h
#define CUDA_VERSION 13000

//--- 13/include/cccl/cuda/std/version

//--- 13/bin/ptxas

//--- 13/nvvm/libdevice/libdevice.10.bc
