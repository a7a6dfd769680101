//===- Generator.cpp - Random valid programs ------------------------------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <deque>
#include <optional>

using namespace llvm;
using namespace wgmmarandom;

namespace {
/// Chooses what a ProgramWriter writes.
class Generator {
public:
  Generator(uint64_t Seed, const GeneratorOptions &Options)
      : R(Seed), O(Options), W(R, O), Budget(1 + R.below(2 * O.Size)) {
    if (Random(mix(Seed, 1)).percent(O.OtherShapes))
      W.useOtherShapes(mix(Seed, 2));
    if (Random(mix(Seed, 3)).percent(O.PartialReads))
      W.readInPart(mix(Seed, 4));
    if (Random(mix(Seed, 5)).percent(O.EarlyExits))
      EarlyExits.emplace(mix(Seed, 6));
    if (Random(mix(Seed, 7)).percent(O.RoundTests)) {
      W.testRounds(mix(Seed, 8));
      RoundTests.emplace(mix(Seed, 9));
    }
    if (Random(mix(Seed, 10)).percent(O.InFlightFlags)) {
      Flags.emplace(mix(Seed, 11));
      HasLimit = Random(mix(Seed, 22)).percent(25);
    }
    if (Random(mix(Seed, 12)).percent(O.AsmProducts))
      W.useAssembly();
    if (Random(mix(Seed, 13)).percent(O.Overwrites)) {
      W.overwrite(mix(Seed, 14));
      HasOneAccumulator = mix(Seed, 15) & 1;
    }
    if (Random(mix(Seed, 16)).percent(O.UnreadFragments))
      W.leaveFragmentsUnread();
    if (Random(mix(Seed, 17)).percent(O.SingleHalves)) {
      W.computeHalves(mix(Seed, 18));
      Halves.emplace(mix(Seed, 19));
    }
    if (Random(mix(Seed, 20)).percent(O.PartialChanges))
      W.changeInPart(mix(Seed, 21));
    if (Random(mix(Seed, 24)).percent(O.RegisterPairs))
      W.accessPairs(mix(Seed, 25));
    if (Random(mix(Seed, 26)).percent(O.StoredHalves))
      W.storeByHalves(mix(Seed, 27));
    if (Random(mix(Seed, 22)).percent(O.Switches))
      Switches.emplace(mix(Seed, 23));
  }

  std::string run();

private:
  enum class Test { First, Middle, Last };
  /// A loop that statements are added to.
  struct Loop {
    Test At;
    std::string Counter, Bound, Top, End;
    ProgramState AtHead;
    std::vector<ProgramState> Exits; ///< What holds on each way to the end.
  };

  void declareVariables();
  void block(unsigned Depth);
  void statement(unsigned Depth);
  void diamond(function_ref<void()> Then, function_ref<void()> Else);
  void diamond(unsigned Depth);
  void oneOfMany(unsigned Depth);
  void loop(unsigned Depth, function_ref<void()> Round = nullptr);
  Loop &enterLoop(Test At);
  void firstRounds();
  void test(Loop &L, const std::string &Next);
  void testInMiddle(Loop &L, unsigned Depth);
  void nextRound(Loop &L);
  void leaveLoop();
  void leaveEarly();
  void leaveFragment(unsigned Depth);
  void waitIf(const std::string &Condition, bool SetsBack);
  void ifTrackedInFlight();
  void waitAtLimit();
  void multiplyTracked();
  void useTracked();
  void trackedStatement();
  void batch();
  void pipelined(unsigned Depth);
  void finishRound(const ProgramState &Head);

  Random R;
  const GeneratorOptions &O;
  /// Choices of its own, so that all other programs stay what they are.
  std::optional<Random> EarlyExits, RoundTests, Flags, Halves, Switches;
  /// The flag is a count that is set back at a limit.
  bool HasLimit = false;
  /// Those of one variable can share registers.
  bool HasOneAccumulator = false;
  ProgramWriter W;
  int Budget;
  unsigned NextLoopBound = 0;
  std::deque<Loop> Loops; ///< Around the place, outermost first.
};
} // namespace

