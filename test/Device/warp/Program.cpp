//===- Program.cpp - Command line, running and reporting ------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "../common/CommandLine.h"
#include "../common/Json.h"
#include "KernelTest.h"
#include "Operands.h"
#include "SparseProbe.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace devicetest;

static const char *const Help =
    R"( FOLDER [OPTION]... [FILTER]...
Runs the kernels of a folder that make_kernels.py made: those whose name
contains one of the filters (all without a filter). Compares every element of
every result with a model on the host.

  --list          print the names of the kernels and stop
  --probe         instead of the tests, print what the metadata and A of each
                  mma.sp among the kernels control, if not as the model says
  --json FILE     write what was run and found to FILE
  --seed N        other random inputs than those of seed 0, the default
  --after KERNEL  pass over all kernels up to this one
  --help          print this and stop

When the device fails (as an illegal address makes it do), the run ends, and the
report names the kernel: --after runs the others.

Exit status: 0 all passed, 1 some failed, 2 wrong usage, 3 no suitable GPU.
)";

namespace {

struct Record {
  const Kernel *K;
  Outcome Result;
};

/// An instruction has several kernels if it has several selectors.
struct FamilyRecord {
  std::map<std::string, bool> Instructions;
  std::vector<const LackingInstruction *> Lacking;
  uint64_t Elements = 0;
};

} // namespace

/// Of the manifest's kernels those that are asked for. Returns what is wrong,
/// or nothing.
static std::string select(const Manifest &M,
                          const std::vector<std::string> &Filters,
                          const std::string &After,
                          std::vector<const Kernel *> &Selected) {
  std::vector<std::string> Names;
  for (const Kernel &K : M.Kernels)
    Names.push_back(K.Name);
  if (std::string Filter = unmatched(Filters, Names); !Filter.empty())
    return "no kernel's name contains '" + Filter + "'";
  size_t First = 0;
  if (!After.empty()) {
    First = std::find(Names.begin(), Names.end(), After) - Names.begin() + 1;
    if (First > Names.size())
      return "there is no kernel " + After;
  }
  for (size_t Index = First; Index != Names.size(); ++Index)
    if (matches(Names[Index], Filters))
      Selected.push_back(&M.Kernels[Index]);
  return "";
}

static std::map<std::string, FamilyRecord>
sumUp(const Manifest &M, const std::vector<Record> &Records) {
  std::map<std::string, FamilyRecord> Families;
  for (const Record &R : Records) {
    FamilyRecord &F = Families[R.K->Family];
    bool &AllPassed =
        F.Instructions.try_emplace(R.K->Instruction, true).first->second;
    AllPassed = AllPassed && R.Result.passed();
    F.Elements += R.Result.Elements;
  }
  for (const LackingInstruction &L : M.Lacking)
    Families[L.Family].Lacking.push_back(&L);
  return Families;
}

static size_t passedOf(const FamilyRecord &F) {
  return std::count_if(F.Instructions.begin(), F.Instructions.end(),
                       [](const auto &I) { return I.second; });
}

/// [0, 1, ...] as JSON makes lists, each item on a line.
template <class List, class Writer>
static void writeList(std::ostream &Out, const List &Items, Writer Write) {
  const char *Separator = "";
  for (const auto &Item : Items) {
    Out << Separator << "\n  ";
    Write(Item);
    Separator = ",";
  }
}

static bool writeJSON(const std::string &File, const Manifest &M,
                      const std::vector<Record> &Records) {
  std::ofstream Out(File);
  Out << "{\"families\": {";
  writeList(Out, sumUp(M, Records), [&](const auto &Family) {
    const FamilyRecord &F = Family.second;
    Out << quote(Family.first)
        << ": {\"variants_run\": " << F.Instructions.size()
        << ", \"variants_passed\": " << passedOf(F)
        << ", \"elements_compared\": " << F.Elements
        << ", \"not_executable\": [";
    writeList(Out, F.Lacking, [&](const LackingInstruction *L) {
      Out << quote(L->Instruction);
    });
    Out << "], \"reasons\": [";
    std::map<std::string, bool> Reasons;
    for (const LackingInstruction *L : F.Lacking)
      Reasons[L->Reason] = true;
    writeList(Out, Reasons, [&](const auto &R) { Out << quote(R.first); });
    Out << "]}";
  });
  std::vector<const Record *> Failures, Notes, Rounded;
  for (const Record &R : Records) {
    if (!R.Result.passed())
      Failures.push_back(&R);
    if (!R.Result.Note.empty())
      Notes.push_back(&R);
    if (R.Result.Rounding.Elements)
      Rounded.push_back(&R);
  }
  Out << "},\n\"failures\": [";
  writeList(Out, Failures, [&](const Record *R) {
    Out << "{\"kernel\": " << quote(R->K->Name)
        << ", \"instruction\": " << quote(R->K->Instruction)
        << ", \"wrong_elements\": " << R->Result.Wrong
        << ", \"fault\": " << quote(R->Result.Fault) << "}";
  });
  Out << "],\n\"notes\": [";
  writeList(Out, Notes, [&](const Record *R) {
    Out << "{\"instruction\": " << quote(R->K->Instruction)
        << ", \"note\": " << quote(R->Result.Note) << "}";
  });
  Out << "],\n\"rounded_sums\": [";
  writeList(Out, Rounded, [&](const Record *R) {
    Out << "{\"instruction\": " << quote(R->K->Instruction)
        << ", \"sums\": " << json(R->Result.Rounding) << "}";
  });
  bool Stopped = !Records.empty() && Records.back().Result.DeviceFailed;
  Out << "],\n\"stopped_at\": "
      << (Stopped ? quote(Records.back().K->Name) : "null") << "}\n";
  Out.flush();
  return Out.good();
}

