//===- NVPTXThreadWGMMABranches.cpp - Branches that paths decide ----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In
//
//   for (I = 0; I != N; ++I) {
//     acc = wgmma(acc, ...);
//     commit;
//     if (I + 1 < N) wait 1; else wait 0;
//   }
//   use(acc);
//
// and in
//
//   for (...) {
//     if (in_flight) wait 0;
//     acc = wgmma(acc, ...);
//     commit;
//     in_flight = true;
//   }
//
// each path to the second branch decides it, and none reads an accumulator in
// flight. Nobody who looks at the graph alone can tell: not what waits for
// wgmma, nor ptxas, as of 13.0, which puts a wait into the loop (C7517). And
// jump threading leaves alone what has to do with the header of a loop.
//
// This pass makes each such path lead where it goes in functions with wgmma, if
// it comes from a wait or leads to one, ahead of all that rewrites the
// conditions of loops. Where all paths agree, as in a last round that is
// peeled, on what is equal, one stands for the other from there on: the next
// branch may ask for their sum. No loop gets a second entry by that: into the
// header of a loop only the way in is threaded, and only where there is one.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXImpliedConditions.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
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

#define DEBUG_TYPE "nvptx-thread-wgmma-branches"

STATISTIC(NumThreaded, "Number of paths threaded through a branch");

namespace {
/// A path that decides a branch: \c From leads to \c Through, which then leads
/// to \c To. \c From is null where all do.
struct DecidedPath {
  BasicBlock *From;
  BasicBlock *Through;
  BasicBlock *To;
};

class BranchThreading {
public:
  BranchThreading(Function &F, TargetLibraryInfo &TLI, AssumptionCache &AC)
      : F(F), DL(F.getDataLayout()), DT(F), LI(DT), SE(F, TLI, AC, DT, LI) {}

  /// Returns whether it has threaded any path. Others may be decided then.
  bool run();

private:
  std::optional<bool> isTrue(Value &Condition, BasicBlock &From,
                             BasicBlock &Through);
  std::optional<bool> isTrueInParts(Value &Condition, BasicBlock &From,
                                    BasicBlock &Through);
  std::optional<bool> isTrue(const ICmpInst &Compare, bool IsEarlier,
                             BasicBlock &From, BasicBlock &Through);
  const SCEV *getSCEVFrom(Value *V, const BasicBlock &From,
                          const BasicBlock *Through, const Loop *Scope);
  std::optional<bool> areEqual(const SCEV *LHS, const SCEV *RHS,
                               const Value &Other, bool IsTrue);
  template <typename ImpliedFn>
  std::optional<bool> isImplied(BasicBlock &From, const BasicBlock &Through,
                                ImpliedFn IsImplied) const;
  bool mayThread(const BasicBlock &From, const BasicBlock &Through) const;
  BasicBlock *findOnlyWay(BasicBlock &Through);
  void findPaths(BasicBlock &Through, SmallVectorImpl<DecidedPath> &Paths);
  void replaceEqual(const BasicBlock &Through, const BasicBlock &To);
  void thread(const DecidedPath &Path);

  Function &F;
  const DataLayout &DL;
  DominatorTree DT;
  LoopInfo LI;
  ScalarEvolution SE;
};
} // namespace

/// Whether what a path through \p Through comes from, or leads to, waits, or
/// \p Through does: all others decide nothing about what is in flight.
static bool isBesideWait(const BasicBlock &Through) {
  auto HasWait = [](const BasicBlock *BB) {
    return any_of(*BB, NVPTX::isWGMMAWait);
  };
  return HasWait(&Through) || any_of(predecessors(&Through), HasWait) ||
         any_of(successors(&Through), HasWait);
}

/// The value of \p V in what \p Through executes if control comes from
/// \p From, or in \p From itself if \p Through is null; null if it is not
/// computed before.
static Value *getValueFrom(Value *V, const BasicBlock &From,
                           const BasicBlock *Through) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != Through)
    return V;
  auto *Phi = dyn_cast<PHINode>(I);
  return Phi ? Phi->getIncomingValueForBlock(&From) : nullptr;
}

