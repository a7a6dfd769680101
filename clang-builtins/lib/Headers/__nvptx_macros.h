//===-- __nvptx_macros.h - What the headers of kernels share --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by the nvptx_*.h headers, never by a program.
//
//===----------------------------------------------------------------------===//

#ifndef __NVPTX_MACROS_H
#define __NVPTX_MACROS_H

#if !defined(__clang__) || !defined(__cplusplus) || __cplusplus < 201703L
#error "the nvptx headers need Clang compiling C++17 or later: -std=c++17"
#endif

// Around a call ptxas serializes wgmma, and in a kernel with setmaxnreg it does
// not allow one, so that these functions are inlined even at -O0.
#ifdef __CUDA__
#define __NVPTX_DEVICE inline __attribute__((device, always_inline))
#define __NVPTX_MEMBER __attribute__((device, always_inline))
#define __NVPTX_CONSTEXPR                                                      \
  constexpr inline __attribute__((host, device, always_inline))
#else
#define __NVPTX_DEVICE inline __attribute__((always_inline))
#define __NVPTX_MEMBER __attribute__((always_inline))
#define __NVPTX_CONSTEXPR constexpr inline __attribute__((always_inline))
#endif

// The host's compilation of a program for both includes the headers, too,
// without what only the device can execute.
#if defined(__CUDA__) || defined(__NVPTX__)
#define __NVPTX_HAS_DEVICE 1
#endif

#define __NVPTX_SHARED __attribute__((address_space(3)))

#endif // __NVPTX_MACROS_H
