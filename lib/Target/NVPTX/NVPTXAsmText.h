//===- NVPTXAsmText.h - The text of inline assembly -------------*- C++ -*-===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
/// \file
/// Takes the text of inline assembly apart.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_LIB_TARGET_NVPTX_NVPTXASMTEXT_H
#define LLVM_LIB_TARGET_NVPTX_NVPTXASMTEXT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {

/// \p Text without comments.
std::string stripAsmComments(StringRef Text);

/// The statements of inline assembly, without comments in \p Code, and the
/// braces of its blocks, each of them as one. Those of a vector stand behind an
/// opcode.
SmallVector<StringRef, 4> splitAsmStatements(StringRef Code);

/// The operands in \p Text, which commas separate. A vector is one of them.
SmallVector<StringRef, 12> splitAsmOperands(StringRef Text);

/// The number of the operand that \p Text is, as in $0 or ${0}.
std::optional<unsigned> parseAsmOperand(StringRef Text);

/// Gives the value of an operand of inline assembly, by its number in the text,
/// if it is an immediate.
using AsmConstantGetter = function_ref<std::optional<int64_t>(unsigned)>;

/// The value of \p Text, if it is a constant expression.
std::optional<int64_t> parseAsmImmediate(StringRef Text,
                                         AsmConstantGetter GetConstant);

} // namespace llvm

#endif // LLVM_LIB_TARGET_NVPTX_NVPTXASMTEXT_H
