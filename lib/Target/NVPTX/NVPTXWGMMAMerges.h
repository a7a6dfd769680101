//===- NVPTXWGMMAMerges.h - Accumulators that meet other values -*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Where paths meet, an accumulator that is in flight on one of them may meet
/// values that the others have computed. ptxas, as of 13.0, takes these for
/// written in flight, and serializes all wgmma of the function (C7515). What
/// NVPTXClarifyWGMMAGroups cannot mend by moving the values is waited for, or,
/// where that would be in each round of a loop, written once more ahead of it.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAMERGES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAMERGES_H

namespace llvm {
class MachineFunction;
struct WGMMABlockOrder;

/// Waits for accumulators that meet other values where rewriteMergedValues
/// would not help, and warns of it. Returns whether it does; \p Order is that
/// of the blocks then.
bool waitForMergedWGMMA(MachineFunction &MF, WGMMABlockOrder &Order);

/// Writes values that accumulators in flight meet once more, which changes
/// none. Returns whether it does. It may add waits for nothing, which
/// NVPTXClarifyWGMMAGroups would leave out.
bool rewriteMergedValues(MachineFunction &MF, WGMMABlockOrder &Order);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAMERGES_H
