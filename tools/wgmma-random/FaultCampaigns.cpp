//===- FaultCampaigns.cpp - Planted faults and invalid programs -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FaultCampaigns.h"
#include "Checker.h"
#include "Levels.h"
#include "Mutator.h"
#include "PlantedFaults.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace wgmmarandom;

static constexpr unsigned PlantsPerProgram = 4;
static constexpr unsigned ExecutionsForTruth = 12;
/// Of the harmful faults, in percent.
static constexpr unsigned MustFind = 90;

namespace {
struct PlantFigures {
  unsigned Planted = 0, Harmful = 0, HarmfulFound = 0, Found = 0;
};

class PlantCampaign {
public:
  explicit PlantCampaign(const Options &O) : O(O), ByPlant(NumPlants) {}
  int run();

private:
  void program(uint64_t Seed);
  bool isHarmful(StringRef PTX, const Expectation &Truth) const;
  void print() const;
  void printJson() const;
  PlantFigures total() const;

  const Options &O;
  Compiler C;
  std::vector<PlantFigures> ByPlant;
};
} // namespace

bool PlantCampaign::isHarmful(StringRef PTX, const Expectation &Truth) const {
  if (Truth.hasOtherResults(PTX))
    return true;
  if (O.PTXAS.empty())
    return false;
  Verdict V;
  assemble(PTX, O.PTXAS, /*NotesCount=*/true, V);
  return !V.Findings.empty();
}

void PlantCampaign::program(uint64_t Seed) {
  std::string Text = makeProgram(Seed, O.Generator, C);
  Expectation Expected(Text, C, Seed, O.Executions);
  if (!Expected.unusable().empty())
    return;
  for (Level L : levelsOf(O.Levels, Seed)) {
    Compilation Result = C.compile(Text, L);
    if (!Result.succeeded())
      continue;
    Verdict V = Expected.check(Result.PTX);
    if (!O.PTXAS.empty())
      assemble(Result.PTX, O.PTXAS, /*NotesCount=*/true, V);
    if (!V.Findings.empty() || !V.Unusable.empty())
      continue;
    Expectation Truth(Text, C, mix(Seed, 4711), ExecutionsForTruth);
    Random R(mix(Seed, 815));
    for (unsigned I = 0; I != PlantsPerProgram; ++I) {
      Plant P = Plant(R.below(NumPlants));
      std::string Broken = plant(Result.PTX, P, R);
      if (Broken.empty())
        continue;
      Verdict Found = Expected.check(Broken);
      bool IsFound = !Found.Findings.empty() || !Found.Unusable.empty();
      bool IsHarmful = isHarmful(Broken, Truth);
      PlantFigures &F = ByPlant[unsigned(P)];
      ++F.Planted;
      F.Harmful += IsHarmful;
      F.Found += IsFound;
      F.HarmfulFound += IsHarmful && IsFound;
      if (IsHarmful && !IsFound && !O.Keep.empty()) {
        sys::fs::create_directories(O.Keep);
        std::error_code Error;
        std::string Stem = O.Keep + "/missed-" + utostr(Seed) + "-" + utostr(I);
        raw_fd_ostream(Stem + ".ll", Error) << Text;
        raw_fd_ostream(Stem + ".ptx", Error) << Broken;
        outs() << "seed-" << Seed << ": missed: " << name(P) << "\n";
      }
    }
  }
}

PlantFigures PlantCampaign::total() const {
  PlantFigures Sum;
  for (const PlantFigures &F : ByPlant) {
    Sum.Planted += F.Planted;
    Sum.Harmful += F.Harmful;
    Sum.HarmfulFound += F.HarmfulFound;
    Sum.Found += F.Found;
  }
  return Sum;
}

void PlantCampaign::print() const {
  auto Line = [](StringRef Title, const PlantFigures &F) {
    outs() << Title << ": " << F.Planted << " planted, " << F.Harmful
           << " do harm, " << F.HarmfulFound << " of these found, " << F.Found
           << " found in all\n";
  };
  for (unsigned I = 0; I != NumPlants; ++I)
    Line(name(Plant(I)), ByPlant[I]);
  Line("all", total());
}

void PlantCampaign::printJson() const {
  std::error_code Error;
  raw_fd_ostream Stream(O.Json, Error);
  json::OStream J(Stream, 2);
  auto Object = [&](StringRef Title, const PlantFigures &F) {
    J.attributeObject(Title, [&]() {
      J.attribute("planted", F.Planted);
      J.attribute("harmful", F.Harmful);
      J.attribute("harmful_found", F.HarmfulFound);
      J.attribute("found", F.Found);
    });
  };
  J.object([&]() {
    J.attribute("seed", O.Seed);
    J.attribute("programs", O.Count);
    for (unsigned I = 0; I != NumPlants; ++I)
      Object(name(Plant(I)), ByPlant[I]);
    Object("all", total());
  });
  Stream << "\n";
}

