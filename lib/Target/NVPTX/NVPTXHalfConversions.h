//===- NVPTXHalfConversions.h - Results that become halves ------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXHALFCONVERSIONS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXHALFCONVERSIONS_H

namespace llvm {
class DominatorTree;
class Function;

namespace lanes {

/// Converts elements of a wgmma's result to halves two at a time, where they
/// are converted and stored one by one. Returns whether there were any.
bool pairHalfConversions(Function &F, const DominatorTree &DT);

} // namespace lanes
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXHALFCONVERSIONS_H
