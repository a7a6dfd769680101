//===- NVPTXCongruentPhis.h - Phis that always agree ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// See NVPTXCongruentPhis.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXCONGRUENTPHIS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXCONGRUENTPHIS_H

namespace llvm {
class Function;

namespace NVPTX {

/// Keeps one of the phis of \p F that have the same value, also where they say
/// so of each other alone. Returns whether there were any.
bool mergeCongruentPhis(Function &F);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXCONGRUENTPHIS_H
