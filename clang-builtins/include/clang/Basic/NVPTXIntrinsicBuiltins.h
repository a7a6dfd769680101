//===- NVPTXIntrinsicBuiltins.h - Builtins of intrinsics --------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// The builtins of NVPTX that stand for one intrinsic each, but that Clang's
/// own mapping of names cannot emit: they may be overloaded, and one of their
/// arguments may be several of the intrinsic's. Their records derive from
/// NVPTXIntrinsicBuiltin (BuiltinsNVPTX.td).
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_CLANG_BASIC_NVPTXINTRINSICBUILTINS_H
#define LLVM_CLANG_BASIC_NVPTXINTRINSICBUILTINS_H

#include "llvm/IR/Intrinsics.h"

namespace clang::NVPTX {

/// Builtins whose calls are checked by the same rules.
enum class BuiltinFamily : uint8_t {
#define GET_NVPTX_BUILTIN_FAMILIES
#include "clang/Basic/NVPTXIntrinsicBuiltins.inc"
#undef GET_NVPTX_BUILTIN_FAMILIES
};

struct IntrinsicBuiltin {
  unsigned BuiltinID;
  BuiltinFamily Family;
  llvm::Intrinsic::ID IntrinsicID;
  /// The argument by whose type the intrinsic is overloaded, where it is.
  uint8_t OverloadedArg;
  /// The scales of each row of A that a block-scaled mma takes
  /// (llvm/IR/NVVMBlockScale.h), and 0 for any other builtin.
  uint8_t ScaleVec;
};

/// What \p BuiltinID stands for; null for any builtin that is not one of these.
const IntrinsicBuiltin *getIntrinsicBuiltin(unsigned BuiltinID);

} // namespace clang::NVPTX

#endif // LLVM_CLANG_BASIC_NVPTXINTRINSICBUILTINS_H
