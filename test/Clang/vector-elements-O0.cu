// REQUIRES: nvptx-registered-target
// Without optimization, an element of a vector is loaded and stored alone: not the
// whole of an accumulator for each of its 128 elements.
// DEFINE: %{cc1} = %clang_cc1 -aux-triple x86_64-unknown-linux-gnu -emit-llvm -o - %s
// RUN: %{cc1} -triple nvptx64-nvidia-cuda -fcuda-is-device -O0 | FileCheck %s
// With optimization, and on the host, nothing changes.
// RUN: %{cc1} -triple nvptx64-nvidia-cuda -fcuda-is-device -O1 -disable-llvm-passes | FileCheck %s --check-prefix=WHOLE
// RUN: %{cc1} -triple x86_64-unknown-linux-gnu -O0 | FileCheck %s --check-prefix=WHOLE

typedef float v128 __attribute__((ext_vector_type(128)));
typedef bool b8 __attribute__((ext_vector_type(8)));
#define BOTH __attribute__((device, host))

// CHECK-LABEL: define {{.*}}load
// CHECK:         [[ADDRESS:%.*]] = getelementptr float, ptr {{%.*}}, i64 5
// CHECK-NEXT:    load float, ptr [[ADDRESS]], align 4
// CHECK-NOT:     extractelement
// WHOLE-LABEL: define {{.*}}load
// WHOLE:         load <128 x float>
// WHOLE-NEXT:    extractelement <128 x float>
extern "C" BOTH float load(v128 *v) { return (*v)[5]; }

// The index of an element has no sign.
// CHECK-LABEL: define {{.*}}small_index
// CHECK:         [[INDEX:%.*]] = zext i8 {{%.*}} to i64
// CHECK-NEXT:    getelementptr float, ptr {{%.*}}, i64 [[INDEX]]
extern "C" BOTH float small_index(v128 *v, unsigned char i) { return (*v)[i]; }

// CHECK-LABEL: define {{.*}}store
// CHECK:         [[ADDRESS:%.*]] = getelementptr float, ptr {{%.*}}, i64 {{%.*}}
// CHECK-NEXT:    store float {{%.*}}, ptr [[ADDRESS]], align 4
// CHECK-NOT:     insertelement
// WHOLE-LABEL: define {{.*}}store
// WHOLE:         load <128 x float>
// WHOLE-NEXT:    insertelement <128 x float>
extern "C" BOTH void store(v128 *v, long i, float x) { (*v)[i] = x; }

// What a swizzle makes has no address.
// CHECK-LABEL: define {{.*}}swizzle
// CHECK:         [[ZX:%.*]] = shufflevector <4 x float> {{%.*}}, <4 x float> poison, <2 x i32> <i32 2, i32 0>
// CHECK:         extractelement <2 x float> [[ZX]]
extern "C" BOTH float swizzle(float __attribute__((ext_vector_type(4))) *v, int i) { return ((*v).zx)[i]; }

// Bits have no address.
// CHECK-LABEL: define {{.*}}bits
// CHECK:         extractelement <8 x i1>
extern "C" BOTH bool bits(b8 *v) { return (*v)[5]; }
