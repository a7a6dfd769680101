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
// In unoptimized code an accumulator lives in memory, or is put together
// element by element. The legalizer halves a vector of 128 elements again and
// again, so none is left for it there: what instructions can load and store,
// and the elements that were inserted, are taken and replaced here.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMASelection.h"
#include "NVPTX.h"
#include "NVPTXIntrinsicErrors.h"
#include "NVPTXSelectionDAGInfo.h"
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
/// be extracted. It does not always when it has become UNDEF: what is not
/// supported waits for nothing.
static bool isUncombined(SDValue Vector) {
  if (Vector.getOpcode() != ISD::INTRINSIC_W_CHAIN)
    return false;
  Intrinsic::ID ID = Vector.getConstantOperandVal(1);
  return ID == Intrinsic::nvvm_wgmma_fence_operand || nvvm::getWGMMAVariant(ID);
}

/// A part of an accumulator in memory that one instruction loads or stores.
namespace {
struct AccumulatorPart {
  unsigned First, Size; ///< Its elements.
  EVT MemVT;
  SDValue Ptr;
  MachineMemOperand *MMO;
};
} // namespace

/// The parts of the accumulator that \p Mem accesses.
static SmallVector<AccumulatorPart, 32> getParts(const MemSDNode &Mem,
                                                 SelectionDAG &DAG) {
  EVT VT = Mem.getMemoryVT();
  EVT EltVT = VT.getVectorElementType();
  unsigned Bytes = EltVT.getStoreSize();
  SmallVector<AccumulatorPart, 32> Parts;
  for (unsigned First = 0, Size, E = VT.getVectorNumElements(); First != E;
       First += Size) {
    unsigned Offset = First * Bytes;
    Align Alignment = commonAlignment(Mem.getAlign(), Offset);
    Size = 4;
    while (Size > 1 && (Alignment < Size * Bytes || E - First < Size))
      Size /= 2;
    EVT MemVT =
        Size == 1 ? EltVT : EVT::getVectorVT(*DAG.getContext(), EltVT, Size);
    Parts.push_back({First, Size, MemVT,
                     DAG.getObjectPtrOffset(SDLoc(&Mem), Mem.getBasePtr(),
                                            TypeSize::getFixed(Offset)),
                     DAG.getMachineFunction().getMachineMemOperand(
                         Mem.getMemOperand(), Offset, Size * Bytes)});
  }
  return Parts;
}

/// Whether \p N loads or stores an accumulator, and nothing hinders to do so in
/// parts.
static bool isAccumulatorAccess(const SDNode *N) {
  if (const auto *Load = dyn_cast<LoadSDNode>(N))
    return Load->isSimple() && ISD::isNormalLoad(Load);
  const auto *Store = dyn_cast<StoreSDNode>(N);
  return Store && Store->isSimple() && ISD::isNormalStore(Store);
}

/// Appends the elements of what \p Load loads to \p Elements, and loads them in
/// parts.
static void appendLoadedElements(LoadSDNode *Load,
                                 SmallVectorImpl<SDValue> &Elements,
                                 SelectionDAG &DAG) {
  SDLoc DL(Load);
  EVT EltVT = Load->getMemoryVT().getVectorElementType();
  SmallVector<SDValue, 32> Chains;
  for (const AccumulatorPart &Part : getParts(*Load, DAG)) {
    SDValue Chain = Load->getChain();
    SDValue Value;
    if (Part.Size == 1) {
      Value = DAG.getLoad(EltVT, DL, Chain, Part.Ptr, Part.MMO);
    } else {
      SmallVector<EVT, 5> VTs(Part.Size, EltVT);
      VTs.push_back(MVT::Other);
      Value = DAG.getMemIntrinsicNode(
          Part.Size == 4 ? NVPTXISD::LoadV4 : NVPTXISD::LoadV2, DL,
          DAG.getVTList(VTs),
          {Chain, Part.Ptr, Load->getOffset(),
           // All bytes are used, and none are extended.
           DAG.getConstant(UINT32_MAX, DL, MVT::i32),
           DAG.getIntPtrConstant(Load->getExtensionType(), DL)},
          Part.MemVT, Part.MMO);
    }
    for (unsigned I = 0; I != Part.Size; ++I)
      Elements.push_back(Value.getValue(I));
    Chains.push_back(Value.getValue(Part.Size));
  }
  DAG.makeEquivalentMemoryOrdering(SDValue(Load, 1),
                                   DAG.getTokenFactor(DL, Chains));
}

