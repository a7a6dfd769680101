//===- NVPTXUnrollAlternatingLoops.cpp - Loops of several slots -----------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over tiles computes with one fragment, or accumulator, while the next
// one is loaded, or in flight:
//
//   for (int k = 0; k < n; ++k) {
//     load(fragments[(k + 1) & 1], k + 1);
//     multiply(fragments[k & 1]);
//   }
//
// No register can be indexed by a variable, so that they would stay in local
// memory. LLVM unrolls such a loop only if it knows how many rounds it has, and
// that this is a multiple of what `#pragma unroll` asks for: wgmma, being
// convergent, forbids that a loop for the remaining rounds stands behind it.
//
// This pass unrolls by the number of turns, with the loop's exits in each copy,
// for which nothing need be known of the number of rounds. What indexes a local
// array, chooses a register of wgmma, or decides what is multiplied, is
// evaluated for the first rounds; k & 1, k % 3, `turn ^= 1`, `if (++turn == 3)
// turn = 0` and two pointers that change places repeat themselves. If they did
// so in these rounds alone, the loop would be larger, and as right as before.
// Registers that change places take turns, too (NVPTXWGMMARotation).
//
// Where an exit leads to a wait for all, each copy of it has one of its own:
// what is in flight there is in other registers, and paths meet.
//
// The pass runs right before LoopFullUnroll, ahead of GVN, which makes of k + 1
// something that nothing counts any more where a condition guards the last
// load; inner loops that index what is constant now are unrolled then, and SROA
// follows. So arrays of which elements change places are not seen yet, and what
// IR changes places without these optimizations is not seen at all: there
// NVPTXProtectWGMMA waits.
//
// A loop that says itself by how many rounds it is to be unrolled is unrolled
// by a multiple of it. Left alone is one that is not to be unrolled, or as a
// whole, or that would be larger than `#pragma unroll` allows.
//
//===----------------------------------------------------------------------===//

#include "NVPTXUnrollAlternatingLoops.h"
#include "NVPTXUnrolling.h"
#include "NVPTXWGMMACalls.h"
#include "NVPTXWGMMARotation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Debug.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include <numeric>
#include <optional>

using namespace llvm;

#define DEBUG_TYPE "nvptx-unroll-alternating-loops"

STATISTIC(NumLoops, "Number of loops unrolled by the number of their turns");

/// The metadata of a loop that was.
static constexpr const char *UnrolledByTurns = "llvm.loop.nvptx.turns";
/// The turns of the largest loop: stages of a pipeline in registers.
static constexpr unsigned MaxTurns = 8;

namespace {
/// What values of a loop are in its first rounds.
class FirstRounds {
public:
  FirstRounds(const Loop &L, unsigned Number) : L(L), Number(Number) {}

  /// What \p V is in \p Round: a constant, or what is defined outside the loop;
  /// null if it does not follow from that alone.
  const Value *evaluate(const Value *V, unsigned Round);
  /// After how many rounds \p V is the same again, in all of them; 1 if it does
  /// not change, 0 if that is not known, or more than MaxTurns.
  unsigned getTurns(const Value *V);
  /// From here on nothing follows from \p Phi.
  void forget(const PHINode &Phi) {
    Forgotten.insert(&Phi);
    Known.clear();
  }

private:
  const Value *evaluatePhi(const PHINode &Phi, unsigned Round);
  const Value *evaluateInstruction(const Instruction &I, unsigned Round);

  const Loop &L;
  unsigned Number;
  SmallPtrSet<const PHINode *, 8> Forgotten;
  DenseMap<std::pair<const Value *, unsigned>, const Value *> Known;
};
} // namespace

const Value *FirstRounds::evaluate(const Value *V, unsigned Round) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  auto [Place, IsNew] = Known.try_emplace({V, Round}, nullptr);
  if (!IsNew)
    return Place->second;
  const auto *Phi = dyn_cast<PHINode>(I);
  const Value *Result =
      Phi ? evaluatePhi(*Phi, Round) : evaluateInstruction(*I, Round);
  return Known[{V, Round}] = Result;
}

