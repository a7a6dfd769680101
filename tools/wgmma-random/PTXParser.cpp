//===- PTXParser.cpp - PTX text as instructions ---------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace wgmmarandom;
using namespace wgmmarandom::ptx;

const Function *ptx::Module::find(StringRef Name) const {
  for (const auto &F : Functions)
    if (F->Name == Name)
      return F.get();
  return nullptr;
}

const Function *ptx::Module::kernel() const {
  for (const auto &F : Functions)
    if (F->IsKernel)
      return F.get();
  return nullptr;
}

namespace {
class Parser {
public:
  explicit Parser(StringRef Text) : Text(Text) {}
  ptx::Module run();

private:
  // Characters.
  bool atEnd() const { return Position >= Text.size(); }
  char peek() const { return atEnd() ? '\0' : Text[Position]; }
  void skipSpace();
  StringRef line();
  StringRef word();
  /// What stands before \p End, outside of braces and brackets.
  StringRef until(char End);
  void skipBraces();
  unsigned lineNumber();

  // Declarations.
  void topLevel();
  void function(bool IsKernel);
  std::vector<Variable> parameters();
  static Variable variable(StringRef Declaration);
  void body();
  void bodyDirective();
  void branchTargets(StringRef Label);
  void registers(StringRef Declaration);
  void addRegister(const Twine &Name, unsigned Bits);

  // Instructions.
  void instruction(StringRef Statement);
  void callOperands(Instr &I, StringRef Rest);
  Operand operand(StringRef Word);
  void readsAndWrites(Instr &I);
  void wgmma(Instr &I);
  void fail(const Twine &Message);

  StringRef Text;
  size_t Position = 0;
  size_t Counted = 0;
  unsigned Line = 1;
  ptx::Module M;
  ptx::Function *F = nullptr;
};
} // namespace

void Parser::fail(const Twine &Message) {
  if (M.Error.empty())
    M.Error = ("line " + Twine(lineNumber()) + ": " + Message).str();
}

unsigned Parser::lineNumber() {
  for (; Counted < std::min(Position, Text.size()); ++Counted)
    Line += Text[Counted] == '\n';
  return Line;
}

void Parser::skipSpace() {
  while (!atEnd()) {
    if (isSpace(peek()))
      ++Position;
    else if (Text.substr(Position).starts_with("//"))
      line();
    else
      return;
  }
}

StringRef Parser::line() {
  size_t End = std::min(Text.find('\n', Position), Text.size());
  StringRef Result = Text.slice(Position, End);
  Position = End;
  return Result;
}

StringRef Parser::word() {
  skipSpace();
  size_t Begin = Position;
  while (!atEnd() && (isAlnum(peek()) || StringRef("._$%").contains(peek())))
    ++Position;
  return Text.slice(Begin, Position);
}

StringRef Parser::until(char End) {
  size_t Begin = Position;
  for (int Depth = 0; !atEnd(); ++Position) {
    if (peek() == End && Depth == 0) {
      ++Position;
      return Text.slice(Begin, Position - 1);
    }
    Depth += StringRef("{[(").contains(peek());
    Depth -= StringRef("}])").contains(peek());
  }
  fail("'" + Twine(End) + "' is missing");
  return Text.slice(Begin, Position);
}

void Parser::skipBraces() {
  skipSpace();
  if (peek() == '{') {
    ++Position;
    until('}');
  }
}

ptx::Module Parser::run() {
  for (skipSpace(); !atEnd() && M.Error.empty(); skipSpace())
    topLevel();
  return std::move(M);
}

void Parser::topLevel() {
  StringRef Word = word();
  if (Word == ".version" || Word == ".target" || Word == ".address_size" ||
      Word == ".file") {
    line();
  } else if (Word == ".section") {
    word();
    skipBraces();
  } else if (Word == ".entry" || Word == ".func") {
    function(Word == ".entry");
  } else if (Word == ".shared" || Word == ".global" || Word == ".const") {
    M.Globals.push_back(variable(until(';').split('=').first));
  } else if (Word.empty()) {
    fail("unexpected '" + Twine(peek()) + "'");
  }
  // Other words (.visible, .weak, .extern, .common) only say how it is linked.
}

