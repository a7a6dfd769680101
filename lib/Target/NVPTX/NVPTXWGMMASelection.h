//===- NVPTXWGMMASelection.h - Selection of wgmma.mma_async -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXWGMMASELECTION_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXWGMMASELECTION_H

#include "llvm/CodeGen/TargetLowering.h"

namespace llvm {
class NVPTXSubtarget;

/// Selects wgmma.mma_async and wgmma.fence_operand: replaces them by their
/// machine instructions. It has to happen before the types are legalized, which
/// is why it is a DAG combine: most accumulators have a type that no MVT names,
/// and custom lowering is never asked about these.
///
/// Reports a call that the target or the PTX version lacks, and leaves
/// something that can be selected. Returns nothing for every other node, which
/// has to have a chain.
SDValue combineWGMMA(SDNode *N, TargetLowering::DAGCombinerInfo &DCI,
                     const NVPTXSubtarget &STI);

/// Custom lowering of wgmma.fence, commit_group and wait_group, which are
/// selected by patterns: reports a call that the target or the PTX version
/// lacks, and returns something that can be selected. Returns nothing for a
/// valid call and for every other node, which has to have a chain.
SDValue lowerWGMMA(SDValue Op, SelectionDAG &DAG, const NVPTXSubtarget &STI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXWGMMASELECTION_H
