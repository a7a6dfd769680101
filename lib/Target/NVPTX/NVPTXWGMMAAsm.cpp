//===- NVPTXWGMMAAsm.cpp - wgmma in inline assembly -----------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVPTXWGMMAAsm.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/NVVMWGMMA.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <string>

using namespace llvm;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

WGMMAEvent WGMMAEvent::getWait(uint64_t Pending) {
  // One more must not be none.
  constexpr uint64_t Most = std::numeric_limits<int>::max();
  return {Wait, unsigned(std::min(Pending, Most))};
}

static std::optional<WGMMAEvent> parseStep(StringRef Statement,
                                           AsmConstantGetter GetConstant) {
  if (Statement == "wgmma.fence.sync.aligned")
    return WGMMAEvent{WGMMAEvent::Fence};
  if (Statement == "wgmma.commit_group.sync.aligned")
    return WGMMAEvent{WGMMAEvent::Commit};
  if (!Statement.consume_front("wgmma.wait_group.sync.aligned"))
    return std::nullopt;
  std::optional<int64_t> Pending = parseAsmImmediate(Statement, GetConstant);
  if (!Pending || !isUInt<32>(*Pending))
    return std::nullopt;
  return WGMMAEvent::getWait(*Pending);
}

/// Drops the labels that \p Statement begins with. Returns whether there are
/// any.
static bool dropLabels(StringRef &Statement) {
  constexpr StringLiteral Uid = "${:uid}";
  bool HasLabel = false;
  while (true) {
    StringRef Rest = Statement;
    while (!Rest.empty() &&
           (isAlnum(Rest.front()) || StringRef("_$%").contains(Rest.front())))
      Rest = Rest.drop_front(Rest.starts_with(Uid) ? Uid.size() : 1);
    if (Rest.size() == Statement.size() || !Rest.consume_front(":") ||
        Rest.starts_with(":"))
      return HasLabel;
    Statement = Rest.ltrim();
    HasLabel = true;
  }
}

/// Whether \p Statement is a branch, predicated or not.
static bool isBranch(StringRef Statement) {
  if (Statement.starts_with("@"))
    Statement = Statement.drop_until(isSpace).ltrim();
  return Statement.starts_with("bra") || Statement.starts_with("brx");
}

WGMMAAsmText llvm::parseWGMMAAsm(StringRef Text,
                                 AsmConstantGetter GetConstant) {
  WGMMAAsmText Parsed;
  std::string Code = stripAsmComments(Text);
  SmallVector<StringRef, 4> Statements = splitAsmStatements(Code);
  // A branch may skip what lies before the last label.
  const StringRef *LastLabel = Statements.begin();
  for (StringRef &Statement : Statements)
    if (dropLabels(Statement)) {
      LastLabel = &Statement;
      Parsed.HasOthers = true;
    }
  bool MayBeSkipped = false, Traps = false;
  for (const StringRef &Statement : Statements) {
    if (Statement == "{" || Statement == "}")
      continue;
    MayBeSkipped =
        (MayBeSkipped || isBranch(Statement)) && &Statement < LastLabel;
    std::optional<WGMMAEvent> Step = parseStep(Statement, GetConstant);
    if (Step && !MayBeSkipped)
      Parsed.Steps.push_back(*Step);
    else
      Parsed.HasOthers |= !Statement.empty();
    Traps |= Statement.contains("trap");
    Parsed.Exits |= !MayBeSkipped && !Traps && Statement == "exit";
  }
  return Parsed;
}

//===----------------------------------------------------------------------===//
// wgmma.mma_async
//===----------------------------------------------------------------------===//

/// Those of the registers in \p Vector; none if it is no vector of operands.
template <unsigned Size>
static SmallVector<unsigned, Size> parseVector(StringRef Vector) {
  SmallVector<unsigned, Size> Numbers;
  if (!Vector.consume_front("{") || !Vector.consume_back("}"))
    return {};
  for (StringRef Text : splitAsmOperands(Vector)) {
    std::optional<unsigned> Number = parseAsmOperand(Text);
    if (!Number)
      return {};
    Numbers.push_back(*Number);
  }
  return Numbers;
}

namespace {
/// Opcode and operands of a wgmma.mma_async, as they stand in the text.
struct ProductText {
  SmallVector<StringRef, 12> Operands;
  /// As in m64n8k16.
  StringRef Shape;
  /// As in f32.f16.f16 or s32.b1.b1.and.popc.
  std::string Types;
  bool IsSparse = false;
  bool HasSatfinite = false;

  bool takesFragment() const {
    return Operands.size() > 1 && Operands[1].starts_with("{");
  }
};

/// A register that the text declares, and what it has been set to.
struct AsmRegister {
  explicit AsmRegister(bool IsPredicate) : IsPredicate(IsPredicate) {}

  bool IsPredicate;
  std::optional<WGMMAAsmTest> Test;
  std::optional<WGMMAAsmSum> Sum;
};

class StatementParser {
public:
  explicit StatementParser(AsmConstantGetter GetConstant)
      : GetConstant(GetConstant) {}

  /// Whether \p Statement can be read.
  bool parse(StringRef Statement);

  SmallVector<WGMMAAsmStatement, 0> Statements;

private:
  bool parseDeclaration(StringRef Operands);
  AsmRegister *findRegister(StringRef Name);
  bool parseComparison(StringRef Opcode, StringRef Operands);
  bool parseSum(StringRef Type, StringRef Operands, unsigned NumTerms);
  std::optional<WGMMAAsmSum> parseDescriptor(StringRef Operand);
  bool parseA(StringRef Operand, WGMMAAsmProduct &Product);
  bool parseProduct(const ProductText &Text);
  std::optional<WGMMAAsmTest> parseTest(StringRef Operand) const;
  std::optional<WGMMAAsmTest> parseScaleD(StringRef Operand);
  bool parseImmediates(const ProductText &Text, ArrayRef<StringRef> Operands,
                       WGMMAAsmProduct &Product) const;
  std::optional<int64_t> parseImmediate(StringRef Text) const {
    return parseAsmImmediate(Text, GetConstant);
  }

  AsmConstantGetter GetConstant;
  /// By their names, of the blocks around, outermost first.
  SmallVector<StringMap<AsmRegister>, 4> Blocks = {{}};
};
} // namespace

/// .reg .pred p, q, or .reg .b64 d
bool StatementParser::parseDeclaration(StringRef Operands) {
  StringRef Type = Operands.trim().take_until(isSpace);
  const bool IsPredicate = Type == ".pred";
  if (!IsPredicate && !is_contained({".b64", ".u64", ".s64"}, Type))
    return false;
  StringRef Names = Operands.trim().drop_front(Type.size());
  return all_of(splitAsmOperands(Names), [&](StringRef Name) {
    return Blocks.back().try_emplace(Name, IsPredicate).second;
  });
}

/// The register that \p Name stands for here; null if the text has none.
AsmRegister *StatementParser::findRegister(StringRef Name) {
  for (StringMap<AsmRegister> &Block : reverse(Blocks))
    if (auto It = Block.find(Name); It != Block.end())
      return &It->second;
  return nullptr;
}

/// What \p Operand is compared with is still open.
std::optional<WGMMAAsmTest>
StatementParser::parseTest(StringRef Operand) const {
  WGMMAAsmTest Test;
  if (std::optional<int64_t> Constant = parseImmediate(Operand))
    Test.Constant = *Constant;
  else if (!(Test.Operand = parseAsmOperand(Operand)))
    return std::nullopt;
  return Test;
}

/// setp.ne.b32 p, $0, 0
bool StatementParser::parseComparison(StringRef Opcode, StringRef Operands) {
  SmallVector<StringRef, 12> Parts = splitAsmOperands(Operands);
  bool IsEqual = Opcode.consume_front("eq");
  if (Parts.size() != 3 || (!IsEqual && !Opcode.consume_front("ne")) ||
      !Opcode.consume_front("."))
    return false;
  AsmRegister *Result = findRegister(Parts[0]);
  std::optional<WGMMAAsmTest> Test = parseTest(Parts[1]);
  std::optional<int64_t> Other = parseImmediate(Parts[2]);
  if (!Test || !Other || !StringRef("bsu").contains(Opcode.take_front()) ||
      Opcode.drop_front().getAsInteger(10, Test->NumBits) ||
      !is_contained({16u, 32u, 64u}, Test->NumBits) || !Result ||
      !Result->IsPredicate)
    return false;
  Test->IsEqual = IsEqual;
  Test->Other = *Other;
  Result->Test = Test;
  return true;
}

/// A register of the text, or an operand.
std::optional<WGMMAAsmSum> StatementParser::parseDescriptor(StringRef Operand) {
  if (const AsmRegister *Register = findRegister(Operand))
    return Register->Sum;
  std::optional<unsigned> Number = parseAsmOperand(Operand);
  return Number ? std::optional(WGMMAAsmSum{{*Number}, 0}) : std::nullopt;
}

/// add.u64 d, $0, 32, or mov.b64 d, $0
bool StatementParser::parseSum(StringRef Type, StringRef Operands,
                               unsigned NumTerms) {
  SmallVector<StringRef, 12> Parts = splitAsmOperands(Operands);
  if (!(Type == "u64" || Type == "s64" || (Type == "b64" && NumTerms == 1)) ||
      Parts.size() != 1 + NumTerms)
    return false;
  AsmRegister *Result = findRegister(Parts[0]);
  if (!Result || Result->IsPredicate)
    return false;
  WGMMAAsmSum Sum;
  for (StringRef Term : drop_begin(Parts)) {
    if (std::optional<int64_t> Constant = parseImmediate(Term)) {
      Sum.Constant += *Constant;
      continue;
    }
    std::optional<WGMMAAsmSum> Other = parseDescriptor(Term);
    if (!Other)
      return false;
    append_range(Sum.Operands, Other->Operands);
    Sum.Constant += Other->Constant;
  }
  // Sums of sums would grow without end.
  constexpr unsigned MaxOperands = 8;
  if (Sum.Operands.size() > MaxOperands)
    return false;
  Result->Sum = std::move(Sum);
  return true;
}

/// A predicate of the text, an operand that is one, or a constant.
std::optional<WGMMAAsmTest> StatementParser::parseScaleD(StringRef Operand) {
  if (const AsmRegister *Register = findRegister(Operand))
    return Register->Test;
  std::optional<WGMMAAsmTest> Test = parseTest(Operand);
  if (Test)
    Test->NumBits = Test->Operand ? 1 : 64;
  return Test;
}

/// \p Operands are those that the statement ends with. Satfinite stands in the
/// opcode, and the selector is ahead of the scale of D.
bool StatementParser::parseImmediates(const ProductText &Text,
                                      ArrayRef<StringRef> Operands,
                                      WGMMAAsmProduct &Product) const {
  const nvvm::WGMMAVariant &Variant = *Product.Variant;
  if (Text.HasSatfinite && !Variant.HasSatfinite)
    return false;
  for (const auto &Immediate : Variant.getImmediates()) {
    std::optional<int64_t> Value;
    if (Variant.HasSatfinite && Immediate.Idx == Variant.getSatfiniteIdx()) {
      Value = Text.HasSatfinite;
    } else if (Variant.IsSparse && Immediate.Idx == Variant.getSelectorIdx()) {
      Value = parseImmediate(Text.Operands[Variant.getSelectorIdx()]);
    } else if (!Operands.empty()) {
      Value = parseImmediate(Operands.consume_front());
    }
    if (!Value)
      return false;
    Product.Immediates.push_back(*Value);
  }
  return Operands.empty();
}

/// The opcode without what all of them begin with.
static std::optional<ProductText> splitProduct(StringRef Opcode,
                                               StringRef Operands) {
  ProductText Text;
  Text.IsSparse = Opcode.consume_front(".sp");
  if (!Opcode.consume_front(".sync.aligned."))
    return std::nullopt;
  SmallVector<StringRef, 8> Parts;
  Opcode.split(Parts, '.');
  Text.Shape = Parts.front();
  for (StringRef Part : drop_begin(Parts)) {
    // PTX has it behind the shape, ptxas takes it behind the types, too.
    if (Part == "satfinite")
      Text.HasSatfinite = true;
    else
      Text.Types += ("." + Part).str();
  }
  Text.Operands = splitAsmOperands(Operands);
  return Text;
}

