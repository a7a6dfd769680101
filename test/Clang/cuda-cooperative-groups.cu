// Cooperative groups, clusters among them, and libcu++ work without being told
// where CUDA 13 keeps them, and a barrier in shared memory as docs/cuda.md has it.

// REQUIRES: cuda-toolkit, ptxas
// RUN: %clang_cuda -std=c++17 -O2 -c %s -o %t.o
// RUN: %clang_cuda -std=c++17 -O2 --cuda-device-only -S %s -o - | FileCheck %s
// RUN: not %clang_cuda -std=c++17 -fsyntax-only -DPLAIN_BARRIER %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PLAIN

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/std/array>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

// CHECK-LABEL: .entry _Z9clusteredPi(
// CHECK-DAG: %cluster_ctarank
// CHECK-DAG: barrier.cluster.arrive
// CHECK-DAG: barrier.cluster.wait
// CHECK-DAG: redux.sync.add.s32
__global__ void clustered(int *out) {
  cg::cluster_group cluster = cg::this_cluster();
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int sum = cg::reduce(warp, out[threadIdx.x], cg::plus<int>());
  cluster.sync();
  out[threadIdx.x] = sum + cluster.block_rank();
}

// CHECK-LABEL: .entry _Z6waitedPi(
// CHECK: mbarrier.arrive
__global__ void waited(int *out) {
#ifdef PLAIN_BARRIER
  // PLAIN: error: initialization is not supported for __shared__ variables
  __shared__ barrier ready;
#else
  __shared__ alignas(barrier) unsigned char storage[sizeof(barrier)];
  barrier &ready = *reinterpret_cast<barrier *>(storage);
#endif
  if (threadIdx.x == 0)
    init(&ready, blockDim.x);
  __syncthreads();
  cuda::std::array<int, 2> pair{1, 2};
  out[threadIdx.x] = pair[threadIdx.x % 2];
  ready.arrive_and_wait();
}
