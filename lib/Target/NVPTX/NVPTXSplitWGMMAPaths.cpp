//===- NVPTXSplitWGMMAPaths.cpp - Paths with and without wgmma apart ------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   for (I = 0; I < N; ++I) {
//     ...
//     if (I + 1 < N) { scores = wgmma(scores, ...); commit; }
//     out = wgmma(out, weights, ...);
//     commit;
//   }
//
// the last round starts no scores, and what is in their registers then is not
// needed. But the graph has a path on which these go round the loop, which both
// what waits for wgmma and ptxas take for a path that writes them beside one on
// which they are in flight. The same holds of
//
//   if (Second) { b = wgmma(b, ...); commit; }
//   ...
//   if (Second) wait 1; else wait 0;
//
// as long as the paths that the condition has parted meet in between; and of
//
//   if (I + 1 < N) wait 1; else wait 0;
//
// if more follows in the round than NVPTXThreadWGMMABranches copies; and of
//
//   if (in_flight && ready(I)) { wait 0; in_flight = false; }
//   if (more(I)) { acc = wgmma(acc, ...); commit; in_flight = true; }
//
// This pass has the path without a wgmma, or behind the wait, go on by itself,
// in a copy of what lies between the two branches, however far they are apart:
// as far as to the way out of the loop, if the condition tells the last round,
// or to the end of the round, if a flag goes on to the next one. Only where
// paths part and one of them leaves a wgmma in flight, or waits: there all
// threads of a warp go the same way, so that what all of them have to execute
// together may be copied. Before that, phis that agree become one
// (NVPTXCongruentPhis), switches by a value that is asked for again become
// branches and others no jump tables (NVPTXLowerWGMMASwitches), and a loop with
// a flag for what is in flight gets a copy for each of its values
// (NVPTXSplitWGMMALoops).
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXCongruentPhis.h"
#include "NVPTXImpliedConditions.h"
#include "NVPTXLoopFlags.h"
#include "NVPTXLowerWGMMASwitches.h"
#include "NVPTXRoundConditions.h"
#include "NVPTXSplitWGMMALoops.h"
#include "NVPTXWGMMABlocks.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace PatternMatch;
using NVPTX::findRoundConditions;
using NVPTX::RoundCondition;
using NVPTX::Rounds;

#define DEBUG_TYPE "nvptx-split-wgmma-paths"

STATISTIC(NumSplit, "Number of paths that got a copy of their own");
STATISTIC(NumFolded, "Number of branches that another one has decided");

namespace {
/// One way that a branch goes.
struct Way {
  const BranchInst *Branch;
  unsigned Side;

  BasicBlock *start() const { return Branch->getSuccessor(Side); }
  BasicBlockEdge edge() const { return {Branch->getParent(), start()}; }
  bool isTrue() const { return Side == 0; }
};

/// The blocks that such a way leads through and gets copies of.
struct Region {
  /// The edges from which the copies are entered instead of the first block.
  SmallVector<BasicBlock *, 2> From;
  /// In an order in which the first one is the only one that others lead to.
  SmallSetVector<BasicBlock *, 8> Blocks;
  /// The branches among them that are decided, and the side that each goes to.
  MapVector<BranchInst *, unsigned> Decided;
};

class PathSplitting {
public:
  PathSplitting(Function &F, TargetLibraryInfo &TLI, AssumptionCache &AC)
      : F(F), DT(F), LI(DT), SE(F, TLI, AC, DT, LI), Steps(F) {}

  /// Folds branches, or splits one path. Returns whether it has done anything:
  /// then there may be more to do. \p Budget is how many instructions may be
  /// copied.
  bool run(unsigned &Budget);

private:
  std::optional<bool> decide(const Way &W, Value &Condition);
  std::optional<bool> decideByRounds(const Way &W, Value &Condition);
  ArrayRef<RoundCondition> getRoundConditions(const Loop *L);
  bool foldDecided(const Way &W);
  bool isThreaded(BasicBlock &Meeting, const Way &W);
  std::optional<Way> findLastWait(const BranchInst &Branch);
  bool partsFlag(const BasicBlock &Meeting, ArrayRef<BasicBlock *> From) const;
  std::optional<Way> findFlaggedWait(const BranchInst &Branch);
  std::optional<Way> findOwnWay(const BranchInst &Branch);
  std::optional<Region> findRegion(const Way &W, bool IsWholeRound);
  std::optional<Region> findOwnRegion(const BranchInst &Branch);
  BasicBlock *findMeeting(const Way &W, SmallVectorImpl<BasicBlock *> &From);
  bool isWorthIt(const BranchInst &Decided, const Loop *L) const;
  void split(const Region &R);

