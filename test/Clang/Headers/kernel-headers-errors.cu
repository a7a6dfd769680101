// REQUIRES: nvptx-registered-target
// What the headers of kernels refuse to compile, with one message for each mistake.
// RUN: not %clangxx -x cuda --cuda-gpu-arch=sm_90a --cuda-device-only -nocudainc -nocudalib -nogpulib -std=c++17 -fsyntax-only -ferror-limit=0 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='error:'

#define __device__ __attribute__((device))
#include <nvptx_cluster.h>
#include <nvptx_epilogue.h>
#include <nvptx_registers.h>
#include <nvptx_tma.h>
using namespace nvptx;

// Of three warpgroups each thread gets 168 registers: 504 can be shared, not 520.
// CHECK: error: static assertion failed{{.*}}: the warpgroups take more than the 65,536 registers of a multiprocessor
using TooMany = register_split<40, 240, 240>;
static_assert(TooMany::threads == 384);
// CHECK: error: static assertion failed{{.*}}: the warpgroups take more registers than the CTA gets at its launch
using MoreThanLaunched = register_split<32, 240, 240>;
static_assert(MoreThanLaunched::threads == 384);
// CHECK: error: static assertion failed{{.*}}: setmaxnreg takes a multiple of 8 from 24 to 256
using NoMultiple = register_split<42, 200, 200>;
static_assert(NoMultiple::threads == 384);
// CHECK: error: static assertion failed{{.*}}: setmaxnreg takes a multiple of 8 from 24 to 256
using TooFew = register_split<16, 200, 200>;
static_assert(TooFew::threads == 384);

// CHECK: error: static assertion failed{{.*}}: a cluster has 1 to 16 CTAs
static_assert(cluster::shape<17>::size == 17);

// CHECK: error: static assertion failed{{.*}}: a pipeline has at least one stage
using NoStage = pipeline_state<0>;
static_assert(sizeof(NoStage) == 8);

__device__ void use(void *box, wgmma::accumulator_f16<64> d, tensor_map &map) {
  // CHECK: error: static assertion failed{{.*}}: there is no such warpgroup
  register_split<168, 168, 168>::reallocate<3>();
  // CHECK: error: static assertion failed{{.*}}: the accumulator has no such columns
  wgmma::store_box<wgmma::swizzle::bytes_128, 16>(box, d, 0);
  // CHECK: error: static assertion failed{{.*}}: a box without swizzle has lines of 16 bytes
  wgmma::store_box<wgmma::swizzle::none, 0>(box, d, 0);
  // CHECK: error: static assertion failed{{.*}}: the accumulator has no such columns
  (void)wgmma::as_a_fragment<4>(d);
  // CHECK: error: static assertion failed{{.*}}: a tensor has 1 to 5 dimensions
  tma::store(map, box, 0, 0, 0, 0, 0, 0);
}
