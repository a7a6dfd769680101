//===- BuiltinName.cpp - Names of builtins and intrinsics -----------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuiltinName.h"

#include "Instructions.h"

#include <algorithm>
#include <cctype>
#include <vector>

using namespace layout;

using Words = std::vector<std::string>;

/// The words of a name after its prefix; none if it has another one.
static Words split(const std::string &Name) {
  Words Parts;
  for (std::string Prefix : {"__nvvm_", "llvm.nvvm."}) {
    if (Name.find(Prefix) != 0)
      continue;
    size_t At = Prefix.size();
    while (At < Name.size()) {
      size_t End = std::min(Name.find_first_of("._", At), Name.size());
      Parts.push_back(Name.substr(At, End - At));
      At = End + 1;
    }
  }
  return Parts;
}

static bool contains(const Words &Parts, const std::string &Word) {
  return std::find(Parts.begin(), Parts.end(), Word) != Parts.end();
}

static bool startsLike(const std::string &Word, char Letter) {
  return Word.size() > 1 && Word[0] == Letter && std::isdigit(Word[1]);
}

static std::string join(const Words &Parts) {
  std::string Name;
  for (const std::string &Part : Parts)
    Name += (Name.empty() ? "" : ".") + Part;
  return Name;
}

/// wgmma.mma_async[.sp].{ss|rs}.D.A.B[.and.popc][.type]. The list knows the K.
static std::string wgmmaName(const Words &Parts) {
  auto Form = std::find_if(Parts.begin(), Parts.end(), [](const auto &Word) {
    return Word == "ss" || Word == "rs";
  });
  if (Parts.end() - Form < 4)
    return join(Parts);
  const std::string &D = Form[1], &A = Form[2], &Last = Parts.back();
  std::string N = "N";
  if (startsLike(Last, 'v'))
    N = std::to_string((D == "f16" ? 4 : 2) * std::stoul(Last.substr(1, 4)));
  std::string Start =
      std::string(contains(Parts, "sp") ? "wgmma.sp" : "wgmma") + ".m64n";
  std::string End = "." + A;
  for (const Instruction &I : instructions())
    if (I.Name.find(Start + "N") == 0 && I.Name.size() > End.size() &&
        !I.Name.compare(I.Name.size() - End.size(), End.size(), End))
      return Start + N + I.Name.substr(Start.size() + 1);
  return join(Parts);
}

/// Those of D and C alone mean that A and B are f16. A type that stands alone
/// is that of A and B, and of two others the first is that of A.
static Words mmaTypes(Words Types) {
  if (Types.size() > 2)
    return Types;
  bool Accumulators =
      Types.size() == 2 &&
      std::all_of(Types.begin(), Types.end(), [](const std::string &Type) {
        return Type == "f16" || Type == "f32";
      });
  if (Accumulators)
    return {"f16"};
  Types.resize(std::min<size_t>(Types.size(), 1));
  return Types;
}

/// mma, as PTX has it but for types. What is at the qualifiers' end in PTX may
/// stand in front.
static std::string mmaName(const Words &Parts) {
  Words Name = {"mma"}, Types;
  if (contains(Parts, "sp"))
    Name.push_back("sp");
  auto Shape = std::find_if(Parts.begin(), Parts.end(), [](const auto &Word) {
    return startsLike(Word, 'm');
  });
  if (Shape == Parts.end())
    return join(Parts);
  Name.push_back(*Shape);
  for (auto Word = Shape + 1; Word != Parts.end(); ++Word) {
    if (Word->find("mxf") == 0)
      Name.push_back("kind::" + *Word);
    else if (*Word == "1x" || *Word == "2x" || *Word == "4x")
      Name.push_back("scale_vec::" + Word->substr(0, 1) + "X");
    else if (std::isdigit(Word->back()) && *Word != "f8f6f4")
      Types.push_back(*Word);
  }
  if (contains(Parts, "block"))
    Name.push_back("block_scale");
  for (const std::string &Type : mmaTypes(std::move(Types)))
    Name.push_back(Type);
  return join(Name);
}

/// ldmatrix and the like: a type such as b6x16_p32 is one word.
static std::string moveName(const Words &Parts) {
  Words Name;
  for (const std::string &Part : Parts)
    if (startsLike(Part, 'p') && !Name.empty())
      Name.back() += "_" + Part;
    else
      Name.push_back(Part);
  return join(Name);
}

std::string layout::instructionName(const std::string &Name) {
  Words Parts = split(Name);
  if (Parts.empty())
    return Name;
  if (Parts[0] == "wgmma")
    return wgmmaName(Parts);
  return Parts[0] == "mma" ? mmaName(Parts) : moveName(Parts);
}
