//===- NVVMWGMMADiagnostic.cpp - Warnings about wgmma ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/IR/NVVMWGMMADiagnostic.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::nvvm;

/// Not an enumerator of DiagnosticKind, which every pass that reports anything
/// would have to be compiled again for.
static DiagnosticKind getWGMMAKind() {
  static const int Kind = getNextAvailablePluginDiagnosticKind();
  return static_cast<DiagnosticKind>(Kind);
}

DiagnosticInfoWGMMA::DiagnosticInfoWGMMA(Category TheCategory,
                                         const Function &Fn,
                                         const DebugLoc &Loc,
                                         const Twine &Message)
    : DiagnosticInfoWithLocationBase(getWGMMAKind(), DS_Warning, Fn,
                                     Loc ? DiagnosticLocation(Loc)
                                         : Fn.getSubprogram()),
      TheCategory(TheCategory), Loc(Loc), Message(Message.str()) {}

void DiagnosticInfoWGMMA::print(DiagnosticPrinter &DP) const {
  if (isLocationAvailable())
    DP << getLocationStr() << ": ";
  DP << "in function " << getFunction().getName() << ": " << Message;
}

bool DiagnosticInfoWGMMA::classof(const DiagnosticInfo *DI) {
  return DI->getKind() == getWGMMAKind();
}

std::string llvm::nvvm::describePlace(const DebugLoc &Loc) {
  std::string Place;
  if (Loc) {
    raw_string_ostream OS(Place);
    OS << ", at ";
    Loc.print(OS);
  }
  return Place;
}

/// Whether its module executes \p Fn itself, and not inlined copies alone. One
/// that is inlined may well return an accumulator in flight.
static bool isExecuted(const Function &Fn) {
  return Fn.getCallingConv() == CallingConv::PTX_Kernel || !Fn.use_empty();
}

bool WGMMAWarnings::warn(DiagnosticInfoWGMMA::Category Category,
                         const DebugLoc &Loc, const Twine &Message) {
  if (Category != DiagnosticInfoWGMMA::StackAccumulator && !isExecuted(Fn))
    return false;
  if (Given.emplace(Loc.get(), Message.str()).second)
    Fn.getContext().diagnose(DiagnosticInfoWGMMA(Category, Fn, Loc, Message));
  return true;
}
