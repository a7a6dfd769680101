//===- wgmma-sample.cu - Some of each, for all levels of optimization -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each builtin with a few N, and the loops. gpu_tests.py compiles this at
// several levels, and runs it under compute-sanitizer.
//
// Without optimization, accumulators are in memory between a wgmma and its
// wait, and ptxas serializes: results must be right all the same.
//
//===----------------------------------------------------------------------===//

// REQUIRES: cuda-toolkit
// RUN: %compile-device-test -O1 %s -o %t.o 2>&1 | %check-ptxas-notes
// RUN: %compile-device-test -O0 -g %s -o %t.o
// RUN: clang++ %t.o -o %t %device-libs
// RUN: %if wgmma-gpu %{ %t --launches 20 %}
// RUN: %if wgmma-gpu %{ %t --probe s.f32.f16.f16.n24 %}
// RUN: %if wgmma-gpu %{ %t --probe s.f32.tf32.tf32.n24 s.s32.s8.s8.n24 %}

#include "LoopTests.h"
#include "SingleTests.h"

using namespace devicetest;

template <class V, Form Source> static void addSingles(Tests &List) {
  addOne<V, Immediates<8>, Source>(List);
  addOne<V, Immediates<256>, Source>(List);
  if constexpr (isInteger(V::D))
    addOne<V, Immediates<24>, Source>(List);
  else
    addBits<V, Source, 24, AllBits>(List);
}

template <class... Combinations> static void addAll(Tests &List) {
  (addSingles<Combinations, Form::SS>(List), ...);
  (addSingles<Combinations, Form::RS>(List), ...);
}

template <class V> static void addSomeLoops(Tests &List) {
  addLoops<V, 8>(List);
  addLoops<V, 256>(List);
}

int main(int Argc, char **Argv) {
  Tests List;
  addAll<sp_f16_f16_f16, sp_f32_f16_f16, sp_f32_bf16_bf16, sp_f32_tf32_tf32,
         sp_f16_e4m3_e4m3, sp_f16_e4m3_e5m2, sp_f16_e5m2_e4m3, sp_f16_e5m2_e5m2,
         sp_f32_e4m3_e4m3, sp_f32_e4m3_e5m2, sp_f32_e5m2_e4m3, sp_f32_e5m2_e5m2,
         sp_s32_s8_s8, sp_s32_s8_u8, sp_s32_u8_s8, sp_s32_u8_u8>(List);
  addAll<dense_f16_f16_f16, dense_f32_f16_f16, dense_f32_bf16_bf16,
         dense_f32_tf32_tf32, dense_f16_e4m3_e4m3, dense_f16_e4m3_e5m2,
         dense_f16_e5m2_e4m3, dense_f16_e5m2_e5m2, dense_f32_e4m3_e4m3,
         dense_f32_e4m3_e5m2, dense_f32_e5m2_e4m3, dense_f32_e5m2_e5m2,
         dense_s32_s8_s8, dense_s32_s8_u8, dense_s32_u8_s8, dense_s32_u8_u8,
         dense_s32_b1_b1>(List);
  addSomeLoops<sp_f32_f16_f16>(List);
  addSomeLoops<dense_f32_f16_f16>(List);
  addSomeLoops<sp_s32_s8_s8>(List);
  CudaBackend Device;
  return runTests(List, Device, Argc, Argv, std::cout, std::cerr);
}
