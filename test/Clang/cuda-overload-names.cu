// REQUIRES: nvptx-registered-target
// A kernel has one name on both sides, also where its template arguments are
// functions that the device overloads with local ones, as CUDA's headers do to
// cudaFree and cudaMalloc.

// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -target-cpu sm_90 -fcuda-is-device \
// RUN:   -emit-llvm %s -o - | FileCheck %s --check-prefixes=BOTH,DEVICE
// RUN: %clang_cc1 -triple x86_64-linux-gnu -emit-llvm %s -o - \
// RUN:   | FileCheck %s --check-prefix=BOTH

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

extern "C" int release(void *);
extern "C" int reset(void *);
#if __CUDA_ARCH__
extern "C" {
static __device__ int release(void *) { return 1; }
static __device__ int reset(int *) { return 1; }
}
static __device__ int only_here(void *) { return 2; }
#endif
int visible(void *);
__device__ int visible(void *);

template <auto Function> struct resource {};
template <class T> __global__ void fill(T) {}

// BOTH-DAG: define {{.*}}fillI8resourceIXadL_Z7releaseEEEEvT_(
template __global__ void fill(resource<release>);
// BOTH-DAG: define {{.*}}fillI8resourceIXadL_Z7visiblePvEEEEvT_(
template __global__ void fill(resource<visible>);

// What the host does not have, or has for other arguments, keeps its name.
#if __CUDA_ARCH__
// DEVICE-DAG: define {{.*}}fillI8resourceIXadL_ZL9only_herePvEEEEvT_(
template __global__ void fill(resource<only_here>);
// DEVICE-DAG: define {{.*}}fillI8resourceIXadL_ZL5resetPiEEEEvT_(
template __global__ void fill(resource<(int (*)(int *))reset>);
#endif
