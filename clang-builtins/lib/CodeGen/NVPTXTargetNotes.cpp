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

static StringRef getPTXOption(const LangOptions &LangOpts) {
  return LangOpts.CUDA ? "--cuda-feature=+"
                       : "-Xclang -target-feature -Xclang +";
}

/// \p Feature is the least that would do: "sm_90a" or "ptx80".
static void note(DiagnosticsEngine &Diags, SourceLocation Loc,
                 StringRef Feature, const LangOptions &LangOpts) {
  StringRef Version = Feature;
  if (Version.consume_front("ptx"))
    Diags.Report(Loc, diag::note_nvptx_needed_ptx)
        << (Version.drop_back() + "." + Version.take_back()).str()
        << getPTXOption(LangOpts) << Feature;
  else
    Diags.Report(Loc, diag::note_nvptx_needed_arch)
        << Feature << getArchitectureOption(LangOpts);
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
      note(Diags, Loc, Group.split('|').first, LangOpts);
  }
}
