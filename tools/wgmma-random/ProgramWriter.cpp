//===- ProgramWriter.cpp - Valid statements as IR text --------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"
#include "AssemblyForm.h"
#include "DeviceData.h"
#include "InlineAsm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

#include <tuple>

using namespace llvm;
using namespace wgmmarandom;

static const std::string FragmentType = "<4 x i32>";
/// Results of tests that are kept for later.
static constexpr unsigned NumFlags = 2;

ProgramWriter::ProgramWriter(Random &R, const GeneratorOptions &O)
    : R(R), O(O), HasDebugInfo(R.percent(O.DebugInfo)),
      DebugInfoKind(R.percent(50) ? "FullDebug" : "DebugDirectivesOnly") {}

//===----------------------------------------------------------------------===//
// Lines and values
//===----------------------------------------------------------------------===//

void ProgramWriter::line(const Twine &Text) {
  Body += ("  " + Text + (HasDebugInfo ? ", !dbg !8\n" : "\n")).str();
}

std::string ProgramWriter::value(const Twine &Text) {
  std::string Name = "%t" + utostr(NextValue++);
  line(Name + " = " + Text);
  return Name;
}

std::string ProgramWriter::load(StringRef Type, const std::string &Variable) {
  return value("load " + Type + ", ptr %" + Variable);
}

void ProgramWriter::store(StringRef Type, const std::string &Value,
                          const std::string &Variable) {
  line("store " + Type + " " + Value + ", ptr %" + Variable);
}

/// What an accumulator is accessed by: its registers, or pairs of them.
struct ProgramWriter::Parts {
  std::string Element;
  unsigned Count;

  std::string type() const {
    return "<" + utostr(Count) + " x " + Element + ">";
  }
  std::string arrayType() const {
    return "[" + utostr(Count) + " x " + Element + "]";
  }
  static Parts registersOf(const AccumulatorVariable &V) {
    return {V.Types->D == "f32" ? "float" : "i32", V.length()};
  }
  static Parts pairsOf(const AccumulatorVariable &V) {
    return {"i64", V.length() / 2};
  }
};

static std::string integerType(const AccumulatorVariable &V) {
  return "<" + utostr(V.length()) + " x i32>";
}

std::string ProgramWriter::cast(const std::string &Value,
                                const std::string &From,
                                const std::string &To) {
  return From == To ? Value
                    : value("bitcast " + From + " " + Value + " to " + To);
}

std::string ProgramWriter::partOf(const AccumulatorVariable &V, const Parts &P,
                                  unsigned Index) {
  return value("getelementptr " + P.Element + ", ptr %" + V.Name + ", i32 " +
               utostr(Index));
}

std::string ProgramWriter::loadPart(const AccumulatorVariable &V,
                                    const Parts &P, unsigned Index) {
  return value("load " + P.Element + ", ptr " + partOf(V, P, Index));
}

std::string ProgramWriter::loadParts(const AccumulatorVariable &V,
                                     const Parts &P) {
  std::string All = "poison";
  for (unsigned I = 0; I != P.Count; ++I)
    All = value("insertelement " + P.type() + " " + All + ", " + P.Element +
                " " + loadPart(V, P, I) + ", i32 " + utostr(I));
  return cast(All, P.type(), V.type());
}

void ProgramWriter::storeParts(const AccumulatorVariable &V, const Parts &P,
                               const std::string &Value) {
  std::string All = cast(Value, V.type(), P.type());
  for (unsigned I = 0; I != P.Count; ++I) {
    std::string Part =
        value("extractelement " + P.type() + " " + All + ", i32 " + utostr(I));
    line("store " + P.Element + " " + Part + ", ptr " + partOf(V, P, I));
  }
}

std::string ProgramWriter::load(const AccumulatorVariable &V) {
  if (RegisterPairs)
    return loadParts(V, Parts::registersOf(V));
  return load(V.type(), V.Name);
}

void ProgramWriter::store(const AccumulatorVariable &V,
                          const std::string &Value) {
  if (RegisterPairs)
    return storeParts(V, Parts::registersOf(V), Value);
  store(V.type(), Value, V.Name);
}

std::string ProgramWriter::loadReady(const AccumulatorVariable &V) {
  if (RegisterPairs && RegisterPairs->percent(60))
    return loadParts(V, Parts::pairsOf(V));
  return load(V);
}

void ProgramWriter::storeReady(const AccumulatorVariable &V,
                               const std::string &Value) {
  if (RegisterPairs && Value == "zeroinitializer") {
    declare("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)");
    return line("call void @llvm.memset.p0.i64(ptr %" + V.Name +
                ", i8 0, i64 " + utostr(4 * V.length()) + ", i1 false)");
  }
  if (RegisterPairs && RegisterPairs->percent(60))
    return storeParts(V, Parts::pairsOf(V), Value);
  store(V, Value);
}

/// Another place of the input each round, sometimes.
std::string ProgramWriter::loadInput(Part P, StringRef Type, unsigned Bytes) {
  unsigned Offset = 16 * R.below(P == Part::Metadata ? 4 : 24);
  if (P == Part::Accumulators)
    Offset += AccumulatorStart;
  else if (P == Part::Metadata)
    Offset += MetadataStart;
  std::string Pointer =
      value("getelementptr i8, ptr addrspace(1) %in, i64 " + utostr(Offset));
  if (!Counters.empty() && R.percent(50)) {
    std::string Index = load("i32", Counters.back());
    Pointer = value("getelementptr [4 x i32], ptr addrspace(1) " + Pointer +
                    ", i32 " + Index);
  }
  return value(Twine("load ") + (R.percent(20) ? "volatile " : "") + Type +
               ", ptr addrspace(1) " + Pointer + ", align " +
               (Bytes % 16 || R.percent(20) ? "4" : "16"));
}

std::string ProgramWriter::loadAccumulator(const AccumulatorVariable &V) {
  return loadInput(Part::Accumulators, V.type(), 4 * V.length());
}

bool ProgramWriter::mustStayFloat() const {
  return O.ForDevice && !Accumulators[0].Types->isInteger();
}

/// Where \p Bytes of the output have not been written, as long as there are.
std::string ProgramWriter::nextOutput(unsigned Bytes) {
  std::string Pointer = value("getelementptr i8, ptr addrspace(1) %out, i64 " +
                              utostr(NextOutput));
  NextOutput = (NextOutput + Bytes + 15) / 16 * 16;
  if (NextOutput + 512 > (O.ForDevice ? OutputBytes : 0xF000))
    NextOutput = 0;
  return Pointer;
}

void ProgramWriter::storeOutput(StringRef Type, const std::string &Value,
                                unsigned Bytes) {
  std::string Pointer = nextOutput(Bytes);
  line(Twine("store ") + (R.percent(20) ? "volatile " : "") + Type + " " +
       Value + ", ptr addrspace(1) " + Pointer + ", align 4");
}

