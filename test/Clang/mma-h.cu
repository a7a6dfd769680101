// CUDA's own mma.h, with each of its shapes, element types and layouts, still becomes
// the wmma instructions that it stands for: the builtins that it calls stay as they
// are. What it has no function for, the rounding of f64, our builtins have.
// REQUIRES: cuda-toolkit
// RUN: %clang_cuda --cuda-device-only -O1 -S -o %t.ptx %s
// RUN: FileCheck %s --input-file %t.ptx
// RUN: FileCheck %s --input-file %t.ptx --check-prefix=ROUND
// RUN: %if ptxas %{ %ptxas-verify -arch=sm_90a %t.ptx %}

#include <mma.h>

using namespace nvcuda;

struct Multiply {
  template <class D, class A, class B> __device__ void operator()(D &d, A &a, B &b) {
    wmma::mma_sync(d, a, b, d);
  }
};

struct MultiplyBits {
  template <class D, class A, class B> __device__ void operator()(D &d, A &a, B &b) {
    wmma::bmma_sync(d, a, b, d, wmma::experimental::bmmaBitOpXOR);
    wmma::bmma_sync(d, a, b, d, wmma::experimental::bmmaBitOpAND);
  }
};

// Loads A, B and C, multiplies, stores D. In memory, an element of A or B is a P.
template <int M, int N, int K, class T, class S, class LayoutA, class LayoutB, class P = T, class Mma = Multiply>
__global__ void product(const P *a, const P *b, S *c, wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LayoutA> fragmentA;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fragmentB;
  wmma::fragment<wmma::accumulator, M, N, K, S> accumulator;
  wmma::load_matrix_sync(fragmentA, a, 128);
  wmma::load_matrix_sync(fragmentB, b, 128);
  wmma::load_matrix_sync(accumulator, c, 32, layout);
  Mma()(accumulator, fragmentA, fragmentB);
  wmma::store_matrix_sync(c, accumulator, 32, layout);
}

