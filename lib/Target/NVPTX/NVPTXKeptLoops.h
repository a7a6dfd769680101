//===- NVPTXKeptLoops.h - Loops that ptxas must not unroll ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXKEPTLOOPS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXKEPTLOOPS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class MachineLoop;
} // namespace llvm

namespace llvm::NVPTX {

/// Metadata of a loop whose machine code would be wrong if ptxas unrolled it.
/// Set by NVPTXKeepWGMMALoops, for NVPTXHideLoopTests.
inline constexpr StringLiteral KeptLoop = "llvm.loop.nvptx.keep";

/// Whether the metadata of any branch back to the start of \p L has \p Option.
bool hasLoopOption(const MachineLoop &L, StringRef Option);

/// Asks ptxas by `.pragma "nounroll"` not to unroll \p L, unless that is asked
/// for already. Returns whether it does.
bool askNotToUnroll(const MachineLoop &L);

} // namespace llvm::NVPTX

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXKEPTLOOPS_H
