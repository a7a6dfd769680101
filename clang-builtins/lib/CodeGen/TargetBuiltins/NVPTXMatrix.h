//===- NVPTXMatrix.h - Emission of the matrix builtins ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXMATRIX_H
#define LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXMATRIX_H

#include "llvm/IR/Intrinsics.h"

namespace llvm {
class Value;
} // namespace llvm

namespace clang {
class CallExpr;

namespace CodeGen {
class CodeGenFunction;

/// Emits the call of a warp-level matrix builtin or of a kernel builtin, which
/// stands for intrinsic \p ID.
llvm::Value *emitNVPTXMatrixBuiltin(CodeGenFunction &CGF,
                                    llvm::Intrinsic::ID ID, const CallExpr *E);

} // namespace CodeGen
} // namespace clang

#endif // LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXMATRIX_H
