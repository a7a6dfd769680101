//===- PlantedFaults.cpp - Does the tool find what it should? -------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlantedFaults.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace wgmmarandom;

StringRef wgmmarandom::name(Plant P) {
  switch (P) {
  case Plant::DropWait:
    return "wait dropped";
  case Plant::WeakenWait:
    return "wait leaves one group more";
  case Plant::MoveWait:
    return "wait moved down";
  case Plant::DropCommit:
    return "commit dropped";
  case Plant::DropFence:
    return "fence dropped";
  case Plant::MoveFence:
    return "fence moved up";
  case Plant::DropCopy:
    return "copy dropped";
  case Plant::MoveCopy:
    return "copy moved";
  case Plant::SwapAccumulator:
    return "accumulator's registers swapped";
  case Plant::OtherRegister:
    return "another register read";
  case Plant::DropMultiplication:
    return "wgmma dropped";
  }
  return "";
}

namespace {
using Lines = SmallVector<std::string, 0>;
} // namespace

static std::optional<unsigned> pickLine(const Lines &All, Random &R,
                                        function_ref<bool(StringRef)> Fits) {
  SmallVector<unsigned, 32> Candidates;
  for (unsigned I = 0; I != All.size(); ++I)
    if (Fits(StringRef(All[I]).trim()))
      Candidates.push_back(I);
  if (Candidates.empty())
    return std::nullopt;
  return R.pick(Candidates);
}

static auto startsWith(StringRef Prefix) {
  return [=](StringRef Line) { return Line.starts_with(Prefix); };
}

/// Whether an instruction can pass this line without leaving its block.
static bool isPassable(StringRef Line) {
  Line = Line.trim();
  return !Line.empty() && !Line.contains(':') && Line.ends_with(";") &&
         !Line.starts_with("@") && !Line.starts_with("bra") &&
         !Line.starts_with("ret") && !Line.starts_with("call") &&
         !Line.starts_with(".") && !Line.starts_with("{") &&
         !Line.starts_with("}");
}

/// Moves a line over up to \p Distance others; false if it cannot move.
static bool move(Lines &All, unsigned From, bool Down, unsigned Distance) {
  unsigned At = From;
  for (; Distance; --Distance) {
    unsigned Next = Down ? At + 1 : At - 1;
    if (Next >= All.size() || !isPassable(All[Next]))
      break;
    std::swap(All[At], All[Next]);
    At = Next;
  }
  return At != From;
}

/// The places of the 32-bit registers in a line, without the first operand.
static SmallVector<std::pair<size_t, size_t>, 8> registersIn(StringRef Line,
                                                             size_t From) {
  SmallVector<std::pair<size_t, size_t>, 8> Found;
  for (size_t At = Line.find("%r", From); At != StringRef::npos;
       At = Line.find("%r", At + 1)) {
    size_t End = At + 2;
    while (End < Line.size() && isDigit(Line[End]))
      ++End;
    if (End != At + 2)
      Found.push_back({At, End - At});
  }
  return Found;
}

static bool swapAccumulator(std::string &Line, Random &R) {
  auto Found = registersIn(
      StringRef(Line).take_until([](char C) { return C == '}'; }), 0);
  if (Found.size() < 2)
    return false;
  unsigned First = R.below(Found.size() - 1);
  auto [A, ALength] = Found[First];
  auto [B, BLength] = Found[First + 1];
  std::string X = Line.substr(A, ALength), Y = Line.substr(B, BLength);
  Line.replace(B, BLength, X);
  Line.replace(A, ALength, Y);
  return X != Y;
}

static bool otherRegister(const Lines &All, std::string &Line, Random &R) {
  // The first operand is what is written, or an address.
  auto Found = registersIn(Line, StringRef(Line).find(','));
  std::optional<unsigned> From = pickLine(All, R, [](StringRef Text) {
    return isPassable(Text) && !registersIn(Text, 0).empty();
  });
  if (Found.empty() || !From)
    return false;
  auto [At, Length] = Found[R.below(Found.size())];
  auto [OtherAt, OtherLength] = registersIn(All[*From], 0).front();
  std::string Other = All[*From].substr(OtherAt, OtherLength);
  if (Other == Line.substr(At, Length))
    return false;
  Line.replace(At, Length, Other);
  return true;
}

static bool weaken(std::string &Line) {
  StringRef Text = StringRef(Line).rtrim().drop_back();
  size_t Digits = Text.find_last_not_of("0123456789") + 1;
  unsigned Pending;
  if (Text.drop_front(Digits).getAsInteger(10, Pending))
    return false;
  Line = Text.take_front(Digits).str() + utostr(Pending + 1) + ";";
  return true;
}

static bool plantInto(Lines &All, Plant P, Random &R) {
  auto Pick = [&](StringRef Prefix) {
    return pickLine(All, R, startsWith(Prefix));
  };
  auto Drop = [&](StringRef Prefix) {
    std::optional<unsigned> At = Pick(Prefix);
    if (At)
      All.erase(All.begin() + *At);
    return At.has_value();
  };
  std::optional<unsigned> At;
  switch (P) {
  case Plant::DropWait:
    return Drop("wgmma.wait_group");
  case Plant::DropCommit:
    return Drop("wgmma.commit_group");
  case Plant::DropFence:
    return Drop("wgmma.fence");
  case Plant::DropCopy:
    return Drop("mov.b32");
  case Plant::DropMultiplication:
    return Drop("wgmma.mma_async");
  case Plant::WeakenWait:
    At = Pick("wgmma.wait_group");
    return At && weaken(All[*At]);
  case Plant::MoveWait:
    At = Pick("wgmma.wait_group");
    return At && move(All, *At, /*Down=*/true, 1 + R.below(8));
  case Plant::MoveFence:
    At = Pick("wgmma.fence");
    return At && move(All, *At, /*Down=*/false, 1 + R.below(8));
  case Plant::MoveCopy:
    At = Pick("mov.b32");
    return At && move(All, *At, R.percent(50), 1 + R.below(12));
  case Plant::SwapAccumulator:
    At = Pick("wgmma.mma_async");
    return At && swapAccumulator(All[*At], R);
  case Plant::OtherRegister:
    At = pickLine(All, R, [](StringRef Line) {
      return isPassable(Line) && Line.contains("%r");
    });
    return At && otherRegister(All, All[*At], R);
  }
  return false;
}

std::string wgmmarandom::plant(StringRef PTX, Plant P, Random &R) {
  SmallVector<StringRef, 0> Split;
  PTX.split(Split, '\n');
  Lines All;
  for (StringRef Line : Split)
    All.push_back(Line.str());
  if (!plantInto(All, P, R))
    return "";
  return join(All, "\n");
}
