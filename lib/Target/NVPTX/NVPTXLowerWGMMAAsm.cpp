//===- NVPTXLowerWGMMAAsm.cpp - Steps of wgmma in inline assembly ---------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline assembly that consists of steps of wgmma's protocol, and has nothing
// else in it, becomes these steps: what the passes after this one do with
// steps, they do with these, too.
//
// Programs tie the results of wgmma to such a step, so that nothing reads them
// before it, as front ends do that know no other way:
//
//   { %r0, %r1 } = asm "wgmma.wait_group.sync.aligned 0;" "=f,=f,0,1"(%d0, %d1)
//
// Its text touches no register, but selection would: it copies what goes in,
// before the wait, where %d0 and %d1 are in flight. So a result becomes the
// value that went in, and fence_operand keeps it in its place:
//
//   wait_group(0)
//   %r0 = fence_operand(%d0)
//   %r1 = fence_operand(%d1)
//
// That place is after the last wait; or, where there is none, before the first
// fence, by which the value has to be there. To a commit it makes no
// difference: the value stays as it is. So does one that fits no register of an
// accumulator.
//
// Inline assembly with other text stays, and so does a step with a predicate or
// with a result that no input is tied to: what that is, the text does not say.
//
// One that has no text, in a function with wgmma, is what CUTLASS and others
// have for fence_operand, and becomes that if its results have 32 bits, and
// inputs that they are tied to:
//
//   %r = asm "", "=f,0,~{memory}"(%d)
//
// A clobber of memory stays, in inline assembly without operands.
//
// Runs before all passes that look for steps or results of wgmma, with and
// without optimization; and, where it is optimized, in each function once what
// it calls is inlined, so that InstCombine sees the zeros that an accumulator
// starts from (NVPTXCombineWGMMA).
//
//===----------------------------------------------------------------------===//

#include "NVPTXLowerWGMMAAsm.h"
#include "NVPTX.h"
#include "NVPTXWGMMAInFlight.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Support/Debug.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-lower-wgmma-asm"

STATISTIC(NumLowered, "Number of inline assembly calls lowered to steps");

namespace {
class NVPTXLowerWGMMAAsm : public FunctionPass {
public:
  static char ID;

  NVPTXLowerWGMMAAsm() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Lower WGMMA Asm"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }

  bool runOnFunction(Function &F) override;
};

/// A call of inline assembly, and what its operands are.
class AsmCall {
public:
  AsmCall(const CallInst &Call, const InlineAsm &Asm);

  WGMMAAsmText parse() const;
  /// The inputs that the results are tied to, in the order of the results; none
  /// if one is tied to no input.
  std::optional<SmallVector<Value *, 0>> getTiedInputs() const;
  bool clobbersMemory() const;

private:
  const CallInst &Call;
  const InlineAsm &Asm;
  const InlineAsm::ConstraintInfoVector Constraints;
  /// The arguments, by the numbers that operands have in the text: null for
  /// what is none.
  SmallVector<Value *, 0> Arguments;
};
} // namespace

char NVPTXLowerWGMMAAsm::ID = 0;

INITIALIZE_PASS(NVPTXLowerWGMMAAsm, DEBUG_TYPE, "NVPTX Lower WGMMA Asm", false,
                false)

//===----------------------------------------------------------------------===//
// What goes in and what comes out
//===----------------------------------------------------------------------===//

AsmCall::AsmCall(const CallInst &Call, const InlineAsm &Asm)
    : Call(Call), Asm(Asm), Constraints(Asm.ParseConstraints()) {
  unsigned Next = 0;
  for (const InlineAsm::ConstraintInfo &Constraint : Constraints)
    Arguments.push_back(Constraint.hasArg() ? Call.getArgOperand(Next++)
                                            : nullptr);
}

/// Whether the text gets the constant itself, in no register.
static bool isImmediate(const InlineAsm::ConstraintInfo &Constraint) {
  return Constraint.Type == InlineAsm::isInput && !Constraint.Codes.empty() &&
         all_of(Constraint.Codes,
                [](StringRef Code) { return Code == "n" || Code == "i"; });
}