  Function &F;
  DominatorTree DT;
  LoopInfo LI;
  ScalarEvolution SE;
  WGMMABlocks Steps;
  DenseMap<const Loop *, SmallVector<RoundCondition, 4>> ConditionsOf;
  /// What the last way that was asked for tells of values.
  std::pair<const BranchInst *, unsigned> RangesOf;
  std::optional<NVPTX::KnownRanges> Ranges;
};
} // namespace

ArrayRef<RoundCondition> PathSplitting::getRoundConditions(const Loop *L) {
  auto [It, IsNew] = ConditionsOf.try_emplace(L);
  if (IsNew)
    It->second = findRoundConditions(*L, Rounds::Last, SE);
  return It->second;
}

/// What \p Condition is, if it tells whether a round is the last one, as that
/// of \p W does.
std::optional<bool> PathSplitting::decideByRounds(const Way &W,
                                                  Value &Condition) {
  const Loop *L = LI.getLoopFor(W.Branch->getParent());
  if (!L)
    return std::nullopt;
  auto Find = [&](const Value *V) -> std::optional<bool> {
    for (const RoundCondition &Known : getRoundConditions(L))
      if (Known.Condition == V && Known.NumRounds == 1)
        return Known.IsTrue;
    return std::nullopt;
  };
  std::optional<bool> Mine = Find(W.Branch->getCondition());
  std::optional<bool> Its = Find(&Condition);
  if (!Mine || !Its)
    return std::nullopt;
  const bool IsLast = W.isTrue() == *Mine;
  return IsLast ? *Its : !*Its;
}

/// What \p Condition is, in the same round of all loops around \p W, if that
/// decides it.
std::optional<bool> PathSplitting::decide(const Way &W, Value &Condition) {
  const Value *Mine = W.Branch->getCondition();
  if (std::optional<bool> Implied =
          isImpliedCondition(Mine, &Condition, F.getDataLayout(), W.isTrue()))
    return Implied;
  if (std::optional<bool> Known = decideByRounds(W, Condition))
    return Known;
  if (std::optional<bool> Known =
          NVPTX::isImpliedBySum(*Mine, W.isTrue(), Condition))
    return Known;
  if (RangesOf != std::pair(W.Branch, W.Side)) {
    RangesOf = {W.Branch, W.Side};
    Ranges.emplace(W.edge(), DT);
  }
  return Ranges->decide(Condition);
}

/// The branch of \p BB, if it goes to different blocks by a condition.
static BranchInst *getConditionalBranch(BasicBlock &BB) {
  auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
  return Branch && Branch->isConditional() &&
                 !isa<Constant>(Branch->getCondition()) &&
                 Branch->getSuccessor(0) != Branch->getSuccessor(1)
             ? Branch
             : nullptr;
}

/// Folds the branches behind \p W that it decides.
bool PathSplitting::foldDecided(const Way &W) {
  bool Changed = false;
  for (BasicBlock &BB : F) {
    BranchInst *Branch = getConditionalBranch(BB);
    if (!Branch || !DT.dominates(W.edge(), &BB))
      continue;
    std::optional<bool> IsTrue = decide(W, *Branch->getCondition());
    if (!IsTrue)
      continue;
    Branch->setCondition(ConstantInt::getBool(F.getContext(), *IsTrue));
    ++NumFolded;
    Changed = true;
  }
  return Changed;
}

/// Where \p W meets other paths, all of it at once, or null; with the blocks
/// from which it comes there.
BasicBlock *PathSplitting::findMeeting(const Way &W,
                                       SmallVectorImpl<BasicBlock *> &From) {
  auto *Start = W.start();
  if (!DT.dominates(W.edge(), Start)) {
    From.push_back(const_cast<BasicBlock *>(W.Branch->getParent()));
    return Start;
  }
  BasicBlock *Meeting = nullptr;
  for (BasicBlock &BB : F) {
    if (!DT.dominates(W.edge(), &BB))
      continue;
    for (BasicBlock *Successor : successors(&BB)) {
      if (DT.dominates(W.edge(), Successor))
        continue;
      if ((Meeting && Meeting != Successor) || is_contained(From, &BB))
        return nullptr;
      Meeting = Successor;
      From.push_back(&BB);
    }
  }
  return Meeting;
}

/// What \p Condition is where control comes to \p First from the blocks \p
/// From, if it is the same constant from all of them.
static std::optional<bool> getFrom(ArrayRef<BasicBlock *> From,
                                   const BasicBlock &First, Value *Condition) {
  Value *Inverted;
  if (match(Condition, m_Not(m_Value(Inverted)))) {
    std::optional<bool> IsTrue = getFrom(From, First, Inverted);
    return IsTrue ? std::optional(!*IsTrue) : std::nullopt;
  }
  const auto *Phi = dyn_cast<PHINode>(Condition);
  if (!Phi || Phi->getParent() != &First)
    return std::nullopt;
  const auto *Known =
      dyn_cast<ConstantInt>(Phi->getIncomingValueForBlock(From.front()));
  if (!Known || any_of(From, [&](const BasicBlock *BB) {
        return Phi->getIncomingValueForBlock(BB) != Known;
      }))
    return std::nullopt;
  return Known->isOne();
}

/// Whether a copy that ends at \p Decided is worth it: it has led out of the
/// loop, or steps of wgmma depend on it.
bool PathSplitting::isWorthIt(const BranchInst &Decided, const Loop *L) const {
  return any_of(seq(2u), [&](unsigned Side) {
    Way W{&Decided, Side};
    return (L && !L->contains(W.start())) ||
           Steps.leadsToWGMMAOrWait(W.edge(), DT);
  });
}

/// What \p W gets a copy of, if that is worth it: from where it meets others up
/// to the last branch that it decides, in the same round of the loop, or up to
/// the end of the round.
std::optional<Region> PathSplitting::findRegion(const Way &W,
                                                bool IsWholeRound) {
  Region R;
  BasicBlock *First = findMeeting(W, R.From);
  const Loop *L = LI.getLoopFor(W.Branch->getParent());
  if (!First || LI.getLoopFor(First) != L || (L && L->getHeader() == First))
    return std::nullopt;

  SmallSetVector<BasicBlock *, 16> Seen;
  MapVector<BasicBlock *, SmallVector<BasicBlock *, 2>> Next;
  Seen.insert(First);
  for (unsigned I = 0; I != Seen.size(); ++I) {
    BasicBlock *BB = Seen[I];
    if (!NVPTX::mayBeCopied(*BB))
      return std::nullopt;
    BranchInst *Branch = getConditionalBranch(*BB);
    std::optional<bool> IsTrue;
    if (Branch)
      IsTrue = decide(W, *Branch->getCondition());
    if (Branch && !IsTrue)
      IsTrue = getFrom(R.From, *First, Branch->getCondition());
    if (IsTrue)
      R.Decided.insert({Branch, !*IsTrue});
    SmallVector<BasicBlock *, 2> Successors(successors(BB));
    if (IsTrue)
      Successors = {Branch->getSuccessor(!*IsTrue)};
    for (BasicBlock *Successor : Successors)
      if (!L || (L->contains(Successor) && L->getHeader() != Successor)) {
        Next[BB].push_back(Successor);
        Seen.insert(Successor);
      }
  }

  // Those that lead to where it is worth it.
  SmallPtrSet<BasicBlock *, 16> Leading;
  if (IsWholeRound)
    Leading.insert_range(Seen);
  for (auto &[Branch, _] : R.Decided)
    if (isWorthIt(*Branch, L))
      Leading.insert(Branch->getParent());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const auto &[BB, Successors] : Next)
      if (any_of(Successors, [&](BasicBlock *Successor) {
            return Leading.contains(Successor);
          }))
        Changed |= Leading.insert(BB).second;
  }
  for (BasicBlock *BB : Seen)
    if (Leading.contains(BB))
      R.Blocks.insert(BB);
  R.Decided.remove_if([&](const auto &Entry) {
    return !R.Blocks.contains(Entry.first->getParent());
  });
  // A loop in between as a whole, or it would have two entries.
  const bool HasWholeLoops = all_of(R.Blocks, [&](const BasicBlock *BB) {
    const Loop *Inner = LI.getLoopFor(BB);
    while (Inner && Inner != L && Inner->getParentLoop() != L)
      Inner = Inner->getParentLoop();
    return Inner == L || all_of(Inner->blocks(), [&](BasicBlock *InLoop) {
             return R.Blocks.contains(InLoop);
           });
  });
  // Nor what comes round to where it begins, in what is no natural loop.
  const bool ComesRound =
      any_of(R.From, [&R](BasicBlock *BB) { return R.Blocks.contains(BB); });
  if (R.Blocks.empty() || !HasWholeLoops || ComesRound)
    return std::nullopt;
  return R;
}

