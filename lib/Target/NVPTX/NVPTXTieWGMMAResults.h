//===- NVPTXTieWGMMAResults.h - Results behind their wait -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// See NVPTXTieWGMMAResults.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXTIEWGMMARESULTS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXTIEWGMMARESULTS_H

namespace llvm {
class InstCombiner;
class IntrinsicInst;

namespace NVPTX {

/// Has what InstCombine would compute ahead of \p Wait, a wgmma.wait_group, be
/// computed behind it, as the program says. Returns whether there was anything.
bool tieWGMMAResults(InstCombiner &IC, IntrinsicInst &Wait);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXTIEWGMMARESULTS_H
