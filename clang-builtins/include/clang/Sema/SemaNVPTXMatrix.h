//===- SemaNVPTXMatrix.h - Checks of the matrix builtins --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_SEMA_SEMANVPTXMATRIX_H
#define LLVM_CLANG_SEMA_SEMANVPTXMATRIX_H

namespace clang {
class CallExpr;
class Sema;

/// Checks that the constant arguments of a warp-level matrix builtin, which is
/// the sparsity selector of mma.sp, are in the range that the intrinsic behind
/// it has for them. Returns true after an error, false for a valid call and for
/// the call of any other builtin.
bool checkNVPTXMatrixBuiltin(Sema &S, CallExpr *Call);

} // namespace clang

#endif // LLVM_CLANG_SEMA_SEMANVPTXMATRIX_H
