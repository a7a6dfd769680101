//===- NVPTXWGMMASelection.cpp - Selection of wgmma.mma_async -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector of the intrinsic becomes as many scalar registers of the
// instruction: its elements are extracted on the way in and put together again
// on the way out, and the legalizer makes both vanish. The opcode comes from
// WGMMATable, by intrinsic and number of registers.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMASelection.h"
#include "NVPTX.h"
#include "NVPTXIntrinsicErrors.h"
#include "NVPTXSubtarget.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"

using namespace llvm;

namespace {
struct WGMMATableEntry {
  unsigned ID;
  uint8_t NumRegisters;
  unsigned Opcode;
};

using namespace NVPTX;
#define GET_WGMMATable_DECL
#define GET_WGMMATable_IMPL
#include "NVPTXGenSearchableTables.inc"
} // namespace

/// Reports an error and returns true where the target lacks the instruction of
/// intrinsic \p ID.
static bool isWGMMAUnsupported(Intrinsic::ID ID, unsigned MinPTX, SDNode *N,
                               SelectionDAG &DAG, const NVPTXSubtarget &STI) {
  if (STI.hasPTXWithAccelSMs(MinPTX, {90}))
    return false;
  reportIntrinsicError(Intrinsic::getBaseName(ID) +
                           " requires sm_90a and PTX " +
                           getPTXVersionName(MinPTX) + ", but the target is " +
                           getTargetDescription(STI),
                       N, DAG);
  return true;
}

/// Whether \p Vector is the result of a wgmma that is yet to be combined. Its
/// user comes back when it has become a BUILD_VECTOR, whose elements need not
/// be extracted.
static bool isUncombined(SDValue Vector) {
  if (Vector.getOpcode() != ISD::INTRINSIC_W_CHAIN)
    return false;
  Intrinsic::ID ID = Vector.getConstantOperandVal(1);
  return ID == Intrinsic::nvvm_wgmma_fence_operand || nvvm::getWGMMAVariant(ID);
}

/// Appends the elements of \p Vector, or itself if it is none, to \p Elements.
static void appendElements(SDValue Vector, SmallVectorImpl<SDValue> &Elements,
                           SelectionDAG &DAG) {
  if (!Vector.getValueType().isVector())
    Elements.push_back(Vector);
  else if (Vector.getOpcode() == ISD::BUILD_VECTOR)
    append_range(Elements, Vector->op_values());
  else
    DAG.ExtractVectorElements(Vector, Elements);
}

static SDValue combineMMAAsync(SDNode *N, TargetLowering::DAGCombinerInfo &DCI,
                               const NVPTXSubtarget &STI,
                               const nvvm::WGMMAVariant &Variant) {
  SelectionDAG &DAG = DCI.DAG;
  SDLoc DL(N);
  SDValue Chain = N->getOperand(0);
  // After the chain and the intrinsic's number.
  ArrayRef<SDUse> Args = N->ops().drop_front(2);
  // A convergence control token has done its work, as for all that is selected
  // by patterns.
  if (Args.back().getValueType() == MVT::Glue)
    Args = Args.drop_back();
  EVT AccVT = N->getValueType(0);
  if (isUncombined(Args[0]))
    return SDValue();

  // The verifier has seen this, unless somebody switched it off.
  std::string Error = Variant.diagnose(
      *AccVT.getTypeForEVT(*DAG.getContext()),
      [&](unsigned Idx) -> std::optional<int64_t> {
        const ConstantSDNode *Imm = cast<ConstantSDNode>(Args[Idx]);
        return Args[Idx].getValueType() == MVT::i1 ? Imm->getZExtValue()
                                                   : Imm->getSExtValue();
      });
  if (!Error.empty())
    reportIntrinsicError(Error, N, DAG);
  if (!Error.empty() ||
      isWGMMAUnsupported(Variant.ID, Variant.MinPTX, N, DAG, STI))
    return DCI.CombineTo(N, DAG.getUNDEF(AccVT), Chain);

  SmallVector<SDValue, 160> Ops;
  for (SDValue Arg : Args) {
    EVT VT = Arg.getValueType();
    if (VT.isVector())
      appendElements(Arg, Ops, DAG);
    else if (auto *Flag = dyn_cast<ConstantSDNode>(Arg); Flag && VT == MVT::i1)
      // As i1, true would be printed as -1.
      Ops.push_back(DAG.getTargetConstant(Flag->getZExtValue(), DL, MVT::i32));
    else
      Ops.push_back(Arg);
  }
  Ops.push_back(Chain);

  unsigned NumRegisters = AccVT.getVectorNumElements();
  const WGMMATableEntry *Entry = lookupWGMMA(Variant.ID, NumRegisters);
  assert(Entry && "an N of the variant that has no instruction");

  SmallVector<EVT, 129> VTs(NumRegisters, AccVT.getVectorElementType());
  VTs.push_back(MVT::Other);
  SDNode *MMA = DAG.getMachineNode(Entry->Opcode, DL, DAG.getVTList(VTs), Ops);

  SmallVector<SDValue, 128> Results;
  for (unsigned I = 0; I != NumRegisters; ++I)
    Results.push_back(SDValue(MMA, I));
  return DCI.CombineTo(N, DAG.getBuildVector(AccVT, DL, Results),
                       SDValue(MMA, NumRegisters));
}

