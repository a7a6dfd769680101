// What users do with the elements of a result, whether one wgmma has made it, four, or a
// loop: neither ptxas finds it to be done in flight.
// REQUIRES: cuda-toolkit
// DEFINE: %{level} =
// DEFINE: %{compile} = %clang_cuda -x cuda -std=c++17 --cuda-device-only -S %{level} %s -o %t.ptx -Werror=nvptx-wgmma
// DEFINE: %{verify} = sed "s/^.version .*/.version 8.0/" %t.ptx | %ptxas-verify -arch=sm_90a
// REDEFINE: %{level} = -O1
// RUN: %{compile} && %{verify}
// REDEFINE: %{level} = -O3
// RUN: %{compile} && %{verify}

#include "Inputs/wgmma_asm.h"

#include <cuda_bf16.h>
#include <cuda_fp8.h>

//===----------------------------------------------------------------------===//
// Where results come from
//===----------------------------------------------------------------------===//

struct One {
  template <class T, int N> static __device__ void get(T (&D)[N], uint64_t A, uint64_t B, int) {
    fence();
    multiply<0>(D, A, B);
    finish();
  }
};
struct Four {
  template <class T, int N> static __device__ void get(T (&D)[N], uint64_t A, uint64_t B, int) {
    fence();
    multiply<0>(D, A, B);
    multiply(D, A + 2, B + 2);
    multiply(D, A + 4, B + 4);
    multiply(D, A + 6, B + 6);
    finish();
  }
};
struct FourOnZeros {
  template <class T, int N> static __device__ void get(T (&D)[N], uint64_t A, uint64_t B, int) {
    fence();
    for (int K = 0; K != 4; ++K)
      multiply(D, A + 2 * K, B + 2 * K);
    finish();
  }
};
struct Loop {
  template <class T, int N> static __device__ void get(T (&D)[N], uint64_t A, uint64_t B, int Steps) {
    for (int K = 0; K < Steps; ++K) {
      fence();
      multiply(D, A + 2 * K, B + 2 * K);
      finish();
    }
  }
};
struct LoopOfOneGroup {
  template <class T, int N> static __device__ void get(T (&D)[N], uint64_t A, uint64_t B, int Steps) {
    fence();
    for (int K = 0; K < Steps; ++K)
      multiply(D, A + 2 * K, B + 2 * K);
    finish();
  }
};
struct OnCondition {
  template <class T, int N> static __device__ void get(T (&D)[N], uint64_t A, uint64_t B, int Steps) {
    if (Steps <= 3)
      return;
    fence();
    multiply<0>(D, A, B);
    finish();
  }
};
/// The upper half of the elements is another result's.
struct Two {
  template <class T, int N> static __device__ void get(T (&D)[N], uint64_t A, uint64_t B, int) {
    T E[N] = {};
    fence();
    multiply<0>(D, A, B);
    multiply<0>(E, A + 2, B + 2);
    finish();
    for (int I = N / 2; I != N; ++I)
      D[I] = E[I];
  }
};

//===----------------------------------------------------------------------===//
// What becomes of them
//===----------------------------------------------------------------------===//

struct Arguments {
  void *Out;
  const void *In;
  float Factor;
  int Limit;
};

/// Each element by itself: At is where it belongs.
#define EACH(NAME, T, OUT, STATEMENT)                                                                                  \
  struct NAME {                                                                                                        \
    static constexpr int Size = 8;                                                                                     \
    using Element = T;                                                                                                 \
    static __device__ void put(T (&D)[8], const Arguments &Args) {                                                     \
      OUT *Out = static_cast<OUT *>(Args.Out);                                                                         \
      for (int I = 0; I != 8; ++I) {                                                                                   \
        const int At = threadIdx.x + I * 128;                                                                          \
        const T V = D[I];                                                                                              \
        STATEMENT;                                                                                                     \
      }                                                                                                                \
    }                                                                                                                  \
  };
/// All of them: H are the halves of registers.
#define ALL(NAME, T, SIZE, OUT, STATEMENT)                                                                             \
  struct NAME {                                                                                                        \
    static constexpr int Size = SIZE;                                                                                  \
    using Element = T;                                                                                                 \
    static __device__ void put(T (&D)[SIZE], const Arguments &Args) {                                                  \
      OUT *Out = static_cast<OUT *>(Args.Out);                                                                         \
      const int At = threadIdx.x;                                                                                      \
      half H[8];                                                                                                       \
      for (int I = 0; I != 4; ++I) {                                                                                   \
        H[2 * I] = __ushort_as_half(static_cast<unsigned>(D[I]));                                                      \
        H[2 * I + 1] = __ushort_as_half(static_cast<unsigned>(D[I]) >> 16);                                            \
      }                                                                                                                \
      STATEMENT;                                                                                                       \
    }                                                                                                                  \
  };

