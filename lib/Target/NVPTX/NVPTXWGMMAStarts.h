//===- NVPTXWGMMAStarts.h - Accumulators that start in loops ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// A loop may be left from the block that it begins with, behind a wgmma that
/// starts anew in each round. ptxas, as of 13.0, begins such a loop in another
/// place, and then does not find registers for the wgmma: it serializes all of
/// the function (C7511).
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMASTARTS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMASTARTS_H

namespace llvm {
class MachineFunction;
class MachineLoopInfo;

/// Moves what accumulators of such loops start from, and what it cannot go
/// past, ahead of the loop and to the end of its round. Returns whether there
/// is any.
bool startWGMMAAheadOfRounds(MachineFunction &MF, const MachineLoopInfo &MLI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMASTARTS_H