/// Has what uses \p I outside of \p R use what comes there: \p I or its copy.
static void renewUses(Instruction &I, Instruction &Copy, const Region &R) {
  SSAUpdater Updater;
  Updater.Initialize(I.getType(), I.getName());
  Updater.AddAvailableValue(I.getParent(), &I);
  Updater.AddAvailableValue(Copy.getParent(), &Copy);
  for (Use &U : make_early_inc_range(I.uses())) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    BasicBlock *Block = Phi ? Phi->getIncomingBlock(U) : User->getParent();
    if (!R.Blocks.contains(Block))
      Updater.RewriteUse(U);
  }
}

void PathSplitting::split(const Region &R) {
  ++NumSplit;
  BasicBlock *First = R.Blocks.front();
  LLVM_DEBUG(dbgs() << "Splitting " << R.Blocks.size() << " blocks from "
                    << First->getName() << " on\n");

  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 8> Clones;
  for (BasicBlock *BB : R.Blocks) {
    BasicBlock *Clone = CloneBasicBlock(BB, Copies, ".split", &F);
    Copies[BB] = Clone;
    Clones.push_back(Clone);
  }
  remapInstructionsInBlocks(Clones, Copies);

  // What comes in.
  for (BasicBlock *Clone : Clones)
    for (PHINode &Phi : make_early_inc_range(Clone->phis()))
      Phi.removeIncomingValueIf(
          [&](unsigned I) {
            BasicBlock *From = Phi.getIncomingBlock(I);
            return !is_contained(Clones, From) &&
                   !(Clone == Copies[First] && is_contained(R.From, From));
          },
          /*DeletePHIIfEmpty=*/false);
  for (BasicBlock *From : R.From) {
    First->removePredecessor(From, /*KeepOneInputPHIs=*/true);
    From->getTerminator()->replaceSuccessorWith(
        First, cast<BasicBlock>(Copies[First]));
  }

  // What goes out.
  for (auto [BB, Clone] : zip_equal(R.Blocks, Clones))
    for (BasicBlock *Successor : successors(BB))
      if (!R.Blocks.contains(Successor))
        for (PHINode &Phi : Successor->phis()) {
          Value *V = Phi.getIncomingValueForBlock(BB);
          Value *Copy = Copies.lookup(V);
          Phi.addIncoming(Copy ? Copy : V, Clone);
        }
  // Phis may be added among the blocks by that.
  SmallVector<Instruction *, 32> Copied;
  for (BasicBlock *BB : R.Blocks)
    append_range(Copied, make_pointer_range(*BB));
  for (Instruction *I : Copied)
    renewUses(*I, *cast<Instruction>(Copies[I]), R);

  for (auto [Branch, Side] : R.Decided)
    cast<BranchInst>(Copies[Branch])
        ->setCondition(ConstantInt::getBool(F.getContext(), Side == 0));
  // What a phi has from one block alone, or from all, may decide a later
  // branch.
  append_range(Clones, R.Blocks);
  for (BasicBlock *BB : Clones) {
    if (BB->getSinglePredecessor())
      FoldSingleEntryPHINodes(BB);
    for (PHINode &Phi : make_early_inc_range(BB->phis()))
      if (auto *Known = dyn_cast_or_null<ConstantInt>(Phi.hasConstantValue())) {
        Phi.replaceAllUsesWith(Known);
        Phi.eraseFromParent();
      }
  }
}

/// Removes the branches of \p F that are constant, and what they do not lead
/// to.
static void removeDeadBranches(Function &F) {
  for (BasicBlock &BB : F)
    ConstantFoldTerminator(&BB, /*DeleteDeadConditions=*/true);
  NVPTX::removeDeadBlocks(F);
}

/// Whether threading leads \p W through \p Meeting, where it meets others.
bool PathSplitting::isThreaded(BasicBlock &Meeting, const Way &W) {
  const BranchInst *Branch = getConditionalBranch(Meeting);
  return Branch && NVPTX::mayBeThreaded(Meeting) &&
         decide(W, *Branch->getCondition());
}

/// The way of \p Branch on which the last round alone of a loop waits for all,
/// where a result may be read behind the loop, and threading would not have
/// that way lead there.
std::optional<Way> PathSplitting::findLastWait(const BranchInst &Branch) {
  const Loop *L = LI.getLoopFor(Branch.getParent());
  if (!L)
    return std::nullopt;
  for (const RoundCondition &Known : getRoundConditions(L)) {
    if (Known.Condition != Branch.getCondition() || Known.NumRounds != 1)
      continue;
    const Way Last = {&Branch, !Known.IsTrue};
    if (!Steps.leadsToWaitForAll(Last.edge(), DT) || !Steps.mayMissWait(*L))
      continue;
    SmallVector<BasicBlock *, 2> From;
    BasicBlock *Meeting = findMeeting(Last, From);
    if (Meeting && !isThreaded(*Meeting, Last))
      return Last;
  }
  return std::nullopt;
}

/// Whether a phi of \p Meeting, which later decides steps of wgmma, is the same
/// constant from all of \p From, and anything else from another block.
bool PathSplitting::partsFlag(const BasicBlock &Meeting,
                              ArrayRef<BasicBlock *> From) const {
  return any_of(Meeting.phis(), [&](const PHINode &Phi) {
    if (!Phi.getType()->isIntegerTy(1) || !Steps.decidesSteps(Phi, DT))
      return false;
    const Value *Known = Phi.getIncomingValueForBlock(From.front());
    return isa<ConstantInt>(Known) &&
           all_of(Phi.blocks(), [&](const BasicBlock *BB) {
             return is_contained(From, BB) ==
                    (Phi.getIncomingValueForBlock(BB) == Known);
           });
  });
}

/// The way of \p Branch that alone waits for all, and sets a flag back, where a
/// result may be read behind the loop.
std::optional<Way> PathSplitting::findFlaggedWait(const BranchInst &Branch) {
  const Way Ways[] = {{&Branch, 0}, {&Branch, 1}};
  const bool IsFirst = Steps.leadsToWaitForAll(Ways[0].edge(), DT);
  const Loop *L = LI.getLoopFor(Branch.getParent());
  if (!L || IsFirst == Steps.leadsToWaitForAll(Ways[1].edge(), DT) ||
      !Steps.mayMissWait(*L))
    return std::nullopt;
  const Way Waiting = Ways[!IsFirst];
  SmallVector<BasicBlock *, 2> From;
  const BasicBlock *Meeting = findMeeting(Waiting, From);
  return Meeting && partsFlag(*Meeting, From) ? std::optional(Waiting)
                                              : std::nullopt;
}

