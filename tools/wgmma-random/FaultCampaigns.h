//===- FaultCampaigns.h - Planted faults and invalid programs ---*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_FAULTCAMPAIGNS_H
#define NVPTX_MMA_WGMMA_RANDOM_FAULTCAMPAIGNS_H

#include "Options.h"

namespace wgmmarandom {

/// Plants faults into PTX without findings, and counts how many of those that
/// do harm are found. Harm is another result in executions that the check does
/// not make, or a new note of ptxas. The exit code is 1 below 90 %.
int plantFaults(const Options &O);

/// Compiles invalid programs: each must give exactly one error.
int compileInvalid(const Options &O);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_FAULTCAMPAIGNS_H