EACH(AsIs, float, float, Out[At] = V)
EACH(Half, float, half, Out[At] = __float2half(V))
EACH(VolatileHalf, float, half, asm volatile("cvt.rn.f16.f32 %0, %1;" : "=h"(reinterpret_cast<short &>(Out[At])) : "f"(V)))
EACH(Float16, float, _Float16, Out[At] = static_cast<_Float16>(V))
EACH(Negative, float, half, Out[At] = __hneg(__float2half(V)))
EACH(HalfOfFactor, float, half, Out[At] = __float2half(V); if (I == 0) Out[4096] = __float2half(Args.Factor))
EACH(HalfTowardsZero, float, half, Out[At] = __float2half_rz(V))
EACH(BFloat, float, __nv_bfloat16, Out[At] = __float2bfloat16(V))
EACH(UpperBits, float, unsigned short, Out[At] = __float_as_uint(V) >> 16)
EACH(LowerBits, float, unsigned short, Out[At] = __float_as_uint(V))
EACH(E4M3, float, __nv_fp8_e4m3, Out[At] = __nv_fp8_e4m3(V))
EACH(SaturatedByte, float, signed char, Out[At] = min(127, max(-128, __float2int_rn(V))))
EACH(Double, float, double, Out[At] = V)
EACH(Relu, float, half, Out[At] = __float2half(fmaxf(V, 0.f)))
EACH(HalfRelu, float, half, Out[At] = __hmax(__float2half(V), __float2half(0.f)))
EACH(Bias, float, half, Out[At] = __hadd(__float2half(V), static_cast<const half *>(Args.In)[I]))
EACH(Beta, float, half, Out[At] = __float2half(V + Args.Factor * __half2float(Out[At])))
EACH(Adjacent, float, half, Out[threadIdx.x * 8 + I] = __float2half(V))
EACH(Guarded, float, half, if (At < Args.Limit) Out[At] = __float2half(V))
EACH(Selected, float, half, Out[At] = V > Args.Factor ? __float2half(V) : __float2half(0.f))
EACH(Shuffled, float, half, Out[At] = __shfl_xor_sync(~0u, __float2half(V), 1))
EACH(Atomic, float, float, atomicAdd(Out + At, V))
EACH(AtomicHalf, float, half, atomicAdd(Out + At, __float2half(V)))
EACH(TwoForms, float, half, Out[At] = __float2half(V); reinterpret_cast<float *>(Out)[At + 4096] = V)
EACH(Residual, float, half, Out[At] = __float2half(V); Out[At + 4096] = __float2half(V - __half2float(Out[At])))
EACH(Reversed, float, half, Out[At] = __float2half(D[7 - I]))
EACH(Exponential, float, half, Out[At] = __float2half(__expf(V - D[0])))
EACH(Integer, int, int, Out[At] = V)
EACH(Byte, int, signed char, Out[At] = V)
EACH(UpperShort, int, short, Out[At] = V >> 16)
EACH(Quantized, int, signed char, Out[At] = min(127, max(-128, __float2int_rn(V *Args.Factor))))
EACH(HalfOfInteger, int, half, Out[At] = __int2half_rn(V))
ALL(Sum, float, 8, float, float S = 0; for (float V : D) S += V; Out[At] = S)
ALL(Largest, float, 8, float, float S = D[0]; for (float V : D) S = fmaxf(S, V); Out[At] = __shfl_xor_sync(~0u, S, 1))
ALL(Third, float, 8, half, Out[At] = __float2half(D[3]))
ALL(TwoOfThem, float, 8, half, Out[At] = __float2half(D[0]); Out[At + 128] = __float2half(D[5]))
ALL(OneOfEach, float, 8, half, Out[At] = __float2half(D[0]); Out[At + 128] = __float2half(D[7]))
ALL(ThreeOfThem, float, 8, half, for (int I = 0; I != 3; ++I) Out[At + I * 128] = __float2half(D[I]))
ALL(Gated, float, 8, half, for (int I = 0; I != 4; ++I) Out[At + I * 128] = __float2half(__fdividef(D[I], 1.f + __expf(-D[I])) * D[I + 4]))
ALL(Rows, float, 8, half, for (int I = 0; I != 8; I += 2) *reinterpret_cast<uint32_t *>(Out + At * 2 + I * 64) = pack(D[I], D[I + 1]))
ALL(Registers, uint32_t, 4, uint32_t, for (int I = 0; I != 4; ++I) Out[At + I * 128] = D[I])
ALL(Halves, uint32_t, 4, half, for (int I = 0; I != 8; ++I) Out[At + I * 128] = H[I])
ALL(LowerHalves, uint32_t, 4, half, for (int I = 0; I != 8; I += 2) Out[At + I * 128] = H[I])
ALL(UpperHalves, uint32_t, 4, half, for (int I = 1; I != 9; I += 2) Out[At + I * 128] = H[I])
ALL(WidenedHalves, uint32_t, 4, float, for (int I = 0; I != 8; ++I) Out[At + I * 128] = __half2float(H[I]))
ALL(ScaledHalves, uint32_t, 4, half, for (int I = 0; I != 8; ++I) Out[At + I * 128] = __hmul(H[I], __float2half(Args.Factor)))
ALL(GuardedHalves, uint32_t, 4, half, for (int I = 0; I != 8; ++I) if (At + I * 128 < Args.Limit) Out[At + I * 128] = H[I])
ALL(SumOfHalves, uint32_t, 4, half, half S = H[0]; for (int I = 1; I != 8; ++I) S = __hadd(S, H[I]); Out[At] = S)
ALL(DifferentHalves, uint32_t, 4, half, for (int I = 0; I != 8; ++I) Out[At + I * 128] = I % 2 ? H[I] : __hneg(H[I]))

