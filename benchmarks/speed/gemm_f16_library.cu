//===- gemm_f16_library.cu - The multiplications of gemm_f16.cu -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The example's types, without its program.
#define main exampleMain
#include "../../examples/gemm_f16.cu"
#undef main

#include "gemm_library.h"

GEMM_LIBRARY(speed::named<F16>("f16"), speed::named<BF16>("bf16"),
             speed::named<F16Sums>("f16 sums"))
