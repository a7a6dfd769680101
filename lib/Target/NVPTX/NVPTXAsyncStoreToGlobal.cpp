//===- NVPTXAsyncStoreToGlobal.cpp - st.async to global memory ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXAsyncStoreToGlobal.h"
#include "MCTargetDesc/NVPTXMCTargetDesc.h"
#include "NVPTXIntrinsicErrors.h"
#include "NVPTXIntrinsicTargets.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace NVPTX;

namespace {
/// The instruction of an intrinsic for a value of some bits.
struct AsyncStoreToGlobal {
  unsigned ID;
  uint8_t Bits;
  unsigned Opcode;
};

#define GET_AsyncStoreToGlobalTable_DECL
#define GET_AsyncStoreToGlobalTable_IMPL
#include "NVPTXGenSearchableTables.inc"
} // namespace

static bool isAsyncStoreToGlobal(const SDNode *N) {
  if (N->getOpcode() != ISD::INTRINSIC_VOID)
    return false;
  switch (N->getConstantOperandVal(1)) {
  case Intrinsic::nvvm_st_async_gpu:
  case Intrinsic::nvvm_st_async_sys:
  case Intrinsic::nvvm_st_async_mmio_sys:
    return true;
  default:
    return false;
  }
}

static const AsyncStoreToGlobal *lookup(Intrinsic::ID ID, EVT VT) {
  if (!VT.isScalarInteger() || VT.getFixedSizeInBits() > 64)
    return nullptr;
  return lookupAsyncStoreToGlobal(ID, VT.getFixedSizeInBits());
}

static std::string getTypeError(Intrinsic::ID ID, EVT VT,
                                LLVMContext &Context) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << Intrinsic::getBaseName(ID)
     << " requires a value of type i8, i16, i32 or i64, but got one of type "
     << *VT.getTypeForEVT(Context);
  return Text;
}

SDValue llvm::combineAsyncStoreToGlobal(SDNode *N,
                                        TargetLowering::DAGCombinerInfo &DCI,
                                        const NVPTXSubtarget &STI) {
  if (!isAsyncStoreToGlobal(N))
    return SDValue();
  SelectionDAG &DAG = DCI.DAG;
  if (SDValue Lowered = lowerTargetedIntrinsic(SDValue(N, 0), DAG, STI))
    return Lowered;
  SDLoc DL(N);
  // After the chain and the intrinsic's number.
  Intrinsic::ID ID = N->getConstantOperandVal(1);
  SDValue Chain = N->getOperand(0), Dst = N->getOperand(2);
  SDValue Value = N->getOperand(3);
  EVT VT = Value.getValueType();
  const AsyncStoreToGlobal *Entry = lookup(ID, VT);
  if (!Entry) {
    reportIntrinsicError(getTypeError(ID, VT, *DAG.getContext()), N, DAG);
    return Chain;
  }

  if (VT == MVT::i8)
    Value = DAG.getNode(ISD::ANY_EXTEND, DL, MVT::i16, Value);
  SDValue NoOffset = DAG.getTargetConstant(0, DL, MVT::i32);
  return SDValue(DAG.getMachineNode(Entry->Opcode, DL, MVT::Other,
                                    {Dst, NoOffset, Value, Chain}),
                 0);
}
