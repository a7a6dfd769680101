// REQUIRES: nvptx-registered-target
// A result that nobody uses is a mistake: these functions change none of their arguments. advance() looks like
// std::advance().
// RUN: %clangxx -x cuda --cuda-gpu-arch=sm_90a --cuda-device-only -nocudainc -nocudalib -nogpulib -std=c++17 -fsyntax-only -Xclang -verify %s

#define __device__ __attribute__((device))
#include <nvptx_cluster.h>
#include <nvptx_epilogue.h>
#include <nvptx_mbarrier.h>
#include <nvptx_wgmma.h>
using namespace nvptx;

__device__ unsigned long unused(void *smem, mbarrier &bar, unsigned long d, const wgmma::accumulator_f32<8> &acc) {
  wgmma::advance(d, 32);                                    // expected-warning {{ignoring return value}}
  wgmma::descriptor(smem, 16, 1024, wgmma::swizzle::none);  // expected-warning {{ignoring return value}}
  wgmma::to_f16(acc);                                       // expected-warning {{ignoring return value}}
  bar.test_wait(1);                                         // expected-warning {{ignoring return value}}
  bar.try_wait(1);                                          // expected-warning {{ignoring return value}}
  cluster::rank();                                          // expected-warning {{ignoring return value}}
  bar.wait(0);
  return wgmma::advance(d, 64);
}
