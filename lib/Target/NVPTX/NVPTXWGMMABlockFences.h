//===- NVPTXWGMMABlockFences.h - Fences that ptxas would add --------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMABLOCKFENCES_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMABLOCKFENCES_H

namespace llvm {
class MachineFunction;

/// Has a fence come before the first wgmma or commit of each block. Returns
/// whether any was missing.
bool fenceWGMMABlocks(MachineFunction &MF);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMABLOCKFENCES_H
