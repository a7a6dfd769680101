// For an architecture with clusters, the macro is there by which CUDA's
// cooperative_groups.h knows that Clang has the functions that its groups of clusters
// call.

// RUN: rm -rf %t && split-file %s %t
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_90 -fcuda-is-device -DCUDA_VERSION=13000 -I%t -E -dM %t/a.cu \
// RUN:   | FileCheck %s
// CHECK: #define _CG_CLUSTER_INTRINSICS_AVAILABLE
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_80 -fcuda-is-device -DCUDA_VERSION=13000 -I%t -E -dM %t/a.cu \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not=_CG_CLUSTER
// NONE: #define __CLANG_CUDA_INTRINSICS_H__

//--- a.cu
#include <__clang_cuda_intrinsics.h>

//--- crt/sm_70_rt.hpp