/// What \p IsImplied, which is asked of each branch that has led to the edge
/// from \p From to \p Through, and whether its condition is true there, answers
/// first.
template <typename ImpliedFn>
std::optional<bool> BranchThreading::isImplied(BasicBlock &From,
                                               const BasicBlock &Through,
                                               ImpliedFn IsImplied) const {
  std::optional<bool> Answer;
  NVPTX::visitKnownConditions({&From, &Through}, DT,
                              [&](const Value &Condition, bool IsTrue) {
                                Answer = IsImplied(Condition, IsTrue);
                                return Answer.has_value();
                              });
  return Answer;
}

/// The same as a SCEV, of which more is known: what a loop that has ended has
/// left, as \p Scope has it, and what \p Through computes of values from before
/// it and of its phis.
const SCEV *BranchThreading::getSCEVFrom(Value *V, const BasicBlock &From,
                                         const BasicBlock *Through,
                                         const Loop *Scope) {
  if (Value *Known = getValueFrom(V, From, Through))
    return SE.getSCEVAtScope(Known, Scope);
  if (LI.isLoopHeader(Through))
    return nullptr;
  const SCEV *S = SE.getSCEVAtScope(V, Scope);
  ValueToSCEVMapTy Incoming;
  bool HasOthers = SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    auto *I = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    if (!I || I->getParent() != Through)
      return false;
    if (Value *Known = getValueFrom(I, From, Through))
      Incoming[I] = SE.getSCEVAtScope(Known, Scope);
    return !Incoming.contains(I);
  });
  return HasOthers ? nullptr : SCEVParameterRewriter::rewrite(S, SE, Incoming);
}

/// Whether \p LHS and \p RHS are equal, if \p Other, which \p IsTrue tells the
/// answer of, asks for that in other words.
std::optional<bool> BranchThreading::areEqual(const SCEV *LHS, const SCEV *RHS,
                                              const Value &Other, bool IsTrue) {
  const auto *Known = dyn_cast<ICmpInst>(&Other);
  if (!Known || !Known->isEquality() ||
      Known->getOperand(0)->getType() != LHS->getType())
    return std::nullopt;
  const SCEV *Left = SE.getSCEV(Known->getOperand(0));
  const SCEV *Right = SE.getSCEV(Known->getOperand(1));
  const SCEV *Difference = SE.getMinusSCEV(LHS, RHS);
  if (Difference != SE.getMinusSCEV(Left, Right) &&
      Difference != SE.getMinusSCEV(Right, Left))
    return std::nullopt;
  return (Known->getPredicate() == CmpInst::ICMP_EQ) == IsTrue;
}

