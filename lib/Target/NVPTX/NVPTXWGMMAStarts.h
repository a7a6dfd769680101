//===- NVPTXWGMMAStarts.h - What loops of wgmma start from ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// A loop whose accumulator is set to constants while others are in flight
/// would be waited for in each round (NVPTXWGMMAMerges.cpp): they are set
/// before.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMASTARTS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMASTARTS_H

namespace llvm {
class MachineDominatorTree;
class MachineFunction;
class MachineLoopInfo;

/// Moves the constants that loops of \p MF start from to where nothing is in
/// flight, if they can be. Returns whether it does.
bool hoistLoopStarts(MachineFunction &MF, const MachineDominatorTree &MDT,
                     const MachineLoopInfo &MLI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMASTARTS_H
