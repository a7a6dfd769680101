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
// This pass has the other way of such a branch wait, too. Where the flag is
// right that costs nothing, as nothing is in flight there that would have to
// be waited for. It does so only where a result may be read, or the function
// may return, in the same loop and ahead of another wait: what such a loop
// leaves may well be in flight, as above. And only of flags: of conditions that
// depend on which steps were executed, or on what decides other waits. If the
// condition has nothing to do with them, the program more likely lacks a wait,
// and what adds it warns. So it does if all paths to the branch leave a wgmma
// in flight, and a single value has it wait: such a count has others, too.
//
// It comes after the passes that give a path of its own to each value of a
// flag, and has what they cannot tell.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/DenseMap.h"
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

STATISTIC(NumWaits, "Number of waits given to the other way of a branch");

namespace {
/// A branch of which one way waits.
struct ConditionalWait {
  BranchInst *Branch;
  unsigned Side;
  Instruction *Wait;

  BasicBlock *getOtherWay() const { return Branch->getSuccessor(!Side); }
};

/// The steps of wgmma in a block, and the reads of results.
struct BlockSteps {
  bool HasSteps = false;
  bool HasWait = false;
  bool WaitsForAll = false;
  bool HasWGMMAAtEnd = false; ///< With no wait for all behind it.
  bool MayReadAheadOfWait = false;
};

using ValueSet = SmallSetVector<const Value *, 16>;

class WaitCompletion {
public:
  explicit WaitCompletion(Function &F);

  bool run();

private:
  void noteSteps(const BasicBlock &BB);
  void noteReads();
  void findInFlight();
  void findWaits();
  bool tellsOfSteps(const PHINode &Phi) const;
  bool areRelated(const ValueSet &Mine, const ConditionalWait &Other) const;
  bool isFlag(const ConditionalWait &W) const;
  bool mayMissWait(const ConditionalWait &W) const;

  Function &F;
  DominatorTree DT;
  LoopInfo LI;
  DenseMap<const BasicBlock *, BlockSteps> Steps;
  SmallVector<const BasicBlock *, 8> StepBlocks;
  /// Those at whose end a wgmma may be in flight, and those at whose end none
  /// may be.
  SmallSetVector<const BasicBlock *, 16> InFlight, Idle;
  SmallVector<ConditionalWait, 4> Waits;
  SmallPtrSet<const BasicBlock *, 4> WithConditionalWait;
};
} // namespace

WaitCompletion::WaitCompletion(Function &F) : F(F), DT(F), LI(DT) {
  for (const BasicBlock &BB : F)
    noteSteps(BB);
  noteReads();
  findInFlight();
  findWaits();
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

/// Notes what reads a result, other than a wgmma, by way of phis and fences.
void WaitCompletion::noteReads() {
  SmallSetVector<const Instruction *, 16> Results;
  for (const BasicBlock *BB : StepBlocks)
    for (const Instruction &I : *BB)
      if (NVPTX::isWGMMA(I))
        Results.insert(&I);
  for (unsigned Index = 0; Index != Results.size(); ++Index)
    for (const User *U : Results[Index]->users()) {
      const auto *Reader = cast<Instruction>(U);
      if (NVPTX::passesOnWGMMAResult(*Reader)) {
        Results.insert(Reader);
        continue;
      }
      const BasicBlock *BB = Reader->getParent();
      if (!NVPTX::isWGMMA(*Reader) &&
          none_of(make_range(BB->begin(), Reader->getIterator()),
                  NVPTX::isWGMMAWait))
        Steps[BB].MayReadAheadOfWait = true;
    }
}

void WaitCompletion::findInFlight() {
  Idle.insert(&F.getEntryBlock());
  for (const BasicBlock *BB : StepBlocks)
    (Steps[BB].HasWGMMAAtEnd ? InFlight : Idle).insert(BB);
  Idle.remove_if(
      [this](const BasicBlock *BB) { return InFlight.contains(BB); });
  for (unsigned Index = 0; Index != InFlight.size(); ++Index)
    for (const BasicBlock *Successor : successors(InFlight[Index]))
      if (!Steps[Successor].WaitsForAll)
        InFlight.insert(Successor);
  for (unsigned Index = 0; Index != Idle.size(); ++Index)
    for (const BasicBlock *Successor : successors(Idle[Index]))
      if (!Steps[Successor].HasWGMMAAtEnd)
        Idle.insert(Successor);
}

/// The wait ahead of any wgmma in \p BB that leaves the fewest groups in
/// flight, or null. One in inline assembly that is no intrinsic by now does
/// more.
static Instruction *findWait(BasicBlock &BB) {
  auto GetPending = [](const Instruction &Wait) {
    return cast<ConstantInt>(Wait.getOperand(0))->getZExtValue();
  };
  Instruction *Best = nullptr;
  for (Instruction &I : BB) {
    if (NVPTX::isWGMMA(I))
      break;
    if (NVPTX::isWGMMAWait(I) && isa<IntrinsicInst>(I) &&
        (!Best || GetPending(I) < GetPending(*Best)))
      Best = &I;
  }
  return Best;
}

void WaitCompletion::findWaits() {
  for (BasicBlock &BB : F) {
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (!Branch || !Branch->isConditional() || !DT.isReachableFromEntry(&BB))
      continue;
    for (unsigned Side : {0, 1}) {
      BasicBlock *Way = Branch->getSuccessor(Side);
      if (Way->getSinglePredecessor() != &BB)
        continue;
      if (Instruction *Wait = findWait(*Way)) {
        Waits.push_back({Branch, Side, Wait});
        WithConditionalWait.insert(&BB);
      }
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
  const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  if (Branch && Branch->isConditional())
    Add(Branch->getCondition());
  for (unsigned Index = 0; Index != Values.size(); ++Index) {
    const auto *I = dyn_cast<Instruction>(Values[Index]);
    if (I && !I->mayReadOrWriteMemory() && !isa<CallBase>(I))
      for_each(I->operand_values(), Add);
  }
  return Values;
}

/// Whether what \p Phi is depends on the steps that were executed: two paths of
/// which one alone has a certain step give it other values. What a loop counts
/// is no such value, unless a round begins with the same one always.
bool WaitCompletion::tellsOfSteps(const PHINode &Phi) const {
  const bool IsOfHeader = LI.isLoopHeader(Phi.getParent());
  return any_of(Phi.incoming_values(), [&](const Use &U) {
    if (IsOfHeader && !isa<Constant>(U))
      return false;
    const BasicBlock *From = Phi.getIncomingBlock(U);
    return any_of(Phi.incoming_values(), [&](const Use &Other) {
      const BasicBlock *OtherFrom = Phi.getIncomingBlock(Other);
      return U != Other && any_of(StepBlocks, [&](const BasicBlock *Step) {
               return DT.dominates(Step, From) &&
                      !DT.dominates(Step, OtherFrom);
             });
    });
  });
}

/// Whether \p Mine has to do with what decides another wait, \p Other: the same
/// goes round a loop for both, or tells how many rounds one has that \p Other
/// is in.
bool WaitCompletion::areRelated(const ValueSet &Mine,
                                const ConditionalWait &Other) const {
  auto IsMine = [&](const Value *V) { return Mine.contains(V); };
  const BasicBlock *BB = Other.Branch->getParent();
  if (any_of(findSources(*BB),
             [&](const Value *V) { return isa<PHINode>(V) && IsMine(V); }))
    return true;
  SmallVector<BasicBlock *, 2> Exiting;
  if (const Loop *L = LI.getLoopFor(BB))
    L->getExitingBlocks(Exiting);
  return any_of(Exiting, [&](const BasicBlock *Exit) {
    return any_of(findSources(*Exit), IsMine);
  });
}

/// Whether the condition of \p W tells of steps, or has to do with what decides
/// another wait.
bool WaitCompletion::isFlag(const ConditionalWait &W) const {
  const ValueSet Mine = findSources(*W.Branch->getParent());
  if (any_of(Mine, [&](const Value *V) {
        const auto *Phi = dyn_cast<PHINode>(V);
        return Phi && tellsOfSteps(*Phi);
      }))
    return true;
  return any_of(Waits, [&](const ConditionalWait &Other) {
    return Other.Branch != W.Branch && areRelated(Mine, Other);
  });
}

/// Whether \p W waits only where something has a certain value, as a count that
/// has come to its limit.
static bool waitsAtOneValue(const ConditionalWait &W) {
  const auto *Compare = dyn_cast<ICmpInst>(W.Branch->getCondition());
  return Compare && isa<Constant>(Compare->getOperand(1)) &&
         Compare->getPredicate() ==
             (W.Side == 0 ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE);
}

/// Whether the other way of \p W leads to a read, or out of the function, ahead
/// of another wait, or of a branch that may get one here, in the same loop.
bool WaitCompletion::mayMissWait(const ConditionalWait &W) const {
  const BasicBlock *Start = W.Branch->getParent();
  const Loop *L = LI.getLoopFor(Start);
  if (!InFlight.contains(Start) ||
      (!Idle.contains(Start) && waitsAtOneValue(W)))
    return false;
  SmallSetVector<const BasicBlock *, 16> Reached;
  auto GoTo = [&](const BasicBlock *BB) {
    if (!L || L->contains(BB))
      Reached.insert(BB);
  };
  GoTo(W.getOtherWay());
  for (unsigned Index = 0; Index != Reached.size(); ++Index) {
    const BasicBlock *BB = Reached[Index];
    const BlockSteps &S = Steps.find(BB)->second;
    if (S.MayReadAheadOfWait ||
        (isa<ReturnInst>(BB->getTerminator()) && !S.HasWait))
      return true;
    if (!S.HasWait && !WithConditionalWait.contains(BB))
      for_each(successors(BB), GoTo);
  }
  return false;
}

bool WaitCompletion::run() {
  SmallVector<ConditionalWait, 4> Missing;
  for (const ConditionalWait &W : Waits)
    if (mayMissWait(W) && isFlag(W))
      Missing.push_back(W);
  for (const ConditionalWait &W : Missing) {
    BasicBlock *Way = W.getOtherWay();
    if (!Way->getSinglePredecessor())
      Way = SplitEdge(W.Branch->getParent(), Way, &DT, &LI);
    LLVM_DEBUG(dbgs() << "A wait in " << Way->getName() << ", too\n");
    W.Wait->clone()->insertBefore(Way->getFirstInsertionPt());
    ++NumWaits;
  }
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
