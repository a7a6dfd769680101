//===- emit.cpp - wgmma from a front end in C++ ---------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints a module with a function that adds the product of two tiles to an
// accumulator for each N of a list. Linked with the LLVM that has the
// intrinsics, so that IRBuilder knows their attributes and the verifier their
// operands.
//
//   emit N...
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

/// Calls an intrinsic. One with an accumulator, its first argument, is
/// overloaded by its type.
static Value *call(IRBuilder<> &Builder, Intrinsic::ID ID,
                   ArrayRef<Value *> Arguments = {}) {
  SmallVector<Type *, 1> Types;
  if (Intrinsic::isOverloaded(ID))
    Types.push_back(Arguments.front()->getType());
  Module *M = Builder.GetInsertBlock()->getModule();
  return Builder.CreateCall(Intrinsic::getOrInsertDeclaration(M, ID, Types),
                            Arguments);
}

/// d = a * b + d for a 64x16 and a 16xN matrix of bf16 in shared memory. A
/// thread of the warpgroup holds N / 2 elements of d.
static void emitMultiply(Module &M, unsigned N) {
  LLVMContext &Context = M.getContext();
  IRBuilder<> Builder(Context);
  Type *Descriptor = Builder.getInt64Ty();
  Type *Accumulator = FixedVectorType::get(Builder.getFloatTy(), N / 2);
  auto *F = Function::Create(
      FunctionType::get(Accumulator, {Accumulator, Descriptor, Descriptor},
                        /*isVarArg=*/false),
      Function::ExternalLinkage, "multiply" + Twine(N), M);
  F->setConvergent();
  Builder.SetInsertPoint(BasicBlock::Create(Context, "entry", F));

  Value *True = Builder.getTrue(), *False = Builder.getFalse();
  Value *One = Builder.getInt32(1);
  Value *D = call(Builder, Intrinsic::nvvm_wgmma_fence_operand, {F->getArg(0)});
  call(Builder, Intrinsic::nvvm_wgmma_fence_sync_aligned);
  D = call(Builder, Intrinsic::nvvm_wgmma_mma_async_ss_f32_bf16_bf16,
           {D, F->getArg(1), F->getArg(2), /*scale.d=*/True, /*scale.a=*/One,
            /*scale.b=*/One, /*trans.a=*/False, /*trans.b=*/False});
  call(Builder, Intrinsic::nvvm_wgmma_commit_group_sync_aligned);
  call(Builder, Intrinsic::nvvm_wgmma_wait_group_sync_aligned,
       {Builder.getInt64(0)});
  Builder.CreateRet(call(Builder, Intrinsic::nvvm_wgmma_fence_operand, {D}));
}

int main(int Count, char **Arguments) {
  LLVMContext Context;
  Module M("wgmma", Context);
  M.setTargetTriple(Triple("nvptx64-nvidia-cuda"));
  for (int I = 1; I < Count; ++I)
    emitMultiply(M, std::stoul(Arguments[I]));
  // An N that wgmma lacks, or a flag that is no constant, is an error here.
  if (verifyModule(M, &errs()))
    return 1;
  M.print(outs(), nullptr);
  return 0;
}