const Value *FirstRounds::evaluatePhi(const PHINode &Phi, unsigned Round) {
  if (Phi.getParent() != L.getHeader() || Forgotten.contains(&Phi))
    return nullptr;
  return Round == 0 ? Phi.getIncomingValueForBlock(L.getLoopPreheader())
                    : evaluate(Phi.getIncomingValueForBlock(L.getLoopLatch()),
                               Round - 1);
}

const Value *FirstRounds::evaluateInstruction(const Instruction &I,
                                              unsigned Round) {
  if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(I))
    return nullptr;
  SmallVector<Constant *, 3> Operands;
  for (const Value *Operand : I.operand_values()) {
    const auto *C = dyn_cast_or_null<Constant>(evaluate(Operand, Round));
    if (!C)
      return nullptr;
    Operands.push_back(const_cast<Constant *>(C));
  }
  return ConstantFoldInstOperands(const_cast<Instruction *>(&I), Operands,
                                  I.getDataLayout());
}

unsigned FirstRounds::getTurns(const Value *V) {
  SmallVector<const Value *> Values;
  for (unsigned Round = 0; Round != Number; ++Round) {
    Values.push_back(evaluate(V, Round));
    if (!Values.back())
      return 0;
  }
  for (unsigned Turns = 1; Turns <= MaxTurns && 2 * Turns <= Number; ++Turns)
    if (std::equal(Values.begin() + Turns, Values.end(), Values.begin()))
      return Turns;
  return 0;
}

/// Whether \p I is an address in a local variable.
static bool isLocalAddress(const Instruction &I) {
  if (!isa<GetElementPtrInst, PHINode>(I) || !I.getType()->isPointerTy())
    return false;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&I, Objects);
  return all_of(Objects, [](const Value *Object) {
    const auto *Variable = dyn_cast<AllocaInst>(Object);
    return Variable && Variable->isStaticAlloca();
  });
}

/// Whether \p Select chooses a register of wgmma.
static bool choosesRegister(const SelectInst &Select) {
  return NVPTX::isPartOfAccumulator(Select.getTrueValue()) ||
         NVPTX::isPartOfAccumulator(Select.getFalseValue()) ||
         NVPTX::becomesWGMMARegister(Select);
}

/// Whether \p Branch decides in \p L what is multiplied.
static bool decidesProduct(const BranchInst &Branch, const Loop &L,
                           const DominatorTree &DT) {
  return any_of(successors(Branch.getParent()), [&](const BasicBlock *To) {
    BasicBlockEdge Edge(Branch.getParent(), To);
    return any_of(L.blocks(), [&](const BasicBlock *Block) {
      return DT.dominates(Edge, Block) && any_of(*Block, NVPTX::isWGMMA);
    });
  });
}

namespace {
/// The turns that the rounds of a loop take at registers of wgmma.
class LoopTurns {
public:
  LoopTurns(const Loop &L, ScalarEvolution &SE, const DominatorTree &DT);

  /// 1 if they take none.
  unsigned get();

private:
  unsigned getTurns(const Instruction &I);

  const Loop &L;
  const DominatorTree &DT;
  FirstRounds First;
};
} // namespace

static unsigned getNumRounds(const Loop &L, ScalarEvolution &SE) {
  unsigned Count = SE.getSmallConstantTripCount(&L);
  return Count ? std::min(Count, 4 * MaxTurns) : 4 * MaxTurns;
}

LoopTurns::LoopTurns(const Loop &L, ScalarEvolution &SE,
                     const DominatorTree &DT)
    : L(L), DT(DT), First(L, getNumRounds(L, SE)) {}

/// Those of \p I: of an address in a local variable, or of a condition; 0 if
/// they are not known.
unsigned LoopTurns::getTurns(const Instruction &I) {
  if (const auto *Select = dyn_cast<SelectInst>(&I)) {
    unsigned Turns = First.getTurns(Select->getCondition());
    return Turns > 1 && choosesRegister(*Select) ? Turns : 1;
  }
  if (const auto *Branch = dyn_cast<BranchInst>(&I)) {
    unsigned Turns =
        Branch->isConditional() ? First.getTurns(Branch->getCondition()) : 1;
    return Turns > 1 && decidesProduct(*Branch, L, DT) ? Turns : 1;
  }
  if (!isLocalAddress(I))
    return 1;
  if (isa<PHINode>(I))
    return First.getTurns(&I);
  unsigned Turns = 1;
  for (const Value *Index : drop_begin(I.operand_values()))
    Turns = std::lcm(Turns, First.getTurns(Index));
  return Turns;
}

