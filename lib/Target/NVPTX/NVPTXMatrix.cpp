//===- NVPTXMatrix.cpp - Warp-level matrix intrinsics ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The warp-level matrix intrinsics are selected by patterns, which only fail to
// match where the target lacks the instruction. This tells why.
//
//===----------------------------------------------------------------------===//

#include "NVPTXMatrix.h"
#include "NVPTX.h"
#include "NVPTXSubtarget.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace llvm {
#define GET_MatrixIntrinsicTable_IMPL
#include "NVPTXGenSearchableTables.inc"
} // namespace llvm

void llvm::reportMatrixError(const Twine &Message, SDNode *N,
                             SelectionDAG &DAG) {
  DAG.getContext()->diagnose(DiagnosticInfoUnsupported(
      DAG.getMachineFunction().getFunction(), Message, SDLoc(N).getDebugLoc()));
}

std::string llvm::getPTXVersionName(unsigned Version) {
  return (Twine(Version / 10) + "." + Twine(Version % 10)).str();
}

std::string llvm::getMatrixTargetDescription(const NVPTXSubtarget &STI) {
  return STI.getTargetName() + " with PTX " +
         getPTXVersionName(STI.getPTXVersion());
}

static bool isSupported(const MatrixIntrinsic &Matrix,
                        const NVPTXSubtarget &STI) {
  switch (Matrix.Kind) {
  case MatrixTargetKind::AnyTarget:
    return STI.getSmVersion() >= Matrix.MinSM &&
           STI.getPTXVersion() >= Matrix.MinPTX;
  case MatrixTargetKind::BlockScaleTarget:
    return STI.hasMMABlockScale();
  case MatrixTargetKind::SparseBlockScaleF4Target:
    return STI.hasMMASparseBlockScaleF4();
  case MatrixTargetKind::ByteMatrixTarget:
    return STI.hasLdStmatrixBlackwellSupport();
  }
  llvm_unreachable("unknown kind of target");
}

static std::string getNeededTarget(const MatrixIntrinsic &Matrix) {
  switch (Matrix.Kind) {
  case MatrixTargetKind::AnyTarget:
    return ("sm_" + Twine(unsigned(Matrix.MinSM)) + " and PTX " +
            getPTXVersionName(Matrix.MinPTX))
        .str();
  case MatrixTargetKind::BlockScaleTarget:
    return "sm_120a and PTX 8.7, or the family of sm_120f and PTX 8.8";
  case MatrixTargetKind::SparseBlockScaleF4Target:
    return "sm_120a and PTX 8.7, or sm_121a and PTX 8.8";
  case MatrixTargetKind::ByteMatrixTarget:
    return "sm_100a, sm_101a or sm_120a and PTX 8.6, or the family of sm_100f, "
           "sm_101f or sm_120f and PTX 8.8";
  }
  llvm_unreachable("unknown kind of target");
}

/// Empty when \p STI has what \p N calls.
static std::string diagnose(const MatrixIntrinsic &Matrix, const SDNode *N,
                            const NVPTXSubtarget &STI) {
  if (!isSupported(Matrix, STI))
    return "requires " + getNeededTarget(Matrix) + ", but the target is " +
           getMatrixTargetDescription(STI);
  if (Matrix.RemovedInPTX && STI.getPTXVersion() >= Matrix.RemovedInPTX)
    return "requires a PTX version below " +
           getPTXVersionName(Matrix.RemovedInPTX) +
           ", which removed .satfinite for floating-point wmma.mma, but the "
           "target is " +
           getMatrixTargetDescription(STI);

  if (const auto *Mem = dyn_cast<MemSDNode>(N);
      Mem && Matrix.hasPointer() &&
      !Matrix.allowsAddressSpace(Mem->getAddressSpace())) {
    bool AllowsGlobal =
        Matrix.allowsAddressSpace(NVPTXAS::ADDRESS_SPACE_GLOBAL);
    return ("requires a pointer to " +
            Twine(AllowsGlobal ? "generic, global or shared"
                               : "generic or shared") +
            " memory (address space " +
            (AllowsGlobal ? "0, 1 or 3" : "0 or 3") +
            "), but got one of address space " + Twine(Mem->getAddressSpace()))
        .str();
  }
  return {};
}

SDValue llvm::combineUnsupportedMatrix(SDNode *N,
                                       TargetLowering::DAGCombinerInfo &DCI,
                                       const NVPTXSubtarget &STI) {
  bool HasChain = N->getOpcode() != ISD::INTRINSIC_WO_CHAIN;
  Intrinsic::ID ID = N->getConstantOperandVal(HasChain);
  const MatrixIntrinsic *Matrix = lookupMatrixIntrinsic(ID);
  if (!Matrix)
    return SDValue();
  std::string Error = diagnose(*Matrix, N, STI);
  if (Error.empty())
    return SDValue();

  SelectionDAG &DAG = DCI.DAG;
  reportMatrixError(Intrinsic::getBaseName(ID) + " " + Error, N, DAG);
  SmallVector<SDValue, 8> Results;
  for (EVT VT : N->values())
    Results.push_back(VT == MVT::Other ? N->getOperand(0) : DAG.getUNDEF(VT));
  return DCI.CombineTo(N, Results);
}

Value *llvm::rewriteMatrixWithAddressSpace(IntrinsicInst *II, Value *Pointer) {
  Intrinsic::ID ID = II->getIntrinsicID();
  const MatrixIntrinsic *Matrix = lookupMatrixIntrinsic(ID);
  if (!Matrix || !Matrix->hasPointer() ||
      !Matrix->allowsAddressSpace(Pointer->getType()->getPointerAddressSpace()))
    return nullptr;
  II->setArgOperand(0, Pointer);
  II->setCalledFunction(Intrinsic::getOrInsertDeclaration(
      II->getModule(), ID, {Pointer->getType()}));
  return II;
}
