//===- NVPTXSplitEdge.h - A block between two others ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// MachineBasicBlock::SplitCriticalEdge splits no edges on targets that require
/// structured control flow, as NVPTX does.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXSPLITEDGE_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXSPLITEDGE_H

namespace llvm {
class MachineBasicBlock;

/// A new block between \p From and \p To, with nothing but a branch, which the
/// phis of \p To have their values from then. Analyses have to be computed
/// again.
MachineBasicBlock &splitEdge(MachineBasicBlock &From, MachineBasicBlock &To);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXSPLITEDGE_H
