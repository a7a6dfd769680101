//===- Checker.cpp - Judges one compilation -------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "PTXInterpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <set>

using namespace llvm;
using namespace wgmmarandom;

Expectation::Expectation(StringRef Text, Compiler &C, uint64_t Seed,
                         unsigned Count) {
  LLVMContext Context;
  std::unique_ptr<Module> M = C.parse(Text, Context, Unusable);
  if (!M)
    return;
  const Function *Kernel = findKernel(*M);
  if (!Kernel) {
    Unusable = "no kernel";
    return;
  }
  for (unsigned I = 0; I != Count; ++I) {
    Launches.push_back(makeLaunch(*Kernel, mix(Seed, I)));
    MixingArithmetic Mixing;
    Executions.push_back(Evaluator(*M, Launches.back(), Mixing).run(*Kernel));
    if (!Executions.back().Error.empty())
      Unusable = "IR: " + Executions.back().Error;
  }
  DenseSet<const BasicBlock *> Executed;
  for (const Execution &E : Executions)
    Executed.insert_range(E.Blocks);
  CoversAllBlocks = all_of(*M, [&](const Function &F) {
    return all_of(F,
                  [&](const BasicBlock &BB) { return Executed.contains(&BB); });
  });
}

static std::string describe(const Violation &V) {
  std::string Text;
  raw_string_ostream Stream(Text);
  Stream << "line " << V.At->Line << ": " << V.Register << " in '"
         << StringRef(V.At->Text).take_front(100) << "'";
  if (V.InFlight != V.At)
    Stream << (V.InFlight->WGMMA ? ", of the wgmma of line "
                                 : ", for that of line ")
           << V.InFlight->Line;
  return Text;
}

static void add(Verdict &V, StringRef Kind, const Twine &Detail) {
  for (const Finding &F : V.Findings)
    if (F.Kind == Kind && F.Detail == Detail.str())
      return;
  V.Findings.push_back({Kind.str(), Detail.str()});
}

void Expectation::checkPaths(const ptx::Module &M, Verdict &V) const {
  for (const auto &F : M.Functions)
    for (const Violation &Broken : checkAllPaths(M, *F))
      add(V, name(Broken.Kind), describe(Broken));
}

void Expectation::checkExecution(const ptx::Module &M, unsigned Index,
                                 Verdict &V) const {
  const Execution &Expected = Executions[Index];
  PTXInterpreter Interpreter(M, Launches[Index]);
  Execution Got = Interpreter.run(*M.kernel());
  for (const Violation &Broken : Interpreter.violations())
    add(V, name(Broken.Kind), describe(Broken));
  if (!Got.Error.empty()) {
    V.Unusable = Got.Error;
    return;
  }
  V.Multiplications += Got.Multiplications;
  if (Got.Multiplications != Expected.Multiplications)
    add(V, "wrong number of wgmma",
        Twine(Got.Multiplications) + " instead of " +
            Twine(Expected.Multiplications));
  if (Got.Fences > Expected.Fences)
    V.AddedFences += Got.Fences - Expected.Fences;
  for (auto [Issued, Have, Want] :
       zip(seq<size_t>(Got.Retired.size()), Got.Retired, Expected.Retired)) {
    V.AddedWaits += Have > Want;
    if (Have < Want)
      add(V, "wait or commit is missing",
          "before wgmma " + Twine(Issued) + " " + Twine(Have) +
              " were retired instead of " + Twine(Want));
  }
  std::string Difference = compareMemory(Expected, Got);
  if (!Difference.empty())
    add(V, "wrong result", Difference + " in execution " + Twine(Index));
}

Verdict Expectation::check(StringRef PTX) const {
  Verdict V;
  ptx::Module M = ptx::parse(PTX);
  if (!M.Error.empty() || !M.kernel()) {
    V.Unusable = "PTX: " + (M.kernel() ? M.Error : "no kernel " + M.Error);
    return V;
  }
  checkPaths(M, V);
  for (unsigned I = 0; I != Executions.size(); ++I)
    checkExecution(M, I, V);
  return V;
}