Variable Parser::variable(StringRef Declaration) {
  SmallVector<StringRef, 8> Words;
  SplitString(Declaration, Words, " \t\n,");
  Variable V;
  unsigned ElementBytes = 1;
  for (auto [I, Word] : enumerate(Words)) {
    unsigned Bits;
    if (Word == ".align" || (Word == ".reg"))
      continue;
    if (Word.size() > 2 && Word[0] == '.' &&
        StringRef("busf").contains(Word[1]) &&
        !Word.drop_front(2).getAsInteger(10, Bits))
      ElementBytes = divideCeil(Bits, 8);
    else if (Word[0] != '.' && !isDigit(Word[0]))
      V.Name = Word.str();
  }
  auto [Name, Count] = StringRef(V.Name).split('[');
  uint64_t Elements = 1;
  if (!Count.empty())
    Count.drop_back().getAsInteger(10, Elements);
  V.Bytes = ElementBytes * Elements;
  V.Name = Name.str();
  return V;
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> Result;
  skipSpace();
  if (peek() != '(')
    return Result;
  ++Position;
  StringRef List = until(')');
  SmallVector<StringRef, 8> Declarations;
  List.split(Declarations, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Declaration : Declarations)
    if (!Declaration.trim().empty())
      Result.push_back(variable(Declaration));
  return Result;
}

void Parser::function(bool IsKernel) {
  auto New = std::make_unique<ptx::Function>();
  New->IsKernel = IsKernel;
  New->Results = parameters();
  New->Name = word().str();
  New->Parameters = parameters();
  // .noreturn, .maxntid and the like.
  skipSpace();
  while (!atEnd() && peek() != '{' && peek() != ';') {
    ++Position;
  }
  if (peek() == ';') {
    ++Position;
    return;
  }
  ++Position;
  F = New.get();
  M.Functions.push_back(std::move(New));
  body();
}

void Parser::body() {
  int Depth = 1;
  while (M.Error.empty()) {
    skipSpace();
    if (atEnd())
      return fail("function without end");
    if (peek() == '{' || peek() == '}') {
      Depth += peek() == '{' ? 1 : -1;
      ++Position;
      if (Depth == 0)
        return;
      continue;
    }
    if (peek() == ';') {
      ++Position;
      continue;
    }
    size_t Begin = Position;
    StringRef Word = word();
    if (peek() == ':') {
      ++Position;
      F->Labels[Word] = F->Instructions.size();
      branchTargets(Word);
      continue;
    }
    Position = Begin;
    if (Word.starts_with("."))
      bodyDirective();
    else
      instruction(until(';'));
  }
}

void Parser::bodyDirective() {
  StringRef Word = word();
  if (Word == ".loc" || Word == ".file")
    line();
  else if (Word == ".reg")
    registers(until(';'));
  else if (Word == ".param" || Word == ".local" || Word == ".shared")
    F->Locals.push_back(variable(until(';')));
  else
    until(';'); // .pragma
}

void Parser::addRegister(const Twine &Name, unsigned Bits) {
  auto [It, IsNew] =
      F->Registers.try_emplace(Name.str(), F->RegisterNames.size());
  if (!IsNew)
    return;
  F->RegisterNames.push_back(Name.str());
  F->RegisterBits.push_back(Bits);
}

void Parser::registers(StringRef Declaration) {
  Declaration = Declaration.trim();
  size_t Split = Declaration.find_first_of(" \t");
  StringRef Type = Declaration.take_front(Split);
  unsigned Bits = 1;
  if (Type != ".pred" && Type.drop_front(2).getAsInteger(10, Bits))
    return fail("type of register " + Type);
  SmallVector<StringRef, 4> Names;
  Declaration.drop_front(Split).split(Names, ',');
  for (StringRef Name : Names) {
    Name = Name.trim();
    unsigned Count;
    if (!Name.consume_back(">")) {
      addRegister(Name, Bits);
      continue;
    }
    auto [Stem, Number] = Name.split('<');
    if (Number.getAsInteger(10, Count))
      return fail("number of registers " + Name);
    for (unsigned I = 0; I != Count; ++I)
      addRegister(Stem + Twine(I), Bits);
  }
}