/// Stores \p Elements in parts where \p Store stores a vector of them, and
/// returns the chain.
static SDValue storeElements(StoreSDNode *Store, ArrayRef<SDValue> Elements,
                             SelectionDAG &DAG) {
  SDLoc DL(Store);
  SmallVector<SDValue, 32> Chains;
  for (const AccumulatorPart &Part : getParts(*Store, DAG)) {
    if (Part.Size == 1) {
      Chains.push_back(DAG.getStore(Store->getChain(), DL, Elements[Part.First],
                                    Part.Ptr, Part.MMO));
      continue;
    }
    SmallVector<SDValue, 7> Ops = {Store->getChain()};
    append_range(Ops, Elements.slice(Part.First, Part.Size));
    Ops.append({Part.Ptr, Store->getOffset()});
    Chains.push_back(DAG.getMemIntrinsicNode(
        Part.Size == 4 ? NVPTXISD::StoreV4 : NVPTXISD::StoreV2, DL,
        DAG.getVTList(MVT::Other), Ops, Part.MemVT, Part.MMO));
  }
  return DAG.getTokenFactor(DL, Chains);
}

/// Appends the elements of \p Vector, or itself if it is none, to \p Elements.
static void appendElements(SDValue Vector, SmallVectorImpl<SDValue> &Elements,
                           SelectionDAG &DAG) {
  EVT VT = Vector.getValueType();
  if (!VT.isVector()) {
    Elements.push_back(Vector);
    return;
  }
  // Those that are inserted one by one, the last insertion first.
  SmallVector<SDValue, 128> Inserted(VT.getVectorNumElements());
  unsigned NumMissing = Inserted.size();
  while (NumMissing && Vector.getOpcode() == ISD::INSERT_VECTOR_ELT &&
         isa<ConstantSDNode>(Vector.getOperand(2))) {
    uint64_t Idx = Vector.getConstantOperandVal(2);
    if (Idx >= Inserted.size())
      break;
    if (!Inserted[Idx]) {
      Inserted[Idx] = Vector.getOperand(1);
      --NumMissing;
    }
    Vector = Vector.getOperand(0);
  }
  if (!NumMissing) {
    append_range(Elements, Inserted);
    return;
  }

  size_t Begin = Elements.size();
  if (Vector.getOpcode() == ISD::BUILD_VECTOR)
    append_range(Elements, Vector->op_values());
  else if (Vector.hasOneUse() && isAccumulatorAccess(Vector.getNode()))
    appendLoadedElements(cast<LoadSDNode>(Vector), Elements, DAG);
  else
    DAG.ExtractVectorElements(Vector, Elements);
  for (auto [Element, New] : zip(drop_begin(Elements, Begin), Inserted))
    if (New)
      Element = New;
}

/// Replaces what \p N yields: a vector of \p Elements, and \p Chain. Where the
/// vector is stored, the elements are.
static SDValue combineToElements(SDNode *N, ArrayRef<SDValue> Elements,
                                 SDValue Chain,
                                 TargetLowering::DAGCombinerInfo &DCI) {
  SelectionDAG &DAG = DCI.DAG;
  SmallVector<StoreSDNode *, 2> Stores;
  for (SDUse &Use : N->uses())
    if (Use.getResNo() == 0 && Use.getOperandNo() == 1 &&
        isAccumulatorAccess(Use.getUser()))
      Stores.push_back(cast<StoreSDNode>(Use.getUser()));
  for (StoreSDNode *Store : Stores)
    DCI.CombineTo(Store, storeElements(Store, Elements, DAG));

  EVT VT = N->getValueType(0);
  SDValue Vector = N->hasAnyUseOfValue(0)
                       ? DAG.getBuildVector(VT, SDLoc(N), Elements)
                       : DAG.getUNDEF(VT);
  return DCI.CombineTo(N, Vector, Chain);
}

