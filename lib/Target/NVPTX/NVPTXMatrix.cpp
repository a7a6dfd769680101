//===- NVPTXMatrix.cpp - Matrix intrinsics --------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The warp-level intrinsics, and those that a kernel needs around them, are
// selected by patterns, which only fail to match where the target lacks the
// instruction. This tells why.
//
//===----------------------------------------------------------------------===//

#include "NVPTXMatrix.h"
#include "NVPTXIntrinsicErrors.h"
#include "NVPTXSubtarget.h"
#include "NVPTXWGMMASelection.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMBlockScale.h"
#include <map>

using namespace llvm;
using namespace NVPTXAS;

namespace llvm {
#define GET_MatrixIntrinsicTable_IMPL
#include "NVPTXGenSearchableTables.inc"
} // namespace llvm

namespace {
/// An architecture, and the PTX version from which on it has an instruction, it
/// alone (as sm_100a), or later ones of its family (as sm_100f), or all later
/// ones (as sm_100), too.
struct MatrixTarget {
  MatrixTargetKind Kind;
  uint16_t SM;
  char Suffix;
  uint8_t PTX;
};

#define GET_MatrixTargetTable_DECL
#define GET_MatrixTargetTable_IMPL
#include "NVPTXGenSearchableTables.inc"
} // namespace

static bool isSupported(MatrixTargetKind Kind, const NVPTXSubtarget &STI) {
  return any_of(lookupMatrixTargets(Kind), [&](const MatrixTarget &Target) {
    if (Target.Suffix == 'f')
      return STI.hasPTXWithFamilySMs(Target.PTX, {Target.SM});
    if (Target.Suffix == 'a')
      return STI.hasPTXWithAccelSMs(Target.PTX, {Target.SM});
    return STI.getPTXVersion() >= Target.PTX && STI.getSmVersion() >= Target.SM;
  });
}

static bool isSupported(const MatrixIntrinsic &Matrix,
                        const NVPTXSubtarget &STI) {
  if (STI.getPTXVersion() < Matrix.MinPTX)
    return false;
  return Matrix.Kind == AnyTarget ? STI.getSmVersion() >= Matrix.MinSM
                                  : isSupported(Matrix.Kind, STI);
}

/// "sm_100a or sm_120a and PTX 8.6, or sm_100f and PTX 8.8", where an
/// architecture with "f" stands for its family.
static std::string getNeededTarget(MatrixTargetKind Kind, unsigned MinPTX) {
  // By PTX version, and by suffix in each.
  std::map<std::pair<unsigned, char>, SmallVector<std::string, 4>> Groups;
  for (const MatrixTarget &Target : lookupMatrixTargets(Kind))
    Groups[{std::max<unsigned>(Target.PTX, MinPTX), Target.Suffix}].push_back(
        ("sm_" + Twine(Target.SM) +
         StringRef(&Target.Suffix, Target.Suffix != 0))
            .str());

  std::string Text;
  raw_string_ostream OS(Text);
  ListSeparator GroupLS(", or ");
  for (auto &[Key, Names] : Groups) {
    OS << GroupLS;
    for (auto [I, Name] : enumerate(Names))
      OS << (I == 0 ? "" : I + 1 == Names.size() ? " or " : ", ") << Name;
    OS << " and PTX " << getPTXVersionName(Key.first);
  }
  return Text;
}

static std::string getNeededTarget(const MatrixIntrinsic &Matrix) {
  if (Matrix.Kind == AnyTarget)
    return ("sm_" + Twine(unsigned(Matrix.MinSM)) + " and PTX " +
            getPTXVersionName(Matrix.MinPTX))
        .str();
  return getNeededTarget(Matrix.Kind, Matrix.MinPTX);
}

/// What the value of an argument asks for and \p STI lacks, or nothing.
static std::string diagnoseArgument(const MatrixIntrinsic &Matrix,
                                    const SDNode *N,
                                    const NVPTXSubtarget &STI) {
  if (!Matrix.ArgumentValue)
    return {};
  // After the chain and the intrinsic's number.
  uint64_t Value = N->getConstantOperandVal(2 + Matrix.Argument);
  if (Value < Matrix.ArgumentValue || isSupported(Matrix.ArgumentKind, STI))
    return {};
  return ("with " + Twine(Value) + " as argument " +
          Twine(Matrix.Argument + 1) + " requires " +
          getNeededTarget(Matrix.ArgumentKind, Matrix.MinPTX) +
          ", but the target is " + getTargetDescription(STI))
      .str();
}

static bool isSetMaxNReg(Intrinsic::ID ID) {
  return ID == Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32 ||
         ID == Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32;
}

/// Warns of setmaxnreg in a function that a kernel calls. The registers are the
/// kernel's: ptxas allocates those of other functions for the same count, or
/// fails to, as in code that was not optimized.
static void warnOfSetMaxNReg(SDNode *N, SelectionDAG &DAG) {
  const Function &F = DAG.getMachineFunction().getFunction();
  if (F.getCallingConv() != CallingConv::PTX_Kernel)
    DAG.getContext()->diagnose(DiagnosticInfoUnsupported(
        F,
        Intrinsic::getBaseName(N->getConstantOperandVal(1)) +
            " belongs into a kernel, where ptxas knows the number of "
            "registers; this function was not inlined into one",
        SDLoc(N).getDebugLoc(), DS_Warning));
}