WGMMAAsmText AsmCall::parse() const {
  auto GetConstant = [this](unsigned Number) -> std::optional<int64_t> {
    if (Number >= Constraints.size() || !isImmediate(Constraints[Number]))
      return std::nullopt;
    const auto *Int = dyn_cast<ConstantInt>(Arguments[Number]);
    return Int ? Int->getValue().trySExtValue() : std::nullopt;
  };
  return parseWGMMAAsm(Asm.getAsmString(), GetConstant);
}

std::optional<SmallVector<Value *, 0>> AsmCall::getTiedInputs() const {
  SmallVector<Value *, 0> Inputs;
  for (const InlineAsm::ConstraintInfo &Constraint : Constraints) {
    if (Constraint.Type != InlineAsm::isOutput || Constraint.isIndirect)
      continue;
    if (!Constraint.hasMatchingInput())
      return std::nullopt;
    Inputs.push_back(Arguments[Constraint.MatchingInput]);
  }
  for (auto [Index, Input] : enumerate(Inputs)) {
    Type *Ty = Call.getType();
    if (Inputs.size() != 1)
      Ty = Ty->getStructElementType(Index);
    if (Input->getType() != Ty)
      return std::nullopt;
  }
  return Inputs;
}

bool AsmCall::clobbersMemory() const {
  return any_of(Constraints, [](const InlineAsm::ConstraintInfo &Constraint) {
    return Constraint.Type == InlineAsm::isClobber &&
           is_contained(Constraint.Codes, "{memory}");
  });
}

/// The results of \p Call that are used.
static BitVector findUsed(const CallInst &Call, unsigned NumResults) {
  BitVector Used(NumResults);
  for (const User *U : Call.users()) {
    if (const auto *Extract = dyn_cast<ExtractValueInst>(U))
      Used.set(Extract->getIndices().front());
    else
      Used.set();
  }
  return Used;
}