static SDValue combineFenceOperand(SDNode *N,
                                   TargetLowering::DAGCombinerInfo &DCI,
                                   const NVPTXSubtarget &STI) {
  SelectionDAG &DAG = DCI.DAG;
  SDLoc DL(N);
  SDValue Chain = N->getOperand(0);
  SDValue Operand = N->getOperand(2);
  EVT VT = Operand.getValueType();
  if (isUncombined(Operand))
    return SDValue();

  // The verifier has seen this, unless somebody switched it off.
  std::string Error =
      nvvm::diagnoseWGMMAFenceOperand(*VT.getTypeForEVT(*DAG.getContext()));
  if (!Error.empty()) {
    reportIntrinsicError(Error, N, DAG);
    return DCI.CombineTo(N, Operand, Chain);
  }
  // Without wgmma no value is in flight, and no pass takes the pseudo
  // instruction away again.
  if (!STI.hasWGMMA())
    return DCI.CombineTo(N, Operand, Chain);

  // One after the other, so that no two are the same: those of a splat would
  // otherwise be one, whose register each accumulator had to be copied from.
  SmallVector<SDValue, 128> Elements;
  appendElements(Operand, Elements, DAG);
  for (SDValue &Element : Elements) {
    SDNode *Fence =
        DAG.getMachineNode(NVPTX::WGMMA_FENCE_OPERAND, DL,
                           {VT.getScalarType(), MVT::Other}, {Element, Chain});
    Element = SDValue(Fence, 0);
    Chain = SDValue(Fence, 1);
  }
  SDValue Result =
      VT.isVector() ? DAG.getBuildVector(VT, DL, Elements) : Elements[0];
  return DCI.CombineTo(N, Result, Chain);
}

SDValue llvm::combineWGMMA(SDNode *N, TargetLowering::DAGCombinerInfo &DCI,
                           const NVPTXSubtarget &STI) {
  // After the chain.
  Intrinsic::ID ID = N->getConstantOperandVal(1);
  switch (ID) {
  case Intrinsic::nvvm_wgmma_fence_operand:
    return combineFenceOperand(N, DCI, STI);
  case Intrinsic::nvvm_wgmma_fence_sync_aligned:
  case Intrinsic::nvvm_wgmma_commit_group_sync_aligned:
  case Intrinsic::nvvm_wgmma_wait_group_sync_aligned:
    // These have patterns, which fail to match on other targets.
    if (isWGMMAUnsupported(ID, 80, N, DCI.DAG, STI))
      return N->getOperand(0);
    return SDValue();
  default:
    if (const nvvm::WGMMAVariant *Variant = nvvm::getWGMMAVariant(ID))
      return combineMMAAsync(N, DCI, STI, *Variant);
    return SDValue();
  }
}
