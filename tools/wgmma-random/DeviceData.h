//===- DeviceData.h - What kernels for a GPU read ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data that all kernels with the same types share. Floating point data are
// small integers, whose sums are exact whatever the order; metadata are valid.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_DEVICEDATA_H
#define NVPTX_MMA_WGMMA_RANDOM_DEVICEDATA_H

#include "DeviceSizes.h"
#include "Operation.h"

namespace wgmmarandom {

/// The tiles, and after them the input of all threads.
std::vector<uint8_t> makeDeviceData(const Family &F, uint64_t Seed);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_DEVICEDATA_H
