//===- NVPTXImmediate.h - Immediates of NVPTX's builtins --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXIMMEDIATE_H
#define LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXIMMEDIATE_H

#include "CodeGenFunction.h"

namespace clang {
namespace CodeGen {

/// The value of an argument that Sema has found to be a constant, in the type
/// \p Ty of the intrinsic's parameter.
inline llvm::Constant *emitNVPTXImmediate(CodeGenFunction &CGF, const Expr *Arg,
                                          llvm::Type *Ty) {
  llvm::APSInt Value = *Arg->getIntegerConstantExpr(CGF.getContext());
  auto *IntTy = cast<llvm::IntegerType>(Ty);
  return llvm::ConstantInt::get(IntTy, Value.extOrTrunc(IntTy->getBitWidth()));
}

} // namespace CodeGen
} // namespace clang

#endif // LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXIMMEDIATE_H
