//===- main.cpp - Look up which thread holds which element ----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuiltinName.h"
#include "Formula.h"
#include "Instructions.h"
#include "Pages.h"
#include "Svg.h"

#include <algorithm>
#include <cstring>
#include <iostream>
#include <stdexcept>

using namespace layout;

static const char *const Help =
    R"(Tell which thread, register and bits hold an element of a tensor-core
operand.

  layout --list                       all instructions, operands, registers
  layout INSTRUCTION                  its operands' layouts as formulas
  layout INSTRUCTION OPERAND          every element
    --thread T --register R           only those there
    --element ROW,COLUMN              only that one; of metadata ROW,CHUNK
    --selector S, --matrix I, --computation C, --thread-id T, --byte-id B
    --svg                             as a picture instead
  layout shared.TYPE                  a matrix of wgmma in shared memory
    --mn COUNT --k COUNT              its size; 64 and 64
    --major k|mn                      what is contiguous; k
    --swizzle none|32|64|128          none
    --order k-first|mn-first          along which its atoms follow each other
    --start BYTES                     where it starts; 0
    --element MN,K, --svg             as above
  layout --pages FOLDER               write the pages of docs/layouts

INSTRUCTION is a short name, as mma.sp.m16n8k32.f16, with the type of A, or that
of PTX, as mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32, or that of a builtin
or an intrinsic, as __nvvm_mma_m16n8k16_row_col_f32_f32. With block scaling a
short name is mma.block_scale.m16n8k64.mxf4nvf4.4X.e2m1.

Exit status: 0, or 1 when there is no such element, 2 for wrong usage.
)";

