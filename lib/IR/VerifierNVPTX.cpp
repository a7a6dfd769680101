//===- VerifierNVPTX.cpp - NVPTX-specific IR verification -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the IR verifier that is about NVPTX intrinsics. As with that of
// AMDGPU, it is always compiled and linked: whether a target has what an
// intrinsic stands for is no matter of the verifier's.
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/VerifierNVPTX.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// The value of an immediate argument, or nothing where it is not constant.
static std::optional<int64_t> getImmediate(const CallBase &Call, unsigned Idx) {
  const auto *Imm = dyn_cast<ConstantInt>(Call.getArgOperand(Idx));
  if (!Imm)
    return std::nullopt;
  return Imm->getBitWidth() == 1 ? Imm->getZExtValue()
                                 : Imm->getValue().trySExtValue();
}

static std::string diagnoseWaitGroup(const CallBase &Call) {
  std::optional<int64_t> Pending = getImmediate(Call, 0);
  if (!Pending || *Pending >= 0)
    return {};
  return ("number of pending groups must not be negative, got " +
          Twine(*Pending))
      .str();
}

/// The type that \p ID has where the call is of type \p FTy, or null where that
/// is left to the check of the declaration.
static FunctionType *getNeededType(Intrinsic::ID ID, FunctionType &FTy) {
  if (!Intrinsic::isOverloaded(ID))
    return Intrinsic::getType(FTy.getContext(), ID);
  // The others are overloaded on what they yield alone.
  Type *RetTy = FTy.getReturnType();
  bool IsWGMMA =
      ID == Intrinsic::nvvm_wgmma_fence_operand || nvvm::getWGMMAVariant(ID);
  if (!IsWGMMA || RetTy->isVoidTy())
    return nullptr;
  return Intrinsic::getType(FTy.getContext(), ID, {RetTy});
}

static std::string diagnoseType(Intrinsic::ID ID, FunctionType &FTy) {
  const FunctionType *Needed = getNeededType(ID, FTy);
  if (!Needed || Needed == &FTy)
    return {};
  std::string Error;
  raw_string_ostream(Error)
      << "must be called as " << *Needed << ", got " << FTy;
  return Error;
}

static std::string diagnoseImmediates(const CallBase &Call) {
  for (unsigned Idx = 0, E = Call.arg_size(); Idx != E; ++Idx)
    if (Call.paramHasAttr(Idx, Attribute::ImmArg) &&
        !isa<ConstantInt, ConstantFP>(Call.getArgOperand(Idx)))
      return ("argument " + Twine(Idx + 1) +
              " must be a constant, got a value that is not constant")
          .str();
  return {};
}

/// What is wrong with the values of a call whose type is right.
static std::string diagnoseValues(Intrinsic::ID ID, const CallBase &Call) {
  std::string Error;
  if (ID == Intrinsic::nvvm_wgmma_fence_operand)
    Error = nvvm::diagnoseWGMMAFenceOperand(*Call.getType());
  else if (ID == Intrinsic::nvvm_wgmma_wait_group_sync_aligned)
    Error = diagnoseWaitGroup(Call);
  else if (const nvvm::WGMMAVariant *Variant = nvvm::getWGMMAVariant(ID))
    Error = Variant->diagnose(
        *Call.getType(), [&](unsigned Idx) { return getImmediate(Call, Idx); });
  return Error.empty() ? diagnoseImmediates(Call) : Error;
}

std::string llvm::diagnoseNVPTXIntrinsicCall(const CallBase &Call) {
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!Callee || !Callee->getName().starts_with("llvm.nvvm."))
    return {};
  Intrinsic::ID ID = Callee->getIntrinsicID();
  if (!ID)
    return (Callee->getName() + ": there is no such intrinsic").str();

  std::string Error = diagnoseType(ID, *Call.getFunctionType());
  if (Error.empty())
    Error = diagnoseValues(ID, Call);
  return Error.empty() ? Error
                       : (Intrinsic::getBaseName(ID) + ": " + Error).str();
}
