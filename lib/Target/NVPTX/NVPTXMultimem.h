//===- NVPTXMultimem.h - Selection of multimem ------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXMULTIMEM_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXMULTIMEM_H

#include "llvm/CodeGen/TargetLowering.h"

namespace llvm {
class NVPTXSubtarget;

/// Selects \p N if it is a call of an llvm.nvvm.multimem intrinsic. It is done
/// here, before types are legalized, because the value may be a vector that is
/// no legal type. Reports an error where the target lacks the instruction.
/// Returns nothing for all else.
SDValue combineMultimem(SDNode *N, TargetLowering::DAGCombinerInfo &DCI,
                        const NVPTXSubtarget &STI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXMULTIMEM_H
