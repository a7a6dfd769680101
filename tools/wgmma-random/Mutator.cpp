//===- Mutator.cpp - Invalid programs -------------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "Operation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace wgmmarandom;

StringRef wgmmarandom::name(Mistake M) {
  switch (M) {
  case Mistake::Scale:
    return "scale neither 1 nor -1";
  case Mistake::Selector:
    return "selector without meaning";
  case Mistake::Length:
    return "accumulator of no N";
  case Mistake::Element:
    return "accumulator of other elements";
  case Mistake::Variable:
    return "variable for an immediate";
  case Mistake::ArgumentType:
    return "operand of another type";
  case Mistake::FenceOperand:
    return "fence_operand of another type";
  case Mistake::WaitOperand:
    return "variable number of groups to wait for";
  case Mistake::AddressTaken:
    return "address of the intrinsic";
  case Mistake::Target:
    return "target without the instruction";
  case Mistake::NoCommit:
    return "no commit";
  case Mistake::NoWait:
    return "no wait";
  case Mistake::NoFence:
    return "no fence";
  }
  return "";
}

namespace {
/// A call of wgmma.mma_async in the text, in parts.
struct Call {
  unsigned Line;
  Operation Op;
  std::string Name;
  std::string Head; ///< Up to the name's '@'.
  std::vector<std::string> Arguments;
  std::string Tail; ///< After the arguments.

  unsigned firstImmediate() const { return Op.Sparse ? 6 : 4; }
  std::string text() const {
    return Head + "@" + Name + "(" + join(Arguments, ", ") + ")" + Tail;
  }
};

class Mutator {
public:
  Mutator(StringRef Text, Random &R) : R(R) {
    SmallVector<StringRef, 0> Split;
    Text.split(Split, '\n');
    for (StringRef Line : Split)
      Lines.push_back(Line.str());
  }

  InvalidProgram run(Mistake M);

private:
  std::optional<Call> pickCall(function_ref<bool(const Call &)> Fits);
  bool replaceArgument(function_ref<bool(const Call &)> Fits,
                       function_ref<void(Call &)> Change);
  bool otherAccumulator(StringRef Type, StringRef Mangled);
  bool dropAll(StringRef What);
  bool insertBefore(StringRef What, const Twine &Line);
  bool apply(Mistake M, InvalidProgram &P);

  Random &R;
  std::vector<std::string> Lines;
};
} // namespace

static std::optional<Call> parseCall(StringRef Line, unsigned Number) {
  size_t At = Line.find("@llvm.nvvm.wgmma.mma_async.");
  if (At == StringRef::npos || !Line.contains(" = call "))
    return std::nullopt;
  Call C;
  C.Line = Number;
  C.Head = Line.take_front(At).str();
  auto [Name, Rest] = Line.drop_front(At + 1).split('(');
  std::optional<Operation> Op = parseIntrinsic(Name);
  if (!Op)
    return std::nullopt;
  C.Op = *Op;
  C.Name = Name.str();
  size_t Close = Rest.rfind(')');
  C.Tail = Rest.drop_front(Close + 1).str();
  SmallVector<StringRef, 16> Words;
  Rest.take_front(Close).split(Words, ", ");
  for (StringRef Word : Words)
    C.Arguments.push_back(Word.str());
  return C;
}

std::optional<Call> Mutator::pickCall(function_ref<bool(const Call &)> Fits) {
  std::vector<Call> Calls;
  for (unsigned I = 0; I != Lines.size(); ++I)
    if (auto C = parseCall(Lines[I], I))
      if (Fits(*C))
        Calls.push_back(*C);
  if (Calls.empty())
    return std::nullopt;
  return R.pick(Calls);
}

bool Mutator::replaceArgument(function_ref<bool(const Call &)> Fits,
                              function_ref<void(Call &)> Change) {
  std::optional<Call> C = pickCall(Fits);
  if (!C)
    return false;
  Change(*C);
  Lines[C->Line] = C->text();
  return true;
}

/// One more call, whose accumulator has another type.
bool Mutator::otherAccumulator(StringRef Type, StringRef Mangled) {
  std::optional<Call> C = pickCall([](const Call &) { return true; });
  if (!C)
    return false;
  C->Name = (StringRef(C->Name).rsplit(".v").first + "." + Mangled).str();
  C->Head = ("  %bad = call " + Type + " ").str();
  C->Arguments[0] = (Type + " poison").str();
  Lines.insert(Lines.begin() + C->Line, C->text());
  return true;
}

/// Empties the text of inline assembly that defines values, which it passes on.
static bool dropAsmText(std::string &Line) {
  size_t Start = Line.find("asm sideeffect \"");
  if (Start == std::string::npos || !StringRef(Line).trim().starts_with("%"))
    return false;
  Start = Line.find('"', Start) + 1;
  Line.erase(Start, Line.find('"', Start) - Start);
  return true;
}

/// Drops the lines of the kernel that contain this.
bool Mutator::dropAll(StringRef What) {
  bool HasDropped = false;
  for (unsigned I = 0; I != Lines.size();) {
    StringRef Line = Lines[I];
    bool IsMeant = Line.contains(What) && !Line.starts_with("declare");
    HasDropped |= IsMeant;
    if (IsMeant && !dropAsmText(Lines[I]))
      Lines.erase(Lines.begin() + I);
    else
      ++I;
  }
  return HasDropped;
}

bool Mutator::insertBefore(StringRef What, const Twine &Line) {
  for (unsigned I = 0; I != Lines.size(); ++I)
    if (StringRef(Lines[I]).contains(What)) {
      Lines.insert(Lines.begin() + I, Line.str());
      return true;
    }
  return false;
}

bool Mutator::apply(Mistake M, InvalidProgram &P) {
  auto IsSparse = [](const Call &C) { return C.Op.Sparse; };
  auto HasScale = [](const Call &C) { return C.Op.Types->HasScale; };
  auto Any = [](const Call &) { return true; };
  switch (M) {
  case Mistake::Scale:
    return replaceArgument(HasScale, [&](Call &C) {
      static const StringRef Bad[] = {"i32 0", "i32 2", "i32 -2", "i32 1000"};
      C.Arguments[C.firstImmediate() + R.below(2)] = R.pick(Bad).str();
    });
  case Mistake::Selector:
    return replaceArgument(IsSparse, [&](Call &C) {
      int Bad = R.percent(30) ? -1 : C.Op.Types->NumSelectors + R.below(4);
      C.Arguments[4] = "i32 " + itostr(Bad);
    });
  case Mistake::Length: {
    std::optional<Call> C = pickCall(Any);
    if (!C)
      return false;
    const Family &F = *C->Op.Types;
    unsigned Length;
    do
      Length = 1 + R.below(150);
    while (F.hasN(Length * (F.D == "f16" ? 4 : 2)));
    bool IsFloat = F.D == "f32";
    C->Name = (StringRef(C->Name).rsplit(".v").first + ".v" + utostr(Length) +
               (IsFloat ? "f32" : "i32"))
                  .str();
    std::string Type =
        "<" + utostr(Length) + (IsFloat ? " x float>" : " x i32>");
    C->Head = "  %bad = call " + Type + " ";
    C->Arguments[0] = Type + " poison";
    Lines.insert(Lines.begin() + C->Line, C->text());
    return true;
  }
  case Mistake::Element: {
    static const std::pair<StringRef, StringRef> Bad[] = {
        {"<4 x double>", "v4f64"},
        {"<8 x half>", "v8f16"},
        {"<4 x i64>", "v4i64"},
        {"<8 x i16>", "v8i16"},
        {"<4 x bfloat>", "v4bf16"},
        {"<4 x i1>", "v4i1"},
        {"<vscale x 4 x float>", "nxv4f32"},
        {"<4 x ptr>", "v4p0"}};
    auto [Type, Mangled] = R.pick(Bad);
    return otherAccumulator(Type, Mangled);
  }
  case Mistake::Variable:
    return replaceArgument(
        [](const Call &C) { return C.Op.Types->HasScale || C.Op.Sparse; },
        [&](Call &C) {
          unsigned At =
              C.Op.Types->HasScale ? C.firstImmediate() + R.below(2) : 4;
          C.Arguments[At] = "i32 %p";
        });
  case Mistake::ArgumentType:
    return replaceArgument(Any, [&](Call &C) {
      static const StringRef Bad[] = {"i32 0", "float 0.0", "<2 x i32> poison",
                                      "ptr null", "<4 x float> poison"};
      C.Arguments[1 + R.below(2)] = R.pick(Bad).str();
    });
  case Mistake::FenceOperand: {
    static const std::pair<StringRef, StringRef> Bad[] = {
        {"<4 x half>", "v4f16"},
        {"<4 x double>", "v4f64"},
        {"<4 x i64>", "v4i64"},
        {"<2 x ptr>", "v2p0"}};
    auto [Type, Mangled] = R.pick(Bad);
    return insertBefore("call void @llvm.nvvm.wgmma.fence",
                        "  %bad = call " + Type +
                            " @llvm.nvvm.wgmma.fence_operand." + Mangled + "(" +
                            Type + " poison)");
  }
  case Mistake::WaitOperand:
    return insertBefore("call void @llvm.nvvm.wgmma.fence",
                        "  call void "
                        "@llvm.nvvm.wgmma.wait_group.sync.aligned(i64 %ad)");
  case Mistake::AddressTaken: {
    std::optional<Call> C = pickCall(Any);
    return C &&
           insertBefore("call void @llvm.nvvm.wgmma.fence",
                        "  store ptr @" + C->Name + ", ptr addrspace(1) %out");
  }
  case Mistake::Target: {
    static const std::pair<StringRef, StringRef> Bad[] = {
        {"sm_80", "+ptx84"},  {"sm_89", "+ptx84"},   {"sm_90", "+ptx84"},
        {"sm_100", "+ptx86"}, {"sm_100a", "+ptx86"}, {"sm_120a", "+ptx87"},
        {"sm_75", "+ptx70"}};
    auto [CPU, Features] = R.pick(Bad);
    P.CPU = CPU.str();
    P.Features = Features.str();
    return pickCall(Any).has_value();
  }
  case Mistake::NoCommit:
    return dropAll("wgmma.commit_group");
  case Mistake::NoWait:
    return dropAll("wgmma.wait_group");
  case Mistake::NoFence:
    return dropAll("wgmma.fence.");
  }
  return false;
}

InvalidProgram Mutator::run(Mistake M) {
  InvalidProgram P;
  if (apply(M, P))
    P.Text = join(Lines, "\n");
  return P;
}

InvalidProgram wgmmarandom::mutate(StringRef Text, Mistake M, Random &R) {
  return Mutator(Text, R).run(M);
}
