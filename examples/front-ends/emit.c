/*===- emit.c - wgmma from a front end through LLVM's C API ---------------===*\
|*
|* Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
|* See https://llvm.org/LICENSE.txt for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Prints a module with a function that adds the product of two tiles of f16,
|* the first in registers, to an accumulator of f16. This is the way of front
|* ends in Rust or Julia. It works with any LLVM: one that knows the intrinsics
|* looks them up, and to any other they are functions of their names.
|*
\*===----------------------------------------------------------------------===*/

#include <llvm-c/Core.h>

#include <stdio.h>
#include <string.h>

/* The intrinsic of that name for this type of accumulator, which is the type of
   its result, and also a part of the name's end. */
static LLVMValueRef declare(LLVMModuleRef Module, const char *Name,
                            const char *Mangled, LLVMTypeRef Accumulator,
                            LLVMTypeRef Type) {
  unsigned Id = LLVMLookupIntrinsicID(Name, strlen(Name));
  if (Id)
    return LLVMGetIntrinsicDeclaration(Module, Id, &Accumulator,
                                       Accumulator ? 1 : 0);
  char FullName[128];
  snprintf(FullName, sizeof(FullName), "%s%s", Name, Mangled);
  LLVMValueRef Function = LLVMGetNamedFunction(Module, FullName);
  if (Function)
    return Function;
  Function = LLVMAddFunction(Module, FullName, Type);
  /* So that no pass of an LLVM that does not know it moves it into a branch. */
  unsigned Convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
  LLVMAddAttributeAtIndex(
      Function, LLVMAttributeFunctionIndex,
      LLVMCreateEnumAttribute(LLVMGetModuleContext(Module), Convergent, 0));
  return Function;
}

static LLVMValueRef call(LLVMBuilderRef Builder, LLVMModuleRef Module,
                         const char *Name, const char *Mangled,
                         LLVMTypeRef Result, LLVMValueRef *Arguments,
                         unsigned Count) {
  LLVMTypeRef Types[8];
  for (unsigned I = 0; I != Count; ++I)
    Types[I] = LLVMTypeOf(Arguments[I]);
  int IsVoid = LLVMGetTypeKind(Result) == LLVMVoidTypeKind;
  LLVMTypeRef Type = LLVMFunctionType(Result, Types, Count, 0);
  LLVMValueRef Function =
      declare(Module, Name, Mangled, IsVoid ? NULL : Result, Type);
  return LLVMBuildCall2(Builder, Type, Function, Arguments, Count, "");
}

int main(void) {
  LLVMContextRef Context = LLVMContextCreate();
  LLVMModuleRef Module = LLVMModuleCreateWithNameInContext("wgmma", Context);
  LLVMSetTarget(Module, "nvptx64-nvidia-cuda");
  LLVMTypeRef Void = LLVMVoidTypeInContext(Context),
              I1 = LLVMInt1TypeInContext(Context);
  LLVMTypeRef I32 = LLVMInt32TypeInContext(Context),
              I64 = LLVMInt64TypeInContext(Context);
  /* N = 96: 48 elements of a thread, two in each register. */
  LLVMTypeRef Accumulator = LLVMVectorType(I32, 24);
  LLVMTypeRef Fragment = LLVMVectorType(I32, 4);

  LLVMTypeRef Parameters[] = {Accumulator, Fragment, I64};
  LLVMValueRef Function = LLVMAddFunction(
      Module, "multiply", LLVMFunctionType(Accumulator, Parameters, 3, 0));
  LLVMBuilderRef Builder = LLVMCreateBuilderInContext(Context);
  LLVMPositionBuilderAtEnd(
      Builder, LLVMAppendBasicBlockInContext(Context, Function, "entry"));

  LLVMValueRef D = LLVMGetParam(Function, 0);
  D = call(Builder, Module, "llvm.nvvm.wgmma.fence_operand", ".v24i32",
           Accumulator, &D, 1);
  call(Builder, Module, "llvm.nvvm.wgmma.fence.sync.aligned", "", Void, NULL,
       0);
  LLVMValueRef Arguments[] = {
      D,
      LLVMGetParam(Function, 1),
      LLVMGetParam(Function, 2),
      LLVMConstInt(I1, 1, 0),  /* scale.d */
      LLVMConstInt(I32, 1, 0), /* scale.a */
      LLVMConstInt(I32, 1, 0), /* scale.b */
      LLVMConstInt(I1, 1, 0),  /* trans.b */
  };
  D = call(Builder, Module, "llvm.nvvm.wgmma.mma_async.rs.f16.f16.f16",
           ".v24i32", Accumulator, Arguments, 7);
  call(Builder, Module, "llvm.nvvm.wgmma.commit_group.sync.aligned", "", Void,
       NULL, 0);
  LLVMValueRef Pending = LLVMConstInt(I64, 0, 0);
  call(Builder, Module, "llvm.nvvm.wgmma.wait_group.sync.aligned", "", Void,
       &Pending, 1);
  D = call(Builder, Module, "llvm.nvvm.wgmma.fence_operand", ".v24i32",
           Accumulator, &D, 1);
  LLVMBuildRet(Builder, D);

  char *Text = LLVMPrintModuleToString(Module);
  fputs(Text, stdout);
  LLVMDisposeMessage(Text);
  LLVMDisposeBuilder(Builder);
  LLVMDisposeModule(Module);
  LLVMContextDispose(Context);
  return 0;
}
