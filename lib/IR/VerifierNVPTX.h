//===- VerifierNVPTX.h - NVPTX-specific IR verification ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_IR_VERIFIERNVPTX_H
#define LLVM_LIB_IR_VERIFIERNVPTX_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Intrinsics.h"

namespace llvm {
class CallBase;
class Twine;

/// Checks what the signature of an NVPTX intrinsic cannot express of its call.
/// Reports through \p CheckFailed, and returns false, if the call is wrong.
bool verifyNVPTXIntrinsicCall(Intrinsic::ID ID, const CallBase &Call,
                              function_ref<void(const Twine &)> CheckFailed);

} // namespace llvm

#endif // LLVM_LIB_IR_VERIFIERNVPTX_H
