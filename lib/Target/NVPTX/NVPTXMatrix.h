//===- NVPTXMatrix.h - Matrix intrinsics ------------------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Selection of wgmma; and what the warp-level matrix intrinsics (wmma, mma,
/// mma.sp, ldmatrix, stmatrix and movmatrix) need and allow, as described by
/// NVVMMatrixTargets.td.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXMATRIX_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXMATRIX_H

#include "llvm/CodeGen/TargetLowering.h"
#include <cstdint>

namespace llvm {
class IntrinsicInst;
class NVPTXSubtarget;
class Value;

/// Which targets have an instruction, as far as no least version can say it.
enum class MatrixTargetKind : uint8_t {
  /// Every target from a version on.
  AnyTarget,
  /// Those with mma.block_scale and .kind::f8f6f4.
  BlockScaleTarget,
  /// Those with the sparse mma.block_scale of 4-bit elements alone.
  SparseBlockScaleF4Target,
  /// Those with ldmatrix and stmatrix of 8-bit elements and less.
  ByteMatrixTarget,
};

struct MatrixIntrinsic {
  unsigned ID;
  MatrixTargetKind Kind;
  /// As in 75 for sm_75.
  uint8_t MinSM;
  /// As in 65 for PTX 6.5.
  uint8_t MinPTX;
  /// The PTX version that took the instruction away, or 0.
  uint8_t RemovedInPTX;
  /// Bit i tells whether its pointer may be of address space i. 0 where it has
  /// none.
  uint8_t AddressSpaces;

  bool hasPointer() const { return AddressSpaces != 0; }
  bool allowsAddressSpace(unsigned AddrSpace) const {
    return AddrSpace < 8 && (AddressSpaces >> AddrSpace & 1);
  }
};

/// The warp-level matrix intrinsic \p ID, or null for any other intrinsic.
const MatrixIntrinsic *lookupMatrixIntrinsic(unsigned ID);

/// Selects an intrinsic of the wgmma family: replaces it by its machine
/// instructions. It has to happen before the types are legalized, which is why
/// it is a DAG combine: most accumulators have a type that no MVT names, and
/// custom lowering is never asked about these.
///
/// Reports a matrix intrinsic that the target or the PTX version lacks, or
/// whose pointer is of an address space that the instruction cannot access, and
/// leaves something that can be selected. Returns nothing for every other node.
SDValue combineMatrixIntrinsic(SDNode *N, TargetLowering::DAGCombinerInfo &DCI,
                               const NVPTXSubtarget &STI);

/// Makes a matrix intrinsic load or store through \p Pointer, if it may.
/// Returns null otherwise, and for every other intrinsic.
Value *rewriteMatrixWithAddressSpace(IntrinsicInst *II, Value *Pointer);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXMATRIX_H
