//===- NVPTXWGMMACalls.cpp - The calls that are wgmma's -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"

using namespace llvm;

/// How many values are looked at, at most, for a register that one is made of.
static constexpr unsigned MaxSteps = 8;

static bool isWGMMAIntrinsic(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::nvvm_wgmma_fence_sync_aligned:
  case Intrinsic::nvvm_wgmma_commit_group_sync_aligned:
  case Intrinsic::nvvm_wgmma_wait_group_sync_aligned:
  case Intrinsic::nvvm_wgmma_fence_operand:
    return true;
  default:
    return nvvm::getWGMMAVariant(ID);
  }
}

bool NVPTX::isWGMMAOrAsm(const CallBase &Call) {
  return Call.isInlineAsm() || isWGMMAIntrinsic(Call.getIntrinsicID());
}

bool NVPTX::usesWGMMA(const Function &F) {
  return any_of(instructions(F), isWGMMA);
}

bool NVPTX::reachesWGMMA(const Function &F) {
  return F.hasFnAttribute(ReachesWGMMA);
}

/// Whether \p I is an intrinsic that \p Is tells of, or inline assembly with
/// \p Text in it.
static bool isIntrinsicOrAsm(const Instruction &I,
                             function_ref<bool(Intrinsic::ID)> Is,
                             StringRef Text) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return false;
  if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
    return Asm->getAsmString().contains(Text);
  return Is(Call->getIntrinsicID());
}

bool NVPTX::isWGMMA(const Instruction &I) {
  return isIntrinsicOrAsm(
      I, [](Intrinsic::ID ID) { return nvvm::getWGMMAVariant(ID) != nullptr; },
      "wgmma.mma_async");
}

bool NVPTX::passesOn(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return isa<PHINode, ExtractElementInst, InsertElementInst, ExtractValueInst,
             InsertValueInst, ShuffleVectorInst, BitCastInst>(I) ||
         (Call &&
          Call->getIntrinsicID() == Intrinsic::nvvm_wgmma_fence_operand);
}

bool NVPTX::isWGMMAWait(const Instruction &I) {
  auto IsWait = [](Intrinsic::ID ID) {
    return ID == Intrinsic::nvvm_wgmma_wait_group_sync_aligned;
  };
  return isIntrinsicOrAsm(I, IsWait, "wgmma.wait_group");
}

bool NVPTX::isWGMMAWaitForAll(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call ||
      Call->getIntrinsicID() != Intrinsic::nvvm_wgmma_wait_group_sync_aligned)
    return false;
  const auto *Pending = dyn_cast<ConstantInt>(Call->getArgOperand(0));
  return Pending && Pending->isZero();
}

bool NVPTX::isWGMMAStep(const Instruction &I) {
  // wgmma.fence_operand is no instruction.
  auto IsStep = [](Intrinsic::ID ID) {
    return isWGMMAIntrinsic(ID) && ID != Intrinsic::nvvm_wgmma_fence_operand;
  };
  return isIntrinsicOrAsm(I, IsStep, "wgmma.");
}

/// Whether \p Pointer may point to a local variable: of its function, or of one
/// that calls it, which may have captured its address in another one.
static bool mayPointToLocal(const Value *Pointer) {
  for (unsigned Step = 0; Step != MaxSteps; ++Step) {
    const Value *Object = getUnderlyingObject(Pointer);
    if (isa<AllocaInst>(Object))
      return true;
    if (const auto *Parameter = dyn_cast<Argument>(Object))
      return Parameter->getParent()->getCallingConv() !=
             CallingConv::PTX_Kernel;
    const auto *Load = dyn_cast<LoadInst>(Object);
    if (!Load)
      return false;
    Pointer = Load->getPointerOperand();
  }
  return false;
}

/// Whether \p Call gets the address of what may be a local variable.
static bool takesLocalVariable(const CallBase &Call) {
  return any_of(Call.args(), [](const Value *Argument) {
    return Argument->getType()->isPointerTy() && mayPointToLocal(Argument);
  });
}

bool NVPTX::shouldInlineForWGMMA(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration())
    return false;
  return usesWGMMA(*Callee) ||
         (reachesWGMMA(*Call.getCaller()) && takesLocalVariable(Call));
}

bool NVPTX::isWGMMARegister(const Value *V) {
  if (isa<ExtractElementInst, ExtractValueInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  const auto *Call = dyn_cast<CallBase>(V);
  return Call && isWGMMAOrAsm(*Call);
}

bool NVPTX::isAccumulatorRegister(const Value *V) {
  if (!isWGMMARegister(V))
    return false;
  if (isa<ExtractElementInst, ExtractValueInst>(V))
    V = cast<Instruction>(V)->getOperand(0);
  const auto *Asm = dyn_cast<InlineAsm>(cast<CallBase>(V)->getCalledOperand());
  return !Asm || StringRef(Asm->getAsmString()).trim().empty() ||
         Asm->getAsmString().contains("wgmma.");
}

bool NVPTX::isPartOfAccumulator(const Value *V) {
  SmallVector<const Value *, 8> Worklist = {V};
  for (unsigned Step = 0; Step != MaxSteps && !Worklist.empty(); ++Step) {
    V = Worklist.pop_back_val();
    if (isAccumulatorRegister(V))
      return true;
    if (const auto *Phi = dyn_cast<PHINode>(V))
      append_range(Worklist, Phi->incoming_values());
    else if (isa<CastInst, BinaryOperator, ExtractElementInst,
                 ExtractValueInst>(V))
      Worklist.push_back(cast<Instruction>(V)->getOperand(0));
  }
  return false;
}

bool NVPTX::anyUserAsItIs(const Value &V, function_ref<bool(const Use &)> Is) {
  SmallVector<const Value *, 8> Worklist = {&V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty())
    for (const Use &U : Worklist.pop_back_val()->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      if (Is(U))
        return true;
      if (passesOn(*I) && Seen.insert(I).second)
        Worklist.push_back(I);
    }
  return false;
}

bool NVPTX::isWGMMARegisterOperand(const Use &U) {
  return isWGMMA(*cast<Instruction>(U.getUser())) &&
         !U->getType()->isIntegerTy(64) && !U->getType()->isIntegerTy(1);
}

bool NVPTX::becomesWGMMARegister(const Value &V) {
  return anyUserAsItIs(V, isWGMMARegisterOperand);
}

/// Whether \p I has elements of an operand, or of one of them: a selection has,
/// and what ties an accumulator to inline assembly.
static bool mayPassOn(const Instruction &I) {
  return NVPTX::passesOn(I) || isa<SelectInst, FreezeInst>(I) ||
         (isa<CallBase>(I) && NVPTX::isAccumulatorRegister(&I));
}

const Instruction *NVPTX::getProduct(const Value *V) {
  // How many values are looked through.
  constexpr unsigned MaxSeen = 256;
  SmallVector<const Value *, 8> Worklist = {V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty() && Seen.size() != MaxSeen) {
    const auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (isWGMMA(*I))
      return I;
    if (mayPassOn(*I))
      append_range(Worklist, I->operand_values());
  }
  return nullptr;
}

SmallVector<unsigned, 3> NVPTX::getBlockSizes(const Function &F,
                                              StringRef Attribute) {
  SmallVector<unsigned, 3> Sizes;
  for (StringRef Text :
       split(F.getFnAttribute(Attribute).getValueAsString(), ","))
    if (unsigned Size; !Text.trim().getAsInteger(10, Size))
      Sizes.push_back(Size);
  return Sizes;
}
