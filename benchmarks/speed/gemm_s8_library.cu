//===- gemm_s8_library.cu - The multiplications of gemm_s8.cu -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The example's types, without its program.
#define main exampleMain
#include "../../examples/gemm_s8.cu"
#undef main

#include "gemm_library.h"

GEMM_LIBRARY(speed::named<S8>("s8"))