namespace {

struct Options {
  std::vector<std::string> Names;
  Selection Chosen;
  SharedMatrix Shared;
  bool SharedOptions = false;
  std::string PagesFolder;
  bool List = false, Svg = false;
};

/// Wrong usage; what() is the message.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace

static unsigned number(const std::string &Text) {
  if (Text.empty() || Text.size() > 6 ||
      Text.find_first_not_of("0123456789") != std::string::npos)
    throw UsageError("'" + Text + "' is no number");
  return static_cast<unsigned>(std::stoul(Text));
}

/// The value of a name; \p Values ends where the names do.
template <class T>
static T choice(const std::string &Text,
                const std::vector<std::pair<const char *, T>> &Values) {
  std::string Names;
  for (const auto &[Name, Value] : Values) {
    if (Text == Name)
      return Value;
    Names += (Names.empty() ? "" : ", ") + std::string(Name);
  }
  throw UsageError("'" + Text + "' is none of " + Names);
}

static Options parse(int Count, char **Arguments) {
  using devicetest::Arrangement;
  using devicetest::Swizzle;
  Options O;
  for (int I = 1; I < Count; ++I) {
    std::string Name = Arguments[I];
    auto Value = [&]() -> std::string {
      if (I + 1 == Count)
        throw UsageError(Name + " needs a value");
      return Arguments[++I];
    };
    auto IntoSelection = [&](int &Field) {
      Field = static_cast<int>(number(Value()));
    };
    if (Name == "--list") {
      O.List = true;
    } else if (Name == "--svg") {
      O.Svg = true;
    } else if (Name == "--pages") {
      O.PagesFolder = Value();
    } else if (Name == "--thread") {
      IntoSelection(O.Chosen.Thread);
    } else if (Name == "--register") {
      IntoSelection(O.Chosen.Register);
    } else if (Name == "--selector" || Name == "--matrix" ||
               Name == "--computation" || Name == "--thread-id" ||
               Name == "--byte-id") {
      std::string Word = Name.substr(2);
      std::replace(Word.begin(), Word.end(), '-', '_');
      O.Chosen.Parts[Word] = number(Value());
    } else if (Name == "--element") {
      std::string Text = Value();
      size_t Comma = Text.find(',');
      if (Comma == std::string::npos)
        throw UsageError("--element needs two numbers, as 3,4");
      O.Chosen.Row = static_cast<int>(number(Text.substr(0, Comma)));
      O.Chosen.Column = static_cast<int>(number(Text.substr(Comma + 1)));
    } else if (Name[0] != '-') {
      O.Names.push_back(Name);
    } else {
      O.SharedOptions = true;
      if (Name == "--mn")
        O.Shared.MN = number(Value());
      else if (Name == "--k")
        O.Shared.K = number(Value());
      else if (Name == "--start")
        O.Shared.Start = number(Value());
      else if (Name == "--major")
        O.Shared.MNMajor = choice<bool>(Value(), {{"k", false}, {"mn", true}});
      else if (Name == "--swizzle")
        O.Shared.Mode = choice<Swizzle>(Value(), {{"none", Swizzle::None},
                                                  {"32", Swizzle::B32},
                                                  {"64", Swizzle::B64},
                                                  {"128", Swizzle::B128}});
      else if (Name == "--order")
        O.Shared.Order =
            choice<Arrangement>(Value(), {{"k-first", Arrangement::KFirst},
                                          {"mn-first", Arrangement::MNFirst}});
      else
        throw UsageError("unknown option '" + Name + "'");
    }
  }
  return O;
}

static int exitStatus(unsigned Printed) {
  if (!Printed)
    std::cerr << "layout: there is no such element\n";
  return Printed ? 0 : 1;
}

static int listAll() {
  for (const Instruction &I : instructions())
    for (const Operand &O : I.Operands) {
      Table T = O.MakeTable();
      std::cout << I.Name << ' ' << O.Name << ' ' << T.Registers << '\n';
    }
  return 0;
}

static int showShared(Options &O) {
  using devicetest::Element;
  if (O.Names.size() > 1)
    throw UsageError("a matrix in shared memory has no operands");
  if (O.Chosen.Thread >= 0 || O.Chosen.Register >= 0 || !O.Chosen.Parts.empty())
    throw UsageError("a matrix in shared memory is in no thread's registers");
  O.Shared.Type = choice<Element>(O.Names[0].substr(std::strlen("shared.")),
                                  {{"f16", Element::f16},
                                   {"bf16", Element::bf16},
                                   {"tf32", Element::tf32},
                                   {"e4m3", Element::e4m3},
                                   {"e5m2", Element::e5m2},
                                   {"s8", Element::s8},
                                   {"u8", Element::u8},
                                   {"b1", Element::b1}});
  std::string Error = O.Shared.error();
  if (!Error.empty())
    throw UsageError(Error);
  if (!O.Svg)
    return exitStatus(print(O.Shared, O.Chosen, std::cout));
  drawShared(O.Shared, std::cout);
  return 0;
}

static int showFormulas(const Instruction &I) {
  for (const Operand &O : I.Operands) {
    Table T = O.MakeTable();
    std::cout << O.Name << ", registers: " << T.Registers << '\n';
    for (const Formula &F : elementByPlace(T))
      std::cout << "  " << F.Name << " = " << F.Value << '\n';
    for (const Formula &F : placeByElement(T))
      std::cout << "  " << F.Name << " = " << F.Value << '\n';
  }
  return 0;
}

static int show(Options &O) {
  const std::string Name = instructionName(O.Names[0]);
  if (Name.find("shared.") == 0)
    return showShared(O);
  if (Name.find("wmma") == 0)
    throw UsageError("PTX leaves the layout of wmma's fragments open");
  std::optional<Instruction> I = findInstruction(Name);
  if (!I)
    throw UsageError("no instruction '" + O.Names[0] + "' in --list");
  if (O.SharedOptions)
    throw UsageError("an option of shared.TYPE was given for registers");
  if (O.Names.size() == 1)
    return showFormulas(*I);
  const Operand *Of = findOperand(*I, O.Names[1]);
  if (!Of || O.Names.size() > 2) {
    std::string Names;
    for (const Operand &Each : I->Operands)
      Names += " " + Each.Name;
    throw UsageError("the operands of " + I->Name + " are" + Names);
  }
  Table T = Of->MakeTable();
  for (const auto &[Word, Part] : O.Chosen.Parts)
    if (std::none_of(T.PartKinds.begin(), T.PartKinds.end(),
                     [&W = Word](const PartKind &K) { return K.Word == W; }))
      throw UsageError(Of->Name + " of " + I->Name + " has no " + Word);
  if (!O.Svg)
    return exitStatus(print(T, O.Chosen, std::cout));
  drawTable(T, std::cout);
  return 0;
}

int main(int Count, char **Arguments) {
  for (int I = 1; I < Count; ++I)
    if (!std::strcmp(Arguments[I], "--help") ||
        !std::strcmp(Arguments[I], "-h")) {
      std::cout << Help;
      return 0;
    }
  try {
    Options O = parse(Count, Arguments);
    if (!O.PagesFolder.empty())
      return writePages(O.PagesFolder) ? 0 : 1;
    if (O.List)
      return listAll();
    if (O.Names.empty())
      throw UsageError("which instruction?");
    return show(O);
  } catch (const UsageError &Error) {
    std::cerr << "layout: " << Error.what() << "; see --help\n";
    return 2;
  }
}
