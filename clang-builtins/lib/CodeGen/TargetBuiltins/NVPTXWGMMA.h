//===- NVPTXWGMMA.h - Emission of the wgmma builtins ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXWGMMA_H
#define LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXWGMMA_H

namespace llvm {
class Value;
} // namespace llvm

namespace clang {
class CallExpr;

namespace CodeGen {
class CodeGenFunction;

/// Emits the intrinsic that a builtin of the wgmma family stands for. Returns
/// null for any other builtin.
llvm::Value *emitNVPTXWGMMABuiltin(CodeGenFunction &CGF, const CallExpr *E);

} // namespace CodeGen
} // namespace clang

#endif // LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXWGMMA_H