int PlantCampaign::run() {
  for (uint64_t Seed = O.Seed, End = O.Seed + O.Count; Seed != End; ++Seed)
    program(Seed);
  print();
  if (!O.Json.empty())
    printJson();
  PlantFigures Sum = total();
  return Sum.Harmful && Sum.HarmfulFound * 100 >= Sum.Harmful * MustFind ? 0
                                                                         : 1;
}

int wgmmarandom::plantFaults(const Options &O) {
  return PlantCampaign(O).run();
}

namespace {
struct MistakeFigures {
  unsigned Programs = 0, OneError = 0, MoreErrors = 0, Silent = 0, Warned = 0,
           Crashes = 0;
};

class InvalidCampaign {
public:
  explicit InvalidCampaign(const Options &O) : O(O), ByMistake(NumMistakes) {}
  int run();

private:
  void program(uint64_t Seed);
  void count(Mistake M, uint64_t Seed, const InvalidProgram &P,
             const Compilation &Result);
  bool isWrong(Mistake M, const Compilation &Result) const;
  void printJson() const;

  const Options &O;
  Compiler C;
  std::vector<MistakeFigures> ByMistake;
  unsigned Wrong = 0;
};
} // namespace

/// Every call that the target lacks may be told.
bool InvalidCampaign::isWrong(Mistake M, const Compilation &Result) const {
  if (!Result.Crash.empty())
    return true;
  if (isProtocol(M))
    return !Result.Errors.empty();
  return Result.Errors.empty() ||
         (Result.Errors.size() != 1 && M != Mistake::Target);
}

void InvalidCampaign::count(Mistake M, uint64_t Seed, const InvalidProgram &P,
                            const Compilation &Result) {
  MistakeFigures &F = ByMistake[unsigned(M)];
  ++F.Programs;
  F.Crashes += !Result.Crash.empty();
  F.OneError += Result.Errors.size() == 1;
  F.MoreErrors += Result.Errors.size() > 1;
  F.Silent += Result.succeeded() && Result.Warnings.empty();
  F.Warned += Result.succeeded() && !Result.Warnings.empty();
  if (!isWrong(M, Result))
    return;
  ++Wrong;
  outs() << "seed-" << Seed << ": " << name(M) << ": "
         << (!Result.Crash.empty()   ? Result.Crash
             : Result.Errors.empty() ? std::string("no error")
                                     : utostr(Result.Errors.size()) +
                                           " errors: " + Result.Errors[0])
         << "\n";
  if (O.Keep.empty())
    return;
  sys::fs::create_directories(O.Keep);
  std::error_code Error;
  raw_fd_ostream(O.Keep + "/invalid-" + utostr(Seed) + ".ll", Error) << P.Text;
}

void InvalidCampaign::program(uint64_t Seed) {
  Random R(mix(Seed, 99));
  Mistake M = Mistake(R.below(NumMistakes));
  GeneratorOptions G = O.Generator;
  // What is wrong in inline assembly, ptxas tells.
  G.AsmProducts = 0;
  InvalidProgram P = mutate(generate(Seed, G), M, R);
  if (P.Text.empty())
    return;
  for (Level L : levelsOf(O.Levels, Seed))
    count(M, Seed, P, C.compile(P.Text, L, P.CPU, P.Features));
}

void InvalidCampaign::printJson() const {
  std::error_code Error;
  raw_fd_ostream Stream(O.Json, Error);
  json::OStream J(Stream, 2);
  J.object([&]() {
    J.attribute("seed", O.Seed);
    J.attribute("programs", O.Count);
    for (unsigned I = 0; I != NumMistakes; ++I) {
      const MistakeFigures &F = ByMistake[I];
      J.attributeObject(name(Mistake(I)), [&]() {
        J.attribute("programs", F.Programs);
        J.attribute("one_error", F.OneError);
        J.attribute("more_errors", F.MoreErrors);
        J.attribute("warned", F.Warned);
        J.attribute("silent", F.Silent);
        J.attribute("crashes", F.Crashes);
      });
    }
  });
  Stream << "\n";
}

int InvalidCampaign::run() {
  for (uint64_t Seed = O.Seed, End = O.Seed + O.Count; Seed != End; ++Seed)
    program(Seed);
  for (unsigned I = 0; I != NumMistakes; ++I) {
    const MistakeFigures &F = ByMistake[I];
    outs() << name(Mistake(I)) << ": " << F.Programs << " programs, "
           << F.OneError << " with one error, " << F.MoreErrors
           << " with more, " << F.Warned << " with warnings only, " << F.Silent
           << " silent, " << F.Crashes << " crashes\n";
  }
  if (!O.Json.empty())
    printJson();
  return Wrong ? 1 : 0;
}

int wgmmarandom::compileInvalid(const Options &O) {
  return InvalidCampaign(O).run();
}
