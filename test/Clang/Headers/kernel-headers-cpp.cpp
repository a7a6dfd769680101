// REQUIRES: nvptx-registered-target
// The headers of kernels in freestanding C++ for nvptx64, in each version of C++ that
// they are for, without a warning.
// DEFINE: %{std} = c++17
// DEFINE: %{clang} = %clangxx --target=nvptx64-nvidia-cuda -march=sm_90a -ffreestanding -nogpulib -Xclang -target-feature -Xclang +ptx82 \
// DEFINE:   -std=%{std} -Wall -Wextra -Wpedantic -Werror %s
// RUN: %{clang} -O2 -S -o - | FileCheck %s
// REDEFINE: %{std} = c++20
// RUN: %{clang} -fsyntax-only
// REDEFINE: %{std} = c++23
// RUN: %{clang} -fsyntax-only

// Elsewhere, one error that says what is missing.
// DEFINE: %{options} =
// DEFINE: %{fail} = not %clangxx -I%src_include_dir/../lib/Headers -fsyntax-only -DHEADER_ONLY -nogpulib %{options} %s 2>&1 | FileCheck %s
// RUN: %{fail} --check-prefix=HOST
// HOST: error: "the nvptx headers need CUDA (-x cuda --cuda-gpu-arch=sm_90a), OpenMP (-fopenmp --offload-arch=sm_90a) or NVPTX as the target (--target=nvptx64-nvidia-cuda -march=sm_90a)"
// REDEFINE: %{options} = --target=nvptx64-nvidia-cuda -march=sm_90a -std=c++14
// RUN: %{fail} --check-prefix=STD
// STD: error: "the nvptx headers need Clang compiling C++17 or later: -std=c++17"
// REDEFINE: %{options} = --target=nvptx64-nvidia-cuda -march=sm_90a -include nvptx_tensor_map.h
// RUN: %{fail} --check-prefix=MAP
// MAP: error: "nvptx_tensor_map.h needs CUDA (-x cuda --cuda-gpu-arch=sm_90a)"

#include <nvptx_cluster.h>
#include <nvptx_epilogue.h>
#include <nvptx_mbarrier.h>
#include <nvptx_registers.h>
#include <nvptx_sparse.h>
#include <nvptx_tma.h>

#ifndef HEADER_ONLY
using namespace nvptx;

// By generic pointers, of which it is not known where they point.
// CHECK-LABEL: .entry kernel(
// CHECK-NOT:     setmaxnreg
// CHECK:         barrier.cluster.arrive;
// CHECK:         mbarrier.try_wait.parity.shared.b64
// CHECK:         cp.async.bulk.tensor.2d.shared::cluster.global.tile
// CHECK:         cvt.rn.bf16x2.f32
// CHECK:         stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK:         ret;
extern "C" [[clang::device_kernel]] void kernel(char *memory,
                                                const tensor_map *map,
                                                const float *in, int tid) {
  auto *ring = reinterpret_cast<pipeline<3> *>(memory);
  pipeline_state<3> at;
  cluster::sync();
  ring->producer_acquire(at, 8192);
  tma::load(memory + 1024, ring->full[0], *map, 0, 64);
  register_split<256>::reallocate<0>();
  wgmma::accumulator_f32<64> sum;
  wgmma::static_for<32>([&](auto i) { sum[i()] = in[i()]; });
  wgmma::store_box<wgmma::swizzle::bytes_128, 0>(memory + 1024,
                                                 wgmma::to_bf16(sum), tid);
}
#endif
