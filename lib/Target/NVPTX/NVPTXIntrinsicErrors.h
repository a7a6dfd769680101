//===- NVPTXIntrinsicErrors.h - Errors of intrinsics ------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXINTRINSICERRORS_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXINTRINSICERRORS_H

#include <string>

namespace llvm {
class NVPTXSubtarget;
class SDNode;
class SelectionDAG;
class Twine;

/// Reports an error at the place in the source that \p N was made of.
void reportIntrinsicError(const Twine &Message, SDNode *N, SelectionDAG &DAG);

/// "7.0" for 70.
std::string getPTXVersionName(unsigned Version);

/// What of the target counts for an intrinsic: "sm_80 with PTX 7.0".
std::string getTargetDescription(const NVPTXSubtarget &STI);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXINTRINSICERRORS_H
