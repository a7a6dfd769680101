//===- Options.cpp - Command line of wgmma-random -------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace wgmmarandom;

static const char Overview[] =
    "random wgmma programs\n\n"
    "  wgmma-random run          random programs, compiled and judged\n"
    "  wgmma-random plant        the same with faults planted into the PTX\n"
    "  wgmma-random invalid      invalid programs\n"
    "  wgmma-random generate     prints a program\n"
    "  wgmma-random check F.ll   judges one\n"
    "  wgmma-random emit-device  kernels and results to be taken to a GPU\n"
    "  wgmma-random reduce F.ll  makes it as small as its findings allow\n";

static cl::OptionCategory Category("wgmma-random");

static cl::opt<std::string> ModeName(cl::Positional, cl::Required,
                                     cl::desc("MODE"), cl::cat(Category));
static cl::opt<std::string> Input(cl::Positional, cl::desc("[FILE]"),
                                  cl::cat(Category));
static cl::opt<uint64_t> Seed("seed", cl::init(1), cl::cat(Category),
                              cl::desc("the first program"));
static cl::opt<unsigned> Count("count", cl::init(100), cl::cat(Category),
                               cl::desc("how many programs"));
static cl::opt<unsigned> Executions("executions", cl::init(4),
                                    cl::cat(Category),
                                    cl::desc("of each program"));
static cl::opt<std::string>
    Levels("levels", cl::init("random"), cl::cat(Category),
           cl::desc("random, all, or a list of PIPELINE/On, PIPELINE n (only "
                    "what must be inlined), s (and SROA), 0, 1, 2 or 3"));
static cl::opt<std::string> PTXAS("ptxas", cl::cat(Category),
                                  cl::desc("assembles all PTX with this"));
static cl::opt<std::string>
    Output("o", cl::init("reduced.ll"), cl::cat(Category),
           cl::desc("what reduce or emit-device gives"));
static cl::opt<std::string>
    PTX("ptx", cl::cat(Category),
        cl::desc("judges this file instead of compiling"));
static cl::opt<std::string> Keep("keep", cl::cat(Category),
                                 cl::desc("folder for what was found"));
static cl::opt<std::string> Json("json", cl::cat(Category),
                                 cl::desc("file for the figures"));
static cl::opt<std::string> Only("only", cl::cat(Category),
                                 cl::desc("findings whose kind has this text"));
static cl::opt<bool>
    WaitsWarn("waits-warn", cl::cat(Category),
              cl::desc("an added wait without a warning is a finding"));
static cl::opt<bool> FalseAlarms(
    "false-alarms", cl::cat(Category),
    cl::desc("a warning of an accumulator read in flight is a finding"));
static cl::opt<bool> PrintPTX("print-ptx", cl::cat(Category));
static cl::opt<unsigned> Stop("stop", cl::cat(Category),
                              cl::desc("after so many programs with findings"));
static cl::opt<unsigned> Size("size", cl::init(24), cl::cat(Category),
                              cl::desc("statements of a program, about"));
static cl::opt<unsigned> MaxN("max-n", cl::init(256), cl::cat(Category));
static cl::opt<unsigned>
    MoveInFlight("move-in-flight", cl::init(15), cl::cat(Category),
                 cl::desc("percent; 0: accumulators in flight stay put"));
static cl::opt<unsigned> AsmProtocol("asm-protocol", cl::init(3),
                                     cl::cat(Category), cl::desc("percent"));
static cl::opt<unsigned> AsmProducts(
    "asm-products", cl::init(15), cl::cat(Category),
    cl::desc("percent of the programs: wgmma.mma_async is inline assembly"));
static cl::opt<unsigned> Calls("calls", cl::init(4), cl::cat(Category),
                               cl::desc("percent"));
static cl::opt<bool>
    SetWhenIdle("set-when-idle", cl::cat(Category),
                cl::desc("set what wgmma reads only with none in flight"));
static cl::opt<unsigned> DebugInfo("debug-info", cl::init(30),
                                   cl::cat(Category), cl::desc("percent"));
static cl::opt<unsigned>
    OtherShapes("other-shapes", cl::init(10), cl::cat(Category),
                cl::desc("percent of the programs: accumulators change their "
                         "K"));
static cl::opt<unsigned>
    PartialReads("partial-reads", cl::init(10), cl::cat(Category),
                 cl::desc("percent of the programs: single elements are read "
                          "before wgmma"));
