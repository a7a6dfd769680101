//===- cutlass_on_clang.h - What CUTLASS takes for granted ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included ahead of each file by clang.cfg.
//
//===----------------------------------------------------------------------===//

#pragma once

#if defined(__clang__) && defined(__CUDA__)

#include <cuda.h>

// nvcc's version, which CUTLASS asks for instead of the toolkit's.
#if !defined(__CUDACC_VER_MAJOR__)
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#endif

// CUTLASS leaves it out for Clang. Without it each thread copies the kernel's
// parameters, tensor maps among them, to local memory, where TMA cannot read
// them.
#if !defined(CUTLASS_GRID_CONSTANT)
#define CUTLASS_GRID_CONSTANT __grid_constant__
#endif

// nvcc's builtin of CUDA 13 is Clang's under another name.
#if !__has_builtin(__nv_atomic_load_n)
#define __nv_atomic_load_n __atomic_load_n
#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#endif

#endif
