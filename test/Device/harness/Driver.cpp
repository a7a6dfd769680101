//===- Driver.cpp - Command line, running and reporting -------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "../common/Json.h"
#include "Probe.h"
#include "SparseProbe.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

using namespace devicetest;

static const char *const Help =
    R"( [OPTION]... [FILTER]...
Runs the tests whose name contains one of the filters (all without a filter) and
compares every result with a model on the host: bit for bit, or within the bound
that the precision of its sum allows.

  --list        print the names of the tests and stop
  --probe       instead of the tests, print where in shared memory their
                instructions read, for each swizzle, and what metadata and A in
                registers of sparse ones control, if not as the model says
  --json FILE   write what was run and found to FILE
  --launches N  launches of each test of a loop (default 200)
  --seed N      other random inputs than those of seed 0, the default
  --help        print this and stop

Exit status: 0 all passed, 1 some failed, 2 wrong usage, 3 no suitable GPU.
)";

namespace {

struct Record {
  explicit Record(const DeviceTest *T) : T(T) {}

  const DeviceTest *T;
  unsigned Ctas = 0;
  unsigned Launches = 0;
  uint64_t Elements = 0;
  /// The values of scale-d among the problems.
  std::set<uint32_t> ScaleD;
  std::set<Swizzle> Modes;
  RoundingReport Rounding;
  std::string Subnormal;
  /// Nothing when the test passed.
  std::string Fault;
};

} // namespace

/// Sets the launches of a loop's test from the option, if it is given. Returns
/// what is wrong, or nothing.
static std::string parseLaunches(const std::string &Text, unsigned &Launches) {
  if (Text.empty())
    return "";
  char *End;
  long Number = std::strtol(Text.c_str(), &End, 10);
  if (*End || Number < 1 || Number > 1000000)
    return "not a number of launches: " + Text;
  Launches = Number;
  return "";
}

/// FNV-1a: inputs differ between tests and seeds, but never between runs of
/// one.
static uint64_t seedOf(const std::string &Name, uint64_t Seed) {
  uint64_t Hash = 0xCBF29CE484222325;
  for (unsigned char C : Name)
    Hash = (Hash ^ C) * 0x100000001B3;
  return Hash + Seed * 0x9E3779B97F4A7C15;
}

/// Runs one test; false when the device is of no further use.
static bool runTest(Record &R, Backend &Device, uint64_t Seed,
                    unsigned LoopLaunches) {
  const DeviceTest &T = *R.T;
  Batch Inputs = makeBatch(T.I, T.S, seedOf(T.name(), Seed));
  R.ScaleD.insert(Inputs.ScaleD.begin(), Inputs.ScaleD.end());
  R.Modes.insert(Inputs.Mode.begin(), Inputs.Mode.end());
  bool IsLoop = T.S.Steps > 1;
  // A race shows in some of many runs only: fill the machine, and repeat.
  R.Ctas = IsLoop ? std::max(Inputs.Problems, 2 * Device.multiprocessors())
                  : Inputs.Problems;
  unsigned Launches = IsLoop ? LoopLaunches : 1;

  std::string Error = Device.upload(Inputs);
  Output Out(Inputs, R.Ctas);
  ElementCheck Elements(T.I);
  while (Error.empty() && R.Fault.empty() && R.Launches != Launches) {
    Out.poison();
    Error = Device.launch(T, Out);
    if (!Error.empty())
      break;
    R.Fault = Out.check(T.I, Elements);
    if (!R.Fault.empty())
      R.Fault = "launch " + std::to_string(R.Launches) + ", " + R.Fault;
    ++R.Launches;
    R.Elements += Out.elements(T.I);
  }
  R.Rounding = Elements.roundedSums();
  R.Subnormal = Elements.subnormalInputs();
  if (Error.empty())
    return true;
  R.Fault = Error;
  return false;
}