unsigned LoopTurns::get() {
  unsigned Result = 1;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (unsigned Turns = getTurns(I))
        Result = std::lcm(Result, Turns);
  return Result;
}

/// By how many rounds \p L asks to be unrolled; 1 if it does not ask.
static unsigned getAskedCount(const Loop &L) {
  return std::max(
      1, getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count").value_or(1));
}

/// By how many rounds to unroll \p L; 1 if it is to be left alone.
static unsigned getCount(const Loop &L, ScalarEvolution &SE,
                         const DominatorTree &DT, bool IgnoreDisable) {
  if (NVPTX::isUnrollingDisabled(L, IgnoreDisable))
    return 1;
  // Unrolled as a whole by LoopFullUnroll.
  if (SE.getSmallConstantTripCount(&L) &&
      (getBooleanLoopAttribute(&L, "llvm.loop.unroll.full") ||
       getBooleanLoopAttribute(&L, "llvm.loop.unroll.enable")))
    return 1;
  if (findOptionMDForLoop(&L, UnrolledByTurns))
    return 1;
  unsigned Turns =
      std::lcm(LoopTurns(L, SE, DT).get(), NVPTX::getWGMMARotation(L));
  if (Turns == 1)
    return 1;
  unsigned Count = std::lcm(Turns, getAskedCount(L));
  unsigned MaxRounds = SE.getSmallConstantMaxTripCount(&L);
  bool IsWhole = MaxRounds && MaxRounds <= Count;
  return IsWhole || !NVPTX::mayBeUnrolledBy(L, Count) ? 1 : Count;
}

/// The counter of \p L that \p I takes the remainder of, if it is known not to
/// wrap, and the remainder to take turns; null for any other instruction.
static const SCEVAddRecExpr *getDividend(const Instruction &I, const Loop &L,
                                         ScalarEvolution &SE) {
  if (I.getOpcode() != Instruction::URem || !I.getType()->isIntegerTy())
    return nullptr;
  const auto *Divisor = dyn_cast<ConstantInt>(I.getOperand(1));
  // Twice the divisor has to fit.
  if (!Divisor || Divisor->getValue().ugt(MaxTurns) || Divisor->isNegative())
    return nullptr;
  const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(I.getOperand(0)));
  return Counter && Counter->getLoop() == &L && Counter->isAffine() &&
                 Counter->hasNoUnsignedWrap() &&
                 all_of(Counter->operands(), IsaPred<SCEVConstant>)
             ? Counter
             : nullptr;
}

/// Makes of \p Remainder, that of \p Counter, a counter of its own, of which
/// SCCP knows in an unrolled loop what it is. Nothing knows of a counter that
/// goes by three that three divides it.
static void countRemainder(Instruction &Remainder,
                           const SCEVAddRecExpr &Counter, const Loop &L) {
  auto *Divisor = cast<ConstantInt>(Remainder.getOperand(1));
  auto GetRemainder = [&](const SCEV *S) {
    const APInt &Value = cast<SCEVConstant>(S)->getAPInt();
    return ConstantInt::get(Divisor->getContext(),
                            Value.urem(Divisor->getValue()));
  };
  IRBuilder<> Builder(&L.getHeader()->front());
  PHINode *Turn = Builder.CreatePHI(Remainder.getType(), 2);
  Builder.SetInsertPoint(L.getLoopLatch()->getTerminator());
  Value *Sum = Builder.CreateAdd(Turn, GetRemainder(Counter.getOperand(1)));
  Turn->addIncoming(GetRemainder(Counter.getStart()), L.getLoopPreheader());
  Turn->addIncoming(Builder.CreateURem(Sum, Divisor), L.getLoopLatch());
  Remainder.replaceAllUsesWith(Turn);
  Remainder.eraseFromParent();
}

static void countRemainders(const Loop &L, ScalarEvolution &SE) {
  SmallVector<std::pair<Instruction *, const SCEVAddRecExpr *>, 4> Found;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (const SCEVAddRecExpr *Counter = getDividend(I, L, SE))
        Found.emplace_back(&I, Counter);
  for (const auto &[Remainder, Counter] : Found) {
    SE.forgetValue(Remainder);
    countRemainder(*Remainder, *Counter, L);
  }
}

