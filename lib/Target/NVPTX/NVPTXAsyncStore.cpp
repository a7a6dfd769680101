//===- NVPTXAsyncStore.cpp - Selection of st.async ------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXAsyncStore.h"
#include "MCTargetDesc/NVPTXMCTargetDesc.h"
#include "NVPTXIntrinsicErrors.h"
#include "NVPTXIntrinsicTargets.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXVersion.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

static std::optional<unsigned> getOpcode(EVT VT) {
  if (!VT.isSimple())
    return std::nullopt;
  switch (VT.getSimpleVT().SimpleTy) {
  case MVT::i32:
    return NVPTX::ST_ASYNC_B32_1;
  case MVT::v2i32:
    return NVPTX::ST_ASYNC_B32_2;
  case MVT::v4i32:
    return NVPTX::ST_ASYNC_B32_4;
  case MVT::i64:
    return NVPTX::ST_ASYNC_B64_1;
  case MVT::v2i64:
    return NVPTX::ST_ASYNC_B64_2;
  default:
    return std::nullopt;
  }
}

static std::string getTypeError(EVT VT, LLVMContext &Context) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << "llvm.nvvm.st.async requires a value of type i32, i64, <2 x i32>, "
        "<4 x i32> or <2 x i64>, but got one of type "
     << *VT.getTypeForEVT(Context);
  return Text;
}

SDValue llvm::combineAsyncStore(SDNode *N, TargetLowering::DAGCombinerInfo &DCI,
                                const NVPTXSubtarget &STI) {
  if (N->getOpcode() != ISD::INTRINSIC_VOID ||
      N->getConstantOperandVal(1) != Intrinsic::nvvm_st_async)
    return SDValue();
  SelectionDAG &DAG = DCI.DAG;
  if (SDValue Lowered = lowerTargetedIntrinsic(SDValue(N, 0), DAG, STI))
    return Lowered;
  SDLoc DL(N);
  SDValue Chain = N->getOperand(0);
  // After the chain and the intrinsic's number.
  SDValue Dst = N->getOperand(2), Value = N->getOperand(3);
  SDValue Barrier = N->getOperand(4);
  EVT VT = Value.getValueType();
  std::optional<unsigned> Opcode = getOpcode(VT);
  if (!Opcode) {
    if (NVPTX::SelectsAsyncStoreOfI128 && VT == MVT::i128)
      return SDValue();
    reportIntrinsicError(getTypeError(VT, *DAG.getContext()), N, DAG);
    return Chain;
  }

  SDValue NoOffset = DAG.getTargetConstant(0, DL, MVT::i32);
  SmallVector<SDValue, 9> Ops = {Dst, NoOffset};
  if (VT.isVector())
    DAG.ExtractVectorElements(Value, Ops);
  else
    Ops.push_back(Value);
  Ops.append({Barrier, NoOffset, Chain});
  return SDValue(DAG.getMachineNode(*Opcode, DL, MVT::Other, Ops), 0);
}
