// Where no architecture is named, it is the oldest from sm_52 on that the CUDA
// found has: sm_75 with CUDA 13.

// RUN: rm -rf %t && split-file %s %t

// DEFINE: %{flags} =
// DEFINE: %{clang} = %clang -### --target=x86_64-unknown-linux-gnu -c %{flags} %t/a.cu

// REDEFINE: %{flags} = --cuda-path=%t/12
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=SM52 --implicit-check-not=error:
// SM52: "-cc1" "-triple" "nvptx64-nvidia-cuda"{{.*}} "-target-cpu" "sm_52"

// REDEFINE: %{flags} = --cuda-path=%t/13
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=SM75 --implicit-check-not=error:
// REDEFINE: %{flags} = --cuda-path=%t/13 --no-offload-new-driver
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=SM75 --implicit-check-not=error:
// SM75: "-cc1" "-triple" "nvptx64-nvidia-cuda"{{.*}} "-target-cpu" "sm_75"

// Nothing found, nothing known of it.
// REDEFINE: %{flags} = --cuda-path=%t/none -nogpuinc -nogpulib
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=SM52 --implicit-check-not=error:

// One that is named stays.
// REDEFINE: %{flags} = --cuda-path=%t/13 --cuda-gpu-arch=sm_90a
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=SM90 --implicit-check-not=sm_75
// SM90: "-cc1" "-triple" "nvptx64-nvidia-cuda"{{.*}} "-target-cpu" "sm_90a"

//--- a.cu
__attribute__((global)) void kernel() {}

//--- 12/include/cuda.h
#define CUDA_VERSION 12090

//--- 12/bin/ptxas

//--- 12/nvvm/libdevice/libdevice.10.bc

//--- 13/include/cuda.h
#define CUDA_VERSION 13000

//--- 13/bin/ptxas

//--- 13/nvvm/libdevice/libdevice.10.bc
