//===- SemaNVPTXKernel.h - Checks of the kernel builtins --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_SEMA_SEMANVPTXKERNEL_H
#define LLVM_CLANG_SEMA_SEMANVPTXKERNEL_H

namespace clang {
class CallExpr;
class Sema;

namespace NVPTX {
struct IntrinsicBuiltin;
} // namespace NVPTX

/// Checks and converts the arguments of \p Builtin, one of those that a kernel
/// needs around its matrix instructions. Returns true after an error.
bool checkNVPTXKernelBuiltin(Sema &S, const NVPTX::IntrinsicBuiltin &Builtin,
                             CallExpr *Call);

} // namespace clang

#endif // LLVM_CLANG_SEMA_SEMANVPTXKERNEL_H