static std::vector<Record> runAll(const Manifest &M,
                                  const std::vector<const Kernel *> &Selected,
                                  WarpDevice &Device, std::ostream &Out) {
  std::vector<Record> Records;
  for (const Kernel *K : Selected) {
    Outcome Result = testKernel(M, *K, Device);
    // A kernel that compares nothing shows nothing.
    if (Result.passed() && !Result.Elements)
      Result.Fault = "no element was compared";
    Out << "[" << Records.size() + 1 << "/" << Selected.size() << "] "
        << K->Name << ": ";
    if (Result.passed())
      Out << "ok, " << Result.Elements << " elements";
    else
      Out << "FAILED: " << Result.Fault << "; " << Result.Wrong << " of "
          << Result.Elements << " elements are wrong";
    Out << (Result.Note.empty() ? "" : "; note: ") << Result.Note;
    if (Result.Rounding.Elements)
      Out << "; rounded sums of " << Result.Rounding.Model;
    Out << "\n";
    Out.flush();
    Records.push_back({K, Result});
    if (Result.DeviceFailed) {
      Out << "stopped, as the device failed: "
          << Selected.size() - Records.size() << " kernels were not run\n";
      break;
    }
  }
  return Records;
}

/// Probes each kernel; ends when the device is of no further use.
static ExitCode probeAll(const std::vector<const Kernel *> &Probed,
                         WarpDevice &Device, std::ostream &Out) {
  ExitCode Status = Passed;
  for (const Kernel *K : Probed) {
    ProbeOutcome Outcome = probeSparse(*K, Device, Out);
    if (Outcome != ProbeOutcome::AsModelled)
      Status = Failed;
    if (Outcome == ProbeOutcome::DeviceFailed)
      break;
  }
  return Status;
}

int devicetest::runWarpTests(const DeviceMaker &MakeDevice, int Argc,
                             const char *const *Argv, std::ostream &Out,
                             std::ostream &Err) {
  auto Misused = [&](const std::string &Error) {
    Err << "warp: " << Error << "; see --help\n";
    return Usage;
  };
  CommandLine Opts;
  Opts.Own["--after"];
  if (std::string Error = Opts.parse(Argc, Argv); !Error.empty())
    return Misused(Error);
  if (Opts.ShowHelp) {
    Out << "Usage: warp" << Help;
    return Passed;
  }
  if (Opts.Arguments.empty())
    return Misused("no folder is given");
  std::string Folder = Opts.Arguments.front();
  std::vector<std::string> Filters(Opts.Arguments.begin() + 1,
                                   Opts.Arguments.end());
  setProgramSeed(Opts.Seed);
  std::string File = Folder + "/manifest.txt";
  std::ifstream In(File);
  if (!In)
    return Misused("cannot read " + File);
  Manifest M;
  if (std::string Error = readManifest(In, M); !Error.empty())
    return Misused(File + ": " + Error);
  std::vector<const Kernel *> Selected;
  if (std::string Error = select(M, Filters, Opts.Own["--after"], Selected);
      !Error.empty())
    return Misused(Error);
  if (Opts.Probe) {
    Selected.erase(std::remove_if(Selected.begin(), Selected.end(),
                                  [](auto *K) { return !canProbe(*K); }),
                   Selected.end());
    if (Selected.empty())
      return Misused("no kernel of mma.sp is selected");
  }
  if (Opts.List) {
    for (const Kernel *K : Selected)
      Out << K->Name << "\n";
    return Passed;
  }

  std::unique_ptr<WarpDevice> Device = MakeDevice(Folder);
  if (std::string Error = Device->open(); !Error.empty()) {
    Out << "skipped: " << Error << "\n";
    return NoDevice;
  }
  if (Opts.Probe)
    return probeAll(Selected, *Device, Out);
  std::vector<Record> Records = runAll(M, Selected, *Device, Out);
  size_t PassedKernels =
      std::count_if(Records.begin(), Records.end(),
                    [](const Record &R) { return R.Result.passed(); });
  int Status = PassedKernels == Records.size() ? Passed : Failed;
  if (!Opts.JSONFile.empty() && !writeJSON(Opts.JSONFile, M, Records)) {
    Err << "warp: cannot write " << Opts.JSONFile << "\n";
    Status = Failed;
  }
  for (const auto &[Family, F] : sumUp(M, Records))
    Out << Family << ": " << passedOf(F) << " of " << F.Instructions.size()
        << " instructions passed, " << F.Lacking.size()
        << " are not of this target\n";
  Out << PassedKernels << " kernels passed, " << Records.size() - PassedKernels
      << " failed\n";
  return Status;
}
