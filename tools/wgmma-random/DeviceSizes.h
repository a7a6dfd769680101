//===- DeviceSizes.h - Places of what kernels for a GPU read ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Also for the program that runs on machines without LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_DEVICESIZES_H
#define NVPTX_MMA_WGMMA_RANDOM_DEVICESIZES_H

namespace wgmmarandom {

constexpr unsigned DeviceThreads = 128;
constexpr unsigned DeviceMaxN = 64;

/// Matrices in shared memory, K-major without swizzle: core matrices 128 bytes
/// apart along K. A row of A has 32 bytes, one of B up to 64.
constexpr unsigned DeviceTiles = 2; ///< Of each, A and B.
constexpr unsigned ATileBytes = 2048, AStride = 256;
constexpr unsigned BTileBytes = 4096, BStride = 512;
constexpr unsigned LeadingOffset = 128;
constexpr unsigned TileBytes = DeviceTiles * (ATileBytes + BTileBytes);

/// A thread's part of the input: fragments, metadata, accumulators.
constexpr unsigned MetadataStart = 512, AccumulatorStart = 640,
                   InputBytes = 1536;
/// A thread's part of the output.
constexpr unsigned OutputBytes = 2048;

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_DEVICESIZES_H
