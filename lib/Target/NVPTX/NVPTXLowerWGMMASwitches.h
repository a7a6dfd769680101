//===- NVPTXLowerWGMMASwitches.h - Switches to branches ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What asks about branches with a wgmma on one way knows no switches.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXLOWERWGMMASWITCHES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXLOWERWGMMASWITCHES_H

namespace llvm {
class Function;

namespace NVPTX {

/// Makes branches of each switch with few cases of which one leaves a wgmma in
/// flight, if anything else asks for the same value, and of other switches that
/// do. Returns whether there are any.
bool lowerWGMMASwitches(Function &F);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXLOWERWGMMASWITCHES_H
