//===- NVPTXCompleteWGMMAWaits.cpp - Wait whatever a flag tells -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   int Pending = 0;
//   for (...) {
//     acc = wgmma(acc, ...);
//     commit;
//     if (++Pending == 4) { wait 0; Pending = 0; }
//   }
//   if (Pending) wait 0;
//   use(acc);
//
// a flag tells whether anything is in flight, and all is well. But the graph
// has a path that reads the accumulator with no wait behind its last wgmma, and
// who looks at the graph alone, as what waits for wgmma and ptxas do, would
// wait in each round.
//
// This pass has all wait ahead of such a branch or switch. Where the flag is
// right that costs nothing, as nothing is in flight on the other way that would
// have to be waited for. It does so only where a result that may be in flight
// is read in the same loop and ahead of another wait: what such a loop leaves
// may well be in flight, as above. And only of flags: of conditions that depend
// on which steps were executed, or on what decides other waits, or whether a
// wgmma is executed. If the condition has nothing to do with them, the program
// more likely lacks a wait, and what adds it warns. So it does if all paths to
// the branch leave a wgmma in flight, and a single value has it wait: such a
// count has others, too.
//
// It comes after the passes that give a path of its own to each value of a
// flag, and has what they cannot tell.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXImpliedConditions.h"
#include "NVPTXWGMMABlocks.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

#define DEBUG_TYPE "nvptx-complete-wgmma-waits"

STATISTIC(NumWaits, "Number of conditional waits that all get");

namespace {
/// A branch or a switch of which some ways wait.
struct ConditionalWait {
  Instruction *Branch;
  Instruction *Wait; ///< That of them which leaves the fewest in flight.
  SmallVector<BasicBlock *, 2> OtherWays;
};

/// The steps of wgmma in a block.
struct BlockSteps {
  bool HasSteps = false;
  bool HasWait = false;
  bool WaitsForAll = false;
  bool HasWGMMAAtEnd = false; ///< With no wait for all behind it.
};

using ValueSet = SmallSetVector<const Value *, 16>;
using BlockSet = SmallSetVector<const BasicBlock *, 16>;

class WaitCompletion {
public:
  explicit WaitCompletion(Function &F);

  bool run();

private:
  void noteSteps(const BasicBlock &BB);
  void findIdle();
  void findWaits();
  void noteConditions();
  void noteRounds(const Loop &L);
  bool tellsOfSteps(const PHINode &Phi);
  bool tellsOfRounds(const ValueSet &Sources, const ConditionalWait &W) const;
  bool excludesWGMMA(const ConditionalWait &W) const;
  bool isFlag(const ConditionalWait &W);
  BlockSet findReads(const BasicBlock &Start) const;
  bool mayMissWait(const ConditionalWait &W) const;
  void complete(const ConditionalWait &W);

  Function &F;
  DominatorTree DT;
  LoopInfo LI;
  DenseMap<const BasicBlock *, BlockSteps> Steps;
  SmallVector<const BasicBlock *, 8> StepBlocks;
  BlockSet Idle; ///< Those at whose end none may be in flight.
  SmallVector<ConditionalWait, 4> Waits;
  SmallPtrSet<const BasicBlock *, 4> WithConditionalWait;
  /// How many of their branches a phi or a condition decides about.
  DenseMap<const Value *, unsigned> NumDecided;
  /// The conditions that are true where a wgmma is executed, and those that are
  /// false.
  SmallPtrSet<const Value *, 8> TrueForWGMMA, FalseForWGMMA;
  DenseMap<const PHINode *, bool> TellsOfSteps;
  /// The loops around them, and those that leave a wgmma in flight or not, with
  /// how many of either each has, and what tells how often it goes round.
  struct Rounds {
    unsigned NumWaits = 0;
    ValueSet Sources;
  };
  MapVector<const Loop *, Rounds> Loops;
};
} // namespace

WaitCompletion::WaitCompletion(Function &F) : F(F), DT(F), LI(DT) {
  for (const BasicBlock &BB : F)
    noteSteps(BB);
  findIdle();
  findWaits();
  noteConditions();
}

void WaitCompletion::noteSteps(const BasicBlock &BB) {
  BlockSteps &S = Steps[&BB];
  for (const Instruction &I : BB) {
    const bool IsWGMMA = NVPTX::isWGMMA(I), IsWait = NVPTX::isWGMMAWait(I);
    S.HasSteps |= IsWGMMA || IsWait;
    S.HasWait |= IsWait;
    S.HasWGMMAAtEnd |= IsWGMMA;
    if (NVPTX::isWGMMAWaitForAll(I)) {
      S.WaitsForAll = true;
      S.HasWGMMAAtEnd = false;
    }
  }
  if (S.HasSteps)
    StepBlocks.push_back(&BB);
}

void WaitCompletion::findIdle() {
  if (!Steps[&F.getEntryBlock()].HasWGMMAAtEnd)
    Idle.insert(&F.getEntryBlock());
  for (const BasicBlock *BB : StepBlocks)
    if (!Steps[BB].HasWGMMAAtEnd)
      Idle.insert(BB);
  for (unsigned Index = 0; Index != Idle.size(); ++Index)
    for (const BasicBlock *Successor : successors(Idle[Index]))
      if (!Steps[Successor].HasWGMMAAtEnd)
        Idle.insert(Successor);
}

/// What \p BB's branch or switch depends on, or null.
static const Value *getCondition(const BasicBlock &BB) {
  const Instruction *Terminator = BB.getTerminator();
  if (const auto *Branch = dyn_cast<BranchInst>(Terminator))
    return Branch->isConditional() ? Branch->getCondition() : nullptr;
  const auto *Switch = dyn_cast<SwitchInst>(Terminator);
  return Switch ? Switch->getCondition() : nullptr;
}

/// How many groups \p Wait leaves in flight.
static uint64_t getPending(const Instruction &Wait) {
  return cast<ConstantInt>(Wait.getOperand(0))->getZExtValue();
}

/// The wait ahead of any wgmma in \p BB that leaves the fewest groups in
/// flight, or null. One in inline assembly that is no intrinsic by now does
/// more.
static Instruction *findWait(BasicBlock &BB) {
  Instruction *Best = nullptr;
  for (Instruction &I : BB) {
    if (NVPTX::isWGMMA(I))
      break;
    if (NVPTX::isWGMMAWait(I) && isa<IntrinsicInst>(I) &&
        (!Best || getPending(I) < getPending(*Best)))
      Best = &I;
  }
  return Best;
}

void WaitCompletion::findWaits() {
  for (BasicBlock &BB : F) {
    if (!getCondition(BB) || !DT.isReachableFromEntry(&BB))
      continue;
    ConditionalWait W = {BB.getTerminator(), nullptr, {}};
    const SmallSetVector<BasicBlock *, 4> Ways(succ_begin(&BB), succ_end(&BB));
    for (BasicBlock *Way : Ways) {
      Instruction *Wait = LI.isLoopHeader(Way) ? nullptr : findWait(*Way);
      if (!Wait)
        W.OtherWays.push_back(Way);
      else if (!W.Wait || getPending(*Wait) < getPending(*W.Wait))
        W.Wait = Wait;
    }
    if (W.Wait && !W.OtherWays.empty()) {
      Waits.push_back(std::move(W));
      WithConditionalWait.insert(&BB);
    }
  }
}

/// What the condition of \p BB's branch is computed from, other than constants;
/// what is in memory is not looked for.
static ValueSet findSources(const BasicBlock &BB) {
  ValueSet Values;
  auto Add = [&](const Value *V) {
    if (isa<Instruction, Argument>(V))
      Values.insert(V);
  };
  if (const Value *Condition = getCondition(BB))
    Add(Condition);
  for (unsigned Index = 0; Index != Values.size(); ++Index) {
    const auto *I = dyn_cast<Instruction>(Values[Index]);
    if (I && !I->mayReadOrWriteMemory() && !isa<CallBase>(I))
      for_each(I->operand_values(), Add);
  }
  return Values;
}

void WaitCompletion::noteConditions() {
  const WGMMABlocks Blocks(F);
  for (const BasicBlock &BB : F)
    if (const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
        Branch && Branch->isConditional())
      for (unsigned Side : {0, 1})
        if (Blocks.leadsToWGMMA({&BB, Branch->getSuccessor(Side)}, DT))
          (Side == 0 ? TrueForWGMMA : FalseForWGMMA)
              .insert(Branch->getCondition());
  for (const ConditionalWait &W : Waits) {
    const BasicBlock *BB = W.Branch->getParent();
    for (const Value *V : findSources(*BB))
      if (isa<PHINode>(V) || V == getCondition(*BB))
        ++NumDecided[V];
    if (const Loop *L = LI.getLoopFor(BB))
      noteRounds(*L);
  }
  // Of a loop that is unrolled, where it is left tells what is in flight.
  for (const Loop *L : LI.getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 2> Exiting;
    L->getExitingBlocks(Exiting);
    auto IsIdle = [&](const BasicBlock *BB) { return Idle.contains(BB); };
    if (any_of(Exiting, IsIdle) && !all_of(Exiting, IsIdle))
      noteRounds(*L);
  }
}

/// Notes that how often \p L goes round tells what it leaves in flight.
void WaitCompletion::noteRounds(const Loop &L) {
  Rounds &R = Loops[&L];
  if (R.NumWaits++)
    return;
  SmallVector<BasicBlock *, 2> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *Exit : Exiting)
    R.Sources.insert_range(findSources(*Exit));
}

/// Whether what \p Phi is depends on the steps that were executed: two paths of
/// which one alone has a certain step, or leaves a wgmma in flight always, give
/// it other values. What a loop counts is no such value, unless a round begins
/// with the same one always.
bool WaitCompletion::tellsOfSteps(const PHINode &Phi) {
  auto [Known, IsNew] = TellsOfSteps.try_emplace(&Phi, false);
  if (!IsNew)
    return Known->second;
  const bool IsOfHeader = LI.isLoopHeader(Phi.getParent());
  Known->second = any_of(Phi.incoming_values(), [&](const Use &U) {
    if (IsOfHeader && !isa<Constant>(U))
      return false;
    const BasicBlock *From = Phi.getIncomingBlock(U);
    return any_of(Phi.incoming_values(), [&](const Use &Other) {
      const BasicBlock *OtherFrom = Phi.getIncomingBlock(Other);
      if (U == Other)
        return false;
      return (!Idle.contains(From) && Idle.contains(OtherFrom)) ||
             any_of(StepBlocks, [&](const BasicBlock *Step) {
               return DT.dominates(Step, From) &&
                      !DT.dominates(Step, OtherFrom);
             });
    });
  });
  return Known->second;
}

/// Whether any of \p Sources tells how often a loop goes round that has another
/// wait than \p W.
bool WaitCompletion::tellsOfRounds(const ValueSet &Sources,
                                   const ConditionalWait &W) const {
  const Loop *Own = LI.getLoopFor(W.Branch->getParent());
  return any_of(Loops, [&](const auto &Entry) {
    const auto &[L, R] = Entry;
    return R.NumWaits > (L == Own) && any_of(R.Sources, [&](const Value *V) {
             return Sources.contains(V);
           });
  });
}

/// Whether a wgmma has not been executed if \p W does not wait, and nothing may
/// be in flight then.
bool WaitCompletion::excludesWGMMA(const ConditionalWait &W) const {
  const auto *Branch = dyn_cast<BranchInst>(W.Branch);
  if (!Branch || !Idle.contains(Branch->getParent()))
    return false;
  const bool IsTrue = Branch->getSuccessor(0) == W.OtherWays.front();
  auto IsExcluded = [&](const Value &Part, bool IsPartTrue) {
    return (IsPartTrue ? FalseForWGMMA : TrueForWGMMA).contains(&Part);
  };
  auto IsExcludedByBits = [&](const Value *Condition, bool IsTrueForWGMMA) {
    return NVPTX::isImpliedByBits(*Branch->getCondition(), IsTrue, *Condition,
                                  F.getDataLayout()) == !IsTrueForWGMMA;
  };
  return NVPTX::visitParts(*Branch->getCondition(), IsTrue, IsExcluded) ||
         any_of(TrueForWGMMA,
                [&](const Value *V) { return IsExcludedByBits(V, true); }) ||
         any_of(FalseForWGMMA,
                [&](const Value *V) { return IsExcludedByBits(V, false); });
}

/// Whether the condition of \p W tells of steps, or has to do with what decides
/// another wait: the same goes round a loop for both, or tells how many rounds
/// one has that the other is in.
bool WaitCompletion::isFlag(const ConditionalWait &W) {
  const ValueSet Sources = findSources(*W.Branch->getParent());
  return any_of(Sources,
                [&](const Value *V) {
                  const auto *Phi = dyn_cast<PHINode>(V);
                  return NumDecided.lookup(V) > 1 ||
                         (Phi && tellsOfSteps(*Phi));
                }) ||
         tellsOfRounds(Sources, W) || excludesWGMMA(W);
}

/// The blocks in which anything but a wgmma reads, ahead of a wait, the result
/// of a wgmma that may be in flight at the end of \p Start.
BlockSet WaitCompletion::findReads(const BasicBlock &Start) const {
  BlockSet Back, Reads;
  Back.insert(&Start);
  for (unsigned Index = 0; Index != Back.size(); ++Index)
    if (!Steps.find(Back[Index])->second.WaitsForAll)
      Back.insert_range(predecessors(Back[Index]));
  NVPTX::InstructionSet Results;
  for (const BasicBlock *BB : Back)
    for (const Instruction &I : reverse(*BB)) {
      if (NVPTX::isWGMMAWaitForAll(I))
        break;
      if (NVPTX::isWGMMA(I))
        Results.insert(&I);
    }
  for (const Instruction *Read : NVPTX::findReads(Results)) {
    const BasicBlock *BB = Read->getParent();
    if (none_of(make_range(BB->begin(), Read->getIterator()),
                NVPTX::isWGMMAWait))
      Reads.insert(BB);
  }
  return Reads;
}