/// The way of \p Branch that is to go on by itself: what leaves no wgmma in
/// flight while the other does, or waits for all as in the last round.
std::optional<Way> PathSplitting::findOwnWay(const BranchInst &Branch) {
  const Way Ways[] = {{&Branch, 0}, {&Branch, 1}};
  const bool IsFirstInFlight = Steps.leavesInFlight(Ways[0].edge(), DT);
  if (IsFirstInFlight != Steps.leavesInFlight(Ways[1].edge(), DT))
    return Ways[IsFirstInFlight];
  return findLastWait(Branch);
}

/// What a way of \p Branch gets a copy of.
std::optional<Region> PathSplitting::findOwnRegion(const BranchInst &Branch) {
  if (std::optional<Way> Own = findOwnWay(Branch))
    if (std::optional<Region> R = findRegion(*Own, /*IsWholeRound=*/false))
      return R;
  if (std::optional<Way> Waiting = findFlaggedWait(Branch))
    return findRegion(*Waiting, /*IsWholeRound=*/true);
  return std::nullopt;
}

bool PathSplitting::run(unsigned &Budget) {
  bool Changed = false;
  for (BasicBlock &BB : F) {
    BranchInst *Branch = getConditionalBranch(BB);
    if (!Branch || !DT.isReachableFromEntry(&BB) ||
        !Steps.decidesSteps(*Branch, DT))
      continue;
    const Way Ways[] = {{Branch, 0}, {Branch, 1}};
    if (any_of(Ways,
               [&](const Way &W) { return Steps.leadsToWGMMA(W.edge(), DT); }))
      for (const Way &W : Ways)
        Changed |= foldDecided(W);
    if (Changed)
      continue;
    std::optional<Region> R = findOwnRegion(*Branch);
    if (!R)
      continue;
    unsigned Size = 0;
    for (const BasicBlock *Block : R->Blocks)
      Size += Block->size();
    if (Size > Budget)
      continue;
    Budget -= Size;
    split(*R);
    Changed = true;
    break;
  }
  if (Changed)
    removeDeadBranches(F);
  return Changed;
}

namespace {
class NVPTXSplitWGMMAPaths : public FunctionPass {
public:
  static char ID;

  NVPTXSplitWGMMAPaths() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "NVPTX Split WGMMA Paths"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<AssumptionCacheTracker>();
    AU.addRequired<TargetLibraryInfoWrapperPass>();
  }

  bool runOnFunction(Function &F) override;
};
} // namespace

char NVPTXSplitWGMMAPaths::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXSplitWGMMAPaths, DEBUG_TYPE,
                      "NVPTX Split WGMMA Paths", false, false)
INITIALIZE_PASS_DEPENDENCY(AssumptionCacheTracker)
INITIALIZE_PASS_DEPENDENCY(TargetLibraryInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXSplitWGMMAPaths, DEBUG_TYPE, "NVPTX Split WGMMA Paths",
                    false, false)

bool NVPTXSplitWGMMAPaths::runOnFunction(Function &F) {
  if (skipFunction(F) || !NVPTX::usesWGMMA(F))
    return false;
  auto &TLI = getAnalysis<TargetLibraryInfoWrapperPass>().getTLI(F);
  auto &AC = getAnalysis<AssumptionCacheTracker>().getAssumptionCache(F);
  bool Changed = NVPTX::avoidJumpTables(F);
  Changed |= NVPTX::mergeCongruentPhis(F);
  // At most as much again as there is, or as does no harm.
  unsigned Budget = std::max(F.getInstructionCount(), 256u);
  Changed |= NVPTX::lowerWGMMASwitches(F);
  Changed |= NVPTX::assumeLoopBounds(F, AC);
  Changed |= NVPTX::makeLoopFlags(F, TLI, AC);
  // Each looks at the whole function once more.
  constexpr unsigned MaxLoops = 16;
  for (unsigned I = 0;
       I != MaxLoops && NVPTX::splitWGMMALoop(F, TLI, AC, Budget); ++I)
    Changed = true;
  while (PathSplitting(F, TLI, AC).run(Budget))
    Changed = true;
  return Changed;
}

FunctionPass *llvm::createNVPTXSplitWGMMAPathsPass() {
  return new NVPTXSplitWGMMAPaths();
}