/// Whether \p Compare is true where it is executed: in \p Through if control
/// comes from \p From, or, if \p IsEarlier, on the way there.
std::optional<bool> BranchThreading::isTrue(const ICmpInst &Compare,
                                            bool IsEarlier, BasicBlock &From,
                                            BasicBlock &Through) {
  const BasicBlock *Place = IsEarlier ? nullptr : &Through;
  CmpPredicate Predicate = Compare.getCmpPredicate();
  Value *LHS = getValueFrom(Compare.getOperand(0), From, Place);
  Value *RHS = getValueFrom(Compare.getOperand(1), From, Place);
  if (LHS && RHS) {
    if (auto *Known = dyn_cast_or_null<ConstantInt>(
            simplifyICmpInst(Predicate, LHS, RHS, DL)))
      return Known->isOne();
    auto IsImplied = [&](const Value &Condition, bool IsTrue) {
      return isImpliedCondition(&Condition, Predicate, LHS, RHS, DL, IsTrue);
    };
    if (std::optional<bool> Implied = isImplied(From, Through, IsImplied))
      return Implied;
    const APInt *Limit;
    if (match(RHS, m_APInt(Limit)))
      if (std::optional<bool> Known =
              NVPTX::decideByCounting(Predicate, *LHS, *Limit, DL))
        return Known;
  }
  if (!SE.isSCEVable(Compare.getOperand(0)->getType()))
    return std::nullopt;
  const Loop *Scope = LI.getLoopFor(&Through);
  const SCEV *Left = getSCEVFrom(Compare.getOperand(0), From, Place, Scope);
  const SCEV *Right = getSCEVFrom(Compare.getOperand(1), From, Place, Scope);
  if (!Left || !Right)
    return std::nullopt;
  auto Evaluate = [&](CmpPredicate Asked) -> std::optional<bool> {
    if (!NVPTX::haveOneLatch(LI.getLoopFor(&From)))
      return std::nullopt;
    return SE.evaluatePredicateAt(Asked, Left, Right, From.getTerminator());
  };
  if (std::optional<bool> Known = Evaluate(Predicate))
    return Known;
  std::optional<bool> AreEqual =
      isImplied(From, Through, [&](const Value &Condition, bool IsTrue) {
        return areEqual(Left, Right, Condition, IsTrue);
      });
  if (!AreEqual)
    return std::nullopt;
  if (*AreEqual || Compare.isEquality())
    return CmpInst::isTrueWhenEqual(Predicate) == *AreEqual;
  // Of what is not equal, who is at least as large is larger.
  return Evaluate(CmpInst::getFlippedStrictnessPredicate(Predicate));
}

/// Whether \p Condition, which \p Through executes, is true because parts of it
/// are, or false because they are not.
std::optional<bool> BranchThreading::isTrueInParts(Value &Condition,
                                                   BasicBlock &From,
                                                   BasicBlock &Through) {
  Value *Left, *Right;
  const bool IsOr =
      match(&Condition, m_LogicalOr(m_Value(Left), m_Value(Right)));
  if (!IsOr && !match(&Condition, m_LogicalAnd(m_Value(Left), m_Value(Right))))
    return std::nullopt;
  const std::optional<bool> First = isTrue(*Left, From, Through);
  if (First == IsOr)
    return IsOr;
  const std::optional<bool> Second = isTrue(*Right, From, Through);
  if (Second == IsOr)
    return IsOr;
  return First && Second ? std::optional(!IsOr) : std::nullopt;
}

/// Whether the \p Condition of the branch of \p Through is true if control
/// comes from \p From, or nothing if that is not known. What a phi gives it was
/// computed earlier, of what other phis of \p Through had been then.
std::optional<bool> BranchThreading::isTrue(Value &Condition, BasicBlock &From,
                                            BasicBlock &Through) {
  auto *Phi = dyn_cast<PHINode>(&Condition);
  const bool IsEarlier = Phi && Phi->getParent() == &Through;
  Value *V = IsEarlier ? Phi->getIncomingValueForBlock(&From) : &Condition;
  if (const auto *Known = dyn_cast<ConstantInt>(V))
    return Known->isOne();
  // What is computed in a loop's header is of another round than what is known.
  const bool IsOfRound = !IsEarlier && LI.isLoopHeader(&Through);
  std::optional<bool> Known;
  if (const auto *Compare = dyn_cast<ICmpInst>(V))
    Known = isTrue(*Compare, IsEarlier, From, Through);
  else if (!IsEarlier)
    Known = isTrueInParts(*V, From, Through);
  if (Known)
    return Known;
  if (!isa<ICmpInst>(V) && (!IsOfRound || getValueFrom(V, From, &Through)))
    Known = isImplied(From, Through, [&](const Value &Other, bool IsTrue) {
      return isImpliedCondition(&Other, V, DL, IsTrue);
    });
  if (Known || IsOfRound)
    return Known;
  return NVPTX::KnownRanges({&From, &Through}, DT).decide(*V);
}

