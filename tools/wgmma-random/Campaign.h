//===- Campaign.h - The modes of wgmma-random -------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_CAMPAIGN_H
#define NVPTX_MMA_WGMMA_RANDOM_CAMPAIGN_H

#include "Options.h"

namespace wgmmarandom {

/// Does what the options ask. The exit code: 0 without findings, 1 with, 2 if
/// programs could not be judged.
int runMode(const Options &O);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_CAMPAIGN_H