/// Some i32 that is the same in all threads.
std::string ProgramWriter::scalar() {
  switch (R.below(4)) {
  case 0:
    return "%p";
  case 1:
    return Counters.empty() ? "%p" : load("i32", R.pick(Counters));
  default:
    return load("i32", "s");
  }
}

std::string ProgramWriter::bit() {
  if (!Counters.empty() && R.percent(20))
    return value("icmp eq i32 " + load("i32", R.pick(Counters)) + ", " +
                 utostr(R.below(2)));
  std::string Shifted = value("lshr i32 %p, " + utostr(R.below(12)));
  return value("trunc i32 " + Shifted + " to i1");
}

std::string ProgramWriter::descriptor(bool OfA) {
  std::string Base = OfA ? "%ad" : "%bd";
  if (O.ForDevice)
    return value(
        "add i64 " + Base + ", " +
        utostr(R.below(DeviceTiles) * ((OfA ? ATileBytes : BTileBytes) >> 4)));
  if (R.percent(50))
    return Base;
  if (!Counters.empty() && R.percent(50)) {
    std::string Index =
        value("zext i32 " + load("i32", Counters.back()) + " to i64");
    return value("add i64 " + Base + ", " + Index);
  }
  return value("add i64 " + Base + ", " + utostr(2 * R.below(64)));
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void ProgramWriter::addAccumulator(const AccumulatorVariable &V) {
  Accumulators.push_back(V);
  State.Accumulators.emplace_back();
}

void ProgramWriter::addFragment() {
  ++NumFragments;
  State.DirtyFragments.push_back(true);
}

void ProgramWriter::addMetadata() {
  ++NumMetadata;
  State.DirtyMetadata.push_back(true);
}

void ProgramWriter::initialize() {
  store("i32", "%p", "s");
  if (RoundTests)
    for (unsigned I = 0; I != NumFlags; ++I)
      store("i32", utostr(RoundTests->below(2)), "f" + utostr(I));
  if (IsTracked)
    setTrackedInFlight(false);
  for (unsigned I = 0; I != NumFragments; ++I)
    store(FragmentType, loadInput(Part::Fragments, FragmentType, 16),
          "a" + utostr(I));
  for (unsigned I = 0; I != NumMetadata; ++I)
    store("i32", loadInput(Part::Metadata, "i32", 4), "m" + utostr(I));
  for (unsigned I = 0; I != Accumulators.size(); ++I) {
    const AccumulatorVariable &V = Accumulators[I];
    if (R.percent(20))
      continue; // Nothing is in there yet.
    assign(I,
           R.percent(50) ? constantAccumulator(V, false) : loadAccumulator(V));
  }
}

/// A new value for a variable that is not in flight.
void ProgramWriter::assign(unsigned Index, const std::string &Value) {
  ProgramState::Accumulator &A = State.Accumulators[Index];
  if (A.inFlight())
    State.Lost = std::min(State.Lost, A.At);
  storeReady(Accumulators[Index], Value);
  A = {Ready, true, true};
}

std::string ProgramWriter::constantAccumulator(const AccumulatorVariable &V,
                                               bool MayBePoison) {
  if (MayBePoison && R.percent(70))
    return R.percent(50) ? "poison" : "undef";
  if (R.percent(60))
    return "zeroinitializer";
  if (mustStayFloat() && V.Types->D == "f16")
    return "splat (i32 1006648320)"; // Two ones.
  return V.Types->D == "f32" ? "splat (float 1.0)"
                             : "splat (i32 " + utostr(R.below(9)) + ")";
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

std::string ProgramWriter::newLabel() { return "L" + utostr(++NextLabel); }

void ProgramWriter::label(const std::string &Name) { Body += Name + ":\n"; }

void ProgramWriter::branch(const std::string &To) { line("br label %" + To); }

void ProgramWriter::branch(const std::string &Condition,
                           const std::string &Then, const std::string &Else) {
  line("br i1 " + Condition + ", label %" + Then + ", label %" + Else);
}

void ProgramWriter::branchByNumber(Random &Choices, ArrayRef<std::string> Ways,
                                   const std::string &Default) {
  const std::string Number =
      !Counters.empty() && Choices.percent(50)
          ? load("i32", Counters.back())
          : value("lshr i32 %p, " + utostr(Choices.below(12)));
  std::string Cases;
  for (auto [Index, Way] : enumerate(Ways))
    Cases += " i32 " + utostr(Index) + ", label %" + Way;
  line("switch i32 " + value("and i32 " + Number + ", 7") + ", label %" +
       Default + " [" + Cases + " ]");
}

std::string ProgramWriter::condition() {
  if (!RoundTests || RoundTests->percent(20))
    return bit();
  return keptTest();
}

std::string ProgramWriter::isTrackedAtLimit() {
  return value("icmp eq i32 " + load("i32", "t") + ", 3");
}

std::string ProgramWriter::isTrackedInFlight() {
  switch (TrackedBy) {
  case FlagKind::Bit:
  case FlagKind::LimitedCount:
    return value("icmp ne i32 " + load("i32", "t") + ", 0");
  case FlagKind::Count:
    return value("icmp sgt i32 " + load("i32", "t") + ", 0");
  case FlagKind::Round:
    return value("icmp sgt i32 " + load("i32", "t") + ", -1");
  }
  llvm_unreachable("all kinds are handled");
}

void ProgramWriter::setTrackedInFlight(bool InFlight) {
  auto GetValue = [&]() -> std::string {
    switch (TrackedBy) {
    case FlagKind::Bit:
      return InFlight ? "1" : "0";
    case FlagKind::Count:
    case FlagKind::LimitedCount:
      return InFlight ? value("add nsw i32 " + load("i32", "t") + ", 1") : "0";
    case FlagKind::Round:
      if (!InFlight || Counters.empty())
        return InFlight ? "0" : "-1";
      return value("and i32 " + load("i32", Counters.back()) + ", 255");
    }
    llvm_unreachable("all kinds are handled");
  };
  store("i32", GetValue(), "t");
}

/// Whether a loop around is in its first or last rounds, in one of many words.
std::string ProgramWriter::roundTest() {
  static const char *const Predicates[] = {"eq",  "ne",  "ult", "ule", "ugt",
                                           "uge", "slt", "sle", "sgt", "sge"};
  unsigned I = RoundTests->percent(70) ? Counters.size() - 1
                                       : RoundTests->below(Counters.size());
  std::string Counter = load("i32", Counters[I]);
  if (RoundTests->percent(60))
    Counter = value("add nuw nsw i32 " + Counter + ", " +
                    utostr(RoundTests->below(4)));
  const bool IsAtEnd = !Bounds[I].empty() && RoundTests->percent(60);
  return value(Twine("icmp ") + RoundTests->pick(Predicates) + " i32 " +
               Counter + ", " +
               (IsAtEnd ? Bounds[I] : utostr(RoundTests->below(3))));
}

/// What a flag says, or a test whose result a flag may keep: for another
/// branch, in this round or the next one.
std::string ProgramWriter::keptTest() {
  std::string Flag = "f" + utostr(RoundTests->below(NumFlags));
  if (RoundTests->percent(40))
    return value("icmp ne i32 " + load("i32", Flag) + ", 0");
  std::string Test =
      Counters.empty() || RoundTests->percent(20) ? bit() : roundTest();
  if (RoundTests->percent(50))
    store("i32", value("zext i1 " + Test + " to i32"), Flag);
  return Test;
}

std::string ProgramWriter::enterLoop() {
  Counters.push_back("i" + utostr(NumCounters++));
  Bounds.emplace_back();
  store("i32", "0", Counters.back());
  return Counters.back();
}

void ProgramWriter::leaveLoop() {
  Counters.pop_back();
  Bounds.pop_back();
}

void ProgramWriter::increment(const std::string &Counter) {
  store("i32", value("add i32 " + load("i32", Counter) + ", 1"), Counter);
}

std::string ProgramWriter::isBelow(const std::string &Counter,
                                   const std::string &Bound) {
  return value("icmp ult i32 " + load("i32", Counter) + ", " + Bound);
}

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

void ProgramWriter::tie(const AccumulatorVariable &V,
                        std::vector<TiedElement> &Elements) {
  const Parts P = Parts::registersOf(V);
  for (unsigned I = 0; I != P.Count; ++I) {
    std::string Pointer = partOf(V, P, I);
    Elements.push_back(
        {P.Element, Pointer, value("load " + P.Element + ", ptr " + Pointer)});
  }
}

std::vector<unsigned>
ProgramWriter::tieSome(std::vector<TiedElement> &Elements) {
  constexpr unsigned MaxElements = 64;
  std::vector<unsigned> Tied;
  for (unsigned I = 0; I != numAccumulators(); ++I)
    if (State.Accumulators[I].Defined && R.percent(70) &&
        Elements.size() + Accumulators[I].length() <= MaxElements) {
      Tied.push_back(I);
      tie(Accumulators[I], Elements);
    }
  return Tied;
}

std::vector<unsigned> ProgramWriter::asmStep(StringRef Step,
                                             std::optional<unsigned> Pending) {
  std::vector<TiedElement> Elements;
  std::vector<unsigned> Tied;
  if (R.percent(50))
    Tied = tieSome(Elements);

  std::string Text = Step.str();
  std::vector<std::string> Types, Constraints, Operands;
  for (const TiedElement &E : Elements) {
    Types.push_back(E.Type);
    Constraints.push_back(E.Type == "float" ? "=f" : "=r");
  }
  if (Pending && R.percent(50)) {
    std::string Number = utostr(Elements.size());
    Text += R.percent(50) ? " $" + Number : " ${" + Number + ":c}";
    Constraints.push_back("n");
    Operands.push_back("i32 " + utostr(*Pending));
  } else if (Pending) {
    Text += " " + utostr(*Pending);
  }
  for (const auto &[I, E] : enumerate(Elements)) {
    Constraints.push_back(utostr(I));
    Operands.push_back(E.Type + " " + E.Value);
  }
  Constraints.push_back("~{memory}");

  std::string Type = Tied.empty() ? "void" : "{ " + join(Types, ", ") + " }";
  std::string Call = "call " + Type + " asm sideeffect \"" + Text + ";\", \"" +
                     join(Constraints, ",") + "\"(" + join(Operands, ", ") +
                     ")";
  if (Tied.empty()) {
    line(Call);
    return Tied;
  }
  std::string Results = value(Call);
  for (const auto &[I, E] : enumerate(Elements))
    line("store " + E.Type + " " +
         value("extractvalue " + Type + " " + Results + ", " + utostr(I)) +
         ", ptr " + E.Pointer);
  return Tied;
}

void ProgramWriter::fence() {
  static const char Name[] = "wgmma.fence.sync.aligned";
  if (R.percent(O.AsmProtocol))
    asmStep(Name);
  else
    line(Twine("call void @llvm.nvvm.") + Name + "()");
  declare(("declare void @llvm.nvvm." + Twine(Name) + "()").str());
  State.fence();
}

void ProgramWriter::commit() {
  static const char Name[] = "wgmma.commit_group.sync.aligned";
  if (R.percent(O.AsmProtocol))
    asmStep(Name);
  else
    line(Twine("call void @llvm.nvvm.") + Name + "()");
  declare(("declare void @llvm.nvvm." + Twine(Name) + "()").str());
  State.commit();
}

void ProgramWriter::wait(int Pending) {
  static const char Name[] = "wgmma.wait_group.sync.aligned";
  std::vector<unsigned> Tied;
  if (R.percent(O.AsmProtocol))
    Tied = asmStep(Name, Pending);
  else
    line(Twine("call void @llvm.nvvm.") + Name + "(i64 " + Twine(Pending) +
         ")");
  declare(("declare void @llvm.nvvm." + Twine(Name) + "(i64 immarg)").str());
  State.wait(Pending);
  for (unsigned I : Tied)
    if (State.Accumulators[I].At == Retired)
      State.Accumulators[I].At = Ready;
  for (unsigned I = 0; I != Accumulators.size(); ++I)
    if (State.Accumulators[I].At == Retired && R.percent(60))
      fenceOperand(I);
}

/// fence_operand touches no register: the accumulator stays as clean as it was.
void ProgramWriter::fenceOperand(unsigned Index) {
  const AccumulatorVariable &V = Accumulators[Index];
  std::string Function =
      "@llvm.nvvm.wgmma.fence_operand." + V.Types->mangledType(V.N);
  declare("declare " + V.type() + " " + Function + "(" + V.type() + ")");
  store(V, value("call " + V.type() + " " + Function + "(" + V.type() + " " +
                 load(V) + ")"));
  if (State.Accumulators[Index].At == Retired)
    State.Accumulators[Index].At = Ready;
}

void ProgramWriter::makeReady(unsigned Index) {
  ProgramState::Accumulator &A = State.Accumulators[Index];
  if (A.At == Uncommitted)
    commit();
  if (A.inFlight())
    wait(R.below(A.At + 1));
  if (A.At == Retired)
    fenceOperand(Index);
}

std::string ProgramWriter::scaleD(bool Defined) {
  if (!Defined)
    return "false";
  unsigned Choice = R.below(100);
  return Choice < 70 ? "true" : Choice < 80 ? "false" : bit();
}

std::string ProgramWriter::immediates(const Operation &Op) {
  std::string Text;
  auto Flag = [&]() {
    return R.percent(50) && !O.ForDevice ? ", i1 true" : ", i1 false";
  };
  auto Scale = [&]() { return R.percent(50) ? ", i32 1" : ", i32 -1"; };
  if (Op.Types->HasScale) {
    Text += Scale();
    Text += Scale();
  }
  if (Op.hasTransA())
    Text += Flag();
  if (Op.Types->HasTranspose)
    Text += Flag();
  if (Op.Types->HasSatfinite)
    Text += Flag();
  return Text;
}

static std::string declaration(const Operation &Op) {
  std::string Type = Op.Types->accumulatorType(Op.N);
  std::string Text = "declare " + Type + " @" + Op.intrinsic() + "(" + Type +
                     (Op.AFromRegisters ? ", <4 x i32>" : ", i64") + ", i64";
  if (Op.Sparse)
    Text += ", i32, i32 immarg";
  Text += ", i1";
  if (Op.Types->HasScale)
    Text += ", i32 immarg, i32 immarg";
  for (unsigned I = 0, E = Op.hasTransA() + Op.Types->HasTranspose +
                           Op.Types->HasSatfinite;
       I != E; ++I)
    Text += ", i1 immarg";
  return Text + ")";
}

/// The call of an intrinsic, without the value's name.
std::string
ProgramWriter::multiplication(const AccumulatorVariable &V, bool FromRegisters,
                              const std::string &D, const std::string &A,
                              const std::string &B, const std::string &Metadata,
                              const std::string &ScaleD) {
  Operation Op;
  Op.Types = V.Types;
  Op.Sparse = V.Sparse;
  Op.AFromRegisters = FromRegisters;
  Op.N = V.N;
  declare(declaration(Op));
  std::string Text =
      "call " + V.type() + " @" + Op.intrinsic() + "(" + V.type() + " " + D +
      ", " + (FromRegisters ? FragmentType : "i64") + " " + A + ", i64 " + B;
  if (V.Sparse)
    Text +=
        ", i32 " + Metadata + ", i32 " + utostr(R.below(V.Types->NumSelectors));
  return Text + ", i1 " + ScaleD + immediates(Op) + ")";
}

void ProgramWriter::needFence(unsigned Accumulator, int Fragment,
                              int Metadata) {
  if (State.Accumulators[Accumulator].Dirty ||
      (Fragment >= 0 && State.DirtyFragments[Fragment]) ||
      (Metadata >= 0 && State.DirtyMetadata[Metadata]) || R.percent(15))
    fence();
}

/// How the next wgmma uses a variable: the same type, but another K perhaps.
AccumulatorVariable ProgramWriter::chooseShape(unsigned Index) {
  AccumulatorVariable V = Accumulators[Index];
  if (!OtherShapes || !OtherShapes->percent(35))
    return V;
  std::vector<std::pair<const Family *, bool>> Uses;
  for (const Family &F : families())
    if (F.D == V.Types->D && (!O.ForDevice || &F == V.Types)) {
      Uses.emplace_back(&F, false);
      if (F.HasSparse)
        Uses.emplace_back(&F, true);
    }
  std::tie(V.Types, V.Sparse) = OtherShapes->pick(Uses);
  return V;
}

/// Waits for a variable that a wgmma of another shape wrote. The fence that has
/// to follow is the compiler's to add, where the program has none.
void ProgramWriter::changeShape(unsigned Index, const AccumulatorVariable &To) {
  const std::string &From = State.Accumulators[Index].Shape;
  if (!OtherShapes || From.empty() || From == To.shape())
    return;
  makeReady(Index);
  if (OtherShapes->percent(50))
    fence();
}

/// Computes from one element, the same each time, of what a wgmma is to
/// accumulate in, if that can be read.
void ProgramWriter::readElement(unsigned Index) {
  ProgramState::Accumulator &A = State.Accumulators[Index];
  if (!PartialReads || mustKeepInputs() || !A.Defined || A.inFlight() ||
      !PartialReads->percent(60))
    return;
  if (A.At == Retired)
    fenceOperand(Index);
  const AccumulatorVariable &V = Accumulators[Index];
  std::string Element = value("extractelement " + integerType(V) + " " +
                              asIntegers(V, load(V)) + ", i32 0");
  storeOutput("i32", value("add i32 " + Element + ", %p"), 4);
  A.Dirty = true;
  if (PartialReads->percent(60))
    fenceOperand(Index);
}

void ProgramWriter::multiplyInto(unsigned Index, const std::string &ScaleD,
                                 std::optional<unsigned> Fragment) {
  readElement(Index);
  const AccumulatorVariable V = chooseShape(Index);
  ProgramState::Accumulator &A = State.Accumulators[Index];
  if (!Fragment && R.percent(HasUnreadFragments ? 85 : 55))
    Fragment = R.below(NumFragments);
  int Metadata = V.Sparse ? int(R.below(NumMetadata)) : -1;
  changeShape(Index, V);
  needFence(Index, Fragment ? int(*Fragment) : -1, Metadata);
  std::string D;
  bool IsFresh = Overwrites && ScaleD == "false";
  if (!mustKeepInputs() && (R.percent(8) || IsFresh)) {
    // A fresh accumulator; what the variable held is not used any more.
    D = constantAccumulator(V, ScaleD == "false");
    if (A.inFlight())
      State.Lost = std::min(State.Lost, A.At);
  } else {
    D = load(V);
  }
  std::string From = Fragment ? load(FragmentType, "a" + utostr(*Fragment))
                              : descriptor(/*OfA=*/true);
  std::string Meta = Metadata < 0 ? "" : load("i32", "m" + utostr(Metadata));
  store(V, value(multiplication(V, Fragment.has_value(), D, From,
                                descriptor(/*OfA=*/false), Meta, ScaleD)));
  A = {Uncommitted, true, false, V.shape()};
}

void ProgramWriter::multiply(unsigned Index, std::optional<unsigned> Fragment) {
  std::string ScaleD = scaleD(State.Accumulators[Index].Defined);
  if (Overwrites && Overwrites->percent(60))
    ScaleD = "false";
  multiplyInto(Index, ScaleD, Fragment);
}

void ProgramWriter::multiplyFromSecondRound(unsigned Index) {
  multiplyInto(Index,
               value("icmp ne i32 " + load("i32", Counters.back()) + ", 0"));
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Some elements of two vectors in another order.
std::string ProgramWriter::permuted(StringRef Type, unsigned Length,
                                    const std::string &Value,
                                    const std::string &Other) {
  std::string Mask;
  unsigned Kind = R.below(3), Rotation = 1 + R.below(Length);
  for (unsigned I = 0; I != Length; ++I) {
    unsigned From = Kind == 0   ? Length - 1 - I
                    : Kind == 1 ? (I + Rotation) % Length
                                : R.below(2 * Length);
    Mask += (I ? ", i32 " : "i32 ") + utostr(From);
  }
  return value("shufflevector " + Type + " " + Value + ", " + Type + " " +
               Other + ", <" + utostr(Length) + " x i32> <" + Mask + ">");
}

std::string ProgramWriter::asIntegers(const AccumulatorVariable &V,
                                      const std::string &Value) {
  return cast(Value, V.type(), integerType(V));
}

std::string ProgramWriter::fromIntegers(const AccumulatorVariable &V,
                                        const std::string &Value) {
  return cast(Value, integerType(V), V.type());
}

int ProgramWriter::otherOfShape(unsigned Index) {
  std::vector<int> Others;
  for (unsigned I = 0; I != numAccumulators(); ++I)
    if (I != Index && Accumulators[I].hasShapeOf(Accumulators[Index]) &&
        State.Accumulators[I].Defined)
      Others.push_back(I);
  return Others.empty() ? -1 : R.pick(Others);
}

/// The elements of an accumulator, as integers, with \p Number added to each.
std::string ProgramWriter::sumWith(const AccumulatorVariable &V,
                                   const std::string &Value,
                                   const std::string &Number) {
  std::string Type = integerType(V);
  std::string One =
      value("insertelement " + Type + " poison, i32 " + Number + ", i32 0");
  std::string All = value("shufflevector " + Type + " " + One + ", " + Type +
                          " poison, " + Type + " zeroinitializer");
  return value("add " + Type + " " + asIntegers(V, Value) + ", " + All);
}

/// The accumulator with the signs of single halves changed, some of them if a
/// bit of the input says so. Numbers stay as small as they are.
std::string ProgramWriter::withOtherSigns(const AccumulatorVariable &V,
                                          const std::string &Value) {
  unsigned Length = 2 * V.length();
  std::string Type = "<" + utostr(Length) + " x i16>";
  std::string Sign = value("shl i16 " + value("trunc i32 %p to i16") + ", 15");
  // 1 or -1. By a constant, LLVM would not multiply.
  std::string One =
      value("bitcast i16 " + value("or i16 " + Sign + ", 15360") + " to half");
  std::string Changed =
      value("bitcast " + V.type() + " " + Value + " to " + Type);
  for (unsigned I = 0; I != Length; ++I) {
    if (SingleHalves->percent(20))
      continue;
    std::string Half =
        value("extractelement " + Type + " " + Changed + ", i32 " + utostr(I));
    if (SingleHalves->percent(5))
      storeOutput("i16", Half, 2);
    if (mustStayFloat() && SingleHalves->percent(5))
      storeOutput("float",
                  value("fpext half " +
                        value("bitcast i16 " + Half + " to half") +
                        " to float"),
                  4);
    std::string Other =
        mustStayFloat() && SingleHalves->percent(60)
            ? value("bitcast half " +
                    value("fmul half " +
                          value("bitcast i16 " + Half + " to half") + ", " +
                          One) +
                    " to i16")
            : value("xor i16 " + Half + ", " +
                    (SingleHalves->percent(70) ? Sign : "-32768"));
    Changed = value("insertelement " + Type + " " + Changed + ", i16 " + Other +
                    ", i32 " + utostr(I));
  }
  return value("bitcast " + Type + " " + Changed + " to " + V.type());
}

/// The accumulator with some elements negated if a bit of the input says so,
/// the first ones mostly. Numbers stay as small as they are.
std::string ProgramWriter::changedInPart(const AccumulatorVariable &V,
                                         const std::string &Value) {
  std::string Type = integerType(V), Changed = asIntegers(V, Value);
  std::string Bit = value("and i32 %p, 1"), Mask;
  if (V.Types->D == "f32")
    Mask = value("shl i32 " + Bit + ", 31");
  else if (V.Types->D == "f16")
    Mask = value("mul i32 " + Bit + ", -2147450880");
  else
    Mask = value("sub i32 0, " + Bit);
  unsigned First = PartialChanges->below(3);
  unsigned End = First + 1 + PartialChanges->below(V.length());
  for (unsigned I = First; I < std::min(End, V.length()); ++I) {
    std::string Element =
        value("extractelement " + Type + " " + Changed + ", i32 " + utostr(I));
    Changed =
        value("insertelement " + Type + " " + Changed + ", i32 " +
              value("xor i32 " + Element + ", " + Mask) + ", i32 " + utostr(I));
  }
  return fromIntegers(V, Changed);
}

/// Another value out of that of an accumulator.
std::string ProgramWriter::changed(const AccumulatorVariable &V,
                                   const std::string &Value) {
  std::string Type = V.type();
  unsigned Kind = R.below(6);
  // What would not leave small numbers.
  bool IsHalf = V.Types->D == "f16";
  if (mustStayFloat() && (Kind == 1 || Kind == 3 || (Kind == 2 && !IsHalf)))
    Kind = 4;
  switch (Kind) {
  case 0: { // One element moves.
    std::string Element = value("extractelement " + Type + " " + Value +
                                ", i32 " + utostr(R.below(V.length())));
    return value("insertelement " + Type + " " + Value + ", " +
                 (V.Types->D == "f32" ? "float " : "i32 ") + Element +
                 ", i32 " + utostr(R.below(V.length())));
  }
  case 1:
    return fromIntegers(V, sumWith(V, Value, scalar()));
  case 2: { // Halves change places.
    std::string Halves = "<" + utostr(2 * V.length()) + " x i16>";
    std::string Cast = value("bitcast " + Type + " " + Value + " to " + Halves);
    std::string Moved = permuted(Halves, 2 * V.length(), Cast, Cast);
    return value("bitcast " + Halves + " " + Moved + " to " + Type);
  }
  case 3:
    if (V.Types->D == "f32")
      return value("fneg " + Type + " " + Value);
    return value("xor " + Type + " " + Value + ", splat (i32 -1)");
  default:
    return permuted(Type, V.length(), Value, Value);
  }
}

void ProgramWriter::accumulatorStatement() {
  if (mustKeepInputs())
    return;
  unsigned Index = R.below(numAccumulators());
  const AccumulatorVariable &V = Accumulators[Index];
  ProgramState::Accumulator &A = State.Accumulators[Index];
  unsigned Choice = R.below(100);
  if (!A.Defined || Choice < 14) {
    // In flight or not, the old value is not used any more.
    if (A.inFlight() && R.percent(80))
      return;
    assign(Index,
           R.percent(50) ? constantAccumulator(V, false) : loadAccumulator(V));
    return;
  }
  if (A.inFlight() && R.percent(60))
    return;
  makeReady(Index);
  std::string Value = loadReady(V);
  if (SingleHalves && V.Types->D == "f16" && SingleHalves->percent(60)) {
    A.Dirty = true;
    assign(Index, withOtherSigns(V, Value));
    return;
  }
  if (PartialChanges && PartialChanges->percent(60)) {
    A.Dirty = true;
    assign(Index, changedInPart(V, Value));
    return;
  }
  int Other = otherOfShape(Index);
  if (Choice < 35) {
    // Often the same computation: ptxas must not take its results for the same.
    if (O.ForDevice && R.percent(60))
      storeOutput(integerType(V), sumWith(V, Value, "%p"), 4 * V.length());
    else
      storeOutput(V.type(), Value, 4 * V.length());
    A.Dirty = true;
  } else if (Choice < 55 && Other >= 0 &&
             !State.Accumulators[Other].inFlight()) {
    makeReady(Other);
    std::string OtherValue = loadReady(Accumulators[Other]);
    State.Accumulators[Other].Dirty = true;
    assign(Index, R.percent(50)
                      ? permuted(V.type(), V.length(), Value, OtherValue)
                      : value("select i1 " + bit() + ", " + V.type() + " " +
                              Value + ", " + V.type() + " " + OtherValue));
  } else if (Choice < 65) {
    std::string Element =
        value("extractelement " + integerType(V) + " " + asIntegers(V, Value) +
              ", i32 " + utostr(R.below(V.length())));
    storeOutput("i32", Element, 4);
    A.Dirty = true;
  } else {
    assign(Index, changed(V, Value));
  }
}

void ProgramWriter::moveVariables() {
  if (mustKeepInputs())
    return;
  unsigned Index = R.below(numAccumulators());
  int Other = otherOfShape(Index);
  if (Other < 0 || !State.Accumulators[Index].Defined)
    return;
  ProgramState::Accumulator &A = State.Accumulators[Index];
  ProgramState::Accumulator &B = State.Accumulators[Other];
  bool InFlight = A.inFlight() || B.inFlight();
  if (InFlight && !R.percent(O.MoveInFlight * 3))
    return;
  const AccumulatorVariable &V = Accumulators[Index], &U = Accumulators[Other];
  std::string X = load(V), Y = load(U);
  store(V, Y);
  if (R.percent(75)) {
    store(U, X);
    std::swap(A, B);
  } else {
    // Both have the one value now.
    if (A.inFlight())
      State.Lost = std::min(State.Lost, A.At);
    A = B;
  }
  A.Dirty = B.Dirty = true;
}

//===----------------------------------------------------------------------===//
// Fragments, metadata, scalars
//===----------------------------------------------------------------------===//

/// The first registers of an accumulator, or the only two twice.
std::string ProgramWriter::fragmentFrom(unsigned Index) {
  makeReady(Index);
  State.Accumulators[Index].Dirty = true;
  const AccumulatorVariable &V = Accumulators[Index];
  std::string Value = asIntegers(V, loadReady(V));
  std::string Mask;
  unsigned First = R.below(std::max(1u, V.length() - 3));
  for (unsigned I = 0; I != 4; ++I)
    Mask += (I ? ", i32 " : "i32 ") + utostr((First + I) % V.length());
  return value("shufflevector " + integerType(V) + " " + Value + ", " +
               integerType(V) + " poison, <4 x i32> <" + Mask + ">");
}

void ProgramWriter::setFragment(unsigned Index) {
  store(FragmentType, loadInput(Part::Fragments, FragmentType, 16),
        "a" + utostr(Index));
  State.DirtyFragments[Index] = true;
}

void ProgramWriter::fragmentStatement() {
  if (mustKeepInputs())
    return;
  unsigned Index = R.below(NumFragments);
  if (HasUnreadFragments && !Counters.empty() && R.percent(80))
    Index = 1 + R.below(NumFragments - 1);
  std::string Name = "a" + utostr(Index);
  std::string Old = load(FragmentType, Name), New;
  unsigned Choice = R.below(HasUnreadFragments ? 95 : 100);
  if (mustStayFloat() &&
      ((Choice >= 40 && Choice < 55) || (Choice >= 80 && Choice < 90)))
    Choice = 0;
  if (Choice < 40) {
    New = loadInput(Part::Fragments, FragmentType, 16);
  } else if (Choice < 55) {
    unsigned From = R.below(numAccumulators());
    if (!State.Accumulators[From].Defined ||
        State.Accumulators[From].inFlight())
      return;
    New = fragmentFrom(From);
  } else if (Choice < 70) {
    declare(
        "declare <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32>)");
    store(
        FragmentType,
        value("call <4 x i32> @llvm.nvvm.wgmma.fence_operand.v4i32(<4 x i32> " +
              Old + ")"),
        Name);
    return;
  } else if (Choice < 80) {
    unsigned Other = R.below(NumFragments);
    std::string Value = load(FragmentType, "a" + utostr(Other));
    store(FragmentType, Old, "a" + utostr(Other));
    State.DirtyFragments[Other] = true;
    New = Value;
  } else if (Choice < 90) {
    New = value("insertelement <4 x i32> " + Old + ", i32 " + scalar() +
                ", i32 " + utostr(R.below(4)));
  } else if (Choice < 95) {
    New = value("select i1 " + bit() + ", <4 x i32> " + Old + ", <4 x i32> " +
                load(FragmentType, "a" + utostr(R.below(NumFragments))));
  } else {
    storeOutput(FragmentType, Old, 16);
    State.DirtyFragments[Index] = true;
    return;
  }
  store(FragmentType, New, Name);
  State.DirtyFragments[Index] = true;
}

void ProgramWriter::metadataStatement() {
  if (mustKeepInputs())
    return;
  unsigned Index = R.below(NumMetadata);
  std::string Name = "m" + utostr(Index);
  unsigned Kind = R.below(4);
  // Metadata must be valid.
  if (O.ForDevice && Kind != 1)
    Kind = 3;
  switch (Kind) {
  case 0:
    store("i32", value("add i32 " + load("i32", Name) + ", " + scalar()), Name);
    break;
  case 1: {
    unsigned Other = R.below(NumMetadata);
    std::string X = load("i32", Name);
    std::string Y = load("i32", "m" + utostr(Other));
    store("i32", X, "m" + utostr(Other));
    store("i32", Y, Name);
    State.DirtyMetadata[Other] = true;
    break;
  }
  case 2:
    store("i32",
          value("extractelement <4 x i32> " +
                load(FragmentType, "a" + utostr(R.below(NumFragments))) +
                ", i32 " + utostr(R.below(4))),
          Name);
    break;
  default:
    store("i32", loadInput(Part::Metadata, "i32", 4), Name);
  }
  State.DirtyMetadata[Index] = true;
}

void ProgramWriter::scalarStatement() {
  switch (R.below(5)) {
  case 0:
    store("i32", value("add i32 " + scalar() + ", " + utostr(1 + R.below(99))),
          "s");
    break;
  case 1: {
    const AsmText &Asm = asmTexts()[R.below(asmTexts().size())];
    std::string Operands;
    for (unsigned I = 0; I != Asm.NumOperands; ++I)
      Operands += (I ? ", i32 " : "i32 ") + scalar();
    store("i32",
          value(Twine("call i32 asm ") + (R.percent(50) ? "sideeffect " : "") +
                "\"" + Asm.Text + "\", \"" + Asm.Constraints + "\"(" +
                Operands + ")"),
          "s");
    break;
  }
  case 2:
    storeOutput("i32", scalar(), 4);
    break;
  case 3:
    line("store i32 " + scalar() +
         ", ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @shm_" +
         O.Name + ", i32 " + utostr(R.below(64)) + ")");
    break;
  default:
    barrier();
  }
}

void ProgramWriter::barrier() {
  if (!O.ForDevice)
    declare("declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)");
  line("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void ProgramWriter::call() {
  if (mustKeepInputs())
    return;
  unsigned Index = R.below(numAccumulators());
  bool IsFree = State.Accumulators[Index].Defined &&
                !State.Accumulators[Index].inFlight();
  switch (R.below(4)) {
  case 0:
    return callScalar();
  case 1:
    return IsFree ? callPermutation(Index) : callScalar();
  case 2:
    return IsFree ? callMultiplication(Index) : callIssue(Index);
  default:
    return callIssue(Index);
  }
}

static StringRef inlining(Random &R) {
  static const StringRef Attributes[] = {"noinline", "alwaysinline", ""};
  return R.pick(Attributes);
}

void ProgramWriter::callScalar() {
  std::string Name = "@scalar_" + O.Name + "_" + utostr(NextFunction++);
  Functions += ("define internal i32 " + Name + "(i32 %x) " + inlining(R) +
                " {\n  %y = mul i32 %x, 3\n  %z = xor i32 %y, 5\n"
                "  ret i32 %z\n}\n")
                   .str();
  store("i32", value("call i32 " + Name + "(i32 " + scalar() + ")"), "s");
}

void ProgramWriter::callPermutation(unsigned Index) {
  makeReady(Index);
  const AccumulatorVariable &V = Accumulators[Index];
  std::string Name = "@permute_" + O.Name + "_" + utostr(NextFunction++), Mask;
  for (unsigned I = 0; I != V.length(); ++I)
    Mask += (I ? ", i32 " : "i32 ") + utostr(V.length() - 1 - I);
  Functions += ("define internal " + V.type() + " " + Name + "(" + V.type() +
                " %x) " + inlining(R) + " {\n  %y = shufflevector " + V.type() +
                " %x, " + V.type() + " poison, " + integerType(V) + " <" +
                Mask + ">\n  ret " + V.type() + " %y\n}\n")
                   .str();
  assign(Index, value("call " + V.type() + " " + Name + "(" + V.type() + " " +
                      loadReady(V) + ")"));
}

/// The text of a function that multiplies: up to the commit, or, if it also
/// waits, to a value that is ready.
static std::string function(const AccumulatorVariable &V,
                            const std::string &Name, StringRef Attribute,
                            const std::string &Multiplication, bool Waits) {
  std::string Text =
      ("define internal " + V.type() + " " + Name + "(" + V.type() +
       " %d, <4 x i32> %a, i64 %ad, i64 %bd, i32 %m, i1 %s) convergent " +
       Attribute + " {\n  call void @llvm.nvvm.wgmma.fence.sync.aligned()\n" +
       "  %e = " + Multiplication +
       "\n  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()\n")
          .str();
  if (!Waits)
    return Text + "  ret " + V.type() + " %e\n}\n";
  return Text +
         "  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)\n"
         "  %f = call " +
         V.type() + " @llvm.nvvm.wgmma.fence_operand." +
         V.Types->mangledType(V.N) + "(" + V.type() + " %e)\n  ret " +
         V.type() + " %f\n}\n";
}

/// Calls a function that multiplies and waits, in which nothing else is known
/// to be in flight.
void ProgramWriter::callMultiplication(unsigned Index) {
  makeReady(Index);
  callIssueOf(Index, /*Waits=*/true, inlining(R));
}

/// A function that leaves what it multiplies in flight must be inlined.
void ProgramWriter::callIssue(unsigned Index) {
  callIssueOf(Index, /*Waits=*/false, "alwaysinline");
}

void ProgramWriter::callIssueOf(unsigned Index, bool Waits,
                                StringRef Attribute) {
  const AccumulatorVariable &V = Accumulators[Index];
  ProgramState::Accumulator &A = State.Accumulators[Index];
  std::string Name = "@multiply_" + O.Name + "_" + utostr(NextFunction++);
  changeShape(Index, V);
  std::string D = load(V);
  std::string From = load(FragmentType, "a" + utostr(R.below(NumFragments)));
  std::string Meta = load("i32", "m" + utostr(R.below(NumMetadata)));
  std::string ScaleD = scaleD(A.Defined);
  bool FromRegisters = R.percent(50);
  std::string Multiplication = multiplication(
      V, FromRegisters, "%d", FromRegisters ? "%a" : "%ad", "%bd", "%m", "%s");
  for (StringRef Known : {"fence.sync.aligned()", "commit_group.sync.aligned()",
                          "wait_group.sync.aligned(i64 immarg)"})
    declare(("declare void @llvm.nvvm.wgmma." + Known).str());
  declare("declare " + V.type() + " @llvm.nvvm.wgmma.fence_operand." +
          V.Types->mangledType(V.N) + "(" + V.type() + ")");
  Functions += function(V, Name, Attribute, Multiplication, Waits);
  store(V, value("call " + V.type() + " " + Name + "(" + V.type() + " " + D +
                 ", <4 x i32> " + From + ", i64 %ad, i64 %bd, i32 " + Meta +
                 ", i1 " + ScaleD + ")"));
  State.fence();
  A = {Uncommitted, true, false, V.shape()};
  State.commit();
  if (!Waits)
    return;
  State.wait(0);
  A.At = Ready;
  State.dirtyAll();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// Stores a half for each register of an accumulator, one by one.
void ProgramWriter::storeHalves(const AccumulatorVariable &V) {
  const Parts P = Parts::registersOf(V);
  const bool IsRounded = P.Element == "float" && StoredHalves->percent(60);
  const std::string Type = IsRounded ? P.type() : integerType(V);
  const std::string All = cast(loadReady(V), V.type(), Type);
  const std::string Output = nextOutput(4 * P.Count);
  const unsigned Stored = StoredHalves->percent(50) ? 100 : 70;
  for (unsigned I = 0; I != P.Count; ++I) {
    if (!StoredHalves->percent(Stored))
      continue;
    std::string Element =
        value("extractelement " + Type + " " + All + ", i32 " + utostr(I));
    std::string Half =
        IsRounded ? value("fptrunc float " + Element + " to half")
                  : value("trunc i32 " + value("lshr i32 " + Element + ", 16") +
                          " to i16");
    std::string Pointer = value("getelementptr i32, ptr addrspace(1) " +
                                Output + ", i32 " + utostr(I));
    line((IsRounded ? "store half " : "store i16 ") + Half +
         ", ptr addrspace(1) " + Pointer);
  }
}

void ProgramWriter::storeAccumulator(unsigned Index) {
  makeReady(Index);
  const AccumulatorVariable &V = Accumulators[Index];
  if (StoredHalves && StoredHalves->percent(80))
    return storeHalves(V);
  if (!RegisterPairs || RegisterPairs->percent(20))
    return storeOutput(V.type(), loadReady(V), 4 * V.length());
  const Parts P = Parts::pairsOf(V);
  for (unsigned I = 0; I != P.Count; ++I)
    storeOutput(P.Element, loadPart(V, P, I), 8);
}

void ProgramWriter::finish() {
  if (State.anyUncommitted())
    commit();
  wait(0);
  for (unsigned I = 0; I != Accumulators.size(); ++I) {
    if (!State.Accumulators[I].Defined)
      continue;
    storeAccumulator(I);
  }
  if (!HasUnreadFragments)
    for (unsigned I = 0; I != NumFragments; ++I)
      storeOutput(FragmentType, load(FragmentType, "a" + utostr(I)), 16);
  for (unsigned I = 0; I != NumMetadata; ++I)
    storeOutput("i32", load("i32", "m" + utostr(I)), 4);
  storeOutput("i32", load("i32", "s"), 4);
  line("ret void");
}

static const char DebugInfoHead[] = R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2}
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 2, !"Dwarf Version", i32 2}
!3 = !DIFile(filename: "k.cu", directory: "/")
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = distinct !DISubprogram(name: "k", scope: !3, file: !3, line: 1, type: !4, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocation(line: 2, scope: !6)
)";

/// Copies the tiles to shared memory, and makes %in, %out, %ad and %bd.
std::string ProgramWriter::prologue() const {
  std::string Text = "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
  raw_string_ostream S(Text);
  S << "  %in = getelementptr [" << InputBytes
    << " x i8], ptr addrspace(1) %in.all, i32 %tid\n  %out = getelementptr ["
    << OutputBytes << " x i8], ptr addrspace(1) %out.all, i32 %tid\n";
  for (unsigned I = 0; I != TileBytes / 16 / DeviceThreads; ++I)
    S << "  %tile.index" << I << " = add i32 %tid, " << I * DeviceThreads
      << "\n  %tile.from" << I
      << " = getelementptr [16 x i8], ptr addrspace(1) %tiles, i32 %tile.index"
      << I << "\n  %tile.value" << I
      << " = load <4 x i32>, ptr addrspace(1) %tile.from" << I
      << ", align 16\n  %tile.to" << I
      << " = getelementptr [16 x i8], ptr addrspace(3) @tiles_" << O.Name
      << ", i32 %tile.index" << I << "\n  store <4 x i32> %tile.value" << I
      << ", ptr addrspace(3) %tile.to" << I << ", align 16\n";
  S << "  call void asm sideeffect \"fence.proxy.async;\", \"~{memory}\"()\n"
       "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
       "  %start = ptrtoint ptr addrspace(3) @tiles_"
    << O.Name
    << " to i64\n  %start.bits = and i64 %start, 262143\n"
       "  %a.start = lshr i64 %start.bits, 4\n  %b.start = add i64 %a.start, "
    << (DeviceTiles * ATileBytes >> 4) << "\n";
  auto Descriptor = [&](const char *Name, unsigned Stride) {
    S << "  %" << Name << "d = or i64 %" << Name << ".start, "
      << ((uint64_t(LeadingOffset) >> 4 << 16) | (uint64_t(Stride) >> 4 << 32))
      << "\n";
  };
  Descriptor("a", AStride);
  Descriptor("b", BStride);
  return Text;
}

std::string ProgramWriter::text() const {
  std::string Allocas, Metadata;
  unsigned NextNode = 20;
  auto Variable = [&](const std::string &Name, const std::string &Type) {
    Allocas += "  %" + Name + " = alloca " + Type + "\n";
    if (!HasDebugInfo)
      return;
    std::string Node = "!" + utostr(NextNode++);
    Allocas += "    #dbg_declare(ptr %" + Name + ", " + Node +
               ", !DIExpression(), !8)\n";
    Metadata += Node + " = !DILocalVariable(name: \"" + Name +
                "\", scope: !6, file: !3, line: 2, type: !7)\n";
  };
  for (const AccumulatorVariable &V : Accumulators)
    Variable(V.Name,
             RegisterPairs ? Parts::registersOf(V).arrayType() : V.type());
  for (unsigned I = 0; I != NumFragments; ++I)
    Variable("a" + utostr(I), FragmentType);
  for (unsigned I = 0; I != NumMetadata; ++I)
    Variable("m" + utostr(I), "i32");
  for (unsigned I = 0; I != NumCounters; ++I)
    Variable("i" + utostr(I), "i32");
  Variable("s", "i32");
  if (RoundTests)
    for (unsigned I = 0; I != NumFlags; ++I)
      Variable("f" + utostr(I), "i32");
  if (IsTracked)
    Variable("t", "i32");

  std::string Text = "target triple = \"nvptx64-nvidia-cuda\"\n@shm_" + O.Name +
                     " = addrspace(3) global [64 x i32] poison, align 16\n";
  if (O.ForDevice)
    Text += "@tiles_" + O.Name + " = addrspace(3) global [" +
            utostr(TileBytes) + " x i8] poison, align 128\n";
  Text += "define ptx_kernel void @" + O.Name;
  Text += O.ForDevice ? "(ptr addrspace(1) %out.all, ptr addrspace(1) %in.all, "
                        "ptr addrspace(1) %tiles, "
                      : "(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 "
                        "%ad, i64 %bd, ";
  Text += "i32 %p, i32 %n1, i32 %n2, i32 %n3, i32 %n4)";
  if (IsInAssembly)
    Text += (Twine(" \"") + InAssembly + "\"").str();
  Text += HasDebugInfo ? " !dbg !6 {\n" : " {\n";
  Text += Allocas + (O.ForDevice ? prologue() : "") + Body + "}\n" + Functions;
  for (const std::string &Declaration : Declarations)
    Text += Declaration + "\n";
  if (O.ForDevice)
    Text += "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
            "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n";
  if (HasDebugInfo)
    Text += DebugInfoHead +
            ("!0 = distinct !DICompileUnit(language: "
             "DW_LANG_C_plus_plus, file: !3, producer: \"\", "
             "isOptimized: true, runtimeVersion: 0, "
             "emissionKind: " +
             DebugInfoKind) +
            ")\n" + Metadata;
  return Text;
}
