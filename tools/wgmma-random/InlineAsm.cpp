//===- InlineAsm.cpp - The inline asm of the programs ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineAsm.h"

using namespace llvm;
using namespace wgmmarandom;

AsmProtocol wgmmarandom::asmProtocol(StringRef Text) {
  Text = Text.trim();
  if (Text.starts_with("wgmma.fence."))
    return AsmProtocol::Fence;
  if (Text.starts_with("wgmma.commit_group."))
    return AsmProtocol::Commit;
  if (Text.starts_with("wgmma.wait_group."))
    return AsmProtocol::Wait;
  return AsmProtocol::None;
}

std::optional<unsigned> wgmmarandom::asmPending(StringRef Wait) {
  unsigned Pending = 0;
  if (Wait.rtrim("; ").rsplit(' ').second.getAsInteger(10, Pending))
    return std::nullopt;
  return Pending;
}

static const AsmText Texts[] = {
    {"mov.b32 $0, $1;", "=r,r", 1,
     [](ArrayRef<uint64_t> X) -> uint64_t { return X[0]; }},
    {"add.s32 $0, $1, $2;", "=r,r,r", 2,
     [](ArrayRef<uint64_t> X) -> uint64_t { return uint32_t(X[0] + X[1]); }},
    {"xor.b32 $0, $1, 85;", "=r,r", 1,
     [](ArrayRef<uint64_t> X) -> uint64_t { return X[0] ^ 85; }},
    {"{ .reg .b32 t; shl.b32 t, $1, 3; sub.s32 $0, t, $2; }", "=r,r,r", 2,
     [](ArrayRef<uint64_t> X) -> uint64_t {
       return uint32_t((X[0] << 3) - X[1]);
     }},
};

ArrayRef<AsmText> wgmmarandom::asmTexts() { return Texts; }

std::optional<uint64_t> wgmmarandom::evaluateAsm(StringRef Text,
                                                 ArrayRef<uint64_t> Operands) {
  for (const AsmText &Known : Texts)
    if (Known.Text == Text && Known.NumOperands == Operands.size())
      return Known.Evaluate(Operands);
  return std::nullopt;
}
