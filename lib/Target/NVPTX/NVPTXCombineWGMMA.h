//===- NVPTXCombineWGMMA.h - What wgmma starts from -------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// InstCombine of llvm.nvvm.wgmma.*.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXCOMBINEWGMMA_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXCOMBINEWGMMA_H

#include <optional>

namespace llvm {
class InstCombiner;
class Instruction;
class IntrinsicInst;

namespace NVPTX {

/// Has a wgmma that adds to zero overwrite its accumulator instead, so that
/// nobody has to write the zeros, and drops a wgmma.fence_operand of a
/// constant. Returns what TargetTransformInfo::instCombineIntrinsic does.
std::optional<Instruction *> combineWGMMA(InstCombiner &IC, IntrinsicInst &II);

} // namespace NVPTX
} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXCOMBINEWGMMA_H