bool Expectation::hasOtherResults(StringRef PTX) const {
  ptx::Module M = ptx::parse(PTX);
  if (!M.Error.empty() || !M.kernel())
    return false;
  for (unsigned I = 0; I != Executions.size(); ++I)
    for (Timing When : {Timing::Early, Timing::Late}) {
      PTXInterpreter Interpreter(M, Launches[I], When);
      Execution Got = Interpreter.run(*M.kernel());
      if (!Got.Error.empty() || !compareMemory(Executions[I], Got).empty())
        return true;
    }
  return false;
}

Verdict wgmmarandom::judgeCompilation(const Compilation &Result,
                                      const Expectation &Expected) {
  Verdict V;
  if (!Result.Crash.empty())
    V.Findings.push_back({"crash", Result.Crash});
  else if (!Result.Errors.empty())
    V.Findings.push_back({"error", Result.Errors.front()});
  else
    V = Expected.check(Result.PTX);
  return V;
}

void wgmmarandom::print(const Verdict &V, const Twine &Title) {
  std::set<std::string> Seen;
  for (const Finding &F : V.Findings)
    if (Seen.insert(F.Kind).second)
      outs() << Title << ": " << F.Kind << ": " << F.Detail << "\n";
  if (!V.Unusable.empty())
    outs() << Title << ": cannot be judged: " << V.Unusable << "\n";
}

/// Runs a program, for as long as ptxas may take; everything that it printed.
static std::string outputOf(StringRef Program, ArrayRef<StringRef> Arguments,
                            int &ExitCode) {
  SmallString<128> Output;
  sys::fs::createTemporaryFile("wgmma-random", "txt", Output);
  scope_exit Remove([&]() { sys::fs::remove(Output); });
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Output),
                                          StringRef(Output)};
  ExitCode = sys::ExecuteAndWait(Program, Arguments, std::nullopt, Redirects,
                                 MaxPTXASSeconds);
  auto Buffer = MemoryBuffer::getFile(Output);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// Whether the compiler has warned of the reason for a note: accumulators need
/// more registers than there are.
static bool isToldOf(StringRef Code, const Verdict &V) {
  return (Code == "C7511" || Code == "C7512") &&
         any_of(V.Warnings, [](StringRef Warning) {
           return Warning.contains("that ptxas has for them");
         });
}

void wgmmarandom::assemble(StringRef PTX, StringRef PTXAS, bool NotesCount,
                           Verdict &V) {
  SmallString<128> Input, Cubin;
  int Descriptor;
  sys::fs::createTemporaryFile("wgmma-random", "ptx", Descriptor, Input);
  sys::fs::createTemporaryFile("wgmma-random", "cubin", Cubin);
  scope_exit Remove([&]() {
    sys::fs::remove(Input);
    sys::fs::remove(Cubin);
  });
  raw_fd_ostream(Descriptor, /*shouldClose=*/true) << PTX;
  // It does not optimize code for a debugger.
  NotesCount &= !PTX.contains("sm_90a, debug");
  int ExitCode;
  std::string Output = outputOf(
      PTXAS, {PTXAS, "-arch=sm_90a", "-v", Input, "-o", Cubin}, ExitCode);
  SmallVector<StringRef, 16> Lines;
  StringRef(Output).split(Lines, '\n');
  for (StringRef Line : Lines) {
    size_t Start = Line.find("(C75");
    if (!NotesCount || Start == StringRef::npos)
      continue;
    StringRef Code = Line.substr(Start + 1, 5);
    if (Code != "C7519")
      add(V, ("ptxas " + Code + (isToldOf(Code, V) ? ", warned of" : "")).str(),
          Line.substr(Start));
  }
  if (ExitCode)
    add(V, "ptxas error", Output);
}
