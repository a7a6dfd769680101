//===- NVPTXComputeMergedOffsets.cpp - What all ways compute alike --------===//
//
// Part of the LLVM Project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GVN has a value computed once on each way, if one of these needs it, and what
// comes behind where they meet:
//
//   if (Beta != 0)
//     D[I] = Beta * C[I * 128 + threadIdx.x];
//   wgmma(D, ...); commit; wait 0;
//   C[I * 128 + threadIdx.x] = D[I];
//
// The phis of all offsets are live beside the accumulator then, two registers
// for each element of it, and ptxas runs out of them. Nor are they constants
// that are added to one address any more, which loads and stores have for free.
//
// In functions with wgmma, phis of what is computed alike on all ways to them
// are computed behind them, of what that is computed from. If this is not the
// same on all ways it has a phi, one for many:
//
//   if (K) store(&C[K * 8192 + threadIdx.x + I * 128]);      K is 0 otherwise
//   store(&C[K * 8192 + threadIdx.x + I * 128 + 4096]);
//
// SeparateConstOffsetFromGEP and the like, which come after this, find one
// address and constants.
//
//===----------------------------------------------------------------------===//

#include "NVPTX.h"
#include "NVPTXWGMMACalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;

#define DEBUG_TYPE "nvptx-compute-merged-offsets"

STATISTIC(NumComputed, "Number of phis computed where ways meet");

/// An offset is computed in this many steps at most.
static constexpr unsigned MaxDepth = 4;
/// A phi of what several are computed from is worth having from so many on.
static constexpr unsigned MinComputed = 4;

namespace {
class NVPTXComputeMergedOffsets : public FunctionPass {
public:
  static char ID;

  NVPTXComputeMergedOffsets() : FunctionPass(ID) {}

  StringRef getPassName() const override {
    return "NVPTX Compute Merged Offsets";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesCFG();
  }

  bool runOnFunction(Function &F) override;
};
} // namespace

char NVPTXComputeMergedOffsets::ID = 0;

INITIALIZE_PASS(NVPTXComputeMergedOffsets, DEBUG_TYPE,
                "NVPTX Compute Merged Offsets", false, false)

/// Whether \p I is a step of an offset that costs an instruction, if anything.
static bool isStep(const Instruction &I) {
  if (const auto *Operator = dyn_cast<BinaryOperator>(&I))
    return I.getType()->isIntegerTy() && !Operator->isIntDivRem();
  return isa<GetElementPtrInst, ZExtInst, SExtInst, TruncInst>(I);
}

/// One value for each way to a block.
using Values = SmallVector<Value *, 4>;

static Values getOperands(const Values &Ways, unsigned Operand) {
  Values Operands;
  for (Value *Way : Ways)
    Operands.push_back(cast<Instruction>(Way)->getOperand(Operand));
  return Operands;
}

/// Whether all \p Ways take the same step, and a phi may stand for an operand
/// that is not the same: none does for the number of a structure's field.
static bool takeSameStep(const Values &Ways) {
  const auto *First = dyn_cast<Instruction>(Ways.front());
  if (!First || !isStep(*First))
    return false;
  for (Value *Way : drop_begin(Ways))
    if (const auto *I = dyn_cast<Instruction>(Way);
        !I || !First->isSameOperationAs(I))
      return false;
  return all_of(seq(First->getNumOperands()), [&](unsigned Operand) {
    return canReplaceOperandWithVariable(First, Operand) ||
           all_equal(getOperands(Ways, Operand));
  });
}

namespace {
/// The phis of one block, which has some.
class MergedOffsets {
public:
  explicit MergedOffsets(BasicBlock &BB)
      : BB(BB), Preds(cast<PHINode>(BB.front()).blocks()),
        End(BB.getFirstInsertionPt()) {}

  bool compute();

private:
  /// A phi that may be computed, and what its ways start from.
  struct Candidate {
    PHINode *Phi;
    SmallSetVector<Values, 2> Starts;
  };

  void findStarts(const Values &Ways, unsigned Depth,
                  SmallSetVector<Values, 2> &Starts) const;
  Values getWays(const PHINode &Phi) const;
  SmallVector<Candidate, 0> findCandidates();
  bool isWorthwhile(const Candidate &C) const;
  Value *getPhi(const Values &Ways);
  Value *compute(const Values &Ways, unsigned Depth);

  BasicBlock &BB;
  SmallVector<BasicBlock *, 4> Preds;
  BasicBlock::iterator End;
  /// By what they merge, phis that there are; and how many start from that.
  std::map<Values, PHINode *> Phis;
  std::map<Values, unsigned> NumComputedFrom;
};
} // namespace

