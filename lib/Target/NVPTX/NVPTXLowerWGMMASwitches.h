//===- NVPTXLowerWGMMASwitches.h - Switches to branches ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What asks about branches with a wgmma on one way knows no switches, and an
/// accumulator in flight gets past no jump table.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXLOWERWGMMASWITCHES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXLOWERWGMMASWITCHES_H

namespace llvm {
class Function;

namespace NVPTX {

/// Makes branches of each switch with few cases that leads to a wait; of each
/// of which a case leaves a wgmma in flight, or that comes from a wait, if
/// anything else asks for the same value; and of other switches that ask for a
/// value of these. Returns whether there are any.
bool lowerWGMMASwitches(Function &F);

/// Has each switch of \p F become comparisons. The edges of brx.idx cannot be
/// split, so that phis behind it would have accumulators copied ahead of it.
/// There is no default then that is unreachable: its block would be a path from
/// what is in flight to whatever comes to stand behind it. Returns whether
/// there is any switch.
bool avoidJumpTables(Function &F);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXLOWERWGMMASWITCHES_H
