//===- NVPTXAsyncStoreToGlobal.h - st.async to global memory ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXASYNCSTORETOGLOBAL_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXASYNCSTORETOGLOBAL_H

#include "llvm/CodeGen/TargetLowering.h"

namespace llvm {
class NVPTXSubtarget;

/// Selects \p N if it is a call of llvm.nvvm.st.async.gpu, .sys or .mmio.sys.
/// It is done here, before types are legalized, because i8 is no legal type.
/// Reports an error where the target lacks the instruction, or where there is
/// none for the type. Returns nothing for all else.
SDValue combineAsyncStoreToGlobal(SDNode *N,
                                  TargetLowering::DAGCombinerInfo &DCI,
                                  const NVPTXSubtarget &STI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXASYNCSTORETOGLOBAL_H
