//===- InlineAsm.h - The inline asm of the programs -------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The PTX that programs contain as inline asm, and its meaning for the
// evaluation of the IR.
//
//===----------------------------------------------------------------------===//

#ifndef NVPTX_MMA_WGMMA_RANDOM_INLINEASM_H
#define NVPTX_MMA_WGMMA_RANDOM_INLINEASM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace wgmmarandom {

enum class AsmProtocol { None, Fence, Commit, Wait };

/// Which of wgmma's own instructions the asm is.
AsmProtocol asmProtocol(llvm::StringRef Text);

/// How many groups a wait leaves pending, unless that is its first argument.
std::optional<unsigned> asmPending(llvm::StringRef Wait);

struct AsmText {
  llvm::StringRef Text;
  llvm::StringRef Constraints;
  unsigned NumOperands; ///< All i32, and so is the result.
  uint64_t (*Evaluate)(llvm::ArrayRef<uint64_t>);
};

/// Computations that the compiler cannot look into.
llvm::ArrayRef<AsmText> asmTexts();

std::optional<uint64_t> evaluateAsm(llvm::StringRef Text,
                                    llvm::ArrayRef<uint64_t> Operands);

} // namespace wgmmarandom

#endif // NVPTX_MMA_WGMMA_RANDOM_INLINEASM_H
