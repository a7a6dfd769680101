//===- VerifierNVPTX.h - NVPTX-specific IR verification ---------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_IR_VERIFIERNVPTX_H
#define LLVM_IR_VERIFIERNVPTX_H

#include <string>

namespace llvm {
class CallBase;

/// What is wrong with a call of an NVPTX intrinsic, in one line that names the
/// intrinsic, what it needs and what it got: an intrinsic that there is not,
/// another type than its own, an argument that is not constant, and what its
/// signature cannot express. Empty for a valid call, and for any other.
std::string diagnoseNVPTXIntrinsicCall(const CallBase &Call);

} // namespace llvm

#endif // LLVM_IR_VERIFIERNVPTX_H
