// The headers of kernels in OpenMP code for the device.
// REQUIRES: cuda-toolkit
// DEFINE: %{clang} = %clang_cuda -fopenmp -nogpulib -std=c++17 -Wall -Wextra -Wpedantic -Werror -O2 %s
// RUN: %{clang} --offload-device-only -S -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: %if ptxas %{ %ptxas -c -arch=sm_90a %t.ptx -o %t.o %}
// RUN: %{clang} --offload-host-only -fsyntax-only

#include <nvptx_cluster.h>
#include <nvptx_epilogue.h>
#include <nvptx_mbarrier.h>
#include <nvptx_registers.h>
#include <nvptx_sparse.h>
#include <nvptx_tma.h>
using namespace nvptx;

unsigned use(void *, const float *) { return 0; }

// CHECK-LABEL: use
// CHECK:       mbarrier.try_wait.parity.shared.b64
// CHECK:       cvt.rn.f16x2.f32
// CHECK:       stmatrix.sync.aligned.m8n8.x4.shared.b16
#pragma omp begin declare target
#pragma omp begin declare variant match(device = {arch(nvptx64)})
unsigned use(void *memory, const float *in) {
  auto *bar = static_cast<mbarrier *>(memory);
  bar->wait(0);
  wgmma::accumulator_f32<64> sum;
  wgmma::static_for<32>([&](auto i) { sum[i()] = in[i()]; });
  wgmma::store_box<wgmma::swizzle::bytes_128, 0>(memory, wgmma::to_f16(sum), 5);
  return cluster::rank() + cluster::shape<2>::all_mask();
}
#pragma omp end declare variant
#pragma omp end declare target

// Compression is for the host, too.
bool compress(const void *dense, void *kept) {
  bool fits = true;
  sparse::compress_tile<sparse::type::s8>(dense, 64, kept, 32, 0, fits);
  return fits;
}

int main() {
  unsigned x = 0;
#pragma omp target map(tofrom : x)
  x = use(nullptr, nullptr);
  return x != 0;
}