static const Family &randomHalfFamily(Random &R) {
  while (true) {
    const Family &F = R.pick(families());
    if (F.D == "f16")
      return F;
  }
}

static unsigned randomN(Random &R, const Family &F, unsigned MaxN) {
  static const unsigned Small[] = {8, 8, 8, 16, 16, 24, 32, 40, 48, 64};
  while (true) {
    unsigned N = R.percent(94) ? R.pick(Small) : 8 * (1 + R.below(32));
    if (N <= MaxN && F.hasN(N))
      return N;
  }
}

void Generator::declareVariables() {
  unsigned NumKinds = 1 + R.below(2), Count = 1 + R.below(4);
  if (HasOneAccumulator)
    Count = 1;
  std::vector<AccumulatorVariable> Kinds;
  for (unsigned I = 0; I != NumKinds; ++I) {
    const Family *F = I && O.ForDevice
                          ? Kinds[0].Types
                          : &families()[R.below(families().size())];
    if (Halves && I == 0)
      F = &randomHalfFamily(*Halves);
    Kinds.push_back({"", F, F->HasSparse && R.percent(40), 0});
    Kinds.back().N = randomN(R, *F, O.MaxN);
  }
  for (unsigned I = 0; I != Count; ++I) {
    AccumulatorVariable V = R.pick(Kinds);
    V.Name = "c" + utostr(I);
    W.addAccumulator(V);
  }
  if (Flags) {
    AccumulatorVariable V = Kinds[Flags->below(Kinds.size())];
    V.Name = "ct";
    W.addAccumulator(V);
    using FlagKind = ProgramWriter::FlagKind;
    const FlagKind FlagKinds[] = {FlagKind::Bit, FlagKind::Count,
                                  FlagKind::Round};
    const FlagKind Kind = Flags->pick(FlagKinds);
    W.trackLast(HasLimit ? FlagKind::LimitedCount : Kind);
  }
  for (unsigned I = 0, E = 1 + R.below(3) + W.leavesFragmentsUnread(); I != E;
       ++I)
    W.addFragment();
  for (unsigned I = 0, E = 1 + R.below(2); I != E; ++I)
    W.addMetadata();
  W.initialize();
}

std::string Generator::run() {
  declareVariables();
  if (R.percent(40))
    pipelined(0);
  if (EarlyExits || RoundTests || Flags || W.leavesFragmentsUnread())
    loop(0);
  block(0);
  while (Budget > 0)
    block(0);
  W.finish();
  return W.text();
}

void Generator::block(unsigned Depth) {
  for (unsigned I = 0, E = 1 + R.below(5); I != E; ++I)
    statement(Depth);
}

/// Multiplications, mostly with the commit and the wait that belong to them.
void Generator::batch() {
  for (unsigned I = 0, E = 1 + R.below(3); I != E; ++I)
    W.multiply(R.below(W.numAccumulators()));
  if (R.percent(85))
    W.commit();
  if (R.percent(55))
    W.wait(R.below(4) * R.below(2));
}

void Generator::statement(unsigned Depth) {
  --Budget;
  if (EarlyExits && !Loops.empty() && EarlyExits->percent(15))
    leaveEarly();
  if (RoundTests && !Loops.empty() && Depth < 3 && RoundTests->percent(25))
    return diamond(Depth);
  if (Switches && Depth < 3 && Switches->percent(Loops.empty() ? 10 : 20))
    return oneOfMany(Depth);
  if (Flags && Flags->percent(Loops.empty() ? 10 : 25))
    return trackedStatement();
  if (W.leavesFragmentsUnread() && !Loops.empty() && Depth < 3 && R.percent(20))
    return leaveFragment(Depth);
  unsigned Choice = R.below(100);
  if (Choice < 34)
    batch();
  else if (Choice < 50)
    W.accumulatorStatement();
  else if (Choice < 62)
    W.fragmentStatement();
  else if (Choice < 68)
    W.metadataStatement();
  else if (Choice < 75)
    W.scalarStatement();
  else if (Choice < 79)
    W.wait(R.below(3));
  else if (Choice < 81)
    W.fence();
  else if (Choice < 84)
    W.moveVariables();
  else if (Choice < 84 + O.Calls)
    W.call();
  else if (Choice < 94)
    Depth < 3 ? diamond(Depth) : batch();
  else
    Depth < 2 ? loop(Depth) : batch();
}