Operand Parser::operand(StringRef Word) {
  Word = Word.trim();
  Operand Op;
  if (Word == "_") {
    Op.Kind = Operand::Sink;
    return Op;
  }
  if (Word.contains('|')) {
    Op.Kind = Operand::Vector;
    auto [First, Second] = Word.split('|');
    Op.Elements = {operand(First), operand(Second)};
    return Op;
  }
  if (Word.consume_front("{")) {
    Op.Kind = Operand::Vector;
    SmallVector<StringRef, 8> Words;
    Word.drop_back().split(Words, ',', -1, false);
    for (StringRef Element : Words)
      Op.Elements.push_back(operand(Element));
    return Op;
  }
  if (Word.consume_front("[")) {
    Word = Word.drop_back().trim();
    Op.Kind = Operand::Address;
    size_t Sign = Word.find_first_of("+-", 1);
    StringRef Base = Word.take_front(Sign).trim();
    if (Sign != StringRef::npos) {
      int64_t Offset = 0;
      StringRef Number = Word.drop_front(Sign);
      bool Negative = Number.consume_front("-");
      Number.consume_front("+");
      if (Number.trim().getAsInteger(0, Offset))
        fail("offset " + Word);
      Op.Value = Negative ? -Offset : Offset;
    }
    auto It = F->Registers.find(Base);
    Op.HasReg = It != F->Registers.end();
    if (Op.HasReg)
      Op.Reg = It->second;
    else
      Op.Name = Base.str();
    return Op;
  }
  if (auto It = F->Registers.find(Word); It != F->Registers.end()) {
    Op.Kind = Operand::Register;
    Op.Reg = It->second;
    return Op;
  }
  Op.Kind = Operand::Immediate;
  StringRef Number = Word;
  if (Number.consume_front("0f") || Number.consume_front("0d")) {
    if (!Number.getAsInteger(16, Op.Value))
      return Op;
  }
  Number = Word;
  bool Negative = Number.consume_front("-");
  if (!Number.empty() && isDigit(Number[0])) {
    Number.consume_back("U");
    if (Number.getAsInteger(0, Op.Value))
      fail("number " + Word);
    if (Negative)
      Op.Value = -Op.Value;
    return Op;
  }
  Op.Kind = Operand::Symbol;
  Op.Name = Word.str();
  return Op;
}

/// Splits at commas outside of braces and brackets.
static SmallVector<StringRef, 8> splitOperands(StringRef List) {
  SmallVector<StringRef, 8> Result;
  size_t Begin = 0;
  int Depth = 0;
  for (size_t I = 0; I != List.size(); ++I) {
    Depth += StringRef("{[(").contains(List[I]);
    Depth -= StringRef("}])").contains(List[I]);
    if (List[I] == ',' && Depth == 0) {
      Result.push_back(List.slice(Begin, I).trim());
      Begin = I + 1;
    }
  }
  if (!List.drop_front(Begin).trim().empty())
    Result.push_back(List.drop_front(Begin).trim());
  return Result;
}

/// The list that \p Label names, if one follows.
void Parser::branchTargets(StringRef Label) {
  size_t Begin = Position;
  if (word() != ".branchtargets") {
    Position = Begin;
    return;
  }
  for (StringRef Target : splitOperands(until(';')))
    F->BranchTargets[Label].push_back(Target.str());
}

void Parser::callOperands(Instr &I, StringRef Rest) {
  auto Names = [](StringRef List, auto &Into) {
    List = List.trim();
    List.consume_front("(");
    List.consume_back(")");
    for (StringRef Name : splitOperands(List))
      Into.push_back(Name.str());
  };
  for (StringRef Word : splitOperands(Rest)) {
    if (Word.starts_with("("))
      Names(Word, I.Callee.empty() ? I.CallResults : I.CallArguments);
    else
      I.Callee = Word.str();
  }
}

void Parser::instruction(StringRef Statement) {
  auto New = std::make_unique<Instr>();
  Instr &I = *New;
  Statement = Statement.trim();
  I.Line = lineNumber();
  I.Text = Statement.str();
  StringRef Rest = I.Text;
  if (Rest.consume_front("@")) {
    size_t Space = Rest.find_first_of(" \t");
    StringRef Guard = Rest.take_front(Space);
    I.HasGuard = true;
    I.GuardNegated = Guard.consume_front("!");
    auto It = F->Registers.find(Guard);
    if (It == F->Registers.end())
      return fail("predicate " + Guard);
    I.Guard = It->second;
    Rest = Rest.drop_front(Space).trim();
  }
  size_t Space = Rest.find_first_of(" \t");
  I.Opcode = Rest.take_front(Space).str();
  Rest = Space == StringRef::npos ? "" : Rest.drop_front(Space).trim();
  StringRef(I.Opcode).split(I.Parts, '.');
  if (I.is("call")) {
    callOperands(I, Rest);
  } else {
    for (StringRef Word : splitOperands(Rest))
      I.Operands.push_back(operand(Word));
    if (I.isWgmma("mma_async"))
      wgmma(I);
    else
      readsAndWrites(I);
  }
  if (I.HasGuard)
    I.Reads.push_back(I.Guard);
  F->Instructions.push_back(std::move(New));
}

static void addRegisters(const Operand &Op, SmallVectorImpl<unsigned> &To) {
  if (Op.Kind == Operand::Register ||
      (Op.Kind == Operand::Address && Op.HasReg))
    To.push_back(Op.Reg);
  for (const Operand &Element : Op.Elements)
    addRegisters(Element, To);
}

void Parser::readsAndWrites(Instr &I) {
  bool HasResult =
      !is_contained({"st", "bra", "brx", "ret", "exit", "bar", "barrier",
                     "wgmma", "red", "membar", "fence", "trap"},
                    I.Parts[0]);
  for (auto [Index, Op] : enumerate(I.Operands))
    addRegisters(Op, HasResult && Index == 0 ? I.Writes : I.Reads);
}

/// The operands are the accumulator, A or its descriptor, B's descriptor, the
/// metadata and selector of sparse ones, scale-d and the immediates.
void Parser::wgmma(Instr &I) {
  I.WGMMA = parseInstruction(I.Opcode);
  if (!I.WGMMA)
    return fail("not an instruction of PTX: " + I.Opcode);
  Operation &Op = *I.WGMMA;
  ArrayRef<Operand> Rest = I.Operands;
  unsigned Expected = 4 + 2 * Op.Sparse;
  if (Rest.size() < Expected)
    return fail("operands of " + I.Opcode);
  Op.AFromRegisters = Rest[1].Kind == Operand::Vector;
  if (Rest.size() != Expected + numImmediates(Op) ||
      Rest[0].Elements.size() != Op.accumulatorRegisters() ||
      (Op.AFromRegisters && Rest[1].Elements.size() != 4))
    return fail("operands of " + I.Opcode);
  if (Op.Sparse)
    Op.Selector = Rest[4].Value;
  SmallVector<int64_t, 4> Immediates;
  for (const Operand &Immediate : Rest.drop_front(Expected)) {
    if (Immediate.Kind != Operand::Immediate)
      return fail("immediate of " + I.Opcode);
    Immediates.push_back(Immediate.Value);
  }
  setImmediates(Op, Immediates);
  // The others are the accumulator, and what is read late.
  for (unsigned Index : {1u, 2u, Op.Sparse ? 5u : 3u})
    if (Rest[Index].Kind != Operand::Vector)
      addRegisters(Rest[Index], I.Reads);
}

ptx::Module ptx::parse(StringRef Text) { return Parser(Text).run(); }
