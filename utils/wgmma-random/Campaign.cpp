//===- Campaign.cpp - The modes of wgmma-random ---------------------------===//
//
// Part of the nvptx-mma project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Checker.h"
#include "Figures.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace llvm;
using namespace wgmmarandom;

static std::vector<Level> allLevels() {
  return {{'s', 0}, {'s', 1}, {'s', 2}, {'s', 3}, {'0', 0},
          {'1', 1}, {'2', 2}, {'3', 3}, {'3', 0}};
}

static std::vector<Level> levelsOf(const Options &O, uint64_t Seed) {
  if (O.Levels == "all")
    return allLevels();
  if (O.Levels == "random") {
    std::vector<Level> All = allLevels();
    return {All[mix(Seed, 77) % All.size()]};
  }
  std::vector<Level> Levels;
  SmallVector<StringRef, 8> Names;
  StringRef(O.Levels).split(Names, ',');
  for (StringRef Name : Names)
    if (Name.size() == 4 && Name.substr(1, 2) == "/O")
      Levels.push_back({Name[0], unsigned(Name[3] - '0')});
  return Levels;
}

namespace {
/// One program after the other.
class Campaign {
public:
  explicit Campaign(const Options &O) : O(O) {}

  int runRandom();
  int runFile();
  int printOne();

private:
  std::string program(uint64_t Seed);
  /// True if something was found.
  bool judge(StringRef Text, uint64_t Seed, StringRef Title);
  bool judgeLevel(StringRef Text, Level L, const Expectation &Expected,
                  StringRef Title);
  void keep(StringRef Title, Level L, StringRef Text, StringRef PTX);
  bool isWanted(StringRef Kind) const {
    return O.Only.empty() || Kind.contains(O.Only);
  }

  const Options &O;
  Compiler C;
  Figures Sum;
};
} // namespace

std::string Campaign::program(uint64_t Seed) {
  std::string Text = generate(Seed, O.Generator);
  // Half of the programs as other front ends write them, with phis.
  if (mix(Seed, 5) & 1)
    return Text;
  LLVMContext Context;
  std::string Error;
  std::unique_ptr<Module> M = C.parse(Text, Context, Error);
  return M ? promoteAllocas(*M) : Text;
}

void Campaign::keep(StringRef Title, Level L, StringRef Text, StringRef PTX) {
  if (O.Keep.empty())
    return;
  sys::fs::create_directories(O.Keep);
  std::string Stem =
      O.Keep + "/" + Title.str() + "-" + L.Pipeline + utostr(L.CodeGen);
  std::error_code Error;
  raw_fd_ostream(Stem + ".ll", Error) << Text;
  raw_fd_ostream(Stem + ".ptx", Error) << PTX;
}

bool Campaign::judgeLevel(StringRef Text, Level L, const Expectation &Expected,
                          StringRef Title) {
  Compilation Result = C.compile(Text, L);
  Verdict V;
  if (!Result.Crash.empty())
    V.Findings.push_back({"crash", Result.Crash});
  else if (!Result.Errors.empty())
    V.Findings.push_back({"error", Result.Errors.front()});
  else
    V = Expected.check(Result.PTX);
  V.Warnings = Result.Warnings;
  if (!O.PTXAS.empty() && Result.succeeded())
    assemble(Result.PTX, O.PTXAS, L.CodeGen > 0, V);
  if (O.PrintPTX)
    outs() << Result.PTX;
  erase_if(V.Findings, [&](const Finding &F) { return !isWanted(F.Kind); });
  Sum.add(L, V);
  std::set<std::string> Seen;
  for (const Finding &F : V.Findings)
    if (Seen.insert(F.Kind).second)
      outs() << Title << " " << L.name() << ": " << F.Kind << ": " << F.Detail
             << "\n";
  if (!V.Unusable.empty())
    outs() << Title << " " << L.name() << ": cannot be judged: " << V.Unusable
           << "\n";
  if (!V.Findings.empty() || !V.Unusable.empty())
    keep(Title, L, Text, Result.PTX);
  return !V.Findings.empty();
}

bool Campaign::judge(StringRef Text, uint64_t Seed, StringRef Title) {
  Expectation Expected(Text, C, Seed, O.Executions);
  if (!Expected.unusable().empty()) {
    outs() << Title << ": cannot be judged: " << Expected.unusable() << "\n";
    keep(Title, Level(), Text, "");
    Sum.addUnusable();
    return false;
  }
  bool Found = false;
  for (Level L : levelsOf(O, Seed))
    Found |= judgeLevel(Text, L, Expected, Title);
  Sum.addProgram(Found);
  return Found;
}

int Campaign::runRandom() {
  for (uint64_t Seed = O.Seed, End = O.Seed + O.Count; Seed != End; ++Seed) {
    judge(program(Seed), Seed, "seed-" + utostr(Seed));
    if (O.Stop && Sum.programsWithFindings() >= O.Stop)
      break;
  }
  Sum.print(outs());
  if (!O.Json.empty()) {
    std::error_code Error;
    raw_fd_ostream Stream(O.Json, Error);
    Sum.printJson(Stream, O);
  }
  return Sum.exitCode();
}

int Campaign::runFile() {
  auto Buffer = MemoryBuffer::getFileOrSTDIN(O.Input);
  if (!Buffer) {
    errs() << O.Input << ": " << Buffer.getError().message() << "\n";
    return 2;
  }
  judge((*Buffer)->getBuffer(), O.Seed, sys::path::stem(O.Input));
  Sum.print(outs());
  return Sum.exitCode();
}

int Campaign::printOne() {
  outs() << program(O.Seed);
  return 0;
}

int wgmmarandom::runMode(const Options &O) {
  Campaign C(O);
  switch (O.TheMode) {
  case Mode::Run:
    return C.runRandom();
  case Mode::Generate:
    return C.printOne();
  case Mode::Check:
    return C.runFile();
  }
  return 2;
}