/// \p Then on some condition, and \p Else, if any, otherwise.
void Generator::diamond(function_ref<void()> Then, function_ref<void()> Else) {
  std::string ThenLabel = W.newLabel(), ElseLabel = W.newLabel(),
              End = W.newLabel();
  W.branch(W.condition(), ThenLabel, Else ? ElseLabel : End);
  ProgramState Before = W.state();
  W.label(ThenLabel);
  Then();
  W.branch(End);
  ProgramState AfterThen = W.state();
  W.state() = Before;
  if (Else) {
    W.label(ElseLabel);
    Else();
    W.branch(End);
  }
  W.state().merge(AfterThen);
  W.label(End);
}

void Generator::diamond(unsigned Depth) {
  auto Block = [&] { block(Depth + 1); };
  if (R.percent(60))
    diamond(Block, Block);
  else
    diamond(Block, nullptr);
}

/// One of several ways, as a number tells, or none of them. Some may be empty.
void Generator::oneOfMany(unsigned Depth) {
  const std::string End = W.newLabel();
  std::vector<std::string> Ways(4 + Switches->below(4), End);
  for (std::string &Way : Ways)
    if (Switches->percent(80))
      Way = W.newLabel();
  W.branchByNumber(*Switches, Ways, End);
  const ProgramState Before = W.state();
  ProgramState After = Before;
  for (const std::string &Way : Ways) {
    if (Way == End)
      continue;
    W.state() = Before;
    W.label(Way);
    block(Depth + 1);
    W.branch(End);
    After.merge(W.state());
  }
  W.state() = After;
  W.label(End);
}

/// Waits for all on \p Condition, and has the flag say so if \p SetsBack. The
/// state is that of the way that waits.
void Generator::waitIf(const std::string &Condition, bool SetsBack) {
  std::string Then = W.newLabel(), End = W.newLabel();
  W.branch(Condition, Then, End);
  W.label(Then);
  W.wait(0);
  if (SetsBack)
    W.setTrackedInFlight(false);
  W.branch(End);
  W.label(End);
}

/// Waits for the tracked accumulator if its flag says that it is in flight. It
/// is not from here on, whichever way control has come.
void Generator::ifTrackedInFlight() {
  ProgramState Before = W.state();
  waitIf(W.isTrackedInFlight(), Flags->percent(50));
  W.state() = Before;
  ProgramState::Accumulator &Tracked = W.state().Accumulators.back();
  Tracked.At = std::max(Tracked.At, Retired);
}

/// Waits for what the flag has counted, if it has come to its limit, and has it
/// start anew.
void Generator::waitAtLimit() {
  ProgramState Before = W.state();
  waitIf(W.isTrackedAtLimit(), /*SetsBack=*/true);
  W.state().merge(Before);
}

/// What is in flight may be added to without asking the flag.
void Generator::multiplyTracked() {
  if (Flags->percent(70))
    ifTrackedInFlight();
  for (unsigned I = 0, E = 1 + Flags->below(2); I != E; ++I)
    W.multiply(W.numAccumulators());
  W.commit();
  W.setTrackedInFlight(true);
  if (W.hasTrackedLimit())
    waitAtLimit();
}

void Generator::useTracked() {
  ifTrackedInFlight();
  if (W.state().Accumulators.back().Defined)
    W.storeAccumulator(W.numAccumulators());
}

