//===- NVPTXAsmText.cpp - The text of inline assembly ---------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXAsmText.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <algorithm>

using namespace llvm;

std::string llvm::stripAsmComments(StringRef Text) {
  std::string Code;
  while (!Text.empty()) {
    size_t Start = std::min(Text.find("//"), Text.find("/*"));
    Code += Text.take_front(Start);
    if (Start == StringRef::npos)
      break;
    bool IsLine = Text[Start + 1] == '/';
    size_t End = Text.find(IsLine ? "\n" : "*/", Start + 2);
    Text =
        End == StringRef::npos ? "" : Text.drop_front(End + (IsLine ? 1 : 2));
  }
  return Code;
}

/// How many of the first characters of \p Code belong together: a dollar that
/// is printed, or an operand, as in ${0:c}.
static size_t getTokenSize(StringRef Code) {
  if (Code.starts_with("$$"))
    return 2;
  if (Code.starts_with("${"))
    return std::min(Code.find('}'), Code.size() - 1) + 1;
  return 1;
}

SmallVector<StringRef, 4> llvm::splitAsmStatements(StringRef Code) {
  SmallVector<StringRef, 4> Statements;
  size_t Start = 0;
  bool IsInVector = false;
  auto EndAt = [&](size_t End) {
    if (StringRef Statement = Code.slice(Start, End).trim(); !Statement.empty())
      Statements.push_back(Statement);
    Start = End + 1;
  };
  for (size_t I = 0; I < Code.size(); I += getTokenSize(Code.drop_front(I))) {
    if (Code[I] == '{') {
      StringRef Before = Code.slice(Start, I).trim();
      IsInVector = !Before.empty() && !Before.ends_with(":");
    }
    const bool IsBlock = !IsInVector && StringRef("{}").contains(Code[I]);
    if (Code[I] == ';' || IsBlock)
      EndAt(I);
    if (IsBlock)
      Statements.push_back(Code.substr(I, 1));
    if (Code[I] == '}')
      IsInVector = false;
  }
  EndAt(Code.size());
  return Statements;
}

SmallVector<StringRef, 12> llvm::splitAsmOperands(StringRef Text) {
  SmallVector<StringRef, 12> Operands;
  size_t Start = 0;
  bool IsInVector = false;
  for (size_t I = 0; I < Text.size(); I += getTokenSize(Text.drop_front(I))) {
    if (Text[I] == '{' || Text[I] == '}')
      IsInVector = Text[I] == '{';
    if (Text[I] != ',' || IsInVector)
      continue;
    Operands.push_back(Text.slice(Start, I).trim());
    Start = I + 1;
  }
  Operands.push_back(Text.drop_front(Start).trim());
  return Operands;
}

namespace {
/// Evaluates an immediate: a number, an operand, or a constant expression of
/// them, as macros make it: (3U - 1).
class ImmediateParser {
public:
  ImmediateParser(StringRef Text, AsmConstantGetter GetConstant)
      : Text(Text.trim()), GetConstant(GetConstant) {}

  std::optional<int64_t> parse() {
    std::optional<int64_t> Value = parseSum();
    return Text.empty() ? Value : std::nullopt;
  }

private:
  bool consume(StringRef Token) {
    if (!Text.consume_front(Token))
      return false;
    Text = Text.ltrim();
    return true;
  }
  std::optional<int64_t> parseSum();
  std::optional<int64_t> parseProduct();
  std::optional<int64_t> parseTerm();
  std::optional<int64_t> parseOperand();

  StringRef Text;
  AsmConstantGetter GetConstant;
};
} // namespace

std::optional<int64_t> ImmediateParser::parseSum() {
  std::optional<int64_t> Sum = parseProduct();
  while (Sum) {
    bool IsMinus = Text.starts_with("-");
    if (!consume("+") && !consume("-"))
      break;
    std::optional<int64_t> Right = parseProduct();
    if (!Right)
      return std::nullopt;
    Sum = IsMinus ? checkedSub(*Sum, *Right) : checkedAdd(*Sum, *Right);
  }
  return Sum;
}

std::optional<int64_t> ImmediateParser::parseProduct() {
  std::optional<int64_t> Product = parseTerm();
  while (Product && consume("*")) {
    std::optional<int64_t> Right = parseTerm();
    if (!Right)
      return std::nullopt;
    Product = checkedMul(*Product, *Right);
  }
  return Product;
}

std::optional<int64_t> ImmediateParser::parseTerm() {
  if (consume("(")) {
    std::optional<int64_t> Value = parseSum();
    return consume(")") ? Value : std::nullopt;
  }
  if (consume("-")) {
    std::optional<int64_t> Value = parseTerm();
    return Value ? checkedSub<int64_t>(0, *Value) : std::nullopt;
  }
  if (Text.starts_with("$"))
    return parseOperand();
  unsigned Value;
  if (Text.consumeInteger(0, Value))
    return std::nullopt;
  consume("U");
  Text = Text.ltrim();
  return Value;
}

/// $0 or ${0:c}. Any other modifier may print something else than the constant.
std::optional<int64_t> ImmediateParser::parseOperand() {
  Text.consume_front("$");
  bool IsBraced = Text.consume_front("{");
  unsigned Number;
  if (Text.consumeInteger(10, Number))
    return std::nullopt;
  if (IsBraced) {
    Text.consume_front(":c");
    if (!Text.consume_front("}"))
      return std::nullopt;
  }
  Text = Text.ltrim();
  return GetConstant(Number);
}

std::optional<int64_t> llvm::parseAsmImmediate(StringRef Text,
                                               AsmConstantGetter GetConstant) {
  return ImmediateParser(Text, GetConstant).parse();
}

std::optional<unsigned> llvm::parseAsmOperand(StringRef Text) {
  unsigned Number;
  if (!Text.consume_front("$"))
    return std::nullopt;
  bool IsBraced = Text.consume_front("{");
  if (Text.consumeInteger(10, Number) || (IsBraced && !Text.consume_front("}")))
    return std::nullopt;
  return Text.empty() ? std::optional(Number) : std::nullopt;
}