/// Whether no loop gets a second entry if the path from \p From does not lead
/// through \p Through any more.
bool BranchThreading::mayThread(const BasicBlock &From,
                                const BasicBlock &Through) const {
  if (!LI.isLoopHeader(&Through))
    return true;
  const Loop *L = LI.getLoopFor(&Through);
  return !L->contains(&From) && L->getLoopPredecessor() == &From;
}

/// Where the branch of \p Through leads to, if all paths to it agree on that;
/// or null.
BasicBlock *BranchThreading::findOnlyWay(BasicBlock &Through) {
  const auto *Branch = cast<BranchInst>(Through.getTerminator());
  std::optional<bool> Way;
  for (BasicBlock *From : predecessors(&Through)) {
    std::optional<bool> IsTrue =
        isTrue(*Branch->getCondition(), *From, Through);
    if (!IsTrue || (Way && *Way != *IsTrue))
      return nullptr;
    Way = IsTrue;
  }
  return Way ? Branch->getSuccessor(!*Way) : nullptr;
}

void BranchThreading::findPaths(BasicBlock &Through,
                                SmallVectorImpl<DecidedPath> &Paths) {
  auto *Branch = dyn_cast<BranchInst>(Through.getTerminator());
  if (!Branch || !Branch->isConditional() || Through.hasAddressTaken() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
      !DT.isReachableFromEntry(&Through) || !isBesideWait(Through))
    return;
  if (BasicBlock *To = findOnlyWay(Through)) {
    Paths.push_back({nullptr, &Through, To});
    return;
  }
  if (!NVPTX::mayBeThreaded(Through))
    return;
  for (BasicBlock *From : predecessors(&Through)) {
    if (!isa<BranchInst>(From->getTerminator()) ||
        count(successors(From), &Through) != 1 || !mayThread(*From, Through))
      continue;
    std::optional<bool> IsTrue =
        isTrue(*Branch->getCondition(), *From, Through);
    if (IsTrue && Branch->getSuccessor(!*IsTrue) != &Through)
      Paths.push_back({From, &Through, Branch->getSuccessor(!*IsTrue)});
  }
}

/// Has what uses \p I outside of its block use what comes there: \p I, or
/// \p Copy if control comes through the other block.
static void renewUses(Instruction &I, Value &Copy, BasicBlock &CopyBlock) {
  SSAUpdater Updater;
  Updater.Initialize(I.getType(), I.getName());
  Updater.AddAvailableValue(I.getParent(), &I);
  Updater.AddAvailableValue(&CopyBlock, &Copy);
  for (Use &U : make_early_inc_range(I.uses())) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    const BasicBlock *Block =
        Phi ? Phi->getIncomingBlock(U) : User->getParent();
    if (Block != I.getParent())
      Updater.RewriteUse(U);
  }
}

/// Has the branch of \p BB always lead to \p To.
static void foldBranch(BasicBlock &BB, const BasicBlock &To) {
  auto *Branch = cast<BranchInst>(BB.getTerminator());
  Branch->setCondition(
      ConstantInt::getBool(BB.getContext(), Branch->getSuccessor(0) == &To));
  ConstantFoldTerminator(&BB, /*DeleteDeadConditions=*/false);
}

/// Has one side of an equality that decides where \p Through always goes, to
/// \p To, be the other one from there on. The branch, which has told of it, is
/// no longer there.
void BranchThreading::replaceEqual(const BasicBlock &Through,
                                   const BasicBlock &To) {
  Value *LHS, *RHS;
  CmpPredicate Predicate;
  const auto *Branch = cast<BranchInst>(Through.getTerminator());
  if (!match(Branch->getCondition(),
             m_ICmp(Predicate, m_Value(LHS), m_Value(RHS))))
    return;
  const auto Equal =
      Branch->getSuccessor(0) == &To ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE;
  if (Predicate != Equal || !LHS->getType()->isIntegerTy())
    return;
  if (isa<PHINode>(RHS))
    std::swap(LHS, RHS);
  if (!isa<Constant>(LHS))
    replaceDominatedUsesWith(LHS, RHS, DT, Branch);
}

