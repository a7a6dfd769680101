
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

#include "NVPTXIntrinsicTargets.h"
#include "NVPTXIntrinsicErrors.h"
#include "NVPTXSubtarget.h"
#include "NVPTXWGMMASelection.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMBlockScale.h"
#include <map>

using namespace llvm;
using namespace NVPTXAS;

namespace llvm {
#define GET_TargetedIntrinsicTable_IMPL
#include "NVPTXGenSearchableTables.inc"
} // namespace llvm

namespace {
/// An architecture, and the PTX version from which on it has an instruction, it
/// alone (as sm_100a), or later ones of its family (as sm_100f), or all later
/// ones (as sm_100), too.
struct IntrinsicTarget {
  IntrinsicTargetKind Kind;
  uint16_t SM;
  char Suffix;
  uint8_t PTX;
};

#define GET_IntrinsicTargetTable_DECL
#define GET_IntrinsicTargetTable_IMPL
#include "NVPTXGenSearchableTables.inc"
} // namespace

static bool isSupported(IntrinsicTargetKind Kind, const NVPTXSubtarget &STI) {
  return any_of(lookupIntrinsicTargets(Kind),
                [&](const IntrinsicTarget &Target) {
                  if (Target.Suffix == 'f')
                    return STI.hasPTXWithFamilySMs(Target.PTX, {Target.SM});
                  if (Target.Suffix == 'a')
                    return STI.hasPTXWithAccelSMs(Target.PTX, {Target.SM});
                  return STI.getPTXVersion() >= Target.PTX &&
                         STI.getSmVersion() >= Target.SM;
                });
}

bool TargetedIntrinsic::isSupported(const NVPTXSubtarget &STI) const {
  if (STI.getPTXVersion() < MinPTX)
    return false;
  return Kind == AnyTarget ? STI.getSmVersion() >= MinSM
                           : ::isSupported(Kind, STI);
}

