//===- sparse_gemm_library.cu - The multiplications of sparse_gemm.cu -----===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../examples/gemm/host.h"
#include "../../examples/sparse_gemm/types.h"

#include "gemm_library.h"

using namespace sparse_gemm;

GEMM_LIBRARY(speed::named<F16>("f16"), speed::named<BF16>("bf16"),
             speed::named<E4M3>("e4m3"), speed::named<S8>("s8"))
