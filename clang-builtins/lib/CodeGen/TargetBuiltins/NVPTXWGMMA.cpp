//===- NVPTXWGMMA.cpp - Emission of the wgmma builtins --------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The builtins are overloaded like their intrinsics, so LLVM's own mapping from
// builtins to intrinsics, which knows no types, cannot emit them. Their
// arguments are the intrinsic's, one by one.
//
//===----------------------------------------------------------------------===//

#include "TargetBuiltins/NVPTXWGMMA.h"
#include "CodeGenFunction.h"
#include "CodeGenModule.h"
#include "TargetBuiltins/NVPTXImmediate.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/NVVMWGMMA.h"

using namespace clang;
using namespace CodeGen;

static llvm::Intrinsic::ID getIntrinsic(StringRef Builtin) {
  if (Builtin == "__nvvm_wgmma_fence_operand")
    return llvm::Intrinsic::nvvm_wgmma_fence_operand;
  if (Builtin.consume_front("__nvvm_wgmma_mma_async_"))
    if (const auto *Variant = llvm::nvvm::lookupWGMMAVariant(Builtin))
      return Variant->ID;
  return llvm::Intrinsic::not_intrinsic;
}

llvm::Value *CodeGen::emitNVPTXWGMMABuiltin(CodeGenFunction &CGF,
                                            const CallExpr *E) {
  llvm::Intrinsic::ID ID = getIntrinsic(E->getDirectCallee()->getName());
  if (ID == llvm::Intrinsic::not_intrinsic)
    return nullptr;

  SmallVector<llvm::Value *, 12> Args = {CGF.EmitScalarExpr(E->getArg(0))};
  llvm::Function *F = CGF.CGM.getIntrinsic(ID, Args[0]->getType());
  for (unsigned I = 1, N = E->getNumArgs(); I != N; ++I) {
    const Expr *Arg = E->getArg(I);
    if (!F->hasParamAttribute(I, llvm::Attribute::ImmArg)) {
      Args.push_back(CGF.EmitScalarExpr(Arg));
      continue;
    }
    Args.push_back(
        emitNVPTXImmediate(CGF, Arg, F->getFunctionType()->getParamType(I)));
  }
  return CGF.Builder.CreateCall(F, Args);
}