/// Multiplies into the tracked accumulator, or uses it, on some condition.
void Generator::trackedStatement() {
  const bool Multiplies = Flags->percent(60), HasElse = Flags->percent(40);
  auto Multiply = [this] { multiplyTracked(); };
  auto Use = [this] { useTracked(); };
  function_ref<void()> Then = Use, Else = Multiply;
  if (Multiplies)
    std::swap(Then, Else);
  diamond(Then, HasElse ? Else : nullptr);
}

/// At the end of a round no more may be in flight or touched than the next
/// round was told.
void Generator::finishRound(const ProgramState &Head) {
  auto TooMuchInFlight = [&]() {
    ProgramState &Now = W.state();
    for (size_t I = 0; I != Head.Accumulators.size(); ++I)
      if (Now.Accumulators[I].At < std::min(Retired, Head.Accumulators[I].At))
        return true;
    return Now.Lost < std::min(Retired, Head.Lost);
  };
  if (TooMuchInFlight() && W.state().anyUncommitted())
    W.commit();
  for (int Pending = 2; Pending >= 0; --Pending)
    if (TooMuchInFlight())
      W.wait(Pending);
  W.state().Lost = std::max(W.state().Lost, Head.Lost);
  bool NeedsFence = false;
  for (size_t I = 0; I != Head.Accumulators.size(); ++I) {
    if (Head.Accumulators[I].At == Ready)
      W.makeReady(I);
    NeedsFence |=
        W.state().Accumulators[I].Dirty && !Head.Accumulators[I].Dirty;
  }
  for (size_t I = 0; I != Head.DirtyFragments.size(); ++I)
    NeedsFence |= W.state().DirtyFragments[I] && !Head.DirtyFragments[I];
  for (size_t I = 0; I != Head.DirtyMetadata.size(); ++I)
    NeedsFence |= W.state().DirtyMetadata[I] && !Head.DirtyMetadata[I];
  if (NeedsFence)
    W.fence();
}

/// Accumulators that nobody has set begin with scale-d = 0 in the first round.
void Generator::firstRounds() {
  for (unsigned I = 0; I != W.numAccumulators(); ++I)
    if (!W.state().Accumulators[I].Defined && R.percent(60))
      W.multiplyFromSecondRound(I);
}

/// Whether the condition of \p L holds: then on to \p Next, else to its end.
void Generator::test(Loop &L, const std::string &Next) {
  W.branch(W.isBelow(L.Counter, L.Bound), Next, L.End);
  L.Exits.push_back(W.state());
}

Generator::Loop &Generator::enterLoop(Test At) {
  // What the last round leaves in flight is, to the next, in flight at first.
  ProgramState &Head = W.state();
  for (auto &A : Head.Accumulators) {
    A.Shape = MixedShape;
    if (A.Defined && R.percent(40))
      A.At = std::min(A.At, int(R.below(3)) - (R.below(4) == 0));
  }
  if (Flags)
    Head.Accumulators.back().At = std::min(Head.Accumulators.back().At, 0);
  if (Head.anyInFlight() && R.percent(50))
    Head.Lost = std::min(Head.Lost, int(R.below(2)));
  if (R.percent(60))
    Head.dirtyAll();

  Loop &L = Loops.emplace_back();
  L.At = At;
  L.Counter = W.enterLoop();
  L.Top = W.newLabel();
  return L;
}

/// Goes on with the round where it has not been left, mostly with a barrier.
void Generator::testInMiddle(Loop &L, unsigned Depth) {
  W.increment(L.Counter);
  std::string Next = W.newLabel();
  test(L, Next);
  W.label(Next);
  if (EarlyExits->percent(60))
    W.barrier();
  if (EarlyExits->percent(50))
    block(Depth + 1);
  finishRound(L.AtHead);
  W.branch(L.Top);
}

