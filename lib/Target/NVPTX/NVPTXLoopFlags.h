//===- NVPTXLoopFlags.h - Flags in other words ------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// See NVPTXLoopFlags.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXLOOPFLAGS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXLOOPFLAGS_H

namespace llvm {
class AssumptionCache;
class Function;
class TargetLibraryInfo;

namespace NVPTX {

/// Has flags of a bit take the place of what else loops of \p F with wgmma tell
/// by whether any is in flight. Returns whether there was anything.
bool makeLoopFlags(Function &F, TargetLibraryInfo &TLI, AssumptionCache &AC);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXLOOPFLAGS_H
