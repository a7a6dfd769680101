//===- NVPTXWGMMAPartlyRetired.h - Waits on one of two paths ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// ptxas does not see that a wait which lets others stay has retired what
/// another path waits for later, and takes what accesses it for an access in
/// flight (C7514).
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAPARTLYRETIRED_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAPARTLYRETIRED_H

#include "llvm/ADT/SetVector.h"

namespace llvm {
class MachineFunction;
class MachineInstr;
class MachineLoopInfo;
class WGMMAInFlight;

/// The later waits, which are to have a way out ahead of them that is never
/// taken.
SmallSetVector<MachineInstr *, 4>
findWaitsToBeLeft(const MachineFunction &MF, const MachineLoopInfo &MLI,
                  const WGMMAInFlight &InFlight);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAPARTLYRETIRED_H
