//===- SemaNVPTXWGMMA.h - Checks of the wgmma builtins ----------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_SEMA_SEMANVPTXWGMMA_H
#define LLVM_CLANG_SEMA_SEMANVPTXWGMMA_H

#include "llvm/IR/Intrinsics.h"

namespace clang {
class CallExpr;
class Sema;

/// Checks a call of the builtin of the wgmma family that stands for intrinsic
/// \p ID, converts its arguments and sets its type. Returns true after an
/// error.
bool checkNVPTXWGMMABuiltin(Sema &S, llvm::Intrinsic::ID ID, CallExpr *Call);

} // namespace clang

#endif // LLVM_CLANG_SEMA_SEMANVPTXWGMMA_H
