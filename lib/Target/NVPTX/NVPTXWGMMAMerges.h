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
/// NVPTXClarifyWGMMAGroups cannot mend by moving the values is waited for.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAMERGES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAMERGES_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class MachineDominatorTree;
class MachineFunction;

/// By the number of each block of \p MF: the virtual registers that are live at
/// its start, by their index.
SmallVector<BitVector, 0> findLiveRegisters(MachineFunction &MF);

/// Waits for accumulators before they meet other values, and warns of it.
/// Returns whether it does.
bool waitForMergedWGMMA(MachineFunction &MF, const MachineDominatorTree &MDT);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAMERGES_H
