//===- mma_sm90_gmma_ext.hpp - CuTe's wgmma atoms: dense, all N -*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The atoms of the N that mma_sm90_gmma.hpp leaves out.
//
//===----------------------------------------------------------------------===//

#pragma once

#if !defined(__clang__) || !defined(__CUDA__)
#include_next <cute/arch/mma_sm90_gmma_ext.hpp>
#else

#include <nvptx_mma/gmma_names.hpp>

namespace cute::SM90::GMMA {
#define NVPTX_MMA_FLOAT NVPTX_MMA_N_EXTENDED_FLOAT
#define NVPTX_MMA_INTEGER NVPTX_MMA_N_EXTENDED_INTEGER
#include <nvptx_mma/gmma_dense.def>
} // namespace cute::SM90::GMMA

#endif
