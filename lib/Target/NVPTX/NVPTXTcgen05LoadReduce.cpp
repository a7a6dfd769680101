//===- NVPTXTcgen05LoadReduce.cpp - Selection of tcgen05.ld.red -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXTcgen05LoadReduce.h"
#include "MCTargetDesc/NVPTXMCTargetDesc.h"
#include "NVPTXIntrinsicTargets.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace NVPTX;

namespace {
/// The instruction of an intrinsic whose flags, from the operation on, are the
/// bits of Modifiers.
struct Tcgen05LoadReduceInstruction {
  unsigned ID;
  uint8_t Modifiers;
  unsigned Opcode;
};

#define GET_Tcgen05LoadReduceTable_DECL
#define GET_Tcgen05LoadReduceTable_IMPL
#include "NVPTXGenSearchableTables.inc"
} // namespace

/// The flags of \p N from operand \p First on, as bits.
static unsigned getModifiers(const SDNode *N, unsigned First) {
  unsigned Modifiers = 0;
  for (unsigned I = First, E = N->getNumOperands(); I != E; ++I)
    Modifiers |= N->getConstantOperandVal(I) << (I - First);
  return Modifiers;
}

SDValue llvm::combineTcgen05LoadReduce(SDNode *N,
                                       TargetLowering::DAGCombinerInfo &DCI,
                                       const NVPTXSubtarget &STI) {
  // Each of the intrinsics has an instruction without modifiers.
  if (N->getOpcode() != ISD::INTRINSIC_W_CHAIN ||
      !lookupTcgen05LoadReduce(N->getConstantOperandVal(1), /*Modifiers=*/0))
    return SDValue();
  SelectionDAG &DAG = DCI.DAG;
  if (SDValue Lowered = lowerTargetedIntrinsic(SDValue(N, 0), DAG, STI))
    return Lowered;
  SDLoc DL(N);
  EVT VT = N->getValueType(0), ReducedVT = N->getValueType(1);
  unsigned Size = VT.getVectorNumElements();
  // The operation; of floating point .abs and .NaN, too.
  unsigned NumFlags = ReducedVT.isFloatingPoint() ? 3 : 1;
  unsigned FirstFlag = N->getNumOperands() - NumFlags;
  const Tcgen05LoadReduceInstruction *Entry = lookupTcgen05LoadReduce(
      N->getConstantOperandVal(1), getModifiers(N, FirstFlag));
  assert(Entry && "the verifier has checked the operation");

  // After the chain and the intrinsic's number: the address, and the offset of
  // the second half.
  SmallVector<SDValue, 3> Ops(N->op_begin() + 2, N->op_begin() + FirstFlag);
  Ops.push_back(N->getOperand(0));
  SmallVector<EVT, 130> VTs(Size + 1, ReducedVT);
  VTs.push_back(MVT::Other);
  SDNode *Load = DAG.getMachineNode(Entry->Opcode, DL, DAG.getVTList(VTs), Ops);

  SmallVector<SDValue, 128> Loaded;
  for (unsigned I = 0; I != Size; ++I)
    Loaded.push_back(SDValue(Load, I));
  return DAG.getMergeValues({DAG.getBuildVector(VT, DL, Loaded),
                             SDValue(Load, Size), SDValue(Load, Size + 1)},
                            DL);
}
