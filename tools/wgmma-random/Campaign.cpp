//===- Campaign.cpp - The modes of wgmma-random ---------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Checker.h"
#include "EmitDevice.h"
#include "FaultCampaigns.h"
#include "Figures.h"
#include "Levels.h"
#include "Reducer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace wgmmarandom;

namespace {
/// One program after the other.
class Campaign {
public:
  explicit Campaign(const Options &O) : O(O) {}

  int runRandom();
  int runFile();
  int printOne();
  /// What llvm-reduce asks: 0 if the file has findings.
  int isInteresting();

private:
  /// True if something was found.
  bool judge(StringRef Text, uint64_t Seed, StringRef Title);
  Compilation compilation(StringRef Text, Level L);
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

Compilation Campaign::compilation(StringRef Text, Level L) {
  if (O.PTX.empty())
    return C.compile(Text, L);
  Compilation Result;
  auto Buffer = MemoryBuffer::getFile(O.PTX);
  if (Buffer)
    Result.PTX = (*Buffer)->getBuffer().str();
  else
    Result.Errors.push_back(O.PTX + ": " + Buffer.getError().message());
  return Result;
}

bool Campaign::judgeLevel(StringRef Text, Level L, const Expectation &Expected,
                          StringRef Title) {
  Compilation Result = compilation(Text, L);
  Verdict V = judgeCompilation(Result, Expected);
  V.Warnings = Result.Warnings;
  if (O.FalseAlarms)
    for (const std::string &Fault : Result.Faults)
      V.Findings.push_back({"false alarm", Fault});
  if (O.WaitsWarn && V.AddedWaits && V.Warnings.empty())
    V.Findings.push_back(
        {"wait added without a warning", utostr(V.AddedWaits) + " executed"});
  if (!O.PTXAS.empty() && Result.succeeded())
    assemble(Result.PTX, O.PTXAS, L.CodeGen > 0, V);
  if (O.PrintPTX)
    outs() << Result.PTX;
  erase_if(V.Findings, [&](const Finding &F) { return !isWanted(F.Kind); });
  Sum.add(L, V);
  print(V, Title + " " + L.name());
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
  for (Level L : levelsOf(O.Levels, Seed))
    Found |= judgeLevel(Text, L, Expected, Title);
  Sum.addProgram(Found);
  return Found;
}

int Campaign::runRandom() {
  for (uint64_t Seed = O.Seed, End = O.Seed + O.Count; Seed != End; ++Seed) {
    judge(makeProgram(Seed, O.Generator, C), Seed, "seed-" + utostr(Seed));
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

int Campaign::isInteresting() {
  auto Buffer = MemoryBuffer::getFile(O.Input);
  if (!Buffer)
    return 2;
  StringRef Text = (*Buffer)->getBuffer();
  if (!Expectation(Text, C, O.Seed, O.Executions).coversAllBlocks()) {
    errs() << O.Input << ": whether it is valid is not known, since not all "
           << "blocks are executed: try more --executions\n";
    return 1;
  }
  return judge(Text, O.Seed, "file") && Sum.exitCode() == 1 ? 0 : 1;
}

int Campaign::printOne() {
  outs() << makeProgram(O.Seed, O.Generator, C);
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
  case Mode::Interesting:
    return C.isInteresting();
  case Mode::Reduce:
    // What llvm-reduce's test prints is lost: so first here.
    if (int Status = C.isInteresting())
      return Status;
    return reduce(O);
  case Mode::Plant:
    return plantFaults(O);
  case Mode::Invalid:
    return compileInvalid(O);
  case Mode::EmitDevice:
    return emitDevice(O);
  }
  return 2;
}