/// Whether \p I becomes a call in PTX.
static bool isCallInPTX(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && !isa<IntrinsicInst>(Call) && !Call->isInlineAsm();
}

/// Whether setmaxnreg has to be left out of this kernel. Without optimization
/// nearly each kernel calls functions; ptxas 13.0 then often finds that the
/// count is too small for them, and dies of it. The kernel keeps the registers
/// that it was launched with, which is right with all of its setmaxnreg gone,
/// but not with some of them.
static bool shouldDropSetMaxNReg(const SelectionDAG &DAG) {
  const Function &F = DAG.getMachineFunction().getFunction();
  return DAG.getTarget().getOptLevel() == CodeGenOptLevel::None &&
         F.getCallingConv() == CallingConv::PTX_Kernel &&
         any_of(instructions(F), isCallInPTX);
}

/// Empty when the scales that a block-scaled mma chooses are there, or not
/// known to be missing: ptxas refuses the constants, too.
static std::string diagnoseSelectors(const MatrixIntrinsic &Matrix,
                                     const SDNode *N) {
  for (const auto &Selector : nvvm::getBlockScaleSelectors(Matrix.ScaleVec)) {
    const auto *Value = dyn_cast<ConstantSDNode>(
        N->getOperand(N->getNumOperands() - Selector.FromEnd));
    if (Value && !Selector.allows(Value->getZExtValue()))
      return ("requires " + Selector.getAllowedList() + " as " + Selector.What +
              ", but got " + Twine(Value->getZExtValue()))
          .str();
  }
  return {};
}

/// Empty when \p STI has what \p N calls.
static std::string diagnose(const MatrixIntrinsic &Matrix, const SDNode *N,
                            const NVPTXSubtarget &STI) {
  if (!isSupported(Matrix, STI))
    return "requires " + getNeededTarget(Matrix) + ", but the target is " +
           getTargetDescription(STI);
  if (Matrix.RemovedInPTX && STI.getPTXVersion() >= Matrix.RemovedInPTX)
    return "requires a PTX version below " +
           getPTXVersionName(Matrix.RemovedInPTX) +
           ", which removed .satfinite for floating-point wmma.mma, but the "
           "target is " +
           getTargetDescription(STI);
  if (std::string Error = diagnoseArgument(Matrix, N, STI); !Error.empty())
    return Error;

  if (const auto *Mem = dyn_cast<MemSDNode>(N);
      Mem && Matrix.hasPointer() &&
      !Matrix.allowsAddressSpace(Mem->getAddressSpace())) {
    std::string Allowed;
    raw_string_ostream OS(Allowed);
    ListSeparator LS(" or ");
    for (unsigned AddrSpace :
         {ADDRESS_SPACE_GENERIC, ADDRESS_SPACE_GLOBAL, ADDRESS_SPACE_SHARED,
          ADDRESS_SPACE_CONST, ADDRESS_SPACE_KERNEL_PARAM})
      if (Matrix.allowsAddressSpace(AddrSpace))
        OS << LS << AddrSpace;
    return "requires a pointer of address space " + Allowed +
           ", but got one of address space " + utostr(Mem->getAddressSpace());
  }
  return diagnoseSelectors(Matrix, N);
}

SDValue llvm::lowerMatrixIntrinsic(SDValue Op, SelectionDAG &DAG,
                                   const NVPTXSubtarget &STI) {
  SDNode *N = Op.getNode();
  bool HasChain = N->getOpcode() != ISD::INTRINSIC_WO_CHAIN;
  Intrinsic::ID ID = N->getConstantOperandVal(HasChain);
  const MatrixIntrinsic *Matrix = lookupMatrixIntrinsic(ID);
  if (!Matrix)
    return HasChain ? lowerWGMMA(Op, DAG, STI) : SDValue();
  std::string Error = diagnose(*Matrix, N, STI);
  if (Error.empty())
    return SDValue();

  reportIntrinsicError(Intrinsic::getBaseName(ID) + " " + Error, N, DAG);
  SmallVector<SDValue, 8> Results;
  for (EVT VT : N->values())
    Results.push_back(VT == MVT::Other ? N->getOperand(0) : DAG.getUNDEF(VT));
  return Results.size() == 1 ? Results[0]
                             : DAG.getMergeValues(Results, SDLoc(N));
}

bool llvm::replaceMatrixIntrinsic(SDNode *N, SmallVectorImpl<SDValue> &Results,
                                  SelectionDAG &DAG,
                                  const NVPTXSubtarget &STI) {
  SDValue Lowered = lowerMatrixIntrinsic(SDValue(N, 0), DAG, STI);
  if (!Lowered)
    return false;
  for (unsigned I = 0, E = N->getNumValues(); I != E; ++I)
    Results.push_back(Lowered.getValue(I));
  return true;
}

SDValue llvm::combineSetMaxNReg(SDNode *N,
                                TargetLowering::DAGCombinerInfo &DCI) {
  Intrinsic::ID ID = N->getConstantOperandVal(1);
  if (!isSetMaxNReg(ID) || !DCI.isBeforeLegalize() ||
      !isSupported(*lookupMatrixIntrinsic(ID),
                   DCI.DAG.getSubtarget<NVPTXSubtarget>()))
    return SDValue();
  if (shouldDropSetMaxNReg(DCI.DAG))
    return N->getOperand(0);
  warnOfSetMaxNReg(N, DCI.DAG);
  return SDValue();
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
