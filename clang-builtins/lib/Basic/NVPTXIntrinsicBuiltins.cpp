//===- NVPTXIntrinsicBuiltins.cpp - Builtins of intrinsics ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clang/Basic/NVPTXIntrinsicBuiltins.h"
#include "clang/Basic/TargetBuiltins.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace clang;
using namespace NVPTX;

static constexpr IntrinsicBuiltin IntrinsicBuiltins[] = {
#define GET_NVPTX_INTRINSIC_BUILTINS
#include "clang/Basic/NVPTXIntrinsicBuiltins.inc"
#undef GET_NVPTX_INTRINSIC_BUILTINS
};

static constexpr bool isSortedByID() {
  for (size_t I = 1; I != std::size(IntrinsicBuiltins); ++I)
    if (IntrinsicBuiltins[I - 1].BuiltinID >= IntrinsicBuiltins[I].BuiltinID)
      return false;
  return true;
}
static_assert(isSortedByID(), "the table is searched by ID");

const IntrinsicBuiltin *NVPTX::getIntrinsicBuiltin(unsigned BuiltinID) {
  const auto *Row =
      llvm::lower_bound(IntrinsicBuiltins, BuiltinID,
                        [](const IntrinsicBuiltin &Builtin, unsigned ID) {
                          return Builtin.BuiltinID < ID;
                        });
  if (Row == std::end(IntrinsicBuiltins) || Row->BuiltinID != BuiltinID)
    return nullptr;
  return Row;
}
