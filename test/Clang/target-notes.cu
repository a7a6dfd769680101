// REQUIRES: nvptx-registered-target
// A builtin that the target or the PTX version lacks: the error is followed by the
// option that gives what is missing.
// DEFINE: %{cc1} = %clang_cc1 -triple nvptx64-nvidia-cuda -emit-llvm -o /dev/null %s
// DEFINE: %{cuda} = %{cc1} -aux-triple x86_64-unknown-linux-gnu -fcuda-is-device
// RUN: %{cuda} -target-cpu sm_90 -target-feature +ptx82 -verify=arch,cuda
// RUN: %{cuda} -target-cpu sm_90a -target-feature +ptx81 -verify=ptx
// RUN: %{cuda} -target-cpu sm_80 -target-feature +ptx81 -verify=arch,cuda,ptx
// RUN: %{cuda} -target-cpu sm_90a -target-feature +ptx82 -verify=none
// RUN: %{cc1} -x c++ -target-cpu sm_90 -target-feature +ptx82 -verify=arch,cpp
// RUN: %{cc1} -x c++ -fopenmp -fopenmp-is-target-device -aux-triple x86_64-unknown-linux-gnu -target-cpu sm_90 -target-feature +ptx82 -verify=arch,openmp
// RUN: %{cc1} -x c++ -target-cpu sm_90a -target-feature +ptx80 -verify=cppptx
// none-no-diagnostics

#pragma omp declare target
#ifdef __CUDA__
__attribute__((device))
#endif
float __attribute__((ext_vector_type(4)))
step(float __attribute__((ext_vector_type(4))) d, long a, long b, int m) {
  // arch-error@+8 {{needs target feature (sm_90a),(ptx82|}}
  // cuda-note@+7 {{compile for sm_90a, with '--cuda-gpu-arch=sm_90a'}}
  // cpp-note@+6 {{compile for sm_90a, with '-march=sm_90a'}}
  // openmp-note@+5 {{compile for sm_90a, with '--offload-arch=sm_90a'}}
  // ptx-error@+4 0-1 {{needs target feature (sm_90a),(ptx82|}}
  // ptx-note@+3 {{PTX 8.2 is what a newer CUDA toolkit has, found with '--cuda-path'; or choose it with '--cuda-feature=+ptx82'}}
  // cppptx-error@+2 {{needs target feature (sm_90a),(ptx82|}}
  // cppptx-note@+1 {{PTX 8.2 is what a newer CUDA toolkit has, found with '--cuda-path'; or choose it with '-Xclang -target-feature -Xclang +ptx82'}}
  return __nvvm_wgmma_mma_async_sp_ss_f32_tf32_tf32(d, a, b, m, 0, true, 1, 1);
}
#pragma omp end declare target
