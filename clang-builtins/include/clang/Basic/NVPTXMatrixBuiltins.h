//===- NVPTXMatrixBuiltins.h - Names of the matrix builtins -----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_BASIC_NVPTXMATRIXBUILTINS_H
#define LLVM_CLANG_BASIC_NVPTXMATRIXBUILTINS_H

#include "clang/Basic/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace clang {

/// Whether a builtin of NVPTX is one of the PTX ISA's warp-level matrix
/// instructions, as NVVMMatrixRecords in llvm/IR/NVVMMatrixTargets.td has them.
inline bool isNVPTXMatrixBuiltin(StringRef Name) {
  return Name.consume_front("__nvvm_") &&
         llvm::any_of(
             ArrayRef<StringRef>{"wmma_", "mma_", "ldmatrix_", "stmatrix_",
                                 "movmatrix_"},
             [=](StringRef Family) { return Name.starts_with(Family); });
}

} // namespace clang

#endif // LLVM_CLANG_BASIC_NVPTXMATRIXBUILTINS_H
