// CUDA 13.0 is a version that the driver knows: no warning, PTX ISA 9.0, and an
// error for the architectures that it dropped. One that is newer than any known is
// warned of, and taken for the newest known; 13.N has PTX ISA 9.N.

// RUN: rm -rf %t && split-file %s %t

// DEFINE: %{cuda} = 13.0
// DEFINE: %{arch} = sm_90
// DEFINE: %{clang} = %clang -### --target=x86_64-unknown-linux-gnu -c \
// DEFINE:   --cuda-path=%t/%{cuda} --offload-arch=%{arch} %t/a.cu

// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=V130 --implicit-check-not=warning:
// V130:      "-cc1" "-triple" "nvptx64-nvidia-cuda"
// V130-SAME: "-target-sdk-version=13.0"
// V130-SAME: "-target-feature" "+ptx90"
// V130:      "-cc1" "-triple" "x86_64-unknown-linux-gnu" {{("-aux-triple" "nvptx64-nvidia-cuda" )?}}"-target-sdk-version=13.0"

// REDEFINE: %{cuda} = 12.9
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=V129 --implicit-check-not=warning:
// V129:      "-cc1" "-triple" "nvptx64-nvidia-cuda"
// V129-SAME: "-target-sdk-version=12.9"
// V129-SAME: "-target-feature" "+ptx88"

// REDEFINE: %{cuda} = 13.7
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER:      warning: CUDA version is newer than the latest supported version 13.[[MINOR:[0-9]]] [-Wunknown-cuda-version]
// NEWER:      "-cc1" "-triple" "nvptx64-nvidia-cuda"
// NEWER-SAME: "-target-sdk-version=13.[[MINOR]]"
// NEWER-SAME: "-target-feature" "+ptx9[[MINOR]]"
// NEWER:      "-cc1" "-triple" "x86_64-unknown-linux-gnu" {{("-aux-triple" "nvptx64-nvidia-cuda" )?}}"-target-sdk-version=13.[[MINOR]]"

// Maxwell, Pascal and Volta ended with 12.9, and so did 10.1, which 11.0 replaced.
// REDEFINE: %{cuda} = 13.0
// REDEFINE: %{arch} = sm_50,sm_52,sm_53,sm_60,sm_61,sm_62,sm_70,sm_72,sm_101,sm_101a
// RUN: not %{clang} 2>&1 | FileCheck %s --check-prefix=DROPPED
// DROPPED-COUNT-10: error: GPU arch sm_{{[0-9]+a?}} is supported by CUDA versions between {{[0-9.]+}} and 12.9 (inclusive), but installation at {{.*}} is 13.0; use '--cuda-path' to specify a different CUDA install, pass a different GPU arch with '--cuda-gpu-arch', or pass '--no-cuda-version-check'

// REDEFINE: %{arch} = sm_75,sm_80,sm_86,sm_87,sm_88,sm_89,sm_90,sm_90a,sm_100,sm_100a,sm_103a,sm_110,sm_110a,sm_120,sm_120a,sm_121
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=KEPT --implicit-check-not=error:
// KEPT-COUNT-16: "-target-feature" "+ptx90"

// REDEFINE: %{cuda} = 12.9
// REDEFINE: %{arch} = sm_50,sm_52,sm_53,sm_60,sm_61,sm_62,sm_70,sm_72,sm_101,sm_101a
// RUN: %{clang} 2>&1 | FileCheck %s --check-prefix=STILL --implicit-check-not=error:
// STILL-COUNT-10: "-target-feature" "+ptx88"

//--- a.cu
__attribute__((global)) void kernel() {}

//--- 12.9/include/cuda.h
#define CUDA_VERSION 12090

//--- 12.9/bin/ptxas

//--- 12.9/nvvm/libdevice/libdevice.10.bc

//--- 13.0/include/cuda.h
#define CUDA_VERSION 13000

//--- 13.0/bin/ptxas

//--- 13.0/nvvm/libdevice/libdevice.10.bc

//--- 13.7/include/cuda.h
#define CUDA_VERSION 13070

//--- 13.7/bin/ptxas

//--- 13.7/nvvm/libdevice/libdevice.10.bc