/// Ends a round of \p L, which may be one around others.
void Generator::nextRound(Loop &L) {
  finishRound(L.AtHead);
  W.increment(L.Counter);
  if (L.At == Test::First)
    W.branch(L.Top);
  else
    test(L, L.Top);
}

void Generator::leaveLoop() {
  Loop &L = Loops.back();
  W.state() = L.Exits.front();
  for (const ProgramState &Exit : drop_begin(L.Exits))
    W.state().merge(Exit);
  W.leaveLoop();
  W.label(L.End);
  Loops.pop_back();
}

/// On some condition, leaves a loop around, mostly the innermost, goes on with
/// its next round, or ends the kernel.
void Generator::leaveEarly() {
  std::string Leave = W.newLabel(), Stay = W.newLabel();
  W.branch(W.condition(), Leave, Stay);
  ProgramState Before = W.state();
  W.label(Leave);
  if (EarlyExits->percent(30))
    W.accumulatorStatement();
  Loop &L = Loops[EarlyExits->percent(80) ? Loops.size() - 1
                                          : EarlyExits->below(Loops.size())];
  unsigned Choice = EarlyExits->below(100);
  if (Choice < 55) {
    W.branch(L.End);
    L.Exits.push_back(W.state());
  } else if (Choice < 90) {
    nextRound(L);
  } else {
    W.finish();
  }
  W.state() = Before;
  W.label(Stay);
}

/// A loop of rounds such as \p Round, or of random ones.
void Generator::loop(unsigned Depth, function_ref<void()> Round) {
  Test At = R.percent(30) ? Test::First : Test::Last;
  if (EarlyExits && EarlyExits->percent(50))
    At = Test::Middle;
  Loop &L = enterLoop(At);
  std::string Body = W.newLabel();
  L.End = W.newLabel();
  W.branch(L.Top);
  W.label(L.Top);
  L.AtHead = W.state();
  L.Bound = R.percent(60) ? "%n" + utostr(1 + NextLoopBound++ % 4)
                          : utostr(1 + R.below(4));
  W.setBound(L.Bound);
  if (At == Test::First) {
    test(L, Body);
    W.label(Body);
  } else {
    firstRounds();
  }
  if (Round) {
    Round();
  } else {
    if (R.percent(40) && Depth < 2)
      pipelined(Depth + 1);
    block(Depth + 1);
  }
  if (At == Test::Middle)
    testInMiddle(L, Depth);
  else
    nextRound(L);
  leaveLoop();
}

/// Multiplies the first fragment, and then, on some condition or several times,
/// another one, which is set there: the first may be for the next round.
void Generator::leaveFragment(unsigned Depth) {
  auto Multiply = [this](unsigned Fragment) {
    W.multiply(R.below(W.numAccumulators()), Fragment);
    W.commit();
    W.wait(0);
  };
  auto MultiplyOther = [&] {
    unsigned Other = 1 + R.below(W.numFragments() - 1);
    W.setFragment(Other);
    Multiply(Other);
  };
  Multiply(0);
  if (Depth < 2 && R.percent(40))
    loop(Depth, MultiplyOther);
  else
    diamond(MultiplyOther, nullptr);
}

/// What kernels do: several accumulators in flight in a loop, the next A loaded
/// meanwhile, the oldest waited for.
void Generator::pipelined(unsigned Depth) {
  for (unsigned Stage = 0, E = 1 + R.below(3); Stage != E; ++Stage) {
    Budget -= 2;
    for (unsigned I = 0, M = 1 + R.below(2); I != M; ++I)
      W.multiply(R.below(W.numAccumulators()));
    W.commit();
    if (R.percent(50))
      W.fragmentStatement();
    if (R.percent(30))
      W.metadataStatement();
    if (R.percent(O.MoveInFlight))
      W.moveVariables();
    W.wait(R.below(4));
    if (R.percent(30))
      W.accumulatorStatement();
  }
}

std::string wgmmarandom::generate(uint64_t Seed,
                                  const GeneratorOptions &Options) {
  return Generator(Seed, Options).run();
}
