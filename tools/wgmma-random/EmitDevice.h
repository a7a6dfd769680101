//===- EmitDevice.h - Kernels to be taken to a GPU --------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_EMITDEVICE_H
#define NVPTX_MMA_WGMMA_RANDOM_EMITDEVICE_H

#include "Options.h"

namespace wgmmarandom {

/// Writes --count kernels without findings as cubins into the folder --output,
/// with their data and a manifest that says how to launch each and the hash of
/// what it must leave: lines of kernel, cubin, data, %p, %n1 to %n4, hash.
int emitDevice(const Options &O);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_EMITDEVICE_H
