//===- mma_sm90_gmma_sparse.hpp - CuTe's wgmma atoms: sparse ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in front of CUTLASS's header of this name, and does without inline
// assembly. For compilers other than Clang in CUDA mode it is CUTLASS's.
//
//===----------------------------------------------------------------------===//

#pragma once

#if !defined(__clang__) || !defined(__CUDA__)
#include_next <cute/arch/mma_sm90_gmma_sparse.hpp>
#else

#include <cute/arch/mma_sm90_gmma.hpp>

namespace cute::SM90::GMMA::SPARSE {
#define NVPTX_MMA_FLOAT NVPTX_MMA_N_BASE
#define NVPTX_MMA_INTEGER NVPTX_MMA_N_BASE
#include <nvptx_mma/gmma_sparse.def>
} // namespace cute::SM90::GMMA::SPARSE

#if defined(CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED)
#include <cute/arch/mma_sm90_gmma_sparse_ext.hpp>
#endif

#endif