Values MergedOffsets::getWays(const PHINode &Phi) const {
  Values Ways;
  for (const BasicBlock *Pred : Preds)
    Ways.push_back(Phi.getIncomingValueForBlock(Pred));
  return Ways;
}

/// Finds what \p Ways start from that is not the same on all of them.
void MergedOffsets::findStarts(const Values &Ways, unsigned Depth,
                               SmallSetVector<Values, 2> &Starts) const {
  if (all_equal(Ways))
    return;
  if (Depth == 0 || !takeSameStep(Ways)) {
    Starts.insert(Ways);
    return;
  }
  const auto *First = cast<Instruction>(Ways.front());
  for (unsigned I = 0, E = First->getNumOperands(); I != E; ++I)
    findStarts(getOperands(Ways, I), Depth - 1, Starts);
}

/// Finds which phis may be computed, how many from what, and which are there
/// besides.
SmallVector<MergedOffsets::Candidate, 0> MergedOffsets::findCandidates() {
  SmallVector<Candidate, 0> Candidates;
  for (PHINode &Phi : BB.phis()) {
    const Values Ways = getWays(Phi);
    if (all_equal(Ways) || !takeSameStep(Ways)) {
      Phis.try_emplace(Ways, &Phi);
      continue;
    }
    Candidate &C = Candidates.emplace_back();
    C.Phi = &Phi;
    findStarts(Ways, MaxDepth, C.Starts);
    for (const Values &Start : C.Starts)
      ++NumComputedFrom[Start];
  }
  return Candidates;
}

/// Whether fewer phis are left if \p C is computed.
bool MergedOffsets::isWorthwhile(const Candidate &C) const {
  return all_of(C.Starts, [&](const Values &Start) {
    return Phis.count(Start) || NumComputedFrom.at(Start) >= MinComputed;
  });
}

/// The phi of \p Ways.
Value *MergedOffsets::getPhi(const Values &Ways) {
  PHINode *&Phi = Phis[Ways];
  if (!Phi) {
    Phi = PHINode::Create(Ways.front()->getType(), Ways.size(), "", BB.begin());
    for (auto [Way, Pred] : zip_equal(Ways, Preds))
      Phi->addIncoming(Way, Pred);
  }
  return Phi;
}

/// Computes what all \p Ways do, behind the phis.
Value *MergedOffsets::compute(const Values &Ways, unsigned Depth) {
  if (all_equal(Ways))
    return Ways.front();
  if (Depth == 0 || !takeSameStep(Ways))
    return getPhi(Ways);
  Instruction *Result = cast<Instruction>(Ways.front())->clone();
  for (unsigned I = 0, E = Result->getNumOperands(); I != E; ++I)
    Result->setOperand(I, compute(getOperands(Ways, I), Depth - 1));
  for (Value *Way : drop_begin(Ways)) {
    Result->andIRFlags(Way);
    Result->applyMergedLocation(Result->getDebugLoc(),
                                cast<Instruction>(Way)->getDebugLoc());
  }
  Result->dropUnknownNonDebugMetadata();
  Result->insertBefore(End);
  return Result;
}

bool MergedOffsets::compute() {
  SmallVector<Candidate, 0> ToCompute = findCandidates();
  erase_if(ToCompute, [&](const Candidate &C) { return !isWorthwhile(C); });
  SmallVector<WeakTrackingVH, 0> Unused;
  for (const Candidate &C : ToCompute) {
    const Values Ways = getWays(*C.Phi);
    Value *Result = compute(Ways, MaxDepth);
    Result->takeName(C.Phi);
    C.Phi->replaceAllUsesWith(Result);
    C.Phi->eraseFromParent();
    Unused.append(Ways.begin(), Ways.end());
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Unused);
  NumComputed += ToCompute.size();
  return !ToCompute.empty();
}

/// Whether a loop goes round to \p BB.
static bool isLoopHeader(const BasicBlock &BB, const DominatorTree &DT) {
  return any_of(predecessors(&BB), [&](const BasicBlock *Pred) {
    return DT.dominates(&BB, Pred);
  });
}

bool NVPTXComputeMergedOffsets::runOnFunction(Function &F) {
  if (!NVPTX::usesWGMMA(F))
    return false;
  const DominatorTree DT(F);
  bool Changed = false;
  for (BasicBlock &BB : F)
    if (isa<PHINode>(BB.front()) && !isLoopHeader(BB, DT))
      Changed |= MergedOffsets(BB).compute();
  return Changed;
}

FunctionPass *llvm::createNVPTXComputeMergedOffsetsPass() {
  return new NVPTXComputeMergedOffsets();
}
