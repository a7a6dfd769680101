//===- NVPTXSetMaxNReg.h - Warnings of setmaxnreg ---------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXSETMAXNREG_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXSETMAXNREG_H

#include "llvm/CodeGen/TargetLowering.h"

namespace llvm {

/// Warns of setmaxnreg, or drops it, where ptxas cannot cope with it. A DAG
/// combine, since custom lowering may see a node that stays more than once.
/// Returns nothing for every other node, which has to have a chain.
SDValue combineSetMaxNReg(SDNode *N, TargetLowering::DAGCombinerInfo &DCI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXSETMAXNREG_H
