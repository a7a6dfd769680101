// OpenMP offloading to NVPTX: target regions are compiled and assembled. Debian has
// no runtime library for devices, so that a program cannot be linked; Clang says so.

// REQUIRES: cuda-toolkit, ptxas
// DEFINE: %{clang} = clang++ -fopenmp --offload-arch=sm_90a -O2 \
// DEFINE:   --cuda-path=%cuda_path
// RUN: %{clang} -nogpulib -c %s -o %t.o
// RUN: llvm-objdump --offloading %t.o | FileCheck %s
// CHECK: arch{{ +}}sm_90a
// CHECK: triple{{ +}}nvptx64-nvidia-cuda
// CHECK: producer{{ +}}openmp

// RUN: %{clang} -nogpulib --offload-device-only -S %s -o - | FileCheck %s --check-prefix=PTX
// PTX: .entry __omp_offloading_{{.*}}twice
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

// RUN: not %{clang} -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUNTIME: error: no library 'libomptarget-nvptx.bc' found

using half8 = _Float16 __attribute__((ext_vector_type(8)));
using half4 = _Float16 __attribute__((ext_vector_type(4)));
using float4_ = float __attribute__((ext_vector_type(4)));

void twice(float4_ *sum, half8 *a, half4 *b) {
#pragma omp target map(tofrom : sum[0 : 1]) map(to : a[0 : 1], b[0 : 1])
#ifdef __NVPTX__
  *sum = __nvvm_mma_m16n8k16_row_col_f32_f32(*a, *b, *sum);
#else
  ;
#endif
}
