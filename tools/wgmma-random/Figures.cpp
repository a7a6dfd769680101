//===- Figures.cpp - What a campaign counts -------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Figures.h"

#include "llvm/Support/JSON.h"

#include <set>

using namespace llvm;
using namespace wgmmarandom;

void Figures::add(Level L, const Verdict &V) {
  PerLevel &P = Levels[L.name()];
  ++P.Compilations;
  P.WithFindings += !V.Findings.empty();
  P.WithAddedWaits += V.AddedWaits != 0;
  P.WithAddedFences += V.AddedFences != 0;
  P.WithWarnings += !V.Warnings.empty();
  P.Multiplications += V.Multiplications;
  P.AddedWaits += V.AddedWaits;
  P.AddedFences += V.AddedFences;
  Unusable += !V.Unusable.empty();
  std::set<std::string> Seen;
  for (const Finding &F : V.Findings)
    if (Seen.insert(F.Kind).second)
      ++Kinds[F.Kind];
}

void Figures::addProgram(bool HasFinding) {
  ++Programs;
  WithFindings += HasFinding;
}

void Figures::print(raw_ostream &Out) const {
  Out << "programs: " << Programs << ", with findings: " << WithFindings
      << ", not judged: " << Unusable << "\n";
  for (const auto &[Name, P] : Levels)
    Out << "  " << Name << ": " << P.Compilations << " compiled, "
        << P.Multiplications << " wgmma executed, " << P.WithFindings
        << " with findings, " << P.WithAddedWaits << " with waits added ("
        << P.AddedWaits << " executed), " << P.WithAddedFences
        << " with fences added (" << P.AddedFences << " executed), "
        << P.WithWarnings << " with warnings\n";
  for (const auto &[Kind, Count] : Kinds)
    Out << "  found " << Count << " times: " << Kind << "\n";
}

void Figures::printJson(raw_ostream &Out, const Options &O) const {
  json::OStream J(Out, 2);
  J.objectBegin();
  J.attribute("seed", O.Seed);
  J.attribute("programs", Programs);
  J.attribute("with_findings", WithFindings);
  J.attribute("not_judged", Unusable);
  J.attributeObject("levels", [&]() {
    for (const auto &[Name, P] : Levels)
      J.attributeObject(Name, [&, &P = P]() {
        J.attribute("compiled", P.Compilations);
        J.attribute("wgmma_executed", P.Multiplications);
        J.attribute("with_findings", P.WithFindings);
        J.attribute("with_waits_added", P.WithAddedWaits);
        J.attribute("waits_added_executed", P.AddedWaits);
        J.attribute("with_fences_added", P.WithAddedFences);
        J.attribute("fences_added_executed", P.AddedFences);
        J.attribute("with_warnings", P.WithWarnings);
      });
  });
  J.attributeObject("findings", [&]() {
    for (const auto &[Kind, Count] : Kinds)
      J.attribute(Kind, Count);
  });
  J.objectEnd();
  Out << "\n";
}
