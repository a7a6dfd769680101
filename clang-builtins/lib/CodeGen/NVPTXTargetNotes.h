//===- NVPTXTargetNotes.h - How to get a builtin's target -------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_LIB_CODEGEN_NVPTXTARGETNOTES_H
#define LLVM_CLANG_LIB_CODEGEN_NVPTXTARGETNOTES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class DiagnosticsEngine;
class LangOptions;

namespace CodeGen {

/// Tells, after the error that a builtin of NVPTX needs other target features,
/// which option of the driver gives them. \p Required is what the builtin's
/// record has, "(sm_90a),(ptx80|ptx81)"; \p Features what the caller has.
void noteNVPTXTarget(DiagnosticsEngine &Diags, SourceLocation Loc,
                     llvm::StringRef Required,
                     const llvm::StringMap<bool> &Features,
                     const LangOptions &LangOpts);

} // namespace CodeGen
} // namespace clang

#endif // LLVM_CLANG_LIB_CODEGEN_NVPTXTARGETNOTES_H
