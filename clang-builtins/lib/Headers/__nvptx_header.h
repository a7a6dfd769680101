//===-- __nvptx_header.h - What is compiled for a device ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by those of the nvptx_*.h headers that issue instructions. They are
// for CUDA, for OpenMP in code for the device, and for C++ whose target is
// nvptx64. The instructions need the target sm_90 or sm_90a; Clang names the
// missing feature where they are used.
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_HEADER_H
#define __NVPTX_HEADER_H

#include <__nvptx_macros.h>

#if !defined(__CUDA__) && !defined(__NVPTX__) && !defined(_OPENMP)
#error                                                                         \
    "the nvptx headers need CUDA (-x cuda --cuda-gpu-arch=sm_90a), OpenMP (-fopenmp --offload-arch=sm_90a) or NVPTX as the target (--target=nvptx64-nvidia-cuda -march=sm_90a)"
#endif

#endif // __NVPTX_HEADER_H