template __global__ void product<16, 16, 16, __half, __half, wmma::row_major, wmma::row_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m16n16k16.f16.f16{{[[:space:]]}}
template __global__ void product<16, 16, 16, __half, __half, wmma::row_major, wmma::col_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16{{[[:space:]]}}
template __global__ void product<16, 16, 16, __half, __half, wmma::col_major, wmma::row_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m16n16k16.f16.f16{{[[:space:]]}}
template __global__ void product<16, 16, 16, __half, __half, wmma::col_major, wmma::col_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m16n16k16.f16.f16{{[[:space:]]}}
template __global__ void product<16, 16, 16, __half, float, wmma::row_major, wmma::row_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32{{[[:space:]]}}
template __global__ void product<16, 16, 16, __half, float, wmma::row_major, wmma::col_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32{{[[:space:]]}}
template __global__ void product<16, 16, 16, __half, float, wmma::col_major, wmma::row_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m16n16k16.f32.f32{{[[:space:]]}}
template __global__ void product<16, 16, 16, __half, float, wmma::col_major, wmma::col_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m16n16k16.f32.f32{{[[:space:]]}}
template __global__ void product<16, 16, 16, signed char, int, wmma::row_major, wmma::row_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m16n16k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<16, 16, 16, signed char, int, wmma::row_major, wmma::col_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<16, 16, 16, signed char, int, wmma::col_major, wmma::row_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m16n16k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<16, 16, 16, signed char, int, wmma::col_major, wmma::col_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m16n16k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<16, 16, 16, unsigned char, int, wmma::row_major, wmma::row_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m16n16k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<16, 16, 16, unsigned char, int, wmma::row_major, wmma::col_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<16, 16, 16, unsigned char, int, wmma::col_major, wmma::row_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m16n16k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<16, 16, 16, unsigned char, int, wmma::col_major, wmma::col_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m16n16k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<16, 16, 16, __nv_bfloat16, float, wmma::row_major, wmma::row_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m16n16k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<16, 16, 16, __nv_bfloat16, float, wmma::row_major, wmma::col_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<16, 16, 16, __nv_bfloat16, float, wmma::col_major, wmma::row_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m16n16k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<16, 16, 16, __nv_bfloat16, float, wmma::col_major, wmma::col_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m16n16k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<32, 8, 16, __half, __half, wmma::row_major, wmma::row_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m32n8k16.f16.f16{{[[:space:]]}}
template __global__ void product<32, 8, 16, __half, __half, wmma::row_major, wmma::col_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m32n8k16.f16.f16{{[[:space:]]}}
template __global__ void product<32, 8, 16, __half, __half, wmma::col_major, wmma::row_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m32n8k16.f16.f16{{[[:space:]]}}
template __global__ void product<32, 8, 16, __half, __half, wmma::col_major, wmma::col_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m32n8k16.f16.f16{{[[:space:]]}}
template __global__ void product<32, 8, 16, __half, float, wmma::row_major, wmma::row_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m32n8k16.f32.f32{{[[:space:]]}}
template __global__ void product<32, 8, 16, __half, float, wmma::row_major, wmma::col_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32{{[[:space:]]}}
template __global__ void product<32, 8, 16, __half, float, wmma::col_major, wmma::row_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m32n8k16.f32.f32{{[[:space:]]}}
template __global__ void product<32, 8, 16, __half, float, wmma::col_major, wmma::col_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m32n8k16.f32.f32{{[[:space:]]}}
template __global__ void product<32, 8, 16, signed char, int, wmma::row_major, wmma::row_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m32n8k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<32, 8, 16, signed char, int, wmma::row_major, wmma::col_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m32n8k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<32, 8, 16, signed char, int, wmma::col_major, wmma::row_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m32n8k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<32, 8, 16, signed char, int, wmma::col_major, wmma::col_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m32n8k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<32, 8, 16, unsigned char, int, wmma::row_major, wmma::row_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m32n8k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<32, 8, 16, unsigned char, int, wmma::row_major, wmma::col_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m32n8k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<32, 8, 16, unsigned char, int, wmma::col_major, wmma::row_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m32n8k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<32, 8, 16, unsigned char, int, wmma::col_major, wmma::col_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m32n8k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<32, 8, 16, __nv_bfloat16, float, wmma::row_major, wmma::row_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m32n8k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<32, 8, 16, __nv_bfloat16, float, wmma::row_major, wmma::col_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m32n8k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<32, 8, 16, __nv_bfloat16, float, wmma::col_major, wmma::row_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m32n8k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<32, 8, 16, __nv_bfloat16, float, wmma::col_major, wmma::col_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m32n8k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<8, 32, 16, __half, __half, wmma::row_major, wmma::row_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m8n32k16.f16.f16{{[[:space:]]}}
template __global__ void product<8, 32, 16, __half, __half, wmma::row_major, wmma::col_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m8n32k16.f16.f16{{[[:space:]]}}
template __global__ void product<8, 32, 16, __half, __half, wmma::col_major, wmma::row_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m8n32k16.f16.f16{{[[:space:]]}}
template __global__ void product<8, 32, 16, __half, __half, wmma::col_major, wmma::col_major>(const __half *, const __half *, __half *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m8n32k16.f16.f16{{[[:space:]]}}
template __global__ void product<8, 32, 16, __half, float, wmma::row_major, wmma::row_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m8n32k16.f32.f32{{[[:space:]]}}
template __global__ void product<8, 32, 16, __half, float, wmma::row_major, wmma::col_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32{{[[:space:]]}}
template __global__ void product<8, 32, 16, __half, float, wmma::col_major, wmma::row_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m8n32k16.f32.f32{{[[:space:]]}}
template __global__ void product<8, 32, 16, __half, float, wmma::col_major, wmma::col_major>(const __half *, const __half *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m8n32k16.f32.f32{{[[:space:]]}}
template __global__ void product<8, 32, 16, signed char, int, wmma::row_major, wmma::row_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m8n32k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<8, 32, 16, signed char, int, wmma::row_major, wmma::col_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m8n32k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<8, 32, 16, signed char, int, wmma::col_major, wmma::row_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m8n32k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<8, 32, 16, signed char, int, wmma::col_major, wmma::col_major>(const signed char *, const signed char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m8n32k16.s32.s8.s8.s32{{[[:space:]]}}
template __global__ void product<8, 32, 16, unsigned char, int, wmma::row_major, wmma::row_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m8n32k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<8, 32, 16, unsigned char, int, wmma::row_major, wmma::col_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m8n32k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<8, 32, 16, unsigned char, int, wmma::col_major, wmma::row_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m8n32k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<8, 32, 16, unsigned char, int, wmma::col_major, wmma::col_major>(const unsigned char *, const unsigned char *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m8n32k16.s32.u8.u8.s32{{[[:space:]]}}
template __global__ void product<8, 32, 16, __nv_bfloat16, float, wmma::row_major, wmma::row_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m8n32k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<8, 32, 16, __nv_bfloat16, float, wmma::row_major, wmma::col_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m8n32k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<8, 32, 16, __nv_bfloat16, float, wmma::col_major, wmma::row_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m8n32k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<8, 32, 16, __nv_bfloat16, float, wmma::col_major, wmma::col_major>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m8n32k16.f32.bf16.bf16.f32{{[[:space:]]}}
template __global__ void product<16, 16, 8, wmma::precision::tf32, float, wmma::row_major, wmma::row_major, float>(const float *, const float *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32{{[[:space:]]}}
template __global__ void product<16, 16, 8, wmma::precision::tf32, float, wmma::row_major, wmma::col_major, float>(const float *, const float *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32{{[[:space:]]}}
template __global__ void product<16, 16, 8, wmma::precision::tf32, float, wmma::col_major, wmma::row_major, float>(const float *, const float *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m16n16k8.f32.tf32.tf32.f32{{[[:space:]]}}
template __global__ void product<16, 16, 8, wmma::precision::tf32, float, wmma::col_major, wmma::col_major, float>(const float *, const float *, float *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m16n16k8.f32.tf32.tf32.f32{{[[:space:]]}}
template __global__ void product<8, 8, 4, double, double, wmma::row_major, wmma::row_major>(const double *, const double *, double *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.row.m8n8k4.f64.f64.f64.f64{{[[:space:]]}}
template __global__ void product<8, 8, 4, double, double, wmma::row_major, wmma::col_major>(const double *, const double *, double *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64{{[[:space:]]}}
template __global__ void product<8, 8, 4, double, double, wmma::col_major, wmma::row_major>(const double *, const double *, double *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.row.m8n8k4.f64.f64.f64.f64{{[[:space:]]}}
template __global__ void product<8, 8, 4, double, double, wmma::col_major, wmma::col_major>(const double *, const double *, double *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.col.col.m8n8k4.f64.f64.f64.f64{{[[:space:]]}}
template __global__ void product<8, 8, 32, wmma::experimental::precision::s4, int, wmma::row_major, wmma::col_major, void>(const void *, const void *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32{{[[:space:]]}}
template __global__ void product<8, 8, 32, wmma::experimental::precision::u4, int, wmma::row_major, wmma::col_major, void>(const void *, const void *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32{{[[:space:]]}}
template __global__ void product<8, 8, 128, wmma::experimental::precision::b1, int, wmma::row_major, wmma::col_major, void, MultiplyBits>(const void *, const void *, int *, wmma::layout_t);
// CHECK-DAG: wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32{{[[:space:]]}}
// CHECK-DAG: wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32{{[[:space:]]}}

// mma.h loads and stores, ours rounds.
// ROUND-LABEL: .entry rounded(
// ROUND: wmma.load.a.sync.aligned.row.m8n8k4.global.f64
// ROUND: wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64
// ROUND: wmma.mma.sync.aligned.row.col.m8n8k4.rz.f64.f64.f64.f64
// ROUND: wmma.mma.sync.aligned.row.col.m8n8k4.rm.f64.f64.f64.f64
// ROUND: wmma.mma.sync.aligned.row.col.m8n8k4.rp.f64.f64.f64.f64
// ROUND: wmma.store.d.sync.aligned.row.m8n8k4.global.f64
extern "C" __global__ void rounded(const double *a, const double *b, double *c) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fragmentA;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fragmentB;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> accumulator;
  wmma::load_matrix_sync(fragmentA, a, 4);
  wmma::load_matrix_sync(fragmentB, b, 4);
  wmma::load_matrix_sync(accumulator, c, 8, wmma::mem_row_major);
  double __attribute__((ext_vector_type(2))) d = {accumulator.x[0], accumulator.x[1]};
  d = __nvvm_wmma_m8n8k4_mma_row_col_rn_f64(fragmentA.x[0], fragmentB.x[0], d);
  d = __nvvm_wmma_m8n8k4_mma_row_col_rz_f64(fragmentA.x[0], fragmentB.x[0], d);
  d = __nvvm_wmma_m8n8k4_mma_row_col_rm_f64(fragmentA.x[0], fragmentB.x[0], d);
  d = __nvvm_wmma_m8n8k4_mma_row_col_rp_f64(fragmentA.x[0], fragmentB.x[0], d);
  accumulator.x[0] = d.x;
  accumulator.x[1] = d.y;
  wmma::store_matrix_sync(c, accumulator, 8, wmma::mem_row_major);
}
