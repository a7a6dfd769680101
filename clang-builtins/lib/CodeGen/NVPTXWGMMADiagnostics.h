//===- NVPTXWGMMADiagnostics.h - Backend's warnings on wgmma ----*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_LIB_CODEGEN_NVPTXWGMMADIAGNOSTICS_H
#define LLVM_CLANG_LIB_CODEGEN_NVPTXWGMMADIAGNOSTICS_H

#include "clang/Basic/SourceLocation.h"
#include <optional>

namespace llvm::nvvm {
class DiagnosticInfoWGMMA;
} // namespace llvm::nvvm

namespace clang {
class CodeGenOptions;
class DiagnosticsEngine;
class SourceManager;
class TargetInfo;

namespace CodeGen {

/// Makes the code of NVPTX carry source locations, without debug info, unless
/// \p Opts has asked for that: much of what such code must not do only the
/// backend can see.
void trackNVPTXSourceLocations(const TargetInfo &Target, CodeGenOptions &Opts);

/// Reports a warning of the NVPTX backend about wgmma at the place in the
/// source that it means, followed by the calls through which it was inlined.
/// \p SM is null where there is no source but IR. \p FunctionLoc stands in for
/// an unknown place.
void reportNVPTXWGMMA(const llvm::nvvm::DiagnosticInfoWGMMA &DI,
                      DiagnosticsEngine &Diags, const SourceManager *SM,
                      std::optional<FullSourceLoc> FunctionLoc);

} // namespace CodeGen
} // namespace clang

#endif // LLVM_CLANG_LIB_CODEGEN_NVPTXWGMMADIAGNOSTICS_H
