//===- NVPTXTargetNotes.cpp - How to get a builtin's target ---------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXTargetNotes.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/LangOptions.h"

using namespace clang;

static StringRef getArchitectureOption(const LangOptions &LangOpts) {
  if (LangOpts.CUDA)
    return "--cuda-gpu-arch=";
  return LangOpts.OpenMP ? "--offload-arch=" : "-march=";
}

/// \p Feature is the least that would do: "sm_90a" or "ptx80".
static std::string getAdvice(StringRef Feature, const LangOptions &LangOpts) {
  StringRef Version = Feature;
  if (!Version.consume_front("ptx"))
    return ("compile for " + Feature + ", with '" +
            getArchitectureOption(LangOpts) + Feature + "'")
        .str();
  return ("PTX " + Version.drop_back() + "." + Version.take_back() +
          " is what a newer CUDA toolkit has, found with '--cuda-path'; or "
          "choose it with '" +
          (LangOpts.CUDA ? "--cuda-feature=+"
                         : "-Xclang -target-feature "
                           "-Xclang +") +
          Feature + "'")
      .str();
}

void CodeGen::noteNVPTXTarget(DiagnosticsEngine &Diags, SourceLocation Loc,
                              StringRef Required,
                              const llvm::StringMap<bool> &Features,
                              const LangOptions &LangOpts) {
  // Every group is needed, and of a group one, of which the first is the least.
  SmallVector<StringRef, 2> Groups;
  Required.split(Groups, ',');
  for (StringRef Group : Groups) {
    Group = Group.trim("()");
    if (!Builtin::evaluateRequiredTargetFeatures(Group, Features))
      Diags.Report(Loc, diag::note_fe_backend_plugin)
          << getAdvice(Group.split('|').first, LangOpts);
  }
}
