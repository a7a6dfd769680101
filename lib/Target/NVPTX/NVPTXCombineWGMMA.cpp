//===- NVPTXCombineWGMMA.cpp - What wgmma starts from ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that add their products up outside of the tensor cores, as for FP8,
// begin each of them with an accumulator of zeros:
//
//   %zero = call <32 x float> @llvm.nvvm.wgmma.fence_operand(zeroinitializer)
//   %d = call <32 x float> @llvm.nvvm.wgmma.mma_async...(%zero, ..., i1 true)
//
// Registers of wgmma are written such that ptxas knows nothing of the value
// (NVPTXHideWGMMAMoves), one instruction for each in every round. Of zeros that
// it sees, ptxas makes what it makes of a wgmma that overwrites: the hardware
// then adds to its register that is always zero. So the wgmma overwrites, and
// starts from nothing.
//
// Nor does a wgmma need what it overwrites by a constant scale-d. As long as it
// does, it has to stay in the registers of what was there before, which may
// have been read: then ptxas must see other registers, and the last result
// would be copied to them (NVPTXSeparateWGMMAResults), to be overwritten.
//
//===----------------------------------------------------------------------===//

#include "NVPTXCombineWGMMA.h"
#include "NVPTXTieWGMMAResults.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/Transforms/InstCombine/InstCombiner.h"

using namespace llvm;

/// A constant that has a value.
static Constant *getConstant(Value *V) {
  return isa<UndefValue>(V) ? nullptr : dyn_cast<Constant>(V);
}

/// Whether \p V may be a fragment of A, or the metadata, or a part of them.
static bool mayBeInput(const Value *V) {
  // Constants do not know who uses them.
  return !isa<Constant>(V) && any_of(V->users(), [V](const User *U) {
    if (isa<InsertElementInst>(U))
      return true;
    const auto *Call = dyn_cast<CallBase>(U);
    return Call && nvvm::getWGMMAVariant(Call->getIntrinsicID()) &&
           Call->getArgOperand(nvvm::WGMMAVariant::getAccumulatorIdx()) != V;
  });
}

/// Nobody can move the computation of a constant to where it does harm; and a
/// result that nobody asks for any more, since it was overwritten, has no
/// place. A fragment of A has one: the fence keeps it until there.
static std::optional<Instruction *> combineFenceOperand(InstCombiner &IC,
                                                        IntrinsicInst &II) {
  if (II.use_empty() && !mayBeInput(II.getArgOperand(0)))
    return IC.eraseInstFromFunction(II);
  Constant *Operand = getConstant(II.getArgOperand(0));
  if (!Operand)
    return std::nullopt;
  IC.replaceInstUsesWith(II, Operand);
  return IC.eraseInstFromFunction(II);
}

static std::optional<Instruction *>
combineStart(InstCombiner &IC, IntrinsicInst &II,
             const nvvm::WGMMAVariant &Variant) {
  constexpr unsigned StartIdx = nvvm::WGMMAVariant::getAccumulatorIdx();
  const unsigned ScaleDIdx = Variant.getScaleDIdx();
  Value *Start = II.getArgOperand(StartIdx);
  const auto *Adds = dyn_cast<ConstantInt>(II.getArgOperand(ScaleDIdx));
  if (!Adds || isa<UndefValue>(Start))
    return std::nullopt;
  const Constant *Number = getConstant(Start);
  if (Adds->isOne() && !(Number && Number->isNullValue()))
    return std::nullopt;
  IC.replaceOperand(II, StartIdx, PoisonValue::get(Start->getType()));
  return IC.replaceOperand(II, ScaleDIdx,
                           ConstantInt::getFalse(II.getContext()));
}

std::optional<Instruction *> NVPTX::combineWGMMA(InstCombiner &IC,
                                                 IntrinsicInst &II) {
  if (II.getIntrinsicID() == Intrinsic::nvvm_wgmma_fence_operand)
    return combineFenceOperand(IC, II);
  if (II.getIntrinsicID() == Intrinsic::nvvm_wgmma_wait_group_sync_aligned)
    return tieWGMMAResults(IC, II) ? std::optional<Instruction *>(&II)
                                   : std::nullopt;
  const nvvm::WGMMAVariant *Variant =
      nvvm::getWGMMAVariant(II.getIntrinsicID());
  if (!Variant)
    return std::nullopt;
  return combineStart(IC, II, *Variant);
}
