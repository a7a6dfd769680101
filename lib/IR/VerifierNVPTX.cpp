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

#include "VerifierNVPTX.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"

using namespace llvm;

/// The value of an immediate argument, or nothing where it is not constant.
static std::optional<int64_t> getImmediate(const CallBase &Call, unsigned Idx) {
  const auto *Imm = dyn_cast<ConstantInt>(Call.getArgOperand(Idx));
  if (!Imm)
    return std::nullopt;
  return Imm->getBitWidth() == 1 ? Imm->getZExtValue()
                                 : Imm->getValue().trySExtValue();
}

/// Empty for a valid number of pending groups, and for one that is not
/// constant, which all immediates are checked for.
static std::string diagnoseWaitGroup(const CallBase &Call) {
  std::optional<int64_t> Pending = getImmediate(Call, 0);
  if (!Pending || *Pending >= 0)
    return {};
  return (Intrinsic::getBaseName(Call.getIntrinsicID()) +
          ": number of pending groups must not be negative, got " +
          Twine(*Pending))
      .str();
}

bool llvm::verifyNVPTXIntrinsicCall(
    Intrinsic::ID ID, const CallBase &Call,
    function_ref<void(const Twine &)> CheckFailed) {
  auto Report = [&](const std::string &Error) {
    if (!Error.empty())
      CheckFailed(Error);
    return Error.empty();
  };
  switch (ID) {
  case Intrinsic::nvvm_wgmma_fence_operand:
    return Report(nvvm::diagnoseWGMMAFenceOperand(*Call.getType()));
  case Intrinsic::nvvm_wgmma_wait_group_sync_aligned:
    return Report(diagnoseWaitGroup(Call));
  default:
    const nvvm::WGMMAVariant *Variant = nvvm::getWGMMAVariant(ID);
    // A declaration of another form is left to the check of its signature.
    if (!Variant || Call.arg_size() != Variant->getNumArgs())
      return true;
    return Report(Variant->diagnose(*Call.getType(), [&](unsigned Idx) {
      return getImmediate(Call, Idx);
    }));
  }
}
