//===- NVPTXSplitWGMMALoops.h - A copy of a loop for each flag --*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// See NVPTXSplitWGMMALoops.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXSPLITWGMMALOOPS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXSPLITWGMMALOOPS_H

namespace llvm {
class AssumptionCache;
class Function;
class TargetLibraryInfo;

namespace NVPTX {

/// Gives one loop of \p F with a flag that decides about waits for wgmma a copy
/// for each of its values. Returns whether there was one: then there may be
/// more. \p Budget is how many instructions may be copied.
bool splitWGMMALoop(Function &F, TargetLibraryInfo &TLI, AssumptionCache &AC,
                    unsigned &Budget);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXSPLITWGMMALOOPS_H
