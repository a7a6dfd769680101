// wgmma as users write it in inline assembly, on arrays: m64n16, of which a thread
// holds eight elements of 32 bits, or four registers of halves.

#ifndef WGMMA_ASM_H
#define WGMMA_ASM_H

#include <cuda_fp16.h>

#include <cstdint>

#define ELEMENTS "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define ELEMENTS_OF(C, D)                                                                                             \
  "+" C(D[0]), "+" C(D[1]), "+" C(D[2]), "+" C(D[3]), "+" C(D[4]), "+" C(D[5]), "+" C(D[6]), "+" C(D[7])

__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int Pending> __device__ __forceinline__ void wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}
__device__ __forceinline__ void finish() {
  commit();
  wait<0>();
}

template <int Scale = 1> __device__ __forceinline__ void multiply(float (&D)[8], uint64_t A, uint64_t B) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " ELEMENTS ", %8, %9, %10, 1, 1, 0, 0;"
               : ELEMENTS_OF("f", D)
               : "l"(A), "l"(B), "n"(Scale));
}
template <int Scale = 1>
__device__ __forceinline__ void multiply(float (&D)[8], const uint32_t (&A)[4], uint64_t B) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " ELEMENTS
               ", {%8, %9, %10, %11}, %12, %13, 1, 1, 0;"
               : ELEMENTS_OF("f", D)
               : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "l"(B), "n"(Scale));
}
template <int Scale = 1> __device__ __forceinline__ void multiply(int (&D)[8], uint64_t A, uint64_t B) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 " ELEMENTS ", %8, %9, %10;"
               : ELEMENTS_OF("r", D)
               : "l"(A), "l"(B), "n"(Scale));
}
template <int Scale = 1> __device__ __forceinline__ void multiply(uint32_t (&D)[4], uint64_t A, uint64_t B) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {%0, %1, %2, %3}, %4, %5, %6, 1, 1, 0, 0;"
               : "+r"(D[0]), "+r"(D[1]), "+r"(D[2]), "+r"(D[3])
               : "l"(A), "l"(B), "n"(Scale));
}
/// Adds to D if Scale is not zero.
__device__ __forceinline__ void multiplyIf(float (&D)[8], uint64_t A, uint64_t B, int Scale) {
  asm volatile("{.reg .pred p; setp.ne.b32 p, %10, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " ELEMENTS ", %8, %9, p, 1, 1, 0, 0;}"
               : ELEMENTS_OF("f", D)
               : "l"(A), "l"(B), "r"(Scale));
}

__device__ __forceinline__ uint32_t pack(float Lo, float Hi) {
  half2 Pair = __floats2half2_rn(Lo, Hi);
  return *reinterpret_cast<uint32_t *>(&Pair);
}

#endif // WGMMA_ASM_H