static cl::opt<unsigned>
    EarlyExits("early-exits", cl::init(10), cl::cat(Category),
               cl::desc("percent of the programs: loops are left in their "
                        "middle"));
static cl::opt<unsigned>
    RoundTests("round-tests", cl::init(10), cl::cat(Category),
               cl::desc("percent of the programs: branches ask for the round, "
                        "or what others have asked"));
static cl::opt<unsigned> InFlightFlags(
    "in-flight-flags", cl::init(10), cl::cat(Category),
    cl::desc("percent of the programs: a flag tells what is in flight"));
static cl::opt<unsigned>
    Switches("switches", cl::init(5), cl::cat(Category),
             cl::desc("percent of the programs: one of many ways is taken"));
static cl::opt<unsigned>
    Overwrites("overwrites", cl::init(10), cl::cat(Category),
               cl::desc("percent of the programs: most wgmma overwrite their "
                        "accumulators"));
static cl::opt<unsigned>
    SingleHalves("single-halves", cl::init(10), cl::cat(Category),
                 cl::desc("percent of the programs: single halves of f16 "
                          "accumulators are computed with"));
static cl::opt<unsigned> PartialChanges(
    "partial-changes", cl::init(10), cl::cat(Category),
    cl::desc(
        "percent of the programs: the same is computed of some elements of "
        "accumulators each time"));
static cl::opt<unsigned> RegisterPairs(
    "register-pairs", cl::init(10), cl::cat(Category),
    cl::desc("percent of the programs: accumulators are arrays, which are also "
             "accessed by pairs of registers"));
static cl::opt<unsigned>
    StoredHalves("stored-halves", cl::init(10), cl::cat(Category),
                 cl::desc("percent of the programs: accumulators are stored by "
                          "halves, rounded to f16 or the upper ones"));
static cl::opt<unsigned>
    UnreadFragments("unread-fragments", cl::init(10), cl::cat(Category),
                    cl::desc("percent of the programs: most A are fragments, "
                             "which only wgmma read"));

Options wgmmarandom::parseOptions(int ArgC, char **ArgV) {
  // LLVM's are known, too, but there are hundreds.
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(ArgC, ArgV, Overview);
  Options O;
  std::optional<Mode> M = StringSwitch<std::optional<Mode>>(ModeName)
                              .Case("run", Mode::Run)
                              .Case("generate", Mode::Generate)
                              .Case("check", Mode::Check)
                              .Case("interesting", Mode::Interesting)
                              .Case("reduce", Mode::Reduce)
                              .Case("plant", Mode::Plant)
                              .Case("invalid", Mode::Invalid)
                              .Case("emit-device", Mode::EmitDevice)
                              .Default(std::nullopt);
  if (!M) {
    errs() << "no mode '" << ModeName << "'\n";
    exit(2);
  }
  O.TheMode = *M;
  O.Input = Input;
  O.Seed = Seed;
  O.Count = Count;
  O.Executions = Executions;
  O.Levels = Levels;
  O.PTXAS = PTXAS;
  O.Program = ArgV[0];
  O.Output = Output;
  O.PTX = PTX;
  O.Keep = Keep;
  O.Json = Json;
  O.Only = Only;
  O.WaitsWarn = WaitsWarn;
  O.FalseAlarms = FalseAlarms;
  O.PrintPTX = PrintPTX;
  O.Stop = Stop;
  O.Generator.Size = Size;
  O.Generator.MaxN = MaxN;
  O.Generator.MoveInFlight = MoveInFlight;
  O.Generator.AsmProtocol = AsmProtocol;
  O.Generator.AsmProducts = AsmProducts;
  O.Generator.Calls = Calls;
  O.Generator.DebugInfo = DebugInfo;
  O.Generator.SetWhenIdle = SetWhenIdle;
  O.Generator.OtherShapes = OtherShapes;
  O.Generator.PartialReads = PartialReads;
  O.Generator.EarlyExits = EarlyExits;
  O.Generator.RoundTests = RoundTests;
  O.Generator.InFlightFlags = InFlightFlags;
  O.Generator.Switches = Switches;
  O.Generator.Overwrites = Overwrites;
  O.Generator.UnreadFragments = UnreadFragments;
  O.Generator.SingleHalves = SingleHalves;
  O.Generator.PartialChanges = PartialChanges;
  O.Generator.RegisterPairs = RegisterPairs;
  O.Generator.StoredHalves = StoredHalves;
  return O;
}
