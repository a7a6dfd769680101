//===- NVPTXIntrinsicBuiltins.cpp - Emission of builtins ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's own way of emitting builtins that LLVM maps to intrinsics knows
// neither overloads nor that one argument may stand for many: to the builtin a
// fragment is one vector, to the intrinsic as many registers. Pointers may be
// of other address spaces than the intrinsic's.
//
//===----------------------------------------------------------------------===//

#include "TargetBuiltins/NVPTXIntrinsicBuiltins.h"
#include "CodeGenFunction.h"
#include "CodeGenModule.h"
#include "clang/Basic/NVPTXIntrinsicBuiltins.h"
#include "llvm/Analysis/VectorUtils.h"

using namespace clang;
using namespace CodeGen;

/// Appends to \p Args the registers of \p Value, of which the first is the next
/// parameter of \p FTy.
static void appendRegisters(CodeGenFunction &CGF, llvm::Value *Value,
                            const llvm::FunctionType &FTy,
                            SmallVectorImpl<llvm::Value *> &Args) {
  llvm::Type *ParamTy = FTy.getParamType(Args.size());
  auto *VecTy = dyn_cast<llvm::FixedVectorType>(Value->getType());
  if (!VecTy || VecTy == ParamTy) {
    if (Value->getType()->isIntegerTy() && ParamTy->isPointerTy())
      // An address in tensor memory.
      Value = CGF.Builder.CreateIntToPtr(Value, ParamTy);
    else if (ParamTy->isPointerTy() && Value->getType() != ParamTy)
      Value = CGF.Builder.CreateAddrSpaceCast(Value, ParamTy);
    else
      // LLVM 23 has one register of tcgen05.st as a vector of one.
      Value = CGF.Builder.CreateBitCast(Value, ParamTy);
    Args.push_back(Value);
    return;
  }
  for (unsigned I = 0, E = VecTy->getNumElements(); I != E;) {
    llvm::Type *RegisterTy = FTy.getParamType(Args.size());
    if (auto *PartTy = dyn_cast<llvm::FixedVectorType>(RegisterTy)) {
      unsigned Size = PartTy->getNumElements();
      Args.push_back(CGF.Builder.CreateShuffleVector(
          Value, llvm::createSequentialMask(I, Size, /*NumUndefs=*/0)));
      I += Size;
    } else {
      Args.push_back(CGF.Builder.CreateExtractElement(Value, I++));
    }
  }
}

/// \p Vector with \p Number as one more element.
static llvm::Value *appendElement(CodeGenFunction &CGF, llvm::Value *Vector,
                                  llvm::Value *Number) {
  unsigned Size =
      cast<llvm::FixedVectorType>(Vector->getType())->getNumElements();
  llvm::Value *Longer = CGF.Builder.CreateShuffleVector(
      Vector, llvm::createSequentialMask(/*Start=*/0, Size, /*NumUndefs=*/1));
  return CGF.Builder.CreateInsertElement(Longer, Number, Size);
}

/// The registers that \p Call returns, as one vector.
static llvm::Value *joinRegisters(CodeGenFunction &CGF, llvm::Value *Call) {
  auto *StructTy = dyn_cast<llvm::StructType>(Call->getType());
  if (!StructTy)
    return Call;

  SmallVector<llvm::Value *, 8> Registers;
  for (unsigned I = 0, E = StructTy->getNumElements(); I != E; ++I) {
    llvm::Value *Register = CGF.Builder.CreateExtractValue(Call, I);
    // A predicate beside an integer.
    if (Register->getType()->isIntegerTy(1))
      Register = CGF.Builder.CreateZExt(Register, StructTy->getElementType(0));
    Registers.push_back(Register);
  }
  if (Registers[0]->getType()->isVectorTy()) {
    // What tcgen05.ld.red has reduced, beside what it has loaded.
    if (!Registers[1]->getType()->isVectorTy())
      return appendElement(CGF, Registers[0], Registers[1]);
    return llvm::concatenateVectors(CGF.Builder, Registers);
  }

  llvm::Value *Fragment = llvm::PoisonValue::get(
      llvm::FixedVectorType::get(Registers[0]->getType(), Registers.size()));
  for (auto [I, Register] : llvm::enumerate(Registers))
    Fragment = CGF.Builder.CreateInsertElement(Fragment, Register, I);
  return Fragment;
}

/// The value of an argument that Sema has found to be a constant, in the type
/// \p Ty of the intrinsic's parameter.
static llvm::Constant *emitImmediate(CodeGenFunction &CGF, const Expr *Arg,
                                     llvm::Type *Ty) {
  llvm::APSInt Value = *Arg->getIntegerConstantExpr(CGF.getContext());
  auto *IntTy = cast<llvm::IntegerType>(Ty);
  return llvm::ConstantInt::get(IntTy, Value.extOrTrunc(IntTy->getBitWidth()));
}

/// The bits of \p Arg, as an integer or a vector of integers.
static llvm::Value *emitBits(CodeGenFunction &CGF, const Expr *Arg) {
  llvm::Value *Value = CGF.EmitScalarExpr(Arg);
  llvm::Type *Ty = Value->getType();
  if (!Ty->isFPOrFPVectorTy())
    return Value;
  llvm::Type *IntTy = CGF.Builder.getIntNTy(Ty->getScalarSizeInBits());
  return CGF.Builder.CreateBitCast(Value, Ty->getWithNewType(IntTy));
}

llvm::Value *
CodeGen::emitNVPTXIntrinsicBuiltin(CodeGenFunction &CGF,
                                   const NVPTX::IntrinsicBuiltin &Builtin,
                                   const CallExpr *E) {
  // The others are known only with its type. What is not the first argument is
  // a value to be stored, and to the instruction bits.
  llvm::Value *Overloading = nullptr;
  SmallVector<llvm::Type *, 1> OverloadTys;
  if (llvm::Intrinsic::isOverloaded(Builtin.IntrinsicID)) {
    const Expr *Arg = E->getArg(Builtin.OverloadedArg);
    Overloading =
        Builtin.OverloadedArg ? emitBits(CGF, Arg) : CGF.EmitScalarExpr(Arg);
    OverloadTys.push_back(Overloading->getType());
  }

  llvm::Function *F = CGF.CGM.getIntrinsic(Builtin.IntrinsicID, OverloadTys);
  llvm::FunctionType *FTy = F->getFunctionType();
  SmallVector<llvm::Value *, 24> Args;
  for (auto [Idx, Arg] : llvm::enumerate(E->arguments())) {
    if (Overloading && Idx == Builtin.OverloadedArg)
      Args.push_back(Overloading);
    else if (F->hasParamAttribute(Args.size(), llvm::Attribute::ImmArg))
      Args.push_back(emitImmediate(CGF, Arg, FTy->getParamType(Args.size())));
    else
      appendRegisters(CGF, CGF.EmitScalarExpr(Arg), *FTy, Args);
  }
  llvm::Value *Result = joinRegisters(CGF, CGF.Builder.CreateCall(F, Args));
  // LLVM 23 has one register of tcgen05.ld as a vector of one.
  auto *VecTy = dyn_cast<llvm::FixedVectorType>(Result->getType());
  if (VecTy && VecTy->getNumElements() == 1)
    return CGF.Builder.CreateBitCast(Result, VecTy->getElementType());
  return Result;
}
