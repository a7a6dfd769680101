//===- NVPTXWGMMARounds.h - Accumulators that a loop reads ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What a loop reads of accumulators that were in flight when it began, or that
/// an earlier round has left in flight, ptxas, as of 13.0, may take for read in
/// flight, though it is not, and serializes all wgmma of the function (C7514).
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAROUNDS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAROUNDS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineLoopInfo.h"

namespace llvm {
class MachineDominatorTree;
class MachineFunction;
class WGMMAInFlight;
struct WGMMABlockOrder;

/// Waits before the next round of a loop, or before the loop, for accumulators
/// that it reads where ptxas does not see that they are retired, and would not
/// if the loop had a way out that is never taken, and warns of it. Returns
/// whether it does.
bool waitForWGMMAReadInLoops(MachineFunction &MF, const WGMMABlockOrder &Order);

/// The loops that read such accumulators, and are to have such a way out.
SmallVector<const MachineLoop *, 2>
findLoopsToBeLeft(MachineFunction &MF, const MachineLoopInfo &MLI,
                  const MachineDominatorTree &MDT,
                  const WGMMAInFlight &InFlight);

/// Waits for nothing where loops are left that began with accumulators in
/// flight, if these are needed there. Returns whether it does.
/// NVPTXClarifyWGMMAGroups would leave such waits out.
bool waitAfterEnteredLoops(MachineFunction &MF, const WGMMABlockOrder &Order);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAROUNDS_H
