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

namespace NVPTX {
struct IntrinsicBuiltin;
} // namespace NVPTX

/// Checks a call of \p Builtin, a warp-level matrix builtin, and converts its
/// arguments: fragments are of their type, apart from the sign of integers,
/// constants have values that the PTX ISA defines. Returns true after an error.
bool checkNVPTXMatrixBuiltin(Sema &S, const NVPTX::IntrinsicBuiltin &Builtin,
                             CallExpr *Call);

} // namespace clang

#endif // LLVM_CLANG_SEMA_SEMANVPTXMATRIX_H