static void writeRecord(std::ostream &Out, const Record &R) {
  const Instruction &I = R.T->I;
  auto Bool = [](bool Value) { return Value ? "true" : "false"; };
  Out << "{\"name\": " << quote(R.T->name()) << ", \"parameters\": {"
      << "\"schedule\": " << quote(R.T->S.Name)
      << ", \"steps\": " << R.T->S.Steps << ", \"sparse\": " << Bool(I.Sparse)
      << ", \"a_source\": " << (I.Source == Form::SS ? "\"ss\"" : "\"rs\"")
      << ", \"d\": " << quote(name(I.D)) << ", \"a\": " << quote(name(I.A))
      << ", \"b\": " << quote(name(I.B)) << ", \"n\": " << I.N
      << ", \"k\": " << I.shape().K << ", \"selector\": " << I.Selector
      << ", \"scale_a\": " << I.ScaleA << ", \"scale_b\": " << I.ScaleB
      << ", \"trans_a\": " << Bool(I.TransA)
      << ", \"trans_b\": " << Bool(I.TransB)
      << ", \"satfinite\": " << Bool(I.Satfinite) << ", \"scale_d\": [";
  for (uint32_t Value : R.ScaleD)
    Out << (Value == *R.ScaleD.begin() ? "" : ", ") << Bool(Value);
  Out << "], \"swizzles\": [";
  for (Swizzle Mode : R.Modes)
    Out << (Mode == *R.Modes.begin() ? "" : ", ") << quote(name(Mode));
  Out << "]}"
      << ", \"passed\": " << Bool(R.Fault.empty())
      << ", \"elements_compared\": " << R.Elements << ", \"ctas\": " << R.Ctas
      << ", \"launches\": " << R.Launches << ", \"fault\": " << quote(R.Fault);
  if (R.Rounding.Elements)
    Out << ", \"rounded_sums\": " << json(R.Rounding)
        << ", \"note\": " << quote(R.Subnormal);
  Out << "}";
}

static bool writeJSON(const std::string &File,
                      const std::vector<Record> &Records) {
  std::ofstream Out(File);
  Out << "[\n";
  for (size_t Index = 0; Index != Records.size(); ++Index) {
    writeRecord(Out, Records[Index]);
    Out << (Index + 1 == Records.size() ? "\n" : ",\n");
  }
  Out << "]\n";
  Out.flush();
  return Out.good();
}

int devicetest::runTests(const std::vector<DeviceTest> &Tests, Backend &Device,
                         int Argc, const char *const *Argv, std::ostream &Out,
                         std::ostream &Err) {
  const char *Slash = std::strrchr(Argv[0], '/');
  std::string Program = Slash ? Slash + 1 : Argv[0];

  CommandLine Opts;
  Opts.Own["--launches"];
  unsigned LoopLaunches = 200;
  std::string Error = Opts.parse(Argc, Argv);
  if (Error.empty())
    Error = parseLaunches(Opts.Own["--launches"], LoopLaunches);
  std::vector<std::string> Names;
  std::vector<const DeviceTest *> Selected;
  for (const DeviceTest &T : Tests) {
    Names.push_back(T.name());
    if (matches(T.name(), Opts.Arguments))
      Selected.push_back(&T);
  }
  std::string Unmatched = unmatched(Opts.Arguments, Names);
  if (Error.empty() && !Unmatched.empty())
    Error = "no test's name contains '" + Unmatched + "'";
  if (!Error.empty()) {
    Err << Program << ": " << Error << "; see --help\n";
    return Usage;
  }
  if (Opts.ShowHelp) {
    Out << "Usage: " << Program << Help;
    return Passed;
  }
  if (Opts.List) {
    for (const DeviceTest *T : Selected)
      Out << T->name() << "\n";
    return Passed;
  }

  Error = Device.open();
  if (!Error.empty()) {
    Out << "skipped: " << Error << "\n";
    return NoDevice;
  }

  if (Opts.Probe) {
    ExitCode Status = Passed;
    for (const DeviceTest *T : Selected) {
      // Loops read as single instructions do.
      if (T->S.Steps != 1)
        continue;
      if (probe(*T, Device, Out) != Passed)
        Status = Failed;
      if (T->I.Sparse && probeSparse(*T, Device, Out) != Passed)
        Status = Failed;
    }
    return Status;
  }

  std::vector<Record> Records;
  unsigned Failures = 0;
  bool Usable = true;
  for (const DeviceTest *T : Selected) {
    Record R(T);
    if (Usable)
      Usable = runTest(R, Device, Opts.Seed, LoopLaunches);
    else
      R.Fault = "not run, as the device failed before";
    Failures += !R.Fault.empty();
    Records.push_back(R);
    Out << "[" << Records.size() << "/" << Selected.size() << "] " << T->name()
        << ": ";
    if (R.Fault.empty())
      Out << "ok, " << R.Elements << " elements\n";
    else
      Out << "FAILED: " << R.Fault << "\n";
    Out.flush();
  }

  int Status = Failures ? Failed : Passed;
  if (!Opts.JSONFile.empty() && !writeJSON(Opts.JSONFile, Records)) {
    Err << Program << ": cannot write " << Opts.JSONFile << "\n";
    Status = Failed;
  }
  Out << Records.size() - Failures << " passed, " << Failures << " failed\n";
  return Status;
}
