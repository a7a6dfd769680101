//===- SparseProbe.h - Where sparse operands belong ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads off the device what each nibble of the metadata of mma.sp and each
// element of A controls, one at a time. The PTX ISA shows the first in pictures
// only.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_TEST_DEVICE_WARP_SPARSEPROBE_H
#define NVPTX_MMA_TEST_DEVICE_WARP_SPARSEPROBE_H

#include "Device.h"

#include <ostream>

namespace devicetest {

/// Whether a kernel is one of mma.sp.
bool canProbe(const Kernel &K);

enum class ProbeOutcome { AsModelled, NotAsModelled, DeviceFailed };

/// Probes one, and prints what differs from the model.
ProbeOutcome probeSparse(const Kernel &K, WarpDevice &Device,
                         std::ostream &Out);

} // namespace devicetest

#endif // NVPTX_MMA_TEST_DEVICE_WARP_SPARSEPROBE_H
