//===- NVPTXWGMMAValues.h - What is computed for accumulators ---*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What is computed for an accumulator while another one is in flight, ptxas,
/// as of 13.0, may take for written in flight: it then serializes all wgmma of
/// the function (C7515). It is moved to where nothing is in flight, if it can
/// be.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAVALUES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAVALUES_H

namespace llvm {
class MachineDominatorTree;
class MachineFunction;
class MachineLoopInfo;

/// Leaves out the copies and constants of \p MF that a block before has written
/// to the same register already. Returns whether there are any.
bool dropRepeatedWGMMACopies(MachineFunction &MF, const MachineLoopInfo &MLI);

/// Moves what is computed for accumulators to where no wgmma is in flight.
/// Returns whether it does.
bool hoistWGMMAValues(MachineFunction &MF, const MachineDominatorTree &MDT,
                      const MachineLoopInfo &MLI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMAVALUES_H