/// Replaces what \p L carries on from round to round, and no round changes: the
/// turns of the loop that it was.
static void foldTurns(Loop &L, ScalarEvolution &SE) {
  FirstRounds First(L, 2);
  SmallPtrSet<PHINode *, 8> Fixed;
  for (PHINode &Phi : L.getHeader()->phis())
    Fixed.insert(&Phi);
  // One that changes may change others.
  auto Changes = [&](PHINode *Phi) {
    const Value *Start = First.evaluate(Phi, 0);
    return !Start || First.evaluate(Phi, 1) != Start;
  };
  for (auto It = find_if(Fixed, Changes); It != Fixed.end();
       It = find_if(Fixed, Changes)) {
    First.forget(**It);
    Fixed.erase(*It);
  }
  for (PHINode *Phi : Fixed) {
    SE.forgetValue(Phi);
    Phi->replaceAllUsesWith(
        Phi->getIncomingValueForBlock(L.getLoopPreheader()));
    Phi->eraseFromParent();
  }
}

/// The wait for all wgmma that comes first behind \p Exit, whatever led there,
/// or null.
static const Instruction *findWait(const BasicBlock *Exit) {
  SmallPtrSet<const BasicBlock *, 4> Seen;
  for (; Exit && Seen.insert(Exit).second; Exit = Exit->getUniqueSuccessor())
    for (const Instruction &I : *Exit) {
      if (NVPTX::isWGMMAWaitForAll(I))
        return &I;
      if (NVPTX::isWGMMAStep(I))
        return nullptr;
    }
  return nullptr;
}

/// Has each copy of the exits of \p L wait for itself, where all wait behind
/// it: what they leave in flight is in other registers each, and the exits
/// meet.
static void waitAtExits(Loop &L, LoopStandardAnalysisResults &AR) {
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits) {
    const Instruction *Wait = findWait(Exit);
    SmallVector<BasicBlock *, 4> Preds(predecessors(Exit));
    if (!Wait || Preds.size() == 1)
      continue;
    for (BasicBlock *Pred : Preds) {
      BasicBlock *Way =
          SplitBlockPredecessors(Exit, Pred, ".turn", &AR.DT, &AR.LI,
                                 /*MSSAU=*/nullptr, /*PreserveLCSSA=*/true);
      Wait->clone()->insertBefore(Way->getTerminator()->getIterator());
    }
  }
}

PreservedAnalyses
NVPTXUnrollAlternatingLoopsPass::run(Loop &L, LoopAnalysisManager &,
                                     LoopStandardAnalysisResults &AR,
                                     LPMUpdater &U) {
  Function &F = *L.getHeader()->getParent();
  if (!L.isLoopSimplifyForm() || !NVPTX::usesWGMMA(F))
    return PreservedAnalyses::all();
  UnrollLoopOptions Options = {};
  Options.Count = getCount(L, AR.SE, AR.DT, IgnoreDisable);
  if (Options.Count == 1)
    return PreservedAnalyses::all();

  LLVM_DEBUG(dbgs() << "Unroll by " << Options.Count << ": " << L);
  countRemainders(L, AR.SE);
  Options.Heart = getLoopConvergenceHeart(&L);
  OptimizationRemarkEmitter ORE(&F);
  bool IsAsked = getAskedCount(L) != 1;
  if (UnrollLoop(&L, Options, &AR.LI, &AR.SE, &AR.DT, &AR.AC, &AR.TTI, &ORE,
                 /*PreserveLCSSA=*/true) != LoopUnrollResult::PartiallyUnrolled)
    return getLoopPassPreservedAnalyses();
  ++NumLoops;
  foldTurns(L, AR.SE);
  waitAtExits(L, AR);
  addStringMetadataToLoop(&L, UnrolledByTurns);
  // LoopUnroll would do it once more.
  if (IsAsked)
    L.setLoopAlreadyUnrolled();
  // Those inside may be unrolled only now that they index what is constant.
  if (!L.isInnermost())
    U.addChildLoops(L.getSubLoops());
  return getLoopPassPreservedAnalyses();
}