void BranchThreading::thread(const DecidedPath &Path) {
  auto &[From, Through, To] = Path;
  // What was threaded before may have led elsewhere.
  if (!is_contained(successors(Through), To) ||
      (From && !is_contained(successors(From), Through)))
    return;
  LLVM_DEBUG(dbgs() << "Threading " << (From ? From->getName() : "all")
                    << " through " << Through->getName() << " to "
                    << To->getName() << '\n');
  ValueToValueMapTy Copies;
  DomTreeUpdater DTU(DomTreeUpdater::UpdateStrategy::Eager);
  ++NumThreaded;
  if (!From)
    replaceEqual(*Through, *To);
  if (!From || Through->getUniquePredecessor()) {
    foldBranch(*Through, *To);
    return;
  }
  BasicBlock *Copy = DuplicateInstructionsInSplitBetween(
      Through, From, Through->getTerminator(), Copies, DTU);

  Through->removePredecessor(Copy, /*KeepOneInputPHIs=*/true);
  Copy->getTerminator()->setSuccessor(0, To);
  for (PHINode &Phi : To->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Through);
    auto It = Copies.find(V);
    Phi.addIncoming(It == Copies.end() ? V : &*It->second, Copy);
  }
  for (Instruction &I : *Through)
    if (!I.use_empty() && Copies.count(&I))
      renewUses(I, *Copies[&I], *Copy);
}

bool BranchThreading::run() {
  SmallVector<DecidedPath, 4> Paths;
  for (BasicBlock &BB : F)
    findPaths(BB, Paths);
  if (Paths.empty())
    return false;
  // The loop has another header then.
  auto Entry = find_if(Paths, [this](const DecidedPath &Path) {
    return Path.From && LI.isLoopHeader(Path.Through);
  });
  if (Entry != Paths.end())
    Paths = {*Entry};
  // First what changes nothing about who dominates whom.
  for (bool IsOfAll : {true, false})
    for (const DecidedPath &Path : Paths)
      if (!Path.From == IsOfAll)
        thread(Path);
  removeUnreachableBlocks(F);
  return true;
}

namespace {
class NVPTXThreadWGMMABranches : public FunctionPass {
public:
  static char ID;

  NVPTXThreadWGMMABranches() : FunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Thread WGMMA Branches";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<AssumptionCacheTracker>();
    AU.addRequired<TargetLibraryInfoWrapperPass>();
  }

  bool runOnFunction(Function &F) override;
};
} // namespace

char NVPTXThreadWGMMABranches::ID = 0;

INITIALIZE_PASS_BEGIN(NVPTXThreadWGMMABranches, DEBUG_TYPE,
                      "NVPTX Thread WGMMA Branches", false, false)
INITIALIZE_PASS_DEPENDENCY(AssumptionCacheTracker)
INITIALIZE_PASS_DEPENDENCY(TargetLibraryInfoWrapperPass)
INITIALIZE_PASS_END(NVPTXThreadWGMMABranches, DEBUG_TYPE,
                    "NVPTX Thread WGMMA Branches", false, false)

bool NVPTXThreadWGMMABranches::runOnFunction(Function &F) {
  if (skipFunction(F) || !NVPTX::usesWGMMA(F))
    return false;
  auto &TLI = getAnalysis<TargetLibraryInfoWrapperPass>().getTLI(F);
  auto &AC = getAnalysis<AssumptionCacheTracker>().getAssumptionCache(F);
  // A path that is threaded may decide the next branch.
  constexpr unsigned MaxRounds = 8;
  unsigned NumRounds = 0;
  while (NumRounds != MaxRounds && BranchThreading(F, TLI, AC).run())
    ++NumRounds;
  return NumRounds != 0;
}

FunctionPass *llvm::createNVPTXThreadWGMMABranchesPass() {
  return new NVPTXThreadWGMMABranches();
}
