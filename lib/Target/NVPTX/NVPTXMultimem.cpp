//===- NVPTXMultimem.cpp - Selection of multimem --------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An intrinsic has one value, the instruction has it in registers: an element
// in each, or two of 16 bits, or four of 8 bits.
//
//===----------------------------------------------------------------------===//

#include "NVPTXMultimem.h"
#include "NVPTX.h"
#include "NVPTXIntrinsicTargets.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using namespace NVPTX;

namespace {
/// How an intrinsic is selected.
struct MultimemInstruction {
  unsigned ID;
  unsigned Opcode;
  uint8_t Registers;
  bool IsWeak;
};

#define GET_MultimemTable_DECL
#define GET_MultimemTable_IMPL
#include "NVPTXGenSearchableTables.inc"
} // namespace

/// The type of each of the \p Count registers that hold a value of type \p VT.
static EVT getRegisterType(EVT VT, unsigned Count, LLVMContext &Context) {
  if (Count == 1)
    return VT;
  unsigned Size = VT.getVectorNumElements() / Count;
  EVT ElementVT = VT.getVectorElementType();
  return Size == 1 ? ElementVT : EVT::getVectorVT(Context, ElementVT, Size);
}

static void appendRegisters(SDValue Value, unsigned Count, SelectionDAG &DAG,
                            SmallVectorImpl<SDValue> &Ops) {
  EVT RegisterVT =
      getRegisterType(Value.getValueType(), Count, *DAG.getContext());
  if (Count == 1) {
    Ops.push_back(Value);
    return;
  }
  if (!RegisterVT.isVector()) {
    DAG.ExtractVectorElements(Value, Ops);
    return;
  }
  SDLoc DL(Value);
  for (unsigned I = 0; I != Count; ++I)
    Ops.push_back(DAG.getNode(
        ISD::EXTRACT_SUBVECTOR, DL, RegisterVT, Value,
        DAG.getVectorIdxConstant(I * RegisterVT.getVectorNumElements(), DL)));
}

/// The value of type \p VT that the first \p Count results of \p Load are.
static SDValue joinRegisters(SDNode *Load, unsigned Count, EVT VT,
                             SelectionDAG &DAG) {
  if (Count == 1)
    return SDValue(Load, 0);
  SmallVector<SDValue, 8> Registers;
  for (unsigned I = 0; I != Count; ++I)
    Registers.push_back(SDValue(Load, I));
  bool IsVector = Registers[0].getValueType().isVector();
  return DAG.getNode(IsVector ? ISD::CONCAT_VECTORS : ISD::BUILD_VECTOR,
                     SDLoc(Load), VT, Registers);
}

/// A register and a number, as the instruction has an address.
static void appendAddress(SDValue Address, SelectionDAG &DAG,
                          SmallVectorImpl<SDValue> &Ops) {
  int64_t Offset = 0;
  if (DAG.isBaseWithConstantOffset(Address) &&
      isInt<32>(Address.getConstantOperandVal(1))) {
    Offset = cast<ConstantSDNode>(Address.getOperand(1))->getSExtValue();
    Address = Address.getOperand(0);
  }
  Ops.append(
      {Address, DAG.getSignedTargetConstant(Offset, SDLoc(Address), MVT::i32)});
}

/// What the flags \p Sem and \p Scope of an intrinsic stand for.
static void appendOrder(uint64_t Sem, uint64_t Scope, bool IsLoad,
                        const SDLoc &DL, SelectionDAG &DAG,
                        SmallVectorImpl<SDValue> &Ops) {
  NVPTX::Ordering Strong =
      IsLoad ? NVPTX::Ordering::Acquire : NVPTX::Ordering::Release;
  static constexpr NVPTX::Scope Scopes[] = {
      NVPTX::Scope::Block, NVPTX::Scope::Cluster, NVPTX::Scope::Device,
      NVPTX::Scope::System};
  Ops.push_back(DAG.getTargetConstant(Sem ? Strong : NVPTX::Ordering::Relaxed,
                                      DL, MVT::i32));
  Ops.push_back(DAG.getTargetConstant(Scopes[Scope], DL, MVT::i32));
}

SDValue llvm::combineMultimem(SDNode *N, TargetLowering::DAGCombinerInfo &DCI,
                              const NVPTXSubtarget &STI) {
  bool IsLoad = N->getOpcode() == ISD::INTRINSIC_W_CHAIN;
  if (!IsLoad && N->getOpcode() != ISD::INTRINSIC_VOID)
    return SDValue();
  const MultimemInstruction *Entry =
      lookupMultimem(N->getConstantOperandVal(1));
  if (!Entry)
    return SDValue();

  SelectionDAG &DAG = DCI.DAG;
  if (SDValue Lowered = lowerTargetedIntrinsic(SDValue(N, 0), DAG, STI))
    return Lowered;
  SDLoc DL(N);
  // After the chain and the intrinsic's number: the address, what is stored,
  // and the flags, of which a weak access has none.
  SmallVector<SDValue, 13> Ops;
  appendAddress(N->getOperand(2), DAG, Ops);
  if (!IsLoad)
    appendRegisters(N->getOperand(3), Entry->Registers, DAG, Ops);
  if (Entry->IsWeak) {
    SDValue None = DAG.getTargetConstant(0, DL, MVT::i32);
    Ops.append({None, None});
  } else {
    unsigned Sem = N->getNumOperands() - 2;
    appendOrder(N->getConstantOperandVal(Sem),
                N->getConstantOperandVal(Sem + 1), IsLoad, DL, DAG, Ops);
  }
  Ops.push_back(N->getOperand(0));

  if (!IsLoad)
    return SDValue(DAG.getMachineNode(Entry->Opcode, DL, MVT::Other, Ops), 0);
  EVT VT = N->getValueType(0);
  SmallVector<EVT, 9> VTs(
      Entry->Registers,
      getRegisterType(VT, Entry->Registers, *DAG.getContext()));
  VTs.push_back(MVT::Other);
  SDNode *Load = DAG.getMachineNode(Entry->Opcode, DL, DAG.getVTList(VTs), Ops);
  return DAG.getMergeValues({joinRegisters(Load, Entry->Registers, VT, DAG),
                             SDValue(Load, Entry->Registers)},
                            DL);
}
