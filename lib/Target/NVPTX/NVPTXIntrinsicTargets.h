//===- NVPTXIntrinsicTargets.h - What intrinsics need -----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// What the warp-level matrix intrinsics (wmma, mma, mma.sp, ldmatrix, stmatrix
/// and movmatrix), and those that a kernel needs around them, need and allow,
/// as described by NVVMTargets.td.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXINTRINSICTARGETS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXINTRINSICTARGETS_H

#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/Support/NVPTXVersion.h"
#include <cstdint>

namespace llvm {
class IntrinsicInst;
class NVPTXSubtarget;
class Value;

// Which targets have an instruction, as far as no least version can say it: the
// kinds of NVVMTargets.td.
#define GET_IntrinsicTargetKind_DECL
#include "NVPTXGenSearchableTables.inc"

/// What an intrinsic needs and allows.
struct TargetedIntrinsic {
  unsigned ID;
  IntrinsicTargetKind Kind;
  /// As in 75 for sm_75.
  uint8_t MinSM;
  /// As in 65 for PTX 6.5.
  uint8_t MinPTX;
  /// The PTX version that took the instruction away, or 0.
  uint8_t RemovedInPTX;
  /// Bit i tells whether its pointer may be of address space i, and bit 8
  /// whether of that of kernel parameters. 0 where it has none, or where its
  /// type says it all.
  uint16_t AddressSpaces;
  /// What nvvm::getBlockScaleSelectors wants to know. 0 without block scaling.
  uint8_t ScaleVec;
  /// The instruction that argument \c Argument asks for is of the targets \c
  /// ArgumentKind when it is at least \c ArgumentValue, which is not 0.
  uint8_t Argument;
  uint8_t ArgumentValue;
  IntrinsicTargetKind ArgumentKind;

  bool hasPointer() const { return AddressSpaces != 0; }
  bool allowsAddressSpace(unsigned AddrSpace) const {
    if (AddrSpace == NVPTXAS::ADDRESS_SPACE_KERNEL_PARAM)
      AddrSpace = 8;
    return AddrSpace <= 8 && (AddressSpaces >> AddrSpace & 1);
  }
  bool isSupported(const NVPTXSubtarget &STI) const;
};

/// What intrinsic \p ID needs; null for one that NVVMTargets.td does not know.
const TargetedIntrinsic *lookupTargetedIntrinsic(unsigned ID);

/// Reports an intrinsic that the target or the PTX version lacks, or
/// whose pointer is of an address space that the instruction cannot access, and
/// returns something that can be selected. Returns nothing for a valid call and
/// for every other node, but what lowerWGMMA returns for it.
SDValue lowerTargetedIntrinsic(SDValue Op, SelectionDAG &DAG,
                               const NVPTXSubtarget &STI);

/// The same for a node with a result of a type that is not legal, which
/// legalization would split: adds to \p Results what stands for each result.
/// Returns false, and adds nothing, where lowerTargetedIntrinsic returns
/// nothing.
bool replaceTargetedIntrinsic(SDNode *N, SmallVectorImpl<SDValue> &Results,
                              SelectionDAG &DAG, const NVPTXSubtarget &STI);

/// Makes a matrix intrinsic load or store through \p Pointer, if it may.
/// Returns null otherwise, and for every other intrinsic.
Value *rewriteTargetedIntrinsic(IntrinsicInst *II, Value *Pointer);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXINTRINSICTARGETS_H