/// Whether \p W waits only where something has a certain value, as a count that
/// has come to its limit.
static bool waitsAtOneValue(const ConditionalWait &W) {
  if (const auto *Switch = dyn_cast<SwitchInst>(W.Branch))
    return is_contained(W.OtherWays, Switch->getDefaultDest());
  const auto *Compare =
      dyn_cast<ICmpInst>(getCondition(*W.Branch->getParent()));
  return Compare && isa<Constant>(Compare->getOperand(1)) &&
         Compare->getPredicate() ==
             (W.Branch->getSuccessor(0) == W.OtherWays.front()
                  ? CmpInst::ICMP_NE
                  : CmpInst::ICMP_EQ);
}

/// Whether another way of \p W leads to such a read, ahead of another wait,
/// or of a branch that may get one here, in the same loop, or in a later one if
/// what has been executed is waited for in each round.
bool WaitCompletion::mayMissWait(const ConditionalWait &W) const {
  const BasicBlock *Start = W.Branch->getParent();
  if (!Idle.contains(Start) && waitsAtOneValue(W))
    return false;
  const bool WaitsForEach = getPending(*W.Wait) == 0 && excludesWGMMA(W);
  const Loop *L = WaitsForEach ? nullptr : LI.getLoopFor(Start);
  const BlockSet Reads = findReads(*Start);
  BlockSet Reached;
  auto GoTo = [&](const BasicBlock *BB) {
    if (!L || L->contains(BB))
      Reached.insert(BB);
  };
  for_each(W.OtherWays, GoTo);
  for (unsigned Index = 0; Index != Reached.size(); ++Index) {
    const BasicBlock *BB = Reached[Index];
    const BlockSteps &S = Steps.find(BB)->second;
    // What comes ahead of the wait itself does so on each way.
    if (Reads.contains(BB) && BB != W.Wait->getParent())
      return true;
    if (!S.HasWait && !WithConditionalWait.contains(BB))
      for_each(successors(BB), GoTo);
  }
  return false;
}

/// Whether another step of wgmma is ahead of \p Wait in its block.
static bool hasStepAhead(const Instruction &Wait) {
  return any_of(make_range(Wait.getParent()->begin(), Wait.getIterator()),
                NVPTX::isWGMMAStep);
}

/// Has all ways of \p W wait. What is committed ahead of a wait has to be
/// waited for there. Otherwise there is one for all.
void WaitCompletion::complete(const ConditionalWait &W) {
  LLVM_DEBUG(dbgs() << "A wait for all ways of " << *W.Branch << '\n');
  ++NumWaits;
  BasicBlock *BB = W.Branch->getParent();
  if (isa<SwitchInst>(W.Branch) || hasStepAhead(*W.Wait)) {
    for (BasicBlock *Way : W.OtherWays) {
      if (!Way->getUniquePredecessor())
        Way = SplitBlockPredecessors(Way, {BB}, ".wait", &DT, &LI);
      W.Wait->clone()->insertBefore(Way->getFirstInsertionPt());
    }
  } else if (W.Wait->getParent()->getSinglePredecessor()) {
    W.Wait->moveBefore(W.Branch->getIterator());
  } else {
    W.Wait->clone()->insertBefore(W.Branch->getIterator());
  }
}

/// Whether another way of \p W leads to a branch of which all ways will wait.
static bool leadsToOneOf(const ConditionalWait &W,
                         ArrayRef<const ConditionalWait *> Completed) {
  return any_of(W.OtherWays, [&](const BasicBlock *Way) {
    return any_of(Completed, [Way](const ConditionalWait *Next) {
      return Next->Branch->getParent() == Way;
    });
  });
}

bool WaitCompletion::run() {
  SmallVector<const ConditionalWait *, 4> Missing;
  for (const ConditionalWait &W : reverse(Waits))
    if ((mayMissWait(W) || leadsToOneOf(W, Missing)) && isFlag(W))
      Missing.push_back(&W);
  for (const ConditionalWait *W : Missing)
    complete(*W);
  return !Missing.empty();
}

namespace {
class NVPTXCompleteWGMMAWaits : public FunctionPass {
public:
  static char ID;

  NVPTXCompleteWGMMAWaits() : FunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Complete WGMMA Waits";
  }

  bool runOnFunction(Function &F) override {
    return !skipFunction(F) && NVPTX::usesWGMMA(F) && WaitCompletion(F).run();
  }
};
} // namespace

char NVPTXCompleteWGMMAWaits::ID = 0;

INITIALIZE_PASS(NVPTXCompleteWGMMAWaits, DEBUG_TYPE,
                "NVPTX Complete WGMMA Waits", false, false)

FunctionPass *llvm::createNVPTXCompleteWGMMAWaitsPass() {
  return new NVPTXCompleteWGMMAWaits();
}
