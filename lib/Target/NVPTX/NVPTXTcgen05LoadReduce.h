//===- NVPTXTcgen05LoadReduce.h - Selection of tcgen05.ld.red ---*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXTCGEN05LOADREDUCE_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXTCGEN05LOADREDUCE_H

#include "llvm/CodeGen/TargetLowering.h"

namespace llvm {
class NVPTXSubtarget;

/// Selects \p N if it is a call of an intrinsic of tcgen05.ld.red that
/// NVPTXTcgen05LoadReduce.td has instructions of. It is done here, before types
/// are legalized, because what is loaded is a vector that is seldom a legal
/// type. Reports an error where the target lacks the instruction. Returns
/// nothing for all else.
SDValue combineTcgen05LoadReduce(SDNode *N,
                                 TargetLowering::DAGCombinerInfo &DCI,
                                 const NVPTXSubtarget &STI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXTCGEN05LOADREDUCE_H