template <class Source, class Use> __global__ void __launch_bounds__(128) kernel(Arguments Args, uint64_t A, uint64_t B) {
  typename Use::Element D[Use::Size] = {};
  Source::get(D, A, B, Args.Limit);
  Use::put(D, Args);
}

#define INSTANTIATE(USE)                                                                                               \
  template __global__ void kernel<One, USE>(Arguments, uint64_t, uint64_t);                                            \
  template __global__ void kernel<Four, USE>(Arguments, uint64_t, uint64_t);                                           \
  template __global__ void kernel<FourOnZeros, USE>(Arguments, uint64_t, uint64_t);                                    \
  template __global__ void kernel<Loop, USE>(Arguments, uint64_t, uint64_t);                                           \
  template __global__ void kernel<LoopOfOneGroup, USE>(Arguments, uint64_t, uint64_t);                                 \
  template __global__ void kernel<OnCondition, USE>(Arguments, uint64_t, uint64_t);                                    \
  template __global__ void kernel<Two, USE>(Arguments, uint64_t, uint64_t);
INSTANTIATE(AsIs)
INSTANTIATE(Half)
INSTANTIATE(VolatileHalf)
INSTANTIATE(Float16)
INSTANTIATE(Negative)
INSTANTIATE(HalfOfFactor)
INSTANTIATE(HalfTowardsZero)
INSTANTIATE(BFloat)
INSTANTIATE(UpperBits)
INSTANTIATE(LowerBits)
INSTANTIATE(E4M3)
INSTANTIATE(SaturatedByte)
INSTANTIATE(Double)
INSTANTIATE(Relu)
INSTANTIATE(HalfRelu)
INSTANTIATE(Bias)
INSTANTIATE(Beta)
INSTANTIATE(Adjacent)
INSTANTIATE(Guarded)
INSTANTIATE(Selected)
INSTANTIATE(Shuffled)
INSTANTIATE(Atomic)
INSTANTIATE(AtomicHalf)
INSTANTIATE(TwoForms)
INSTANTIATE(Residual)
INSTANTIATE(Reversed)
INSTANTIATE(Exponential)
INSTANTIATE(Integer)
INSTANTIATE(Byte)
INSTANTIATE(UpperShort)
INSTANTIATE(Quantized)
INSTANTIATE(HalfOfInteger)
INSTANTIATE(Sum)
INSTANTIATE(Largest)
INSTANTIATE(Third)
INSTANTIATE(TwoOfThem)
INSTANTIATE(OneOfEach)
INSTANTIATE(ThreeOfThem)
INSTANTIATE(Gated)
INSTANTIATE(Rows)
INSTANTIATE(Registers)
INSTANTIATE(Halves)
INSTANTIATE(LowerHalves)
INSTANTIATE(UpperHalves)
INSTANTIATE(WidenedHalves)
INSTANTIATE(ScaledHalves)
INSTANTIATE(GuardedHalves)
INSTANTIATE(SumOfHalves)
INSTANTIATE(DifferentHalves)
