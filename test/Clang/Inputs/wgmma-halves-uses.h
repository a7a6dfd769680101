// More kernels with accumulators kept as arrays of halves, on what wgmma-halves.py prints for N = 40 and
// 64.

// A struct of halves, by value.
struct F { H d[32]; };
__device__ inline F step(F f, uint64_t a, uint64_t b, int s) { multiply_ss_n64_one(f.d, a, b, 0, s); return f; }
extern "C" __global__ void by_value(float *out, uint64_t a, uint64_t b, int n) {
  F f; 
#pragma unroll
  for (int i = 0; i < 32; ++i) f.d[i] = zero();
#pragma unroll 1
  for (int j = 0; j < n; ++j) { pin(f.d); FENCE; f = step(f, a + j, b + j, 1); f = step(f, a + j + 2, b + j, 1); COMMIT; WAIT(0); pin(f.d); }
#pragma unroll
  for (int i = 0; i < 32; ++i) out[i * 128 + threadIdx.x] = to_float(f.d[i]);
}
// Stored 16 bytes a time.
extern "C" __global__ void wide_store(uint4 *out, uint64_t a, uint64_t b, int n) {
  alignas(16) H acc[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) acc[i] = zero();
#pragma unroll 1
  for (int j = 0; j < n; ++j) { pin(acc); FENCE; multiply_ss_n64_one(acc, a + j, b + j, 0, 1); COMMIT; WAIT(0); pin(acc); }
#pragma unroll
  for (int i = 0; i < 4; ++i) out[i * 128 + threadIdx.x] = reinterpret_cast<uint4 *>(acc)[i];
}
// Set to zero again in a branch, in nested loops.
extern "C" __global__ void reset(float *out, uint64_t a, uint64_t b, int n, int m) {
  alignas(16) H acc[20];
#pragma unroll
  for (int i = 0; i < 20; ++i) acc[i] = zero();
#pragma unroll 1
  for (int t = 0; t < m; ++t) {
    if (t % 3 == 0) {
#pragma unroll
      for (int i = 0; i < 20; ++i) acc[i] = zero();
    }
#pragma unroll 1
    for (int j = 0; j < n; ++j) { pin(acc); FENCE; multiply_ss_n40_one(acc, a + j, b + j, 0, 1); COMMIT; WAIT(0); pin(acc); }
#pragma unroll
    for (int i = 0; i < 20; ++i) out[(t * 20 + i) * 128 + threadIdx.x] = to_float(acc[i]);
  }
}
// Two accumulators that come from memory.
extern "C" __global__ void c_in(H *c, uint64_t a, uint64_t b, int n) {
  alignas(16) H acc[20], acc2[20];
#pragma unroll
  for (int i = 0; i < 20; ++i) { acc[i] = c[i * 128 + threadIdx.x]; acc2[i] = c[(20 + i) * 128 + threadIdx.x]; }
#pragma unroll 1
  for (int j = 0; j < n; ++j) { pin(acc); pin(acc2); FENCE; multiply_ss_n40_one(acc, a + j, b + j, 0, 1); multiply_ss_n40_one(acc2, a + j, b + j + 2, 0, 1); COMMIT; WAIT(0); pin(acc); pin(acc2); }
#pragma unroll
  for (int i = 0; i < 20; ++i) { c[i * 128 + threadIdx.x] = acc[i]; c[(20 + i) * 128 + threadIdx.x] = acc2[i]; }
}
#if HALF == 2
// Scaled in the loop, two halves a time.
extern "C" __global__ void scaled(__half2 *c, uint64_t a, uint64_t b, int n, __half2 s) {
  alignas(16) H acc[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) acc[i] = zero();
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    pin(acc); FENCE; multiply_ss_n64_one(acc, a + j, b + j, 0, 1); COMMIT; WAIT(0); pin(acc);
#pragma unroll
    for (int i = 0; i < 16; ++i) reinterpret_cast<__half2 *>(acc)[i] = __hmul2(reinterpret_cast<__half2 *>(acc)[i], s);
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) c[i * 128 + threadIdx.x] = __half2half2(acc[i]);
}
// Computed with in the loop, one half a time: both halves of a register in one instruction.
#define ONE_BY_ONE(NAME, VALUE) \
extern "C" __global__ void NAME(H *c, uint64_t a, uint64_t b, int n, H s) { \
  alignas(16) H acc[32]; \
  _Pragma("unroll") for (int i = 0; i < 32; ++i) acc[i] = __float2half(0.f); \
  _Pragma("unroll 1") for (int j = 0; j < n; ++j) { \
    pin(acc); FENCE; multiply_ss_n64_one(acc, a + j, b + j, 0, 1); COMMIT; WAIT(0); pin(acc); \
    _Pragma("unroll") for (int i = 0; i < 32; ++i) acc[i] = VALUE; \
  } \
  _Pragma("unroll") for (int i = 0; i < 32; ++i) c[i * 128 + threadIdx.x] = acc[i]; \
}
ONE_BY_ONE(one_by_one_scaled, acc[i] * s)
ONE_BY_ONE(one_by_one_max, __hmax(acc[i], __float2half(0.f)))
ONE_BY_ONE(one_by_one_fma, __hfma(acc[i], s, s))
ONE_BY_ONE(one_by_one_mul_add, acc[i] * s + s)
ONE_BY_ONE(one_by_one_mul_sub, s - s * acc[i])
ONE_BY_ONE(one_by_one_polynomial, acc[i] * acc[i] * s + acc[i])
ONE_BY_ONE(one_by_one_float, __float2half(__half2float(acc[i]) * __half2float(s)))
#endif