/// The variant that \p Text is of, whatever N; null if there is none.
static const nvvm::WGMMAVariant *findVariant(const ProductText &Text) {
  std::string Name = "llvm.nvvm.wgmma.mma_async";
  Name += Text.IsSparse ? ".sp" : "";
  Name += Text.takesFragment() ? ".rs" : ".ss";
  Name += Text.Types;
  Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(Name);
  // What stands behind the name of an overloaded intrinsic is its types.
  if (ID == Intrinsic::not_intrinsic || Intrinsic::getBaseName(ID) != Name)
    return nullptr;
  return nvvm::getWGMMAVariant(ID);
}

/// A fragment or a descriptor, whichever the variant of \p Product has.
bool StatementParser::parseA(StringRef Operand, WGMMAAsmProduct &Product) {
  if (Product.Variant->AFromRegisters) {
    Product.Fragment = parseVector<4>(Operand);
    return Product.Fragment.size() == 4;
  }
  std::optional<WGMMAAsmSum> A = parseDescriptor(Operand);
  Product.A = A.value_or(WGMMAAsmSum());
  return A.has_value();
}

bool StatementParser::parseProduct(const ProductText &Text) {
  WGMMAAsmProduct Product;
  Product.Variant = findVariant(Text);
  if (!Product.Variant ||
      Text.Operands.size() <= Product.Variant->getScaleDIdx())
    return false;
  const nvvm::WGMMAVariant &Variant = *Product.Variant;
  ArrayRef<StringRef> Operands = Text.Operands;
  Product.Accumulator = parseVector<0>(Operands[Variant.getAccumulatorIdx()]);
  std::optional<unsigned> N = Variant.getN(Product.Accumulator.size());
  if (!N || Text.Shape != ("m64n" + Twine(*N) + "k" + Twine(Variant.K)).str())
    return false;

  std::optional<WGMMAAsmSum> B = parseDescriptor(Operands[Variant.getBIdx()]);
  std::optional<unsigned> Metadata;
  if (Variant.IsSparse)
    Metadata = parseAsmOperand(Operands[Variant.getMetadataIdx()]);
  std::optional<WGMMAAsmTest> ScaleD =
      parseScaleD(Operands[Variant.getScaleDIdx()]);
  if (!parseA(Operands[Variant.getAIdx()], Product) || !B || !ScaleD ||
      Metadata.has_value() != Variant.IsSparse ||
      !parseImmediates(Text, Operands.drop_front(Variant.getScaleDIdx() + 1),
                       Product))
    return false;
  Product.B = *B;
  Product.Metadata = Metadata.value_or(0);
  Product.ScaleD = *ScaleD;
  Statements.push_back(std::move(Product));
  return true;
}

bool StatementParser::parse(StringRef Statement) {
  if (Statement == "{") {
    Blocks.emplace_back();
    return true;
  }
  if (Statement == "}") {
    // The text may close what another one has opened.
    if (Blocks.size() > 1)
      Blocks.pop_back();
    return true;
  }
  if (std::optional<WGMMAEvent> Step = parseStep(Statement, GetConstant)) {
    Statements.push_back(*Step);
    return true;
  }
  // With or without a blank: .reg.pred is two words as well.
  if (StringRef Type = Statement; Type.consume_front(".reg"))
    return parseDeclaration(Type);
  StringRef Opcode =
      Statement.take_until([](char C) { return isSpace(C) || C == '{'; });
  StringRef Operands = Statement.drop_front(Opcode.size());
  if (Opcode.consume_front("setp."))
    return parseComparison(Opcode, Operands);
  if (Opcode.consume_front("add."))
    return parseSum(Opcode, Operands, 2);
  if (Opcode.consume_front("mov."))
    return parseSum(Opcode, Operands, 1);
  if (!Opcode.consume_front("wgmma.mma_async"))
    return false;
  std::optional<ProductText> Text = splitProduct(Opcode, Operands);
  return Text && parseProduct(*Text);
}

std::optional<SmallVector<WGMMAAsmStatement, 0>>
llvm::parseWGMMAAsmStatements(StringRef Text, AsmConstantGetter GetConstant) {
  std::string Code = stripAsmComments(Text);
  StatementParser Parser(GetConstant);
  for (StringRef Statement : splitAsmStatements(Code))
    if (!Parser.parse(Statement))
      return std::nullopt;
  return std::move(Parser.Statements);
}
