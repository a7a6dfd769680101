// REQUIRES: nvptx-registered-target
// The functions of nvptx_wgmma.h that compute: descriptors, and which element a
// register holds. Those that issue instructions are tested through their builtins.
// RUN: %clang_cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -target-cpu sm_90a -target-feature +ptx82 -fcuda-is-device -std=c++17 -O2 -emit-llvm %s -o - | FileCheck %s

#define __device__ __attribute__((device))
#include <nvptx_wgmma.h>
using namespace nvptx::wgmma;

// Bits 0 to 13 are the address's bits 4 to 17. The others are constants here:
// 32 >> 4 << 16, 1024 >> 4 << 32, and 1 << 62 for the swizzle of 128 bytes.
// CHECK-LABEL: @plain(
// CHECK:       [[PIECES:%.*]] = lshr i64 {{%.*}}, 4
// CHECK-NEXT:  [[START:%.*]] = and i64 [[PIECES]], 16383
// CHECK-NEXT:  [[ALL:%.*]] = or disjoint i64 [[START]], 4611686293305425920
// CHECK-NEXT:  ret i64 [[ALL]]
extern "C" __device__ unsigned long plain(void *p) {
  return descriptor(p, 32, 1024, swizzle::bytes_128);
}

// CHECK-LABEL: @no_swizzle(
// CHECK:       or disjoint i64 {{%.*}}, 274877972480
extern "C" __device__ unsigned long no_swizzle(void *p) {
  return descriptor(p, 16, 1024, swizzle::none);
}

// CHECK-LABEL: @swizzle_64(
// CHECK:       or disjoint i64 {{%.*}}, -9223371761976803328
extern "C" __device__ unsigned long swizzle_64(void *p) {
  return descriptor(p, 16, 1024, swizzle::bytes_64);
}

// CHECK-LABEL: @swizzle_32(
// CHECK:       or disjoint i64 {{%.*}}, -4611685743549415424
extern "C" __device__ unsigned long swizzle_32(void *p) {
  return descriptor(p, 16, 1024, swizzle::bytes_32);
}

// 3 << 49 more than with a swizzle of 128 bytes alone.
// CHECK-LABEL: @base_offset(
// CHECK:       or disjoint i64 {{%.*}}, 4613375143165624320
extern "C" __device__ unsigned long base_offset(void *p) {
  return descriptor(p, 16, 1024, swizzle::bytes_128, 3);
}

// Of an address divided by 128, three bits count.
// CHECK-LABEL: @base_offset_of(
// CHECK:       [[BITS:%.*]] = and i32 %b, 7
// CHECK-NEXT:  [[WIDE:%.*]] = zext nneg i32 [[BITS]] to i64
// CHECK:       shl nuw nsw i64 [[WIDE]], 49
extern "C" __device__ unsigned long base_offset_of(void *p, unsigned b) {
  return descriptor(p, 16, 1024, swizzle::bytes_128, b);
}

static_assert(advance(0x4000004000010040, 32) == 0x4000004000010042);

// Every element of a 64x24 accumulator is in one register of one thread.
constexpr bool isBijection() {
  bool seen[64][24] = {};
  for (int tid = 0; tid != 128; ++tid)
    for (int reg = 0; reg != 12; ++reg) {
      bool &it = seen[accumulator_row(tid, reg)][accumulator_col(tid, reg)];
      if (it)
        return false;
      it = true;
    }
  return true;
}
static_assert(isBijection());
static_assert(accumulator_row(37, 10) == 25 && accumulator_col(37, 10) == 18);
