//===- NVPTXWGMMADiagnostics.cpp - Backend's warnings on wgmma ------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wgmma is often issued by a small function of a library, of which only the
// inlined copy in a kernel is at fault. A warning is placed in the user's own
// code, and shows how it came there.
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMADiagnostics.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticFrontend.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using llvm::nvvm::DiagnosticInfoWGMMA;

void CodeGen::trackNVPTXSourceLocations(const TargetInfo &Target,
                                        CodeGenOptions &Opts) {
  if (Target.getTriple().isNVPTX() &&
      Opts.getDebugInfo() == llvm::codegenoptions::NoDebugInfo)
    Opts.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
}

static unsigned getDiagID(DiagnosticInfoWGMMA::Category Category) {
  switch (Category) {
  case DiagnosticInfoWGMMA::InjectedWait:
    return diag::warn_wgmma_injected_wait;
  case DiagnosticInfoWGMMA::Protocol:
    return diag::warn_wgmma_protocol;
  case DiagnosticInfoWGMMA::StackAccumulator:
    return diag::warn_wgmma_stack;
  }
  llvm_unreachable("unknown category of warnings about wgmma");
}

/// A place of the code, and the function that it is in.
namespace {
struct Frame {
  SourceLocation Loc;
  StringRef Function;
};
} // namespace

static SourceLocation translate(const llvm::DILocation &Loc,
                                const SourceManager &SM) {
  FileManager &Files = SM.getFileManager();
  llvm::DiagnosticLocation Place{llvm::DebugLoc(&Loc)};
  auto File = Files.getOptionalFileRef(Place.getRelativePath());
  if (!File)
    File = Files.getOptionalFileRef(Place.getAbsolutePath());
  if (!File || !Loc.getLine())
    return SourceLocation();
  return SM.translateFileLineCol(*File, Loc.getLine(),
                                 std::max(Loc.getColumn(), 1u));
}

/// The known places of \p Loc, from the innermost call that was inlined
/// outwards, without those in system headers that user code leads to.
static SmallVector<Frame, 4> getFrames(const llvm::DILocation *Loc,
                                       const SourceManager &SM) {
  SmallVector<Frame, 4> Frames;
  for (; Loc; Loc = Loc->getInlinedAt()) {
    SourceLocation Place = translate(*Loc, SM);
    if (Place.isValid())
      Frames.push_back({Place, Loc->getScope()->getSubprogram()->getName()});
  }
  auto *User = llvm::find_if(
      Frames, [&](const Frame &F) { return !SM.isInSystemHeader(F.Loc); });
  if (User != Frames.end())
    Frames.erase(Frames.begin(), User);
  return Frames;
}

void CodeGen::reportNVPTXWGMMA(const DiagnosticInfoWGMMA &DI,
                               DiagnosticsEngine &Diags,
                               const SourceManager *SM,
                               std::optional<FullSourceLoc> FunctionLoc) {
  unsigned DiagID = getDiagID(DI.getCategory());
  if (!SM) {
    std::string Message;
    llvm::raw_string_ostream OS(Message);
    llvm::DiagnosticPrinterRawOStream Printer(OS);
    DI.print(Printer);
    Diags.Report(DiagID) << Message;
    return;
  }

  SmallVector<Frame, 4> Frames = getFrames(DI.getDebugLoc(), *SM);
  if (Frames.empty()) {
    Diags.Report(FunctionLoc.value_or(FullSourceLoc()), DiagID)
        << (DI.getMessage() + ", in '" +
            llvm::demangle(DI.getFunction().getName()) + "'")
               .str();
    return;
  }
  Diags.Report(Frames[0].Loc, DiagID)
      << (DI.getMessage() + ", in '" + Frames[0].Function + "'").str();
  for (const Frame &Caller : llvm::drop_begin(Frames))
    Diags.Report(Caller.Loc, diag::note_wgmma_inlined) << Caller.Function;
}