static SDValue combineMMAAsync(SDNode *N, TargetLowering::DAGCombinerInfo &DCI,
                               const NVPTXSubtarget &STI,
                               const nvvm::WGMMAVariant &Variant) {
  SelectionDAG &DAG = DCI.DAG;
  SDLoc DL(N);
  SDValue Chain = N->getOperand(0);
  // After the chain and the intrinsic's number.
  ArrayRef<SDUse> Args = N->ops().drop_front(2);
  EVT AccVT = N->getValueType(0);

  if (isWGMMAUnsupported(Variant.ID, Variant.MinPTX, N, DAG, STI))
    return DCI.CombineTo(N, DAG.getUNDEF(AccVT), Chain);
  if (isUncombined(Args[0]))
    return SDValue();

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
  return combineToElements(N, Results, SDValue(MMA, NumRegisters), DCI);
}

static SDValue combineFenceOperand(SDNode *N,
                                   TargetLowering::DAGCombinerInfo &DCI,
                                   const NVPTXSubtarget &STI) {
  SelectionDAG &DAG = DCI.DAG;
  SDLoc DL(N);
  SDValue Chain = N->getOperand(0);
  SDValue Operand = N->getOperand(2);
  EVT VT = Operand.getValueType();

  // Without wgmma no value is in flight, and no pass takes the pseudo
  // instruction away again.
  if (!STI.hasWGMMA())
    return DCI.CombineTo(N, Operand, Chain);
  if (isUncombined(Operand))
    return SDValue();

  // One after the other, so that no two are the same: those of a splat would
  // otherwise be one, whose register each accumulator had to be copied from.
  SmallVector<SDValue, 128> Elements;
  appendElements(Operand, Elements, DAG);
  for (SDValue &Element : Elements) {
    // What has no value has none behind it, either.
    if (Element.isUndef())
      continue;
    SDNode *Fence =
        DAG.getMachineNode(NVPTX::WGMMA_FENCE_OPERAND, DL,
                           {VT.getScalarType(), MVT::Other}, {Element, Chain});
    Element = SDValue(Fence, 0);
    Chain = SDValue(Fence, 1);
  }
  if (!VT.isVector())
    return DCI.CombineTo(N, Elements[0], Chain);
  return combineToElements(N, Elements, Chain, DCI);
}

SDValue llvm::combineWGMMA(SDNode *N, TargetLowering::DAGCombinerInfo &DCI,
                           const NVPTXSubtarget &STI) {
  // After the chain.
  Intrinsic::ID ID = N->getConstantOperandVal(1);
  if (ID == Intrinsic::nvvm_wgmma_fence_operand)
    return combineFenceOperand(N, DCI, STI);
  if (const nvvm::WGMMAVariant *Variant = nvvm::getWGMMAVariant(ID))
    return combineMMAAsync(N, DCI, STI, *Variant);
  return SDValue();
}

SDValue llvm::lowerWGMMA(SDValue Op, SelectionDAG &DAG,
                         const NVPTXSubtarget &STI) {
  // After the chain.
  Intrinsic::ID ID = Op.getConstantOperandVal(1);
  switch (ID) {
  case Intrinsic::nvvm_wgmma_fence_sync_aligned:
  case Intrinsic::nvvm_wgmma_commit_group_sync_aligned:
  case Intrinsic::nvvm_wgmma_wait_group_sync_aligned:
    // These have patterns, which fail to match on other targets.
    if (isWGMMAUnsupported(ID, 80, Op.getNode(), DAG, STI))
      return Op.getOperand(0);
    return SDValue();
  default:
    return SDValue();
  }
}