/// "sm_100a or sm_120a and PTX 8.6, or sm_100f and PTX 8.8", where an
/// architecture with "f" stands for its family.
static std::string getNeededTarget(IntrinsicTargetKind Kind, unsigned MinPTX) {
  // By PTX version, and by suffix in each.
  std::map<std::pair<unsigned, char>, SmallVector<std::string, 4>> Groups;
  for (const IntrinsicTarget &Target : lookupIntrinsicTargets(Kind))
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

static std::string getNeededTarget(const TargetedIntrinsic &Targeted) {
  if (Targeted.Kind == AnyTarget)
    return ("sm_" + Twine(unsigned(Targeted.MinSM)) + " and PTX " +
            getPTXVersionName(Targeted.MinPTX))
        .str();
  return getNeededTarget(Targeted.Kind, Targeted.MinPTX);
}

/// What the value of an argument asks for and \p STI lacks, or nothing.
static std::string diagnoseArgument(const TargetedIntrinsic &Targeted,
                                    const SDNode *N,
                                    const NVPTXSubtarget &STI) {
  if (!Targeted.ArgumentValue)
    return {};
  // After the chain and the intrinsic's number.
  uint64_t Value = N->getConstantOperandVal(2 + Targeted.Argument);
  if (Value < Targeted.ArgumentValue || isSupported(Targeted.ArgumentKind, STI))
    return {};
  return ("with " + Twine(Value) + " as argument " +
          Twine(Targeted.Argument + 1) + " requires " +
          getNeededTarget(Targeted.ArgumentKind, Targeted.MinPTX) +
          ", but the target is " + getTargetDescription(STI))
      .str();
}

/// Empty when the scales that a block-scaled mma chooses are there, or not
/// known to be missing: ptxas refuses the constants, too.
static std::string diagnoseSelectors(const TargetedIntrinsic &Targeted,
                                     const SDNode *N) {
  for (const auto &Selector : nvvm::getBlockScaleSelectors(Targeted.ScaleVec)) {
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
static std::string diagnose(const TargetedIntrinsic &Targeted, const SDNode *N,
                            const NVPTXSubtarget &STI) {
  if (!Targeted.isSupported(STI))
    return "requires " + getNeededTarget(Targeted) + ", but the target is " +
           getTargetDescription(STI);
  if (Targeted.RemovedInPTX && STI.getPTXVersion() >= Targeted.RemovedInPTX)
    return "requires a PTX version below " +
           getPTXVersionName(Targeted.RemovedInPTX) +
           ", which removed .satfinite for floating-point wmma.mma, but the "
           "target is " +
           getTargetDescription(STI);
  if (std::string Error = diagnoseArgument(Targeted, N, STI); !Error.empty())
    return Error;

  if (const auto *Mem = dyn_cast<MemSDNode>(N);
      Mem && Targeted.hasPointer() &&
      !Targeted.allowsAddressSpace(Mem->getAddressSpace())) {
    std::string Allowed;
    raw_string_ostream OS(Allowed);
    ListSeparator LS(" or ");
    for (unsigned AddrSpace :
         {ADDRESS_SPACE_GENERIC, ADDRESS_SPACE_GLOBAL, ADDRESS_SPACE_SHARED,
          ADDRESS_SPACE_CONST, ADDRESS_SPACE_KERNEL_PARAM})
      if (Targeted.allowsAddressSpace(AddrSpace))
        OS << LS << AddrSpace;
    return "requires a pointer of address space " + Allowed +
           ", but got one of address space " + utostr(Mem->getAddressSpace());
  }
  return diagnoseSelectors(Targeted, N);
}

SDValue llvm::lowerTargetedIntrinsic(SDValue Op, SelectionDAG &DAG,
                                     const NVPTXSubtarget &STI) {
  SDNode *N = Op.getNode();
  bool HasChain = N->getOpcode() != ISD::INTRINSIC_WO_CHAIN;
  Intrinsic::ID ID = N->getConstantOperandVal(HasChain);
  const TargetedIntrinsic *Targeted = lookupTargetedIntrinsic(ID);
  if (!Targeted)
    return HasChain ? lowerWGMMA(Op, DAG, STI) : SDValue();
  std::string Error = diagnose(*Targeted, N, STI);
  if (Error.empty())
    return SDValue();

  reportIntrinsicError(Intrinsic::getBaseName(ID) + " " + Error, N, DAG);
  SmallVector<SDValue, 8> Results;
  for (EVT VT : N->values())
    Results.push_back(VT == MVT::Other ? N->getOperand(0) : DAG.getUNDEF(VT));
  return Results.size() == 1 ? Results[0]
                             : DAG.getMergeValues(Results, SDLoc(N));
}

bool llvm::replaceTargetedIntrinsic(SDNode *N,
                                    SmallVectorImpl<SDValue> &Results,
                                    SelectionDAG &DAG,
                                    const NVPTXSubtarget &STI) {
  SDValue Lowered = lowerTargetedIntrinsic(SDValue(N, 0), DAG, STI);
  if (!Lowered)
    return false;
  for (unsigned I = 0, E = N->getNumValues(); I != E; ++I)
    Results.push_back(Lowered.getValue(I));
  return true;
}

Value *llvm::rewriteTargetedIntrinsic(IntrinsicInst *II, Value *Pointer) {
  Intrinsic::ID ID = II->getIntrinsicID();
  const TargetedIntrinsic *Targeted = lookupTargetedIntrinsic(ID);
  if (!Targeted || !Targeted->hasPointer() ||
      !Targeted->allowsAddressSpace(
          Pointer->getType()->getPointerAddressSpace()))
    return nullptr;
  II->setArgOperand(0, Pointer);
  II->setCalledFunction(Intrinsic::getOrInsertDeclaration(
      II->getModule(), ID, {Pointer->getType()}));
  return II;
}
