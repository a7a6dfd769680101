//===- NVPTXIntrinsicErrors.cpp - Errors of intrinsics --------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXIntrinsicErrors.h"
#include "NVPTXSubtarget.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

void llvm::reportIntrinsicError(const Twine &Message, SDNode *N,
                                SelectionDAG &DAG) {
  DAG.getContext()->diagnose(DiagnosticInfoUnsupported(
      DAG.getMachineFunction().getFunction(), Message, SDLoc(N).getDebugLoc()));
}

std::string llvm::getPTXVersionName(unsigned Version) {
  return (Twine(Version / 10) + "." + Twine(Version % 10)).str();
}

std::string llvm::getTargetDescription(const NVPTXSubtarget &STI) {
  return STI.getTargetName() + " with PTX " +
         getPTXVersionName(STI.getPTXVersion());
}
