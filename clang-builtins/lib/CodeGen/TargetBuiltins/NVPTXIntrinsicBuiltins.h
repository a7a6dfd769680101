//===- NVPTXIntrinsicBuiltins.h - Emission of builtins ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXINTRINSICBUILTINS_H
#define LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXINTRINSICBUILTINS_H

namespace llvm {
class Value;
} // namespace llvm

namespace clang {
class CallExpr;

namespace NVPTX {
struct IntrinsicBuiltin;
} // namespace NVPTX

namespace CodeGen {
class CodeGenFunction;

/// Emits the call \p E of \p Builtin as a call of the intrinsic that it stands
/// for.
llvm::Value *emitNVPTXIntrinsicBuiltin(CodeGenFunction &CGF,
                                       const NVPTX::IntrinsicBuiltin &Builtin,
                                       const CallExpr *E);

} // namespace CodeGen
} // namespace clang

#endif // LLVM_CLANG_LIB_CODEGEN_TARGETBUILTINS_NVPTXINTRINSICBUILTINS_H