static void replaceResults(CallInst &Call, ArrayRef<Value *> Results) {
  if (Results.size() == 1) {
    Call.replaceAllUsesWith(Results.front());
    return;
  }
  for (User *U : make_early_inc_range(Call.users()))
    if (auto *Extract = dyn_cast<ExtractValueInst>(U)) {
      Extract->replaceAllUsesWith(Results[Extract->getIndices().front()]);
      Extract->eraseFromParent();
    }
  if (Call.use_empty())
    return;
  IRBuilder<> Builder(&Call);
  Value *All = PoisonValue::get(Call.getType());
  for (unsigned I = 0; I != Results.size(); ++I)
    All = Builder.CreateInsertValue(All, Results[I], I);
  Call.replaceAllUsesWith(All);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static void buildStep(WGMMAEvent Step, IRBuilder<> &Builder) {
  Intrinsic::ID ID;
  SmallVector<Value *, 1> Args;
  switch (Step.Kind) {
  case WGMMAEvent::Fence:
    ID = Intrinsic::nvvm_wgmma_fence_sync_aligned;
    break;
  case WGMMAEvent::Commit:
    ID = Intrinsic::nvvm_wgmma_commit_group_sync_aligned;
    break;
  case WGMMAEvent::Wait:
    ID = Intrinsic::nvvm_wgmma_wait_group_sync_aligned;
    Args.push_back(Builder.getInt64(Step.Pending));
    break;
  case WGMMAEvent::Call:
    llvm_unreachable("inline assembly is no call");
  }
  Module *M = Builder.GetInsertBlock()->getModule();
  Builder.CreateCall(Intrinsic::getOrInsertDeclaration(M, ID), Args);
}

/// Whether \p V fits a register of an accumulator.
static bool fitsRegister(const Value *V) {
  return V->getType()->getPrimitiveSizeInBits() == TypeSize::getFixed(32);
}

/// \p V, as it is when the code gets here, if it fits a register of an
/// accumulator.
static Value *buildFenceOperand(Value *V, IRBuilder<> &Builder) {
  Type *Ty = V->getType();
  if (!fitsRegister(V))
    return V;
  Type *RegisterTy = Ty->isFloatTy() ? Ty : Builder.getInt32Ty();
  Module *M = Builder.GetInsertBlock()->getModule();
  Function *Fence = Intrinsic::getOrInsertDeclaration(
      M, Intrinsic::nvvm_wgmma_fence_operand, {RegisterTy});
  Value *Register = Builder.CreateBitCast(V, RegisterTy);
  return Builder.CreateBitCast(Builder.CreateCall(Fence, Register), Ty);
}

/// Before which of \p Steps values have to be in their place, or after all of
/// them: after the last wait, or before the first fence.
static std::optional<size_t> findPlace(ArrayRef<WGMMAEvent> Steps) {
  auto IsKind = [](WGMMAEvent::KindTy Kind) {
    return [Kind](WGMMAEvent Step) { return Step.Kind == Kind; };
  };
  auto Wait = find_if(reverse(Steps), IsKind(WGMMAEvent::Wait));
  if (Wait != Steps.rend())
    return Wait.base() - Steps.begin();
  const auto *Fence = find_if(Steps, IsKind(WGMMAEvent::Fence));
  if (Fence != Steps.end())
    return Fence - Steps.begin();
  return std::nullopt;
}

/// Lowers \p Call, which has no text, if it is a fence for its operands.
static bool lowerFenceOfOperands(CallInst &Call, const AsmCall &TheCall) {
  std::optional<SmallVector<Value *, 0>> Results = TheCall.getTiedInputs();
  if (!Results || Results->empty() || !all_of(*Results, fitsRegister) ||
      Results->size() != Call.arg_size())
    return false;
  LLVM_DEBUG(dbgs() << "Lowering to fence_operand: " << Call << '\n');
  IRBuilder<> Builder(&Call);
  BitVector Used = findUsed(Call, Results->size());
  for (unsigned Index : Used.set_bits())
    (*Results)[Index] = buildFenceOperand((*Results)[Index], Builder);
  if (TheCall.clobbersMemory())
    Builder.CreateCall(InlineAsm::get(FunctionType::get(Builder.getVoidTy(),
                                                        /*isVarArg=*/false),
                                      "", "~{memory}",
                                      /*hasSideEffects=*/true));
  replaceResults(Call, *Results);
  Call.eraseFromParent();
  return true;
}

/// Lowers \p Call, which consists of the steps of \p Text, unless a result is
/// tied to no input.
static bool lowerSteps(CallInst &Call, const AsmCall &TheCall,
                       const WGMMAAsmText &Text) {
  std::optional<SmallVector<Value *, 0>> Results = TheCall.getTiedInputs();
  if (!Results)
    return false;
  LLVM_DEBUG(dbgs() << "Lowering: " << Call << '\n');

  IRBuilder<> Builder(&Call);
  BitVector Used = findUsed(Call, Results->size());
  std::optional<size_t> Place = findPlace(Text.Steps);
  for (size_t I = 0, E = Text.Steps.size(); I <= E; ++I) {
    if (Place == I)
      for (unsigned Index : Used.set_bits())
        (*Results)[Index] = buildFenceOperand((*Results)[Index], Builder);
    if (I != E)
      buildStep(Text.Steps[I], Builder);
  }
  replaceResults(Call, *Results);
  Call.eraseFromParent();
  return true;
}

/// Lowers \p Call, if it is inline assembly that has nothing but steps or,
/// where
/// \p HasWGMMA, nothing at all.
static bool lower(CallInst &Call, bool HasWGMMA) {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  StringRef Code = Asm->getAsmString();
  if (!Code.contains("wgmma.") && !(HasWGMMA && Code.trim().empty()))
    return false;
  AsmCall TheCall(Call, *Asm);
  WGMMAAsmText Text = TheCall.parse();
  if (Text.HasOthers)
    return false;
  return Text.Steps.empty() ? lowerFenceOfOperands(Call, TheCall)
                            : lowerSteps(Call, TheCall, Text);
}

static bool lower(Function &F) {
  SmallVector<CallInst *, 16> Calls;
  bool HasWGMMA = false;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I)) {
      HasWGMMA |= nvvm::getWGMMAVariant(Call->getIntrinsicID()) != nullptr;
      if (Call->isInlineAsm())
        Calls.push_back(Call);
    }
  unsigned Count = count_if(
      Calls, [HasWGMMA](CallInst *Call) { return lower(*Call, HasWGMMA); });
  NumLowered += Count;
  return Count != 0;
}

bool NVPTXLowerWGMMAAsm::runOnFunction(Function &F) { return lower(F); }

PreservedAnalyses NVPTXLowerWGMMAAsmPass::run(Function &F,
                                              FunctionAnalysisManager &) {
  if (!lower(F))
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

FunctionPass *llvm::createNVPTXLowerWGMMAAsmPass() {
  return new NVPTXLowerWGMMAAsm();
}
