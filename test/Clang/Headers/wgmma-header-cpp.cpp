// REQUIRES: nvptx-registered-target
// nvptx_wgmma.h in freestanding C++ for nvptx64, in each version of C++ that it is
// for, without a warning.
// DEFINE: %{std} = c++17
// DEFINE: %{clang} = %clangxx --target=nvptx64-nvidia-cuda -march=sm_90a -ffreestanding -nogpulib -Xclang -target-feature -Xclang +ptx82 \
// DEFINE:   -I%src_include_dir/../lib/Headers -std=%{std} -Wall -Wextra -Wpedantic -Werror %s
// RUN: %{clang} -O2 -S -o - | FileCheck %s
// REDEFINE: %{std} = c++20
// RUN: %{clang} -fsyntax-only
// REDEFINE: %{std} = c++23
// RUN: %{clang} -fsyntax-only

// Elsewhere, one error that says what is missing.
// DEFINE: %{options} =
// DEFINE: %{fail} = not %clangxx -I%src_include_dir/../lib/Headers -fsyntax-only -DHEADER_ONLY -nogpulib %{options} %s 2>&1 | FileCheck %s
// RUN: %{fail} --check-prefix=HOST
// HOST: error: "nvptx_wgmma.h needs CUDA (-x cuda --cuda-gpu-arch=sm_90a), OpenMP (-fopenmp --offload-arch=sm_90a) or NVPTX as the target (--target=nvptx64-nvidia-cuda -march=sm_90a)"
// REDEFINE: %{options} = --target=nvptx64-nvidia-cuda -march=sm_90a -std=c++14
// RUN: %{fail} --check-prefix=STD
// STD: error: "nvptx_wgmma.h needs Clang compiling C++17 or later: -std=c++17"
// REDEFINE: %{options} = --target=nvptx64-nvidia-cuda -march=sm_90a --cuda-path=/nonexistent -Xclang -target-feature -Xclang +ptx81
// RUN: %{fail} --check-prefix=PTX
// PTX: error: "nvptx_wgmma.h needs PTX 8.2: CUDA 12.2 or later (--cuda-path), or -Xclang -target-feature -Xclang +ptx82"

#include <nvptx_wgmma.h>

#ifndef HEADER_ONLY
namespace wgmma = nvptx::wgmma;

// CHECK-LABEL: .entry kernel(
// CHECK:         wgmma.fence.sync.aligned;
// CHECK:         wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// CHECK-NEXT:    wgmma.commit_group.sync.aligned;
// CHECK-NEXT:    wgmma.wait_group.sync.aligned 0;
extern "C" [[clang::device_kernel]] void kernel(float *out, const void *shared) {
  wgmma::accumulator_f32<64> sum = {};
  unsigned long a = wgmma::descriptor(shared, 128, 256, wgmma::swizzle::none);
  wgmma::fence_operand(sum);
  wgmma::fence();
  sum = __nvvm_wgmma_mma_async_ss_f32_f16_f16(sum, a, wgmma::advance(a, 32), true, 1, 1, false, false);
  wgmma::commit_group();
  wgmma::wait_group<0>();
  wgmma::fence_operand(sum);
  out[wgmma::accumulator_row(0, 0)] = sum[0];
}

// Any type whose value is its bytes becomes registers, without an instruction.
struct alignas(4) Half2 {
  Half2(const Half2 &Other) : x(Other.x), y(Other.y) {}
  unsigned short x, y;
};
// CHECK-LABEL: fragment(
// CHECK-NOT:     {{[.]local|ld[.]b16|mov[.]|shl|or[.]}}
// CHECK-COUNT-4: ld.b32
// CHECK-NEXT:    st.param.v4.b32
extern "C" wgmma::a_fragment fragment(const Half2 (&halves)[4]) {
  return wgmma::register_cast<wgmma::a_fragment>(halves);
}

// Of a vector whose size is not a power of two, the elements: 24 of 32.
// CHECK-LABEL: accumulator(
// CHECK-NOT:     .local
// CHECK-COUNT-24: ld.b32
// CHECK-NOT:     ld.b
// CHECK:         ret;
extern "C" wgmma::accumulator_f16<96> accumulator(const Half2 (&halves)[24]) {
  return wgmma::register_cast<wgmma::accumulator_f16<96>>(halves);
}
#endif
